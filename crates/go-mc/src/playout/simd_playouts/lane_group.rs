//! [`LaneGroup`]: the games in the lanes of one register, and one step of all of them.
//!
//! The idea is in [the parent module](super). A step, in order:
//!
//! ```text
//! find_candidates     empty points, own real eyes; enemy stones with two liberties, extended along their
//!                     chains in two rounds
//! choose_points       one random candidate per game; start of the liberty floods
//! finish_step         two rounds of the floods; one that the last does not change is complete
//!                     captures, suicide, ko; swap the sides of played games
//! ```
//!
//! A step is branchless, except for games that end. Most of it goes word by word instead of plane
//! by plane, since a plane of a 13 x 13 board is almost half of the registers that CPUs without
//! AVX-512 have.

use super::plane::{self, Plane, each_word};
use crate::playout::results::MAX_PLIES_PER_POINT;
use crate::rules::board::Color;
use crate::rules::points::Points;
use crate::rules::position::Position;
use bitcore::{Isa, Lanes, Streams32, U32s};

/// The rounds that extend known pairs of liberties through the enemy chains; part of the definition
/// of [`candidates`](crate::reference::candidates).
pub(crate) const TWO_LIBERTY_ROUNDS: usize = 2;

/// The games in the lanes of one register, each from the perspective of its player to move.
#[derive(Clone, Copy)]
pub(super) struct LaneGroup<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32> {
    pub(super) own: Plane<S, N, WORDS, FIELD>,
    pub(super) enemy: Plane<S, N, WORDS, FIELD>,
    /// The ko point, and the points found to be suicide this turn.
    forbidden: Plane<S, N, WORDS, FIELD>,
    /// The stone of the last step.
    stone: Plane<S, N, WORDS, FIELD>,
    /// The games whose floods need more rounds to decide that stone, and the stones of both sides
    /// known to have a liberty once it is played.
    unresolved: S::U32x8,
    with_liberty: Plane<S, N, WORDS, FIELD>,
    passed: S::U32x8,
    /// The games with Black to move.
    pub(super) black: S::U32x8,
    pub(super) plies: S::U32x8,
    pub(super) passes: S::U32x8,
    /// The points that each side played before the other side did.
    pub(super) own_first: Plane<S, N, WORDS, FIELD>,
    pub(super) enemy_first: Plane<S, N, WORDS, FIELD>,
    pub(super) generators: Streams32<S>,
}

/// The sets of a step before a point is chosen.
#[derive(Clone, Copy)]
struct Turn<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32> {
    /// The empty points and the own stones.
    not_enemy: Plane<S, N, WORDS, FIELD>,
    beside_empty: Plane<S, N, WORDS, FIELD>,
    beside_two_empty: Plane<S, N, WORDS, FIELD>,
    enemy_with_two_liberties: Plane<S, N, WORDS, FIELD>,
    candidates: Plane<S, N, WORDS, FIELD>,
}

/// The sets that the search for candidates needs of a word and the words beside it.
struct Rows<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32> {
    not_enemy: Plane<S, N, WORDS, FIELD>,
    empty: Plane<S, N, WORDS, FIELD>,
    /// The points with an enemy stone on the left or right, and those with both.
    one_beside: Plane<S, N, WORDS, FIELD>,
    two_beside: Plane<S, N, WORDS, FIELD>,
}

impl<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32> Rows<S, N, WORDS, FIELD> {
    #[inline(always)]
    fn find(
        &mut self,
        group: &LaneGroup<S, N, WORDS, FIELD>,
        full: &Plane<S, N, WORDS, FIELD>,
        w: usize,
    ) {
        let enemy = group.enemy.0[w];
        let right = enemy.shl::<1>();
        let left = enemy.shr::<1>();
        self.not_enemy.0[w] = full.0[w].and_not(enemy);
        self.empty.0[w] = self.not_enemy.0[w].and_not(group.own.0[w]);
        self.one_beside.0[w] = right | left;
        self.two_beside.0[w] = right & left;
    }
}

