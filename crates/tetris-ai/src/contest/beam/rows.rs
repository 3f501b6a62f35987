//! Boards and pieces as rows of bits, for the move generator and the evaluation of the beam.
//!
//! Bit x of a row is column x; row 0 is the top row, as in the contest.

use crate::columns::ROWS;
use crate::contest::board::FULL_ROW;
use crate::contest::piece::OrientedPiece;

/// The rows of a board with two empty rows above and ten full rows below: board row y is
/// `rows[y + 2]`. With length 32, an index masked to five bits needs no bounds check.
pub(super) type PaddedRows = [u16; 32];

#[inline(always)]
pub(super) fn padded(rows: &[u16; ROWS]) -> PaddedRows {
    let mut padded = [FULL_ROW; 32];
    padded[..2].fill(0);
    padded[2..ROWS + 2].copy_from_slice(rows);
    padded
}

/// Returns the highest nonempty row, or 20 (the floor) for an empty board.
#[inline(always)]
pub(super) fn highest_row(rows: &PaddedRows) -> usize {
    let mut top = 0;
    while rows[(top + 2) & 31] == 0 {
        top += 1;
    }
    top
}

/// One rotation state of a piece as rows of bits.
pub(super) struct PieceRows {
    /// The number of rows from the highest cell down to the center.
    pub(super) up: usize,
    pub(super) height: usize,
    /// The cells of each row, from the highest; bit 2 is the column of the center.
    pub(super) rows: [u16; 4],
}

impl PieceRows {
    pub(super) fn new(piece: OrientedPiece) -> Self {
        let cells = piece.cells();
        let up = cells.iter().map(|&(_, dy)| -dy).max().unwrap_or(0);
        let mut piece_rows = Self { up: up as usize, height: 0, rows: [0; 4] };
        for (dx, dy) in cells {
            piece_rows.rows[(dy + up) as usize] |= 1 << (dx + 2);
            piece_rows.height = piece_rows.height.max((dy + up + 1) as usize);
        }
        piece_rows
    }

    /// Returns the cells of row `i` of the piece, from its highest, with the center in column `x`.
    #[inline(always)]
    pub(super) fn row(&self, i: usize, x: u32) -> u16 {
        (u32::from(self.rows[i & 3]) << x >> 2) as u16
    }
}
