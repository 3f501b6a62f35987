//! [`Plane`]: one set of points of each game of a group.
#![allow(
    clippy::return_self_not_must_use,
    reason = "every method here is arithmetic; none has an effect to forget"
)]

use crate::points::Points;
use bitcore::{Isa, Lanes, Rng32};
use core::ops::{BitAnd, BitOr};

/// The most games in a group.
pub(super) const MAX_GAMES: usize = 16;

/// One set of points of each game of a group, a lane a game, as `N` rows of `N` bits with a gap after each.
///
/// A shift may leave bits in the gaps and beyond the board; whoever looks at them cuts with a set of the board.
pub(super) trait Plane<S: Isa, const N: usize>:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self>
{
    /// One number or mask a game.
    type Lane: Lanes;
    /// Generators, one a game.
    type Generators: Copy;
    /// A plane in memory.
    type Memory: Copy;
    /// Games in a group, at most [`MAX_GAMES`].
    const GAMES: usize;

    /// The same number in every lane.
    fn splat_lane(isa: S, number: u16) -> Self::Lane;
    /// The lanes as numbers, the first [`GAMES`](Self::GAMES) of them.
    fn lane_values(lanes: Self::Lane) -> [u32; MAX_GAMES];

    /// The same set in every game.
    fn splat(isa: S, points: &Points<N>) -> Self;
    /// Out of registers.
    fn store(self) -> Self::Memory;
    /// The set of one game.
    fn points(memory: &Self::Memory, game: usize) -> Points<N>;

    /// The points of `self` that aren't in `other`.
    fn and_not(self, other: Self) -> Self;
    /// The sets of the games that `lanes` marks; none in the others.
    fn masked(self, lanes: Self::Lane) -> Self;
    /// This plane's sets in the games that `lanes` marks, `other`'s elsewhere.
    fn blend(self, lanes: Self::Lane, other: Self) -> Self;
    /// The games in which the set has no point.
    fn is_empty(self, isa: S) -> Self::Lane;
    /// The games in which the two sets are equal.
    fn is_equal(self, isa: S, other: Self) -> Self::Lane;
    /// The games in which the set has exactly one point.
    fn is_single(self, isa: S) -> Self::Lane;

    /// Every point moved by a row, to higher ones.
    fn up(self) -> Self;
    /// Every point moved by a row, to lower ones.
    fn down(self) -> Self;
    /// Every point moved by a column, to higher ones.
    fn right(self) -> Self;
    /// Every point moved by a column, to lower ones.
    fn left(self) -> Self;
    /// Every neighbor of a point.
    #[inline(always)]
    fn neighbors(self) -> Self {
        (self.up() | self.down()) | (self.left() | self.right())
    }
    /// One round of a flood inside `within`, of which `self` is a part: along the rows as far as it goes to the right
    /// and by one to the left, then by one along the columns.
    fn flood_step(self, within: Self) -> Self;
    /// The same and perhaps more: every point is in the flood.
    #[inline(always)]
    fn flood_sweep(self, within: Self) -> Self {
        self.flood_step(within)
    }

    /// Fresh generators.
    fn generators(isa: S) -> Self::Generators;
    /// Gives a game its generator.
    fn set_generator(isa: S, generators: &mut Self::Generators, game: usize, rng: &Rng32);
    /// One point of each set, uniformly, by one draw below the number of its points; and the games whose set is empty. A
    /// generator moves on only if its set has points and `unresolved` doesn't mark its game.
    fn choose_random(
        self,
        isa: S,
        generators: &mut Self::Generators,
        unresolved: Self::Lane,
    ) -> (Self, Self::Lane);
}
