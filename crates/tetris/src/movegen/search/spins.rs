//! T-spins, by the corners around the center.
//!
//! Under the three-corner rule, a T that last moved by a rotation has a spin if at least three of
//! its four corners, the cells diagonal to its center, are filled: a full spin if both front
//! corners are filled or the fifth kick was used, otherwise a mini. The search therefore records
//! the ends of the first four kicks separately from the ends of the fifth. A center that the piece
//! also reaches by a move or a drop is a placement without a spin, too. If no resting center has
//! three filled corners, spins need no work.

use super::reachable::ReachableSet;
use super::rotations::RotationTargets;
use crate::movegen::bitboard::{Bitboard, RowBlock, rows};

/// The corners around the centers of a T.
#[derive(Clone, Copy)]
pub(super) struct Corners<B, const N: usize> {
    /// The centers with a free corner, clockwise from the upper left.
    free: [Bitboard<B, N>; 4],
    /// The centers with at most one free corner.
    three_filled: Bitboard<B, N>,
}

impl<B: RowBlock, const N: usize> Corners<B, N> {
    /// Returns `None` if no resting center has three filled corners.
    #[inline(always)]
    pub(super) fn find(
        isa: B::Token,
        board: Bitboard<B, N>,
        resting: &[Bitboard<B, N>; 4],
    ) -> Option<Self> {
        let corners = Self::new(isa, board);
        let any = resting[0].or(resting[1]).or(resting[2].or(resting[3]));
        (!any.and(corners.three_filled).is_zero()).then_some(corners)
    }

    #[inline(always)]
    fn new(isa: B::Token, board: Bitboard<B, N>) -> Self {
        let all = Bitboard::splat(isa, !0);
        let above = all.and_not(rows!(board, -1));
        let below = rows!(all.and_not(board), 1);
        let free = [above.right::<1>(), above.left::<1>(), below.left::<1>(), below.right::<1>()];
        let two_free = (free[0].and(free[1])).or(free[2].and(free[3]));
        let two_free = two_free.or(free[0].or(free[1]).and(free[2].or(free[3])));
        Self { free, three_filled: all.and_not(two_free) }
    }

    #[inline(always)]
    pub(super) fn split(
        &self,
        targets: &RotationTargets<B, N>,
        reached: &[Bitboard<B, N>; 4],
        resting: [Bitboard<B, N>; 4],
        spawn: Option<&Bitboard<B, N>>,
    ) -> ReachableSet<B, N> {
        let RotationTargets { by_others, by_fifth } = targets;
        let mut no_spin = resting;
        let mut mini = resting;
        let mut full = resting;
        macro_rules! split {
            ($r:literal) => {
                // A placement without a spin also exists if the piece arrives by a move, from a
                // reached neighbor to the left, to the right or above, or if it spawned here.
                let here = reached[$r];
                let mut stepped = here.right::<1>().or(here.left::<1>()).or(rows!(here, -1));
                if let (0, Some(&cell)) = ($r, spawn) {
                    stepped = stepped.or(cell);
                }
                no_spin[$r] = resting[$r].and_not(self.three_filled.and_not(stepped));
                let spun = resting[$r].and(self.three_filled);
                let front_free = self.free[$r].or(self.free[($r + 1) & 3]);
                mini[$r] = spun.and(by_others[$r].and(front_free));
                full[$r] = spun.and(by_others[$r].and_not(front_free).or(by_fifth[$r]));
            };
        }
        split!(0);
        split!(1);
        split!(2);
        split!(3);
        ReachableSet { no_spin, spins: Some([mini, full]) }
    }
}

/// Returns the cells with at least three filled corners around them.
#[inline(always)]
pub(crate) fn three_filled_corners<B: RowBlock, const N: usize>(
    isa: B::Token,
    board: Bitboard<B, N>,
) -> Bitboard<B, N> {
    Corners::new(isa, board).three_filled
}
