//! [`LaneGroup`]: the games in the lanes of one register, and one step of all of them.
//!
//! The idea is in [the parent module](super). A step, in order:
//!
//! ```text
//! begin_step      find_candidates     empty points, enemy stones with two liberties, own real eyes
//!                 flood_step x 2      extend the enemy stones with two liberties along their chains
//!                 choose_points       one random candidate per game; start of the liberty floods
//!                 flood_sweep         all rounds of the floods except the last
//! finish_step     flood_sweep         the last round; a flood that it does not change is complete
//!                                     captures, suicide, ko; swap the sides of played games
//! ```
//!
//! A step is branchless, except for games that end.

use super::plane::Plane;
use crate::playout::results::MAX_PLIES_PER_POINT;
use crate::rules::board::Color;
use crate::rules::points::Points;
use crate::rules::position::Position;
use bitcore::{Isa, Lanes};

/// The rounds that extend known pairs of liberties through the enemy chains; part of the definition of
/// [`candidates`](crate::reference::candidates).
pub(crate) const TWO_LIBERTY_ROUNDS: usize = 2;
/// The rounds of the liberty floods per step. They change only the number of steps, not the games.
pub(super) const FLOOD_ROUNDS: usize = 2;

/// The games in the lanes of one register, each from the perspective of its player to move.
#[derive(Clone, Copy)]
pub(super) struct LaneGroup<S: Isa, P: Plane<S, N>, const N: usize> {
    pub(super) own: P,
    pub(super) enemy: P,
    ko: P,
    /// The points found to be suicide this turn.
    known_suicides: P,
    /// The stone left undecided by the last step, and the stones known to have a liberty once it is played.
    unresolved_stone: P,
    own_with_liberty: P,
    enemy_with_liberty: P,
    /// The games whose floods need more rounds to decide that stone.
    unresolved: P::Lane,
    passed: P::Lane,
    /// The games with Black to move.
    pub(super) black: P::Lane,
    pub(super) plies: P::Lane,
    pub(super) passes: P::Lane,
    /// The points that each side played before the other side did.
    pub(super) own_first: P,
    pub(super) enemy_first: P,
    pub(super) generators: P::Generators,
}

/// The sets of a step, computed before its last flood round.
#[derive(Clone, Copy)]
pub(super) struct Step<S: Isa, P: Plane<S, N>, const N: usize> {
    beside_empty: P,
    beside_two_empty: P,
    enemy_with_two_liberties: P,
    candidates: P,
    /// The chosen point; empty in a game without candidates.
    stone: P,
    no_candidate: P::Lane,
    own_after_stone: P,
    adjacent_enemy: P,
    /// The games where all neighbors of the new stone are enemy stones.
    isolated: P::Lane,
    own_with_liberty: P,
    enemy_with_liberty: P,
}

/// Returns stones whose chains certainly have two liberties: a stone with two empty neighbors, or one of two
/// adjacent stones with an empty neighbor each. Adjacent points have no common neighbor, so the two liberties
/// differ.
#[inline(always)]
fn with_two_liberties<S: Isa, P: Plane<S, N>, const N: usize>(
    stones: P,
    beside_empty: P,
    beside_two_empty: P,
) -> P {
    let beside_empty = stones & beside_empty;
    (stones & beside_two_empty) | (beside_empty & (beside_empty.left() | beside_empty.down()))
}

impl<S: Isa, P: Plane<S, N>, const N: usize> LaneGroup<S, P, N> {
    /// The caller sets the generators.
    #[inline(always)]
    pub(super) fn new(isa: S, start: &Position<N>) -> Self {
        let none = P::splat(isa, &Points::EMPTY);
        let zero = P::splat_lane(isa, 0);
        let mut group = Self {
            own: none,
            enemy: none,
            ko: none,
            known_suicides: none,
            unresolved_stone: none,
            own_with_liberty: none,
            enemy_with_liberty: none,
            unresolved: zero,
            passed: zero,
            black: zero,
            plies: zero,
            passes: zero,
            own_first: none,
            enemy_first: none,
            generators: P::generators(isa),
        };
        group.restart(isa, start, !zero);
        group
    }

