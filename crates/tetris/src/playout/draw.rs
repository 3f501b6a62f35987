//! One of the places where a piece can lock, all with the same probability.
//!
//! The draw is from all places where the piece would rest, reached or not. Most are open to the sky, which a look at the
//! columns around the drawn one tells: only for the others the search must say what is reached.

use crate::movegen::bitboard::{Bitboard, RowBlock};
use crate::movegen::search;
use crate::piece::{Orientation, Piece};
use crate::placement::SpinMode;
use bitcore::{Isa, Rng};

/// A canonical orientation by number, column and row of the center.
#[derive(Clone, Copy)]
pub(super) struct Center {
    pub(super) orientation: usize,
    pub(super) x: usize,
    pub(super) y: u32,
}

impl Center {
    /// The lowest row of a piece that is there.
    #[inline(always)]
    pub(super) fn lowest_row(self, piece: Piece) -> u32 {
        self.y.wrapping_add_signed(piece.shape(Orientation::ALL[self.orientation]).bottom)
    }
}

/// Draws a place of a piece, from the spawn cell if it is given, else from the sky on. None if the spawn is blocked. The
/// lowest `16 * M` rows hold every place.
#[inline(always)]
pub(super) fn draw<B: RowBlock, const N: usize, const M: usize>(
    isa: B::Token,
    field: &Bitboard<B, N>,
    spawn: Option<&Bitboard<B, N>>,
    piece: Piece,
    rng: &mut Rng,
) -> Option<Center> {
    let maps = search::collision_maps(isa, field, piece);
    if let Some(spawn) = spawn
        && spawn.and(maps.free[0]).is_zero()
    {
        return None;
    }
    let drawn = CenterMaps::<M>::new(&maps.resting).draw(isa, rng)?;
    if spawn.is_none() && is_open_to_sky(&maps.free[drawn.orientation], drawn) {
        return Some(drawn);
    }
    isa.call5(
        field,
        spawn,
        piece,
        drawn,
        rng,
        #[inline(always)]
        move |field, spawn, piece, drawn, rng| {
            // The place that was drawn if the piece gets there, else one drawn of those where it does.
            let reachable = search::search_piece(isa, field, spawn, false, piece, SpinMode::Ignore)?;
            let reached = CenterMaps::<M>::new(&reachable.no_spin);
            if reached.contains(drawn) { Some(drawn) } else { reached.draw(isa, rng) }
        },
    )
}

/// Whether the center, free to be in these places, falls to this one from the sky, stepping to the side once at most.
#[inline(always)]
fn is_open_to_sky<B: RowBlock, const N: usize>(free: &Bitboard<B, N>, center: Center) -> bool {
    let x = center.x;
    let above = (1u64 << (Bitboard::<B, N>::ROWS - 1 - center.y)) - 1;
    let blocked = !free.column(x) & above;
    // It falls here from this row on, counted from the top.
    let from = u64::BITS - blocked.leading_zeros();
    let left = free.column(if x == 0 { 11 } else { x - 1 }).trailing_ones();
    let right = free.column(x + 1).trailing_ones();
    from == 0 || left.max(right) > from
}

/// Maps of centers by orientation and sixteen rows from the floor, four columns a word.
struct CenterMaps<const M: usize>([[[u64; 3]; M]; 4]);

impl<const M: usize> CenterMaps<M> {
    /// The places of all orientations; those that have no shape of their own are empty.
    #[inline(always)]
    fn new<B: RowBlock, const N: usize>(maps: &[Bitboard<B, N>; 4]) -> Self {
        let mut words = [[[0; 3]; M]; 4];
        for (words, map) in words.iter_mut().zip(maps) {
            for (i, words) in words.iter_mut().enumerate() {
                // A block, or a part of the only one.
                let (block, part) = if N == 1 { (0, i) } else { (i, 0) };
                *words = map.0[block].packed_rows(part);
            }
        }
        Self(words)
    }

    /// Any of them: by orientation, sixteen rows from the floor, column, and from the top down. None if there is none.
    #[inline(always)]
    fn draw<S: Isa>(&self, isa: S, rng: &mut Rng) -> Option<Center> {
        let mut counts = [0; 4];
        let mut all = 0;
        for (count, words) in counts.iter_mut().zip(&self.0) {
            for word in words.as_flattened() {
                *count += word.count_ones();
            }
            all += *count;
        }
        if all == 0 {
            return None;
        }
        let k = rng.below(all);
        // Sums and comparisons: no branch could foretell where it is.
        let (mut orientation, mut before, mut sum) = (0, 0, 0);
        for count in &counts[..3] {
            sum += count;
            let beyond = k >= sum;
            orientation += usize::from(beyond);
            before = if beyond { sum } else { before };
        }
        let k = k - before;
        let words = self.0[orientation].as_flattened();
        let (mut at, mut before, mut sum) = (0, 0, 0);
        for word in &words[..3 * M - 1] {
            sum += word.count_ones();
            let beyond = k >= sum;
            at += usize::from(beyond);
            before = if beyond { sum } else { before };
        }
        let bit = isa.select(words[at], k - before);
        let x = at % 3 * 4 + (bit / 16) as usize;
        Some(Center { orientation, x, y: 16 * (at / 3) as u32 + 15 - bit % 16 })
    }

    /// Whether a place is one of them.
    #[inline(always)]
    fn contains(&self, center: Center) -> bool {
        let Center { orientation, x, y } = center;
        let word = self.0[orientation][y as usize / 16][x / 4];
        word >> (x % 4 * 16 + 15 - y as usize % 16) & 1 == 1
    }
}
