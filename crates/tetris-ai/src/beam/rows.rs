//! A board and a piece as rows of bits: what the beam's moves and its evaluation read.

use crate::contest::{COLUMNS, Piece, ROWS};

/// A row with every cell filled.
pub(super) const FULL_ROW: u16 = (1 << COLUMNS) - 1;

/// The rows of a board with two empty ones above and full ones below: row y is `rows[y + 2]`. So many that an index of
/// five bits is always inside.
pub(super) type PaddedRows = [u16; 32];

/// The rows of a board between walls.
#[inline(always)]
pub(super) fn padded(rows: &[u16; ROWS]) -> PaddedRows {
    let mut walled = [FULL_ROW; 32];
    walled[..2].fill(0);
    walled[2..ROWS + 2].copy_from_slice(rows);
    walled
}

/// The highest row that isn't empty; the floor is filled.
#[inline(always)]
pub(super) fn highest_row(rows: &PaddedRows) -> usize {
    let mut top = 0;
    while rows[(top + 2) & 31] == 0 {
        top += 1;
    }
    top
}

/// One state of a shape as rows of bits.
pub(super) struct PieceRows {
    /// The rows from its highest cell to the center.
    pub(super) up: usize,
    /// The rows that it covers.
    pub(super) height: usize,
    /// Per row, from the highest: its cells, bit 2 = the center's column.
    pub(super) rows: [u16; 4],
}

impl PieceRows {
    pub(super) fn new(piece: Piece) -> Self {
        let cells = piece.cells();
        let up = cells.iter().map(|&(_, dy)| -dy).max().unwrap_or(0);
        let mut piece_rows = Self { up: up as usize, height: 0, rows: [0; 4] };
        for (dx, dy) in cells {
            piece_rows.rows[(dy + up) as usize] |= 1 << (dx + 2);
            piece_rows.height = piece_rows.height.max((dy + up + 1) as usize);
        }
        piece_rows
    }

    /// The cells of row `i` of the piece with its center in column `x`.
    #[inline(always)]
    pub(super) fn row(&self, i: usize, x: u32) -> u16 {
        (u32::from(self.rows[i & 3]) << x >> 2) as u16
    }
}
