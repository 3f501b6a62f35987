//! The result of a search: the reachable resting centers, or their number.

use super::pieces::shapes;
use crate::board::WIDTH;
use crate::movegen::bitboard::{Bitboard, RowBlock};
use crate::piece::Piece;
use crate::placement::{Placement, Spin, SpinMode};

/// The reachable resting centers of one piece, by kind of spin and orientation.
#[derive(Clone, Copy)]
pub(crate) struct ReachableSet<B, const N: usize> {
    pub(crate) no_spin: [Bitboard<B, N>; 4],
    /// The centers of mini and of full spins, if spins are possible.
    pub(crate) spins: Option<[[Bitboard<B, N>; 4]; 2]>,
}

impl<B: RowBlock, const N: usize> ReachableSet<B, N> {
    /// Calls `take` with a number and a map for each kind of spin and orientation: 0 to 3 without a
    /// spin, 4 to 7 minis, 8 to 11 full spins. [`SpinMode::Ignore`] has only the first four.
    /// Returns the number of maps.
    #[inline(always)]
    pub(crate) fn for_each(
        &self,
        piece: Piece,
        spin_mode: SpinMode,
        mut take: impl FnMut(usize, &Bitboard<B, N>),
    ) -> usize {
        let shapes = shapes(piece as usize);
        take(0, &self.no_spin[0]);
        if shapes > 1 {
            take(1, &self.no_spin[1]);
        }
        if shapes > 2 {
            take(2, &self.no_spin[2]);
            take(3, &self.no_spin[3]);
        }
        let Some([mini, full]) = self.spins.as_ref().filter(|_| spin_mode != SpinMode::Ignore)
        else {
            return shapes;
        };
        // Empty, but one of the twelve.
        if shapes < 2 {
            take(1, &self.no_spin[1]);
        }
        if shapes < 4 {
            take(2, &self.no_spin[2]);
            take(3, &self.no_spin[3]);
        }
        take(4, &mini[0]);
        take(5, &mini[1]);
        take(6, &mini[2]);
        take(7, &mini[3]);
        take(8, &full[0]);
        take(9, &full[1]);
        take(10, &full[2]);
        take(11, &full[3]);
        12
    }

    /// Returns `true` if a placement with a canonical location is one of these. `base` is the
    /// lowest row.
    #[inline(always)]
    pub(crate) fn contains(&self, Placement { at, spin }: Placement, base: u32) -> bool {
        let maps = match (spin, &self.spins) {
            (Spin::None, _) => &self.no_spin,
            (Spin::Mini, Some([mini, _])) => mini,
            (Spin::Full, Some([_, full])) => full,
            (_, None) => return false,
        };
        let down = (base + Bitboard::<B, N>::ROWS - 1).wrapping_sub(at.y as u32);
        (0..WIDTH as i8).contains(&at.x)
            && down < Bitboard::<B, N>::ROWS
            && maps[at.orientation as usize].column(at.x as usize) >> down & 1 == 1
    }

    /// Returns the number of placements.
    #[inline(always)]
    pub(crate) fn count(&self, piece: Piece, spin_mode: SpinMode) -> u32 {
        let [a, b, c, d] = self.no_spin;
        if spin_mode != SpinMode::Ignore
            && let Some([[e, f, g, h], [i, j, k, l]]) = self.spins
        {
            return Bitboard::count_all([a, b, c, d, e, f, g, h, i, j, k, l]);
        }
        match shapes(piece as usize) {
            1 => Bitboard::count_all([a]),
            2 => Bitboard::count_all([a, b]),
            _ => Bitboard::count_all([a, b, c, d]),
        }
    }
}

/// A form of a search's result.
pub(crate) trait Outcome {
    type Of<B: RowBlock, const N: usize>;
    /// Calls a search and returns this form of its result. [`Maps`] returns the call itself: a set
    /// given to this function would be copied in memory.
    fn of<B: RowBlock, const N: usize>(
        piece: Piece,
        spin_mode: SpinMode,
        search: impl FnOnce() -> Option<ReachableSet<B, N>>,
    ) -> Option<Self::Of<B, N>>;
}

/// All maps of the result, for callers that need the centers.
pub(crate) struct Maps;

impl Outcome for Maps {
    type Of<B: RowBlock, const N: usize> = ReachableSet<B, N>;

    #[inline(always)]
    fn of<B: RowBlock, const N: usize>(
        _: Piece,
        _: SpinMode,
        search: impl FnOnce() -> Option<ReachableSet<B, N>>,
    ) -> Option<ReachableSet<B, N>> {
        search()
    }
}

/// The number of placements. The search counts its maps in registers: a caller would load them from
/// memory, and LLVM joins these loads to wider ones than the stores before them, which then have to
/// finish first.
pub(crate) struct Number;

impl Outcome for Number {
    type Of<B: RowBlock, const N: usize> = u32;

    #[inline(always)]
    fn of<B: RowBlock, const N: usize>(
        piece: Piece,
        spin_mode: SpinMode,
        search: impl FnOnce() -> Option<ReachableSet<B, N>>,
    ) -> Option<u32> {
        Some(search()?.count(piece, spin_mode))
    }
}
