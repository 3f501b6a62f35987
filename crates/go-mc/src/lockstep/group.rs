//! [`Group`]: games in lanes, and one step of all of them.
//!
//! In a step each game draws a point and finds out by floods what a stone there does: that is a move, or a suicide, which
//! bans the point for this turn. Floods have a fixed number of rounds; a game whose floods need more keeps its point and
//! goes on in the next step. It never draws another for being slow, so the choice stays uniform, and no step has a branch
//! but for games that end.

use super::plane::Plane;
use crate::board::Color;
use crate::outcome::PLY_CAP;
use crate::points::Points;
use crate::position::Position;
use bitcore::{Isa, Lanes};

/// Rounds in which stones that have two liberties tell their chain, the opponent's: a part of the definition of
/// [`candidates`](crate::reference::candidates).
pub(crate) const SECURE_ROUNDS: usize = 2;
/// Rounds of the floods of a step. They only move work between steps.
pub(super) const FLOOD_ROUNDS: usize = 2;

/// Games side by side, each seen by its player to move.
#[derive(Clone, Copy)]
pub(super) struct Group<S: Isa, P: Plane<S, N>, const N: usize> {
    pub(super) own: P,
    pub(super) enemy: P,
    ko: P,
    /// Points that have turned out to be suicide in this turn.
    banned: P,
    /// The stone that the last step left open, and the stones that are known to live on if it is put down.
    open: P,
    own_living: P,
    enemy_living: P,
    waiting: P::Lane,
    passed: P::Lane,
    /// The games in which Black is to move.
    pub(super) black: P::Lane,
    pub(super) plies: P::Lane,
    pub(super) passes: P::Lane,
    /// The points that each side was the first to take.
    pub(super) own_first: P,
    pub(super) enemy_first: P,
    pub(super) draws: P::Draws,
}

/// What a step knows before its floods.
#[derive(Clone, Copy)]
pub(super) struct Survey<S: Isa, P: Plane<S, N>, const N: usize> {
    /// Points with an empty neighbor.
    breathing: P,
    /// Points with two.
    breathing_twice: P,
    enemy_secure: P,
    candidates: P,
    /// The chosen point.
    stone: P,
    no_move: P::Lane,
    /// Own stones with the new one.
    placed: P,
    /// Enemy stones beside the new one.
    touched: P,
    /// All neighbors of the new stone are the opponent's.
    lone: P::Lane,
    own_living: P,
    enemy_living: P,
}

/// Stones of chains that have two liberties, some of them: a stone with two empty neighbors has them, and so have two
/// adjacent stones that each have one, for the board has no triangles.
#[inline(always)]
fn secure<S: Isa, P: Plane<S, N>, const N: usize>(stones: P, breathing: P, breathing_twice: P) -> P {
    let breathing = stones & breathing;
    (stones & breathing_twice) | (breathing & (breathing.left() | breathing.down()))
}

impl<S: Isa, P: Plane<S, N>, const N: usize> Group<S, P, N> {
    /// Every game at its start; the generators are still to be dealt.
    #[inline(always)]
    pub(super) fn new(isa: S, start: &Position<N>) -> Self {
        let none = P::same(isa, &Points::EMPTY);
        let zero = P::lanes(isa, 0);
        let mut group = Self {
            own: none,
            enemy: none,
            ko: none,
            banned: none,
            open: none,
            own_living: none,
            enemy_living: none,
            waiting: zero,
            passed: zero,
            black: zero,
            plies: zero,
            passes: zero,
            own_first: none,
            enemy_first: none,
            draws: P::draws(isa),
        };
        group.restart(isa, start, !zero);
        group
    }

    /// Back to the start in some games, which are between two moves.
    #[inline(always)]
    pub(super) fn restart(&mut self, isa: S, start: &Position<N>, games: P::Lane) {
        let zero = P::lanes(isa, 0);
        let mask = |set: bool| if set { games } else { zero };
        let [own, enemy] = [start.to_move(), start.to_move().other()];
        self.own = P::same(isa, &start.stones(own)).or_else(games, self.own);
        self.enemy = P::same(isa, &start.stones(enemy)).or_else(games, self.enemy);
        self.ko = P::same(isa, &start.ko()).or_else(games, self.ko);
        self.passed = self.passed.and_not(games) | mask(start.passed());
        self.black = self.black.and_not(games) | mask(own == Color::Black);
        self.plies = self.plies.and_not(games);
        self.passes = self.passes.and_not(games);
        self.own_first = self.own_first.of(!games);
        self.enemy_first = self.enemy_first.of(!games);
    }

    /// A step but for its end: every game has a point, and floods that are one round short.
    #[inline(always)]
    pub(super) fn look(&mut self, isa: S) -> Survey<S, P, N> {
        let mut survey = self.survey(isa);
        for _ in 0..SECURE_ROUNDS {
            survey.enemy_secure = survey.enemy_secure.spread(self.enemy);
        }
        self.choose(isa, &mut survey);
        for _ in 1..FLOOD_ROUNDS {
            self.flood(&mut survey);
        }
        survey
    }

