//! [`Sink`]: what becomes of the places that a search finds.

use super::bitboard::RowBlock;
use super::search::ReachableSet;
use crate::piece::Piece;

/// What becomes of the places that a search finds.
pub(crate) trait Sink {
    /// Whether the search of a low stack is compiled into the caller, for what it gives to write from its registers.
    const INLINE_SEARCH: bool;
    /// Takes that there are none.
    fn receive_none(&mut self, piece: Piece);
    /// Takes what was found in a field whose lowest row is `base`, by a search with or without `spins`.
    fn receive<B: RowBlock, const N: usize>(
        &mut self,
        piece: Piece,
        spins: bool,
        reachable: &ReachableSet<B, N>,
        base: u32,
    );
}

/// How many places were found.
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
