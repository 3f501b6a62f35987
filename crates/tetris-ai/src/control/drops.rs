//! The hard drops of a piece on a field of 20 rows.
//!
//! The board is ten columns of bits, bit y = row y from the floor. A piece in one orientation
//! covers `width` columns. In the i-th of them its lowest cell is `low[i]` rows above the piece's
//! lower left corner:
//!
//! ```text
//! bottom = max over i of  heights[left + i] - low[i]    the row where the lower left corner comes to rest
//! full   = full rows of the other columns               two prefix ANDs: the columns to the left and right
//!          & (columns[left + i] | bits[i] << bottom)    for each covered column i
//! ```

use crate::columns::{COLUMNS, Columns, ROWS, full_beside};
use crate::piece_columns::{PieceColumns, PieceTable, orientations};
use bitcore::Isa;
use tetris::{Location, Orientation, Piece};

/// A hard drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ControllerDrop {
    /// An index into [`Orientation::ALL`].
    pub(super) orientation: u8,
    /// The leftmost column of the piece's cells.
    pub(super) left: u8,
    /// The lowest row of the piece's cells.
    pub(super) bottom: u8,
    /// The rows that the drop completes, bit y = row y.
    pub(super) full_rows: u32,
}

impl ControllerDrop {
    #[inline(always)]
    pub(super) fn columns(self, piece: Piece) -> &'static PieceColumns {
        &COLUMNS_OF[piece as usize][usize::from(self.orientation)]
    }

    #[inline(always)]
    pub(super) fn child<S: Isa>(self, isa: S, board: &Columns, piece: Piece) -> Columns {
        board.child(isa, self.columns(piece), self.left, self.bottom, self.full_rows)
    }

    pub(super) fn location(self, piece: Piece) -> Location {
        let columns = self.columns(piece);
        let orientation = Orientation::ALL[usize::from(self.orientation)];
        let x = (self.left + columns.center.0) as i8;
        let y = (self.bottom + columns.center.1) as i8;
        Location { piece, orientation, x, y }
    }

    #[inline(always)]
    pub(super) fn landing_height_twice(self, piece: Piece) -> u32 {
        2 * u32::from(self.bottom) + self.columns(piece).height - 1
    }

    /// Returns the eroded cells, the piece's cells in full rows times the number of full rows, like
    /// [`eroded_cells`](tetris::Board::eroded_cells).
    #[inline(always)]
    pub(super) fn eroded_cells(self, piece: Piece) -> u32 {
        if self.full_rows == 0 {
            return 0;
        }
        let mut cells = 0;
        for column in self.columns(piece).bits {
            cells += (column << self.bottom & self.full_rows).count_ones();
        }
        cells * self.full_rows.count_ones()
    }
}

/// An iterator over the drops that end below row 20, by orientation, then by column from the left.
pub(super) struct ControllerDrops<'a> {
    columns: &'a [u32; COLUMNS],
    /// The rows that are full in all columns before column i, and in all columns from i on.
    full: ([u32; COLUMNS + 1], [u32; COLUMNS + 1]),
    heights: [u32; COLUMNS],
    piece: Piece,
    orientation: usize,
    left: usize,
}

impl<'a> ControllerDrops<'a> {
    #[inline(always)]
    pub(super) fn new(field: &'a Columns, piece: Piece) -> Self {
        let columns = field.columns();
        Self {
            columns,
            full: full_beside(columns, !0),
            heights: field.heights(),
            piece,
            orientation: 0,
            left: 0,
        }
    }
}

impl Iterator for ControllerDrops<'_> {
    type Item = ControllerDrop;

    #[inline(always)]
    fn next(&mut self) -> Option<ControllerDrop> {
        let columns = &COLUMNS_OF[self.piece as usize];
        let orientations = orientations(self.piece);
        loop {
            if self.orientation == usize::from(orientations) {
                return None;
            }
            let covered = &columns[self.orientation];
            let orientation = self.orientation;
            let left = self.left;
            self.left += 1;
            if self.left + covered.width > COLUMNS {
                (self.orientation, self.left) = (self.orientation + 1, 0);
            }
            let mut bottom = 0;
            for i in 0..covered.width {
                bottom = bottom.max(self.heights[left + i].saturating_sub(covered.low[i]));
            }
            if bottom + covered.height > ROWS as u32 {
                continue;
            }
            let mut full = self.full.0[left] & self.full.1[left + covered.width];
            for i in 0..covered.width {
                full &= self.columns[left + i] | covered.bits[i] << bottom;
            }
            return Some(ControllerDrop {
                orientation: orientation as u8,
                left: left as u8,
                bottom: bottom as u8,
                full_rows: full,
            });
        }
    }
}

static COLUMNS_OF: PieceTable = {
    let mut table = [[PieceColumns::NONE; 4]; 7];
    let mut i = 0;
    while i < 4 * 7 {
        let cells = Piece::ALL[i / 4].cells(Orientation::ALL[i % 4]);
        table[i / 4][i % 4] = PieceColumns::new(cells);
        i += 1;
    }
    table
};