    /// The games must be between two moves.
    #[inline(always)]
    pub(super) fn restart(&mut self, isa: S, start: &Position<N>, games: P::Lane) {
        let zero = P::splat_lane(isa, 0);
        let mask = |set: bool| if set { games } else { zero };
        let [own, enemy] = [start.to_move(), start.to_move().other()];
        self.own = P::splat(isa, &start.stones(own)).blend(games, self.own);
        self.enemy = P::splat(isa, &start.stones(enemy)).blend(games, self.enemy);
        self.ko = P::splat(isa, &start.ko()).blend(games, self.ko);
        self.passed = self.passed.and_not(games) | mask(start.passed());
        self.black = self.black.and_not(games) | mask(own == Color::Black);
        self.plies = self.plies.and_not(games);
        self.passes = self.passes.and_not(games);
        self.own_first = self.own_first.masked(!games);
        self.enemy_first = self.enemy_first.masked(!games);
    }

    /// Runs a step up to, but not including, its last flood round.
    #[inline(always)]
    pub(super) fn begin_step(&mut self, isa: S) -> Step<S, P, N> {
        let mut step = self.find_candidates(isa);
        for _ in 0..TWO_LIBERTY_ROUNDS {
            step.enemy_with_two_liberties = step.enemy_with_two_liberties.flood_step(self.enemy);
        }
        self.choose_points(isa, &mut step);
        for _ in 1..FLOOD_ROUNDS {
            self.flood_sweep(&mut step);
        }
        step
    }

    /// Finds the candidates: all legal moves that do not fill an own real eye, and some suicides.
    #[inline(always)]
    pub(super) fn find_candidates(&self, isa: S) -> Step<S, P, N> {
        let empty = P::splat(isa, &Points::FULL).and_not(self.own).and_not(self.enemy);
        let (up, down, left, right) = (empty.up(), empty.down(), empty.left(), empty.right());
        let beside_empty = (up | down) | (left | right);
        let beside_two_empty = (up & down) | (left & right) | ((up | down) & (left | right));
        let enemy_with_two_liberties =
            with_two_liberties::<S, P, N>(self.enemy, beside_empty, beside_two_empty);

        // Own real eyes: no neighbor is empty or an enemy stone, and fewer than two diagonals are lost.
        let (above, below) = (self.enemy.up(), self.enemy.down());
        let eyelike =
            empty.and_not(beside_empty).and_not((above | below) | (self.enemy.left() | self.enemy.right()));
        let (a, b, c, d) = (above.left(), above.right(), below.left(), below.right());
        let twice = (a & b) | (c & d) | ((a | b) & (c | d));
        let false_eyes = twice | ((a | b | c | d) & P::splat(isa, &Points::EDGE));
        let eyes = eyelike.and_not(false_eyes);

        let none = P::splat(isa, &Points::EMPTY);
        Step {
            beside_empty,
            beside_two_empty,
            enemy_with_two_liberties,
            candidates: empty.and_not(eyes).and_not(self.ko).and_not(self.known_suicides),
            stone: none,
            no_candidate: P::splat_lane(isa, 0),
            own_after_stone: none,
            adjacent_enemy: none,
            isolated: P::splat_lane(isa, 0),
            own_with_liberty: none,
            enemy_with_liberty: none,
        }
    }

