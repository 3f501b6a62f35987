//! Reference implementations: slow and obvious, used as baseline and oracle for the kernels.
//!
//! This module implements the algorithms of the article `SIMDとBit演算を用いたテトリスの高速化に関する考察` (Tetris
//! Advent Calendar, 2024-12-12), one lane at a time, for [`simd_board`](crate::simd_board) and
//! [`Board`](crate::Board). The article stores the field in two 256-bit registers ([`SimdBoard`])
//! and the falling piece in a `u16`, a 4 x 4 box rotated by delta swaps. [`naive`] covers the rest.
//!
//! # Corrections to the article
//!
//! - Reflection about the other diagonal: the second mask must be 0x0033. The article's 0x00CC
//!   leaves the word when shifted by ten, and turns T (0x4E00) into 0xCA00 instead of 0x0232
//!   ([`anti_transpose`]).
//! - Holes: the article counts changes between a cell and the one above where the *original* is
//!   filled, which gives the tops of filled runs. A column with one cell on the floor counts 1
//!   instead of 0, and so does each wall ([`holes`]).
//! - Collisions: a shift along a column drops cells that leave the lane, so a piece below the floor
//!   appears to fit. Here such cells collide, at the floor and at the ceiling of 32 rows
//!   ([`collides`]).
//! - Line clear: the article applies PEXT to all lanes, including the walls, which lose their top
//!   rows. Here it applies only to the ten columns ([`clear_lines`]).

pub mod features;
pub mod naive;
pub mod playout;

pub use crate::bounding_box::{
    anti_transpose, mirror_columns, mirror_rows, rotate_ccw_3x3, rotate_ccw_4x4, rotate_cw_3x3,
    rotate_cw_4x4, transpose,
};
use crate::piece::{Orientation, Piece, Rotation};
use crate::simd_board::{ROWS, SimdBoard};
use bitcore::bits;
use core::array::from_fn;

/// A falling piece: kind, orientation, and cells in the 4 x 4 box.
///
/// ```
/// use tetris::{Piece, reference::FallingPiece};
/// let t = FallingPiece::new(Piece::T);
/// assert_eq!([t, t.cw(), t.cw().cw(), t.ccw()].map(|t| t.cells), [0x4E00, 0x4640, 0x0E40, 0x4C40]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FallingPiece {
    /// The piece.
    pub piece: Piece,
    /// The orientation.
    pub orientation: Orientation,
    /// The cells of the box row by row, the top left cell in bit 15.
    pub cells: u16,
}

impl FallingPiece {
    /// Returns the piece in its spawn orientation.
    pub const fn new(piece: Piece) -> Self {
        let cells = match piece {
            Piece::I => 0x0F00,
            Piece::O => 0x6600,
            Piece::T => 0x4E00,
            Piece::S => 0x6C00,
            Piece::Z => 0xC600,
            Piece::J => 0x8E00,
            Piece::L => 0x2E00,
        };
        Self { piece, orientation: Orientation::North, cells }
    }

    /// Rotates the piece clockwise, without kicks.
    #[must_use]
    pub const fn cw(self) -> Self {
        let cells =
            if self.in_3x3() { rotate_cw_3x3(self.cells) } else { rotate_cw_4x4(self.cells) };
        Self { orientation: self.orientation.cw(), cells, ..self }
    }

    /// Rotates the piece counter-clockwise, without kicks.
    #[must_use]
    pub const fn ccw(self) -> Self {
        let cells =
            if self.in_3x3() { rotate_ccw_3x3(self.cells) } else { rotate_ccw_4x4(self.cells) };
        Self { orientation: self.orientation.ccw(), cells, ..self }
    }

    /// Rotates the piece, without kicks.
    #[must_use]
    pub const fn rotated(self, rotation: Rotation) -> Self {
        match rotation {
            Rotation::Cw => self.cw(),
            Rotation::Ccw => self.ccw(),
            Rotation::Half => self.cw().cw(),
        }
    }

    /// Returns the position in the box, from its bottom left cell, of the center used by
    /// [`Piece::cells`]. I and O rotate about the middle of the 4 x 4 box, which is not a cell, so
    /// their center moves.
    pub const fn center(self) -> (i8, i8) {
        if self.in_3x3() {
            return (1, 2);
        }
        match self.orientation {
            Orientation::North => (1, 2),
            Orientation::East => (2, 2),
            Orientation::South => (2, 1),
            Orientation::West => (1, 1),
        }
    }

    const fn in_3x3(self) -> bool {
        !matches!(self.piece, Piece::I | Piece::O)
    }
}

/// Returns the four columns of the box as 16-bit lanes, bit 0 of each = bottom row of the box.
pub const fn spread_columns(cells: u16) -> u64 {
    bits::pdep(rotate_ccw_4x4(cells) as u64, 0x000F_000F_000F_000F)
}