/// The sets of a step after a point is chosen.
#[derive(Clone, Copy)]
struct Step<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32> {
    /// The games without a candidate.
    no_candidate: S::U32x8,
    own_after_stone: Plane<S, N, WORDS, FIELD>,
    adjacent_enemy: Plane<S, N, WORDS, FIELD>,
    /// The games where all neighbors of the new stone are enemy stones.
    isolated: S::U32x8,
    own_with_liberty: Plane<S, N, WORDS, FIELD>,
    enemy_with_liberty: Plane<S, N, WORDS, FIELD>,
}

impl<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32> LaneGroup<S, N, WORDS, FIELD> {
    /// The caller sets the generators.
    #[inline(always)]
    pub(super) fn new(isa: S, start: &Position<N>) -> Self {
        let none = Plane::splat(isa, &Points::EMPTY);
        let zero = isa.splat_u32(0);
        let mut group = Self {
            own: none,
            enemy: none,
            forbidden: none,
            stone: none,
            unresolved: zero,
            with_liberty: none,
            passed: zero,
            black: zero,
            plies: zero,
            passes: zero,
            own_first: none,
            enemy_first: none,
            generators: Streams32::from_words(isa, &[[0; plane::GAMES]; 2]),
        };
        group.restart(isa, start, !zero);
        group
    }

    /// The games must be between two moves.
    #[inline(always)]
    pub(super) fn restart(&mut self, isa: S, start: &Position<N>, games: S::U32x8) {
        let zero = isa.splat_u32(0);
        let mask = |set: bool| if set { games } else { zero };
        let [own, enemy] = [start.to_move(), start.to_move().other()];
        let own_start: Plane<S, N, WORDS, FIELD> = Plane::splat(isa, &start.stones(own));
        let enemy_start: Plane<S, N, WORDS, FIELD> = Plane::splat(isa, &start.stones(enemy));
        let ko: Plane<S, N, WORDS, FIELD> = Plane::splat(isa, &start.ko());
        each_word!(WORDS, |w| {
            self.own.0[w] = games.blend_lanes(own_start.0[w], self.own.0[w]);
            self.enemy.0[w] = games.blend_lanes(enemy_start.0[w], self.enemy.0[w]);
            self.forbidden.0[w] = games.blend_lanes(ko.0[w], self.forbidden.0[w]);
            self.own_first.0[w] = self.own_first.0[w].and_not(games);
            self.enemy_first.0[w] = self.enemy_first.0[w].and_not(games);
        });
        self.passed = self.passed.and_not(games) | mask(start.passed());
        self.black = self.black.and_not(games) | mask(own == Color::Black);
        self.plies = self.plies.and_not(games);
        self.passes = self.passes.and_not(games);
    }

    /// Runs a step. Returns the games that are over.
    #[inline(always)]
    pub(super) fn step(&mut self, isa: S, multi_suicide: bool, track_first: bool) -> S::U32x8 {
        let turn = self.find_candidates(isa);
        let step = self.choose_points(isa, &turn);
        self.finish_step(isa, step, multi_suicide, track_first)
    }

