//! Boards of cells of up to 8 x 8: all swaps and runs of a board by one word per plane, bit 8y + x.
//!
//! In these words the rows are what the columns are in [`words`](super::words). The formula then sees the
//! board transposed: its right neighbor is the cell below, its cell below the left neighbor.

use super::board64::bits_with;
use super::formula::{Colored, runs_of, swaps_of};
use crate::board::{Board, Cell};
use bitcore::{Isa, dispatch};

/// Returns the bytes of a board with 8 x 8 cells, filled up with empty ones; none for a larger board.
#[inline]
pub(crate) fn cells(board: &Board) -> Option<[u8; 64]> {
    if board.width() > 8 || board.height() > 8 {
        return None;
    }
    let mut cells = [0; 64];
    for (to, row) in cells.as_chunks_mut::<8>().0.iter_mut().zip(board.rows()) {
        // Mostly a copy of eight bytes.
        if let [row] = row.as_chunks().0 {
            *to = row.map(Cell::byte);
        } else {
            for (to, cell) in to.iter_mut().zip(row) {
                *to = cell.byte();
            }
        }
    }
    Some(cells)
}

/// Returns the cells that may be swapped with the right neighbor, and with the cell below.
pub(crate) fn swaps(cells: &[u8; 64]) -> (u64, u64) {
    dispatch!(isa + v4 [cells] => swaps_with(isa, cells))
}

/// Returns the cells that lie in a run.
pub(crate) fn matched(cells: &[u8; 64]) -> u64 {
    dispatch!(isa [cells] => matched_with(isa, cells))
}

/// Returns whether some color needs more than three bits.
#[inline(always)]
fn has_more_colors(cells: &[u8; 64]) -> bool {
    let mut any = 0;
    for eight in cells.as_chunks::<8>().0 {
        any |= u64::from_le_bytes(*eight);
    }
    any & 0x3838_3838_3838_3838 != 0
}

#[inline(always)]
fn swaps_with<S: Isa>(isa: S, cells: &[u8; 64]) -> (u64, u64) {
    let (along, across) = if has_more_colors(cells) {
        let (planes, locked) = bits_with(isa, cells, 6);
        swaps_of(isa, &planes, locked)
    } else {
        let ([a, b, c, ..], locked) = bits_with(isa, cells, 3);
        swaps_of(isa, &[a, b, c], locked)
    };
    (across >> 1, along)
}

#[inline(always)]
fn matched_with<S: Isa>(isa: S, cells: &[u8; 64]) -> u64 {
    if has_more_colors(cells) {
        let (planes, _) = bits_with(isa, cells, 6);
        runs_of(&planes, Colored::of(isa, &planes))
    } else {
        let ([a, b, c, ..], _) = bits_with(isa, cells, 3);
        let planes = [a, b, c];
        runs_of(&planes, Colored::of(isa, &planes))
    }
}
