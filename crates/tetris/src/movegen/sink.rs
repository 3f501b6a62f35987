//! [`Sink`]: the receiver of a search's result.

use super::bitboard::RowBlock;
use super::search::ReachableSet;
use crate::piece::Piece;

/// A receiver of the placements that a search finds.
pub(crate) trait Sink {
    /// `true` if the search of a low stack is inlined into the caller, so that its
    /// result is stored from registers.
    const INLINE_SEARCH: bool;
    /// Receives an empty result.
    fn receive_none(&mut self, piece: Piece);
    /// Receives the result for a window whose lowest row is `base`. `spins` is `true` if
    /// spins may have been told apart.
    fn receive<B: RowBlock, const N: usize>(
        &mut self,
        piece: Piece,
        spins: bool,
        reachable: &ReachableSet<B, N>,
        base: u32,
    );
}

/// The number of placements found.
pub(crate) struct Count(pub(crate) u32);

impl Sink for Count {
    const INLINE_SEARCH: bool = false;

    #[inline(always)]
    fn receive_none(&mut self, _: Piece) {}
    #[inline(always)]
    fn receive<B: RowBlock, const N: usize>(
        &mut self,
        piece: Piece,
        spins: bool,
        reachable: &ReachableSet<B, N>,
        _: u32,
    ) {
        reachable.for_each(
            piece,
            spins,
            #[inline(always)]
            |_, map| self.0 += map.count(),
        );
    }
}
