//! [`Plane`]: one set of points per game of a group.
#![allow(
    clippy::return_self_not_must_use,
    reason = "every method here is arithmetic; none has an effect to forget"
)]

use crate::rules::points::Points;
use bitcore::{Isa, Lanes, Rng32};
use core::ops::{BitAnd, BitOr};

pub(super) const MAX_GAMES: usize = 16;

/// One set of points per game, each in its own lane, as `N` rows of `N` bits with a gap after each row.
///
/// Shifts may leave bits in the gaps and beyond the board; code that depends on these bits first intersects
/// with a set of points on the board.
pub(super) trait Plane<S: Isa, const N: usize>:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self>
{
    /// One number or mask per game.
    type Lane: Lanes;
    type Generators: Copy;
    type Memory: Copy;
    /// The number of games in a group, at most [`MAX_GAMES`].
    const GAMES: usize;
    /// `true` if games in lanes are faster than one game at a time.
    const FAST: bool;

    fn splat_lane(isa: S, number: u16) -> Self::Lane;
    /// Returns the lanes as numbers; only the first [`GAMES`](Self::GAMES) are valid.
    fn lane_values(lanes: Self::Lane) -> [u32; MAX_GAMES];

    fn splat(isa: S, points: &Points<N>) -> Self;
    fn store(self) -> Self::Memory;
    fn points(memory: &Self::Memory, game: usize) -> Points<N>;

    fn and_not(self, other: Self) -> Self;
    /// Returns the sets of the games marked in `lanes`, and empty sets elsewhere.
    fn masked(self, lanes: Self::Lane) -> Self;
    /// Returns `self` in the games marked in `lanes`, and `other` elsewhere.
    fn blend(self, lanes: Self::Lane, other: Self) -> Self;
    fn is_empty(self, isa: S) -> Self::Lane;
    fn is_equal(self, isa: S, other: Self) -> Self::Lane;
    fn is_single(self, isa: S) -> Self::Lane;

    /// Shifts every point to the next higher row.
    fn up(self) -> Self;
    fn down(self) -> Self;
    fn right(self) -> Self;
    fn left(self) -> Self;
    #[inline(always)]
    fn neighbors(self) -> Self {
        (self.up() | self.down()) | (self.left() | self.right())
    }
    /// Runs one round of a flood fill inside `within`, a superset of `self`: first along each row, right to
    /// the end of the run of `within` and left by one, then up and down by one from there.
    fn flood_step(self, within: Self) -> Self;
    /// Reaches at least as far as [`flood_step`](Self::flood_step); every reached point is connected to
    /// `self` inside `within`.
    #[inline(always)]
    fn flood_sweep(self, within: Self) -> Self {
        self.flood_step(within)
    }

    /// Returns generators that must be set before use.
    fn generators(isa: S) -> Self::Generators;
    fn set_generator(isa: S, generators: &mut Self::Generators, game: usize, rng: &Rng32);
    /// Returns a uniformly random point of each set, by one draw below its number of points, and the games
    /// whose set is empty. A generator advances only if its set is not empty and its game is not marked in
    /// `unresolved`.
    fn choose_random(
        self,
        isa: S,
        generators: &mut Self::Generators,
        unresolved: Self::Lane,
    ) -> (Self, Self::Lane);
}