    /// The points that may be chosen: all legal moves but into own eyes, and some suicides.
    #[inline(always)]
    pub(super) fn survey(&self, isa: S) -> Survey<S, P, N> {
        let empty = P::same(isa, &Points::FULL).but(self.own).but(self.enemy);
        let (up, down, left, right) = (empty.up(), empty.down(), empty.left(), empty.right());
        let breathing = (up | down) | (left | right);
        let breathing_twice = (up & down) | (left & right) | ((up | down) & (left | right));
        let enemy_secure = secure::<S, P, N>(self.enemy, breathing, breathing_twice);

        // Own eyes: no neighbor is empty or the opponent's, and fewer than two strikes on the diagonals.
        let (above, below) = (self.enemy.up(), self.enemy.down());
        let surrounded = empty.but(breathing).but((above | below) | (self.enemy.left() | self.enemy.right()));
        let (a, b, c, d) = (above.left(), above.right(), below.left(), below.right());
        let twice = (a & b) | (c & d) | ((a | b) & (c | d));
        let struck = twice | ((a | b | c | d) & P::same(isa, &Points::EDGE));
        let eyes = surrounded.but(struck);

        let none = P::same(isa, &Points::EMPTY);
        Survey {
            breathing,
            breathing_twice,
            enemy_secure,
            candidates: empty.but(eyes).but(self.ko).but(self.banned),
            stone: none,
            no_move: P::lanes(isa, 0),
            placed: none,
            touched: none,
            lone: P::lanes(isa, 0),
            own_living: none,
            enemy_living: none,
        }
    }

    /// Draws the points.
    #[inline(always)]
    pub(super) fn choose(&mut self, isa: S, survey: &mut Survey<S, P, N>) {
        // Between secure stones of the opponent a stone is suicide.
        let useful = survey.breathing | (self.own | self.enemy.but(survey.enemy_secure)).neighbors();
        survey.candidates = (survey.candidates & useful).of(!self.waiting) | self.open;
        (survey.stone, survey.no_move) = survey.candidates.choose(isa, &mut self.draws, self.waiting);

        survey.placed = self.own | survey.stone;
        let beside = survey.stone.neighbors();
        survey.touched = beside & self.enemy;
        let others = (beside & P::same(isa, &Points::FULL)).but(survey.touched);
        survey.lone = others.none(isa);
        // Points with an empty neighbor other than the stone's.
        let breathing = survey.breathing.but(beside.but(survey.breathing_twice));
        survey.enemy_living = survey.enemy_secure | self.enemy_living | (breathing & self.enemy);
        survey.own_living = (breathing & survey.placed) | self.own_living;
    }

    /// One round of the floods.
    #[inline(always)]
    pub(super) fn flood(&self, survey: &mut Survey<S, P, N>) {
        survey.enemy_living = survey.enemy_living.flood(self.enemy);
        survey.own_living = survey.own_living.flood(survey.placed);
    }

    /// The last round, and what it says. Returns the games that are over.
    #[inline(always)]
    pub(super) fn settle(&mut self, isa: S, survey: &Survey<S, P, N>, multi: bool, first: bool) -> P::Lane {
        let enemy_living = survey.enemy_living.flood(self.enemy);
        let own_living = survey.own_living.flood(survey.placed);
        let enemy_done = enemy_living.equal(isa, survey.enemy_living);
        let own_done = survey.lone | own_living.equal(isa, survey.own_living);
        let none_taken = survey.touched.but(enemy_living).none(isa);
        let alive = survey.stone.but(own_living).none(isa);

        let takes = enemy_done.and_not(none_taken);
        let suicide = (none_taken & own_done).and_not(alive);
        let mut played = takes | (none_taken & alive);
        let mut own_after = survey.placed;
        if multi {
            let several = suicide.and_not(survey.lone);
            played = played | several;
            own_after = (own_after & own_living).or_else(several, own_after);
        }
        let waiting = !(played | suicide);

        let taken = self.enemy.but(enemy_living).of(takes);
        let ko = taken.one(isa) & survey.lone;
        let own = self.own;
        self.own = self.enemy.but(taken).or_else(played, own);
        self.enemy = own_after.or_else(played, self.enemy);
        self.ko = taken.of(ko) | self.ko.of(!played);
        self.banned = (self.banned | survey.stone.of(!waiting)).of(!played);
        self.open = survey.stone.of(waiting);
        self.own_living = own_living.of(waiting);
        self.enemy_living = enemy_living.of(waiting);
        self.waiting = waiting;
        if first {
            let taken = self.own_first | survey.stone.but(self.enemy_first).of(played);
            self.own_first = self.enemy_first.or_else(played, taken);
            self.enemy_first = taken.or_else(played, self.enemy_first);
        }

        let pass = survey.no_move & played;
        // Lane masks are -1.
        self.plies = self.plies - played;
        self.passes = self.passes - pass;
        self.black = self.black ^ played;
        let last = self.plies.cmp_eq(P::lanes(isa, (PLY_CAP as usize * N * N) as u16)) & played;
        let over = (pass & self.passed) | last;
        self.passed = played.blend_lanes(pass, self.passed);
        over
    }
}

#[cfg(test)]
impl<S: Isa, P: Plane<S, N>, const N: usize> Survey<S, P, N> {
    pub(super) fn candidates(&self) -> P {
        self.candidates
    }
    pub(super) fn stone(&self) -> P {
        self.stone
    }
}

#[cfg(test)]
impl<S: Isa, P: Plane<S, N>, const N: usize> Group<S, P, N> {
    pub(super) fn ko(&self) -> P {
        self.ko
    }
    pub(super) fn waiting(&self) -> P::Lane {
        self.waiting
    }
}
