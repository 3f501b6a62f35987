//! [`Plane`]: one set of points per game of a group.
#![allow(
    clippy::return_self_not_must_use,
    reason = "every method here is arithmetic; none has an effect to forget"
)]

use crate::points::Points;
use bitcore::{Isa, Lanes, Rng32};
use core::ops::{BitAnd, BitOr};

pub(super) const MAX_GAMES: usize = 16;

/// One set of points per game, each in a lane of its own, as `N` rows of `N` bits with a gap after each row.
///
/// Shifts may leave bits in the gaps and beyond the board; code that depends on them first intersects with a
/// set of points on the board.
pub(super) trait Plane<S: Isa, const N: usize>:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self>
{
    /// One number or mask per game.
    type Lane: Lanes;
    /// One random generator per game.
    type Generators: Copy;
    type Memory: Copy;
    /// The number of games in a group, at most [`MAX_GAMES`].
    const GAMES: usize;
    /// `true` if games in lanes are faster than one after the other.
    const FAST: bool;

    fn splat_lane(isa: S, number: u16) -> Self::Lane;
    /// Returns the lanes as numbers; the first [`GAMES`](Self::GAMES) of them are valid.
    fn lane_values(lanes: Self::Lane) -> [u32; MAX_GAMES];

    fn splat(isa: S, points: &Points<N>) -> Self;
    fn store(self) -> Self::Memory;
    fn points(memory: &Self::Memory, game: usize) -> Points<N>;

    fn and_not(self, other: Self) -> Self;
    /// Returns the sets of the games that `lanes` marks, and empty sets in the others.
    fn masked(self, lanes: Self::Lane) -> Self;
    /// Returns `self`'s sets in the games that `lanes` marks, and `other`'s sets in the others.
    fn blend(self, lanes: Self::Lane, other: Self) -> Self;
    fn is_empty(self, isa: S) -> Self::Lane;
    fn is_equal(self, isa: S, other: Self) -> Self::Lane;
    /// Returns the games in which the set has exactly one point.
    fn is_single(self, isa: S) -> Self::Lane;

    /// Shifts every point by one row, to higher ones.
    fn up(self) -> Self;
    /// Shifts every point by one row, to lower ones.
    fn down(self) -> Self;
    /// Shifts every point by one column, to higher ones.
    fn right(self) -> Self;
    /// Shifts every point by one column, to lower ones.
    fn left(self) -> Self;
    #[inline(always)]
    fn neighbors(self) -> Self {
        (self.up() | self.down()) | (self.left() | self.right())
    }
    /// Does one round of a flood fill inside `within`, a superset of `self`: first along each row, to the
    /// right as far as `within` continues and to the left by one, then by one up and down from there.
    fn flood_step(self, within: Self) -> Self;
    /// Does at least [`flood_step`](Self::flood_step); every point reached is connected with `self` inside
    /// `within`.
    #[inline(always)]
    fn flood_sweep(self, within: Self) -> Self {
        self.flood_step(within)
    }

    /// Returns generators in an unusable state.
    fn generators(isa: S) -> Self::Generators;
    fn set_generator(isa: S, generators: &mut Self::Generators, game: usize, rng: &Rng32);
    /// Returns a random point of each set, uniformly, by one draw below the number of its points; and the
    /// games whose set is empty. A generator advances only if its set is not empty and `unresolved` does not
    /// mark its game.
    fn choose_random(
        self,
        isa: S,
        generators: &mut Self::Generators,
        unresolved: Self::Lane,
    ) -> (Self, Self::Lane);
}