    /// Finds the candidates: all legal moves that do not fill an own real eye, and some suicides.
    #[inline(always)]
    fn find_candidates(&self, isa: S) -> Turn<S, N, WORDS, FIELD> {
        let full = Plane::splat(isa, &Points::FULL);
        let edge: Plane<S, N, WORDS, FIELD> = Plane::splat(isa, &Points::EDGE);
        let mut rows = Rows { not_enemy: full, empty: full, one_beside: full, two_beside: full };
        let [mut beside_empty, mut beside_two_empty, mut candidates, mut enemy_beside_empty] =
            [full; 4];
        // A word needs the next one, and the ends need each other at the fold.
        rows.find(self, &full, WORDS - 1);
        rows.find(self, &full, 0);
        each_word!(WORDS, |w| {
            if w + 1 < WORDS {
                rows.find(self, &full, w + 1);
            }
            let Rows { empty, one_beside, two_beside, .. } = &rows;
            let up = empty.up(w);
            let down = empty.down(w);
            let right = empty.0[w].shl::<1>();
            let left = empty.0[w].shr::<1>();
            beside_empty.0[w] = (up | down) | (left | right);
            beside_two_empty.0[w] = (up & down) | (left & right) | ((up | down) & (left | right));
            enemy_beside_empty.0[w] = self.enemy.0[w] & beside_empty.0[w];

            // All points but own real eyes: a neighbor is empty or an enemy stone, or too many
            // diagonals are lost, two or one at the edge.
            let beside_enemy = (self.enemy.up(w) | self.enemy.down(w)) | one_beside.0[w];
            let above = one_beside.up(w);
            let below = one_beside.down(w);
            let twice = (two_beside.up(w) | two_beside.down(w)) | (above & below);
            let lost = twice | ((above | below) & edge.0[w]);
            let no_eye = (beside_empty.0[w] | beside_enemy) | lost;
            candidates.0[w] = (empty.0[w] & no_eye).and_not(self.forbidden.0[w]);
        });

        // Stones whose chains certainly have two liberties: a stone with two empty neighbors, or
        // one of two adjacent stones with an empty neighbor each. Adjacent points have no common
        // neighbor, so the two liberties differ.
        let mut enemy_with_two_liberties = full;
        each_word!(WORDS, |w| {
            let one = enemy_beside_empty.0[w];
            enemy_with_two_liberties.0[w] = (self.enemy.0[w] & beside_two_empty.0[w])
                | (one & (one.shr::<1>() | enemy_beside_empty.down(w)));
        });
        for _ in 0..TWO_LIBERTY_ROUNDS {
            enemy_with_two_liberties = enemy_with_two_liberties.flood_step(&self.enemy);
        }

        // A stone surrounded by enemy stones with two liberties is suicide.
        let mut useful = full;
        each_word!(WORDS, |w| {
            useful.0[w] = full.0[w].and_not(enemy_with_two_liberties.0[w]);
        });
        each_word!(WORDS, |w| {
            candidates.0[w] = candidates.0[w] & useful.neighbors(w);
        });
        Turn {
            not_enemy: rows.not_enemy,
            beside_empty,
            beside_two_empty,
            enemy_with_two_liberties,
            candidates,
        }
    }

    /// Chooses a point in each game and finds where the liberty floods start.
    #[inline(always)]
    fn choose_points(
        &mut self,
        isa: S,
        turn: &Turn<S, N, WORDS, FIELD>,
    ) -> Step<S, N, WORDS, FIELD> {
        let mut candidates = turn.candidates;
        each_word!(WORDS, |w| {
            candidates.0[w] = self.unresolved.blend_lanes(self.stone.0[w], candidates.0[w]);
        });
        let (stone, no_candidate) =
            candidates.choose_random(isa, &mut self.generators, self.unresolved);
        self.stone = stone;
        let [mut own_after_stone, mut adjacent_enemy] = [stone; 2];
        let [mut own_with_liberty, mut enemy_with_liberty] = [stone; 2];
        let mut others = isa.splat_u32(0);
        each_word!(WORDS, |w| {
            let beside = stone.neighbors(w);
            own_after_stone.0[w] = self.own.0[w] | stone.0[w];
            adjacent_enemy.0[w] = beside & self.enemy.0[w];
            others = others | (beside & turn.not_enemy.0[w]);
            // The points with an empty neighbor other than the stone.
            let beside_empty =
                turn.beside_empty.0[w].and_not(beside.and_not(turn.beside_two_empty.0[w]));
            let has_liberty = beside_empty | self.with_liberty.0[w];
            enemy_with_liberty.0[w] =
                turn.enemy_with_two_liberties.0[w] | (has_liberty & self.enemy.0[w]);
            own_with_liberty.0[w] = has_liberty & own_after_stone.0[w];
        });
        let isolated = others.cmp_eq(isa.splat_u32(0));
        Step {
            no_candidate,
            own_after_stone,
            adjacent_enemy,
            isolated,
            own_with_liberty,
            enemy_with_liberty,
        }
    }

