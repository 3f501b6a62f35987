//! The slide of one line of 32 boards, wall cell first. See the [parent module](super) for the
//! algorithm.

use super::gains::MergeSink;
use bitcore::{Isa, Lanes};

/// The effect of a slide on one line of 32 boards, lane by lane.
pub(crate) struct LineSlide<S: Isa> {
    /// Nonzero where a cell changed.
    pub(crate) changed: S::U8x32,
    /// The negated number of empty cells after the slide.
    pub(crate) negated_empty: S::U8x32,
}

/// `N` is a constant to keep the line in registers.
#[inline(always)]
pub(crate) fn slide_line<S: Isa, G: MergeSink<S>, const N: usize>(
    isa: S,
    line: &mut [S::U8x32; N],
    sink: &mut G,
) -> LineSlide<S> {
    let zero = isa.splat_u8(0);
    // A lane mask is -1.
    let mut negated_empty = line[N - 1].cmp_eq(zero);
    let mut changed = zero;
    for i in (0..N - 1).rev() {
        let gap = line[i].cmp_eq(zero);
        negated_empty = negated_empty + gap;
        let next = line[i + 1] & gap;
        line[i] = line[i] | next;
        changed = changed | next;
        shift_cells::<S, N>(line, i + 1, gap);
    }
    for i in 0..N - 1 {
        let equal = line[i].cmp_eq(line[i + 1]).and_not(line[i + 1].cmp_eq(zero));
        line[i] = line[i] - equal;
        negated_empty = negated_empty + equal;
        changed = changed | equal;
        sink.add(isa, line[i] & equal);
        shift_cells::<S, N>(line, i + 1, equal);
    }
    LineSlide { changed, negated_empty }
}

/// Shifts the cells from `from` to the end one step toward the wall, in the lanes of the mask: each
/// takes the rank of the next cell, and the last becomes empty.
#[inline(always)]
fn shift_cells<S: Isa, const N: usize>(line: &mut [S::U8x32; N], from: usize, mask: S::U8x32) {
    for i in from..N - 1 {
        line[i] = mask.blend_lanes(line[i + 1], line[i]);
    }
    line[N - 1] = line[N - 1].and_not(mask);
}

/// Slides a line of up to `N` cells, padded with empty cells, on levels without vector registers.
///
/// Writes the ranks of the tiles merged from cells k and k + 1 to `merged[k]`, and adds the changed
/// bits to `difference`. The loop over the lanes is branchless, so the compiler can vectorize it
/// for any target.
#[inline(always)]
pub(super) fn slide_line_bytes<const N: usize>(
    line: &mut [[u8; 32]; N],
    merged: &mut [[u8; 32]; 7],
    difference: &mut [u8; 32],
) {
    const { assert!(N == 4 || N == 8) };
    for lane in 0..32 {
        let mut cells = [0; N];
        for k in 0..N {
            cells[k] = line[k][lane];
        }
        let before = cells;
        if N == 8 {
            close_gap::<N, 6>(&mut cells);
            close_gap::<N, 5>(&mut cells);
            close_gap::<N, 4>(&mut cells);
            close_gap::<N, 3>(&mut cells);
        }
        close_gap::<N, 2>(&mut cells);
        close_gap::<N, 1>(&mut cells);
        close_gap::<N, 0>(&mut cells);
        merged[0][lane] = merge_pair::<N, 0>(&mut cells);
        merged[1][lane] = merge_pair::<N, 1>(&mut cells);
        merged[2][lane] = merge_pair::<N, 2>(&mut cells);
        if N == 8 {
            merged[3][lane] = merge_pair::<N, 3>(&mut cells);
            merged[4][lane] = merge_pair::<N, 4>(&mut cells);
            merged[5][lane] = merge_pair::<N, 5>(&mut cells);
            merged[6][lane] = merge_pair::<N, 6>(&mut cells);
        }
        for k in 0..N {
            line[k][lane] = cells[k];
            difference[lane] |= before[k] ^ cells[k];
        }
    }
}

#[inline(always)]
fn close_gap<const N: usize, const I: usize>(cells: &mut [u8; N]) {
    let gap = if cells[I] == 0 { 0xff } else { 0 };
    cells[I] |= cells[I + 1] & gap;
    shift_bytes::<N, I>(cells, gap);
}

/// Returns the merged tile's rank, or 0.
#[inline(always)]
fn merge_pair<const N: usize, const I: usize>(cells: &mut [u8; N]) -> u8 {
    let full = if cells[I] == 0 { 0 } else { 0xff };
    let equal = if cells[I] == cells[I + 1] { full } else { 0 };
    cells[I] = cells[I].wrapping_sub(equal);
    shift_bytes::<N, I>(cells, equal);
    cells[I] & equal
}

/// Shifts the cells behind `I` one step toward the wall and empties the last one, if the mask is
/// set.
#[inline(always)]
fn shift_bytes<const N: usize, const I: usize>(cells: &mut [u8; N], mask: u8) {
    for k in I + 1..N - 1 {
        cells[k] = (cells[k] & !mask) | (cells[k + 1] & mask);
    }
    cells[N - 1] &= !mask;
}