    /// Chooses a point in each game and starts the liberty floods.
    #[inline(always)]
    pub(super) fn choose_points(&mut self, isa: S, step: &mut Step<S, P, N>) {
        // A stone surrounded by enemy stones with two liberties is suicide.
        let useful =
            step.beside_empty | (self.own | self.enemy.and_not(step.enemy_with_two_liberties)).neighbors();
        step.candidates = (step.candidates & useful).masked(!self.unresolved) | self.unresolved_stone;
        (step.stone, step.no_candidate) =
            step.candidates.choose_random(isa, &mut self.generators, self.unresolved);

        step.own_after_stone = self.own | step.stone;
        let beside = step.stone.neighbors();
        step.adjacent_enemy = beside & self.enemy;
        let others = (beside & P::splat(isa, &Points::FULL)).and_not(step.adjacent_enemy);
        step.isolated = others.is_empty(isa);
        // The points with an empty neighbor other than the stone.
        let beside_empty = step.beside_empty.and_not(beside.and_not(step.beside_two_empty));
        step.enemy_with_liberty =
            step.enemy_with_two_liberties | self.enemy_with_liberty | (beside_empty & self.enemy);
        step.own_with_liberty = (beside_empty & step.own_after_stone) | self.own_with_liberty;
    }

    #[inline(always)]
    pub(super) fn flood_sweep(&self, step: &mut Step<S, P, N>) {
        step.enemy_with_liberty = step.enemy_with_liberty.flood_sweep(self.enemy);
        step.own_with_liberty = step.own_with_liberty.flood_sweep(step.own_after_stone);
    }

    /// Runs the last flood round and plays the decided moves. Returns the games that are over.
    #[inline(always)]
    pub(super) fn finish_step(
        &mut self,
        isa: S,
        step: &Step<S, P, N>,
        multi_suicide: bool,
        track_first: bool,
    ) -> P::Lane {
        let enemy_with_liberty = step.enemy_with_liberty.flood_sweep(self.enemy);
        let own_with_liberty = step.own_with_liberty.flood_sweep(step.own_after_stone);
        let enemy_done = enemy_with_liberty.is_equal(isa, step.enemy_with_liberty);
        let own_done = step.isolated | own_with_liberty.is_equal(isa, step.own_with_liberty);
        let none_taken = step.adjacent_enemy.and_not(enemy_with_liberty).is_empty(isa);
        let has_liberty = step.stone.and_not(own_with_liberty).is_empty(isa);

        let takes = enemy_done.and_not(none_taken);
        let suicide = (none_taken & own_done).and_not(has_liberty);
        let mut played = takes | (none_taken & has_liberty);
        let mut own_after = step.own_after_stone;
        if multi_suicide {
            let multi_stone = suicide.and_not(step.isolated);
            played = played | multi_stone;
            own_after = (own_after & own_with_liberty).blend(multi_stone, own_after);
        }
        let unresolved = !(played | suicide);

        let taken = self.enemy.and_not(enemy_with_liberty).masked(takes);
        let ko = taken.is_single(isa) & step.isolated;
        let own = self.own;
        self.own = self.enemy.and_not(taken).blend(played, own);
        self.enemy = own_after.blend(played, self.enemy);
        self.ko = taken.masked(ko) | self.ko.masked(!played);
        self.known_suicides = (self.known_suicides | step.stone.masked(!unresolved)).masked(!played);
        self.unresolved_stone = step.stone.masked(unresolved);
        self.own_with_liberty = own_with_liberty.masked(unresolved);
        self.enemy_with_liberty = enemy_with_liberty.masked(unresolved);
        self.unresolved = unresolved;
        if track_first {
            let taken = self.own_first | step.stone.and_not(self.enemy_first).masked(played);
            self.own_first = self.enemy_first.blend(played, taken);
            self.enemy_first = taken.blend(played, self.enemy_first);
        }

        let pass = step.no_candidate & played;
        // A lane mask is -1, so subtracting it adds 1.
        self.plies = self.plies - played;
        self.passes = self.passes - pass;
        self.black = self.black ^ played;
        let last =
            self.plies.cmp_eq(P::splat_lane(isa, (MAX_PLIES_PER_POINT as usize * N * N) as u16)) & played;
        let over = (pass & self.passed) | last;
        self.passed = played.blend_lanes(pass, self.passed);
        over
    }
}