/// Returns the cells of the box in the lanes of both registers, or `None` if a shift would drop a
/// cell: below row 0, above row 31, or with `x` outside -3..=9.
fn lanes(cells: u16, x: i8, y: i8) -> Option<[[u32; 8]; 2]> {
    if !(-3..=9).contains(&x) {
        return None;
    }
    let columns = u128::from(spread_columns(cells));
    // Gives zero for a shift by 128 or more, where the plain operators would panic.
    let left = columns.checked_shl(16 * (x + 3) as u32).unwrap_or(0);
    let right = if x < 5 {
        columns.checked_shr(16 * (5 - x) as u32)
    } else {
        columns.checked_shl(16 * (x - 5) as u32)
    };
    let mut halves = [left, right.unwrap_or(0)]
        .map(|half| from_fn(|lane| u32::from((half >> (16 * lane)) as u16)));
    for lane in halves.as_flattened_mut() {
        let moved = if y < 0 {
            lane.checked_shr(y.unsigned_abs().into())
        } else {
            lane.checked_shl(y as u32)
        };
        let moved = moved.unwrap_or(0);
        if moved.count_ones() != lane.count_ones() {
            return None;
        }
        *lane = moved;
    }
    Some(halves)
}

/// Returns `true` if a cell of the box overlaps a filled cell or a wall, or is below the floor or
/// above the ceiling.
///
/// ```
/// use tetris::{simd_board::SimdBoard, reference};
/// let flat = 0x0F00; // I, its cells in the box's row 2
/// let over_floor = |y| reference::collides(&SimdBoard::EMPTY, flat, 3, y);
/// assert!(!over_floor(-2));
/// // The article only tests an AND, after the shift has dropped all four cells.
/// assert!(over_floor(-3));
/// ```
pub fn collides(board: &SimdBoard, cells: u16, x: i8, y: i8) -> bool {
    lanes(cells, x, y).is_none_or(|lanes| overlap(board, &lanes))
}

/// Fills the cells of the box. Returns `false` and changes nothing if the box [`collides`].
pub fn place(board: &mut SimdBoard, cells: u16, x: i8, y: i8) -> bool {
    let Some(lanes) = lanes(cells, x, y).filter(|lanes| !overlap(board, lanes)) else {
        return false;
    };
    board
        .halves
        .as_flattened_mut()
        .iter_mut()
        .zip(lanes.as_flattened())
        .for_each(|(lane, cells)| *lane |= cells);
    true
}

fn overlap(board: &SimdBoard, lanes: &[[u32; 8]; 2]) -> bool {
    board
        .halves
        .as_flattened()
        .iter()
        .zip(lanes.as_flattened())
        .any(|(lane, cells)| lane & cells != 0)
}

/// Returns one bit per full row: the AND of the two registers, then of their eight lanes, folded to
/// four, two and one. The walls are all ones and have no effect.
pub fn full_lines(board: &SimdBoard) -> u32 {
    let mut lanes: [u32; 8] = from_fn(|lane| board.halves[0][lane] & board.halves[1][lane]);
    for width in [4, 2, 1] {
        for lane in 0..width {
            lanes[lane] &= lanes[lane + width];
        }
    }
    lanes[0]
}

/// Removes the full rows with a PEXT of each of the ten columns. Returns the number of rows
/// removed.
///
/// ```
/// use bitcore::bits;
/// // Applied to all sixteen lanes, it would open the walls at the top.
/// assert_eq!(bits::pext(u64::from(u32::MAX), !1 & u64::from(u32::MAX)), 0x7FFF_FFFF);
/// ```
pub fn clear_lines(board: &mut SimdBoard) -> u32 {
    let lines = full_lines(board);
    let kept = u64::from(!lines);
    *board = SimdBoard::from(board.columns().map(|column| bits::pext(column.into(), kept) as u32));
    lines.count_ones()
}

/// Inserts a row at each bit of `rows` with a PDEP of each of the ten columns, and moves the rows
/// from there up. Bit x of `filled` is 1 if the new rows are filled in column x.
///
/// Returns `false` and changes nothing if a filled cell would leave the 32 rows.
///
/// ```
/// use tetris::{simd_board::SimdBoard, reference};
/// let mut board = SimdBoard::from([1; 10]);
/// // Two garbage rows with their hole in column 3.
/// assert!(reference::insert_rows(&mut board, 0b11, 0x3FF - 0b1000));
/// assert_eq!(board.columns(), [7, 7, 7, 4, 7, 7, 7, 7, 7, 7]);
/// ```
pub fn insert_rows(board: &mut SimdBoard, rows: u32, filled: u16) -> bool {
    let columns = board.columns();
    if columns
        .iter()
        .any(|column| u32::BITS - column.leading_zeros() + rows.count_ones() > ROWS as u32)
    {
        return false;
    }
    *board = SimdBoard::from(from_fn(|x| {
        let garbage = if filled >> x & 1 == 1 { rows } else { 0 };
        bits::pdep(columns[x].into(), (!rows).into()) as u32 | garbage
    }));
    true
}

/// Counts the empty cells with a filled cell directly above.
///
/// ```
/// use tetris::{simd_board::SimdBoard, reference};
/// let one_cell = SimdBoard::from([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
/// assert_eq!(reference::holes(&one_cell), 0);
/// // As printed in the article: changes along the column where the original is filled.
/// let printed = |b: u32| ((b ^ (b >> 1)) & b).count_ones();
/// assert_eq!((printed(1), printed(u32::MAX)), (1, 1));
/// ```
pub fn holes(board: &SimdBoard) -> u32 {
    let lanes = board.halves.as_flattened().iter();
    lanes.map(|lane| ((lane >> 1) & !lane).count_ones()).sum()
}