    /// Runs the floods and plays the decided moves. Returns the games that are over.
    #[inline(always)]
    fn finish_step(
        &mut self,
        isa: S,
        mut step: Step<S, N, WORDS, FIELD>,
        multi_suicide: bool,
        track_first: bool,
    ) -> S::U32x8 {
        let zero = isa.splat_u32(0);
        // The number of rounds changes only the number of steps, not the games.
        step.enemy_with_liberty = step.enemy_with_liberty.flood_sweep(&self.enemy);
        step.own_with_liberty = step.own_with_liberty.flood_sweep(&step.own_after_stone);
        let enemy_with_liberty = step.enemy_with_liberty.flood_step(&self.enemy);
        let mut enemy_new = zero;
        let mut beside_taken = zero;
        let mut taken_sum = zero;
        let mut taken_any = zero;
        each_word!(WORDS, |w| {
            enemy_new = enemy_new | (enemy_with_liberty.0[w] ^ step.enemy_with_liberty.0[w]);
            beside_taken = beside_taken | step.adjacent_enemy.0[w].and_not(enemy_with_liberty.0[w]);
            let taken = self.enemy.0[w].and_not(enemy_with_liberty.0[w]);
            taken_sum = taken_sum + taken;
            taken_any = taken_any | taken;
        });
        let own_with_liberty = step.own_with_liberty.flood_step(&step.own_after_stone);
        let mut own_new = zero;
        let mut dead = zero;
        each_word!(WORDS, |w| {
            own_new = own_new | (own_with_liberty.0[w] ^ step.own_with_liberty.0[w]);
            dead = dead | self.stone.0[w].and_not(own_with_liberty.0[w]);
        });
        // The sum and the union of the words are equal if all points are at different bits.
        let single =
            taken_sum.cmp_eq(taken_any) & (taken_any & (taken_any - isa.splat_u32(1))).cmp_eq(zero);
        let enemy_done = enemy_new.cmp_eq(zero);
        let own_done = step.isolated | own_new.cmp_eq(zero);
        let none_taken = beside_taken.cmp_eq(zero);
        let has_liberty = dead.cmp_eq(zero);

        let takes = enemy_done.and_not(none_taken);
        let suicide = (none_taken & own_done).and_not(has_liberty);
        let mut played = takes | (none_taken & has_liberty);
        if multi_suicide {
            let multi_stone = suicide.and_not(step.isolated);
            played = played | multi_stone;
            each_word!(WORDS, |w| {
                let lost = step.own_after_stone.0[w].and_not(own_with_liberty.0[w]) & multi_stone;
                step.own_after_stone.0[w] = step.own_after_stone.0[w].and_not(lost);
            });
        }
        let unresolved = !(played | suicide);
        let ko = single & step.isolated & takes;
        if track_first {
            each_word!(WORDS, |w| {
                let taken =
                    self.own_first.0[w] | (self.stone.0[w].and_not(self.enemy_first.0[w]) & played);
                self.own_first.0[w] = played.blend_lanes(self.enemy_first.0[w], taken);
                self.enemy_first.0[w] = played.blend_lanes(taken, self.enemy_first.0[w]);
            });
        }
        each_word!(WORDS, |w| {
            let own = self.own.0[w];
            let enemy = self.enemy.0[w];
            let enemy_after = takes.blend_lanes(enemy_with_liberty.0[w], enemy);
            self.own.0[w] = played.blend_lanes(enemy_after, own);
            self.enemy.0[w] = played.blend_lanes(step.own_after_stone.0[w], enemy);
            let ko = enemy.and_not(enemy_with_liberty.0[w]) & ko;
            let forbidden = self.forbidden.0[w] | (self.stone.0[w] & suicide);
            self.forbidden.0[w] = played.blend_lanes(ko, forbidden);
            self.with_liberty.0[w] = (own_with_liberty.0[w] | enemy_with_liberty.0[w]) & unresolved;
        });
        self.unresolved = unresolved;

        let pass = step.no_candidate & played;
        // A lane mask is -1, so subtracting it adds 1.
        self.plies = self.plies - played;
        self.passes = self.passes - pass;
        self.black = self.black ^ played;
        let last = self.plies.cmp_eq(isa.splat_u32(MAX_PLIES_PER_POINT * (N * N) as u32)) & played;
        let over = (pass & self.passed) | last;
        self.passed = played.blend_lanes(pass, self.passed);
        over
    }
}
