//! [`Sink`]: what becomes of the places that a search finds.

use super::field::Band;
use super::search::Found;
use crate::piece::Piece;

/// What becomes of the places that a search finds.
pub(crate) trait Sink {
    /// Whether the search of a low stack is compiled into the caller, for what it gives to write from its registers.
    const IN_LINE: bool;
    /// Takes that there are none.
    fn none(&mut self, piece: Piece);
    /// Takes what was found in a field whose lowest row is `base`, by a search with or without `spins`.
    fn take<B: Band, const N: usize>(&mut self, piece: Piece, spins: bool, found: &Found<B, N>, base: u32);
}

/// How many places were found.
pub(crate) struct Count(pub(crate) u32);

impl Sink for Count {
    const IN_LINE: bool = false;

    #[inline(always)]
    fn none(&mut self, _: Piece) {}
    #[inline(always)]
    fn take<B: Band, const N: usize>(&mut self, piece: Piece, spins: bool, found: &Found<B, N>, _: u32) {
        found.for_each(
            piece,
            spins,
            #[inline(always)]
            |_, map| self.0 += map.count(),
        );
    }
}
