//! Swaps and runs of boards of cells of up to 16 x 16. The rows are packed into words the way a
//! [`PlaneBoard`](super::planes::PlaneBoard) packs columns, which needs no transposition.
//!
//! The formula therefore sees the board on its side: its right neighbor is the cell below, and its
//! cell below is the left neighbor.

use super::board_words::{BoardWords, runs_of_planes_with, swaps_of_planes_with};
use super::board64::bits_with;
use super::four_words::FourWords;
use super::mask::RowMask;
use super::words::Columns;
use crate::board::{Board, Cell};
use bitcore::{Isa, dispatch};

/// A set of cells, row by row.
pub(crate) enum RowBits {
    UpTo8(u64),
    UpTo16(FourWords),
}

impl RowBits {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::UpTo8(word) => *word == 0,
            Self::UpTo16(words) => *words == FourWords::default(),
        }
    }

    #[inline(always)]
    pub(crate) fn mask(self, height: usize) -> RowMask {
        match self {
            Self::UpTo8(word) => RowMask::of_words(word, height),
            Self::UpTo16(words) => RowMask::of_words(words, height),
        }
    }
}

/// Returns the cells that may be swapped with the right neighbor and with the cell below, or `None`
/// if the board is larger than 16 x 16.
#[inline(always)]
pub(crate) fn swaps(board: &Board) -> Option<[RowBits; 2]> {
    Some(match board.width().max(board.height()) {
        ..=8 => dispatch!(isa [board] => swaps_with::<_, u64, 1>(isa, board)).map(RowBits::UpTo8),
        9..=16 => {
            dispatch!(isa [board] => swaps_with::<_, FourWords, 4>(isa, board)).map(RowBits::UpTo16)
        }
        _ => return None,
    })
}

/// Returns the cells in runs, or `None` if the board is larger than 16 x 16.
#[inline(always)]
pub(crate) fn matched(board: &Board) -> Option<RowBits> {
    Some(match board.width().max(board.height()) {
        ..=8 => RowBits::UpTo8(dispatch!(isa [board] => matched_with::<_, u64, 1>(isa, board))),
        9..=16 => {
            RowBits::UpTo16(dispatch!(isa [board] => matched_with::<_, FourWords, 4>(isa, board)))
        }
        _ => return None,
    })
}

/// Returns the cells as bytes, 64 per word, padded with empty cells.
#[inline(always)]
fn cells<const N: usize>(board: &Board) -> [[u8; 64]; N] {
    let side = if N == 1 { 8 } else { 16 };
    let mut cells = [[0; 64]; N];
    if board.width() == side && board.height() == side {
        // In registers: loads of what smaller stores have just written would wait.
        for (to, from) in cells.iter_mut().zip(board.cells().as_chunks().0) {
            *to = from.map(Cell::byte);
        }
    } else {
        for (to, row) in cells.as_flattened_mut().chunks_exact_mut(side).zip(board.rows()) {
            for (to, cell) in to.iter_mut().zip(row) {
                *to = cell.byte();
            }
        }
    }
    cells
}

/// Returns whether some color needs more than three bits.
#[inline(always)]
fn has_more_colors(cells: &[[u8; 64]]) -> bool {
    let mut any = 0;
    for eight in cells.as_flattened().as_chunks::<8>().0 {
        any |= u64::from_le_bytes(*eight);
    }
    any & 0x3838_3838_3838_3838 != 0
}

#[inline(always)]
fn planes_with<S: Isa, W: BoardWords, const N: usize, const P: usize>(
    isa: S,
    cells: &[[u8; 64]; N],
) -> ([W; P], W) {
    let mut planes = [W::default(); P];
    let mut locked = W::default();
    for (word, cells) in cells.iter().enumerate() {
        let (bits, locks) = bits_with(isa, cells, P);
        for (plane, bits) in planes.iter_mut().zip(bits) {
            plane.words_mut()[word] = bits;
        }
        locked.words_mut()[word] = locks;
    }
    (planes, locked)
}

#[inline(always)]
fn swaps_with<S: Isa, W: BoardWords + Columns<S>, const N: usize>(isa: S, board: &Board) -> [W; 2] {
    let cells = &cells::<N>(board);
    let (down, mut right) = if has_more_colors(cells) {
        let (planes, locked) = planes_with::<S, W, N, 6>(isa, cells);
        swaps_of_planes_with(isa, &planes, locked)
    } else {
        let (planes, locked) = planes_with::<S, W, N, 3>(isa, cells);
        swaps_of_planes_with(isa, &planes, locked)
    };
    // From the right cell of each swap to the left one.
    for word in right.words_mut() {
        *word >>= 1;
    }
    [right, down]
}

#[inline(always)]
fn matched_with<S: Isa, W: BoardWords + Columns<S>, const N: usize>(isa: S, board: &Board) -> W {
    let cells = &cells::<N>(board);
    if has_more_colors(cells) {
        runs_of_planes_with(isa, &planes_with::<S, W, N, 6>(isa, cells).0)
    } else {
        runs_of_planes_with(isa, &planes_with::<S, W, N, 3>(isa, cells).0)
    }
}
