//! [`Sink`]: the receiver of a search's result.

use super::bitboard::{Bitboard, RowBlock};
use super::search::{Maps, Number, Outcome, ReachableSet};
use crate::board::WIDTH;
use crate::location::Location;
use crate::piece::{Orientation, Piece};
use crate::placement::{Placement, Spin, SpinMode};

pub(crate) trait Sink {
    /// `true` to inline the search of a low stack into the caller, which then stores the result
    /// from registers.
    const INLINE_SEARCH: bool;
    type Outcome: Outcome;
    fn receive_none(&mut self, piece: Piece);
    /// Receives the result for a window with `base` as its lowest row.
    fn receive<B: RowBlock, const N: usize>(
        &mut self,
        piece: Piece,
        spin_mode: SpinMode,
        found: &<Self::Outcome as Outcome>::Of<B, N>,
        base: u32,
    );
}

/// The number of placements, summed in the search.
pub(crate) struct Count(pub(crate) u32);

impl Sink for Count {
    const INLINE_SEARCH: bool = false;
    type Outcome = Number;

    #[inline(always)]
    fn receive_none(&mut self, _: Piece) {}
    #[inline(always)]
    fn receive<B: RowBlock, const N: usize>(&mut self, _: Piece, _: SpinMode, count: &u32, _: u32) {
        self.0 += count;
    }
}

/// The number of placements, summed over words of maps in memory. Faster than [`Count`] where
/// registers have no population count.
pub(crate) struct CountWords(pub(crate) u32);

impl Sink for CountWords {
    const INLINE_SEARCH: bool = false;
    type Outcome = Maps;

    #[inline(always)]
    fn receive_none(&mut self, _: Piece) {}
    #[inline(always)]
    fn receive<B: RowBlock, const N: usize>(
        &mut self,
        piece: Piece,
        spin_mode: SpinMode,
        reachable: &ReachableSet<B, N>,
        _: u32,
    ) {
        reachable.for_each(
            piece,
            spin_mode,
            #[inline(always)]
            |_, map| self.0 += map.count(),
        );
    }
}

/// A search for one placement with a canonical location.
pub(crate) struct Find {
    pub(crate) placement: Placement,
    pub(crate) found: bool,
}

impl Sink for Find {
    const INLINE_SEARCH: bool = false;
    type Outcome = Maps;

    #[inline(always)]
    fn receive_none(&mut self, _: Piece) {}
    #[inline(always)]
    fn receive<B: RowBlock, const N: usize>(
        &mut self,
        _: Piece,
        _: SpinMode,
        reachable: &ReachableSet<B, N>,
        base: u32,
    ) {
        self.found = reachable.contains(self.placement, base);
    }
}

/// A list of the placements, written to the front of a buffer in the order of
/// [`Placements`](super::Placements).
pub(crate) struct List<'a> {
    pub(crate) buffer: &'a mut [Placement],
    pub(crate) len: usize,
}

impl List<'_> {
    /// Writes the placements of a word. `first` is the placement for bit 0; a column has `rows`
    /// bits.
    #[inline(always)]
    fn write(&mut self, first: Placement, rows: u32, mut word: u64) {
        while word != 0 {
            let bit = word.trailing_zeros() & 63;
            word &= word.wrapping_sub(1);
            let Location { x, y, .. } = first.at;
            let at = Location { x: x + (bit / rows) as i8, y: y - (bit % rows) as i8, ..first.at };
            self.buffer[self.len] = Placement { at, ..first };
            self.len += 1;
        }
    }

    /// Out of line: unrolled into each search of high stacks, it would be most of their code.
    #[inline(never)]
    fn write_columns(&mut self, mut first: Placement, columns: &[u64; WIDTH]) {
        for &column in columns {
            self.write(first, 64, column);
            first.at.x += 1;
        }
    }
}

impl Sink for List<'_> {
    const INLINE_SEARCH: bool = false;
    type Outcome = Maps;

    #[inline(always)]
    fn receive_none(&mut self, _: Piece) {}
    #[inline(always)]
    fn receive<B: RowBlock, const N: usize>(
        &mut self,
        piece: Piece,
        spin_mode: SpinMode,
        reachable: &ReachableSet<B, N>,
        base: u32,
    ) {
        let y = (base + Bitboard::<B, N>::ROWS - 1) as i8;
        reachable.for_each(
            piece,
            spin_mode,
            #[inline(always)]
            |number, map| {
                let spin = [Spin::None, Spin::Mini, Spin::Full][number / 4];
                let orientation = Orientation::ALL[number % 4];
                let first = |x| Placement { at: Location { piece, orientation, x, y }, spin };
                if const { Bitboard::<B, N>::PACKED } {
                    let [a, b, c] = map.0[0].packed_rows(0);
                    self.write(first(0), 16, a);
                    self.write(first(4), 16, b);
                    self.write(first(8), 16, c);
                } else {
                    let mut columns = [0; WIDTH];
                    for (x, column) in columns.iter_mut().enumerate() {
                        *column = map.column(x);
                    }
                    self.write_columns(first(0), &columns);
                }
            },
        );
    }
}
