//! The board of the contest: twenty rows of ten cells.

use super::falling_piece::FallingPiece;
use super::piece::OrientedPiece;
use crate::columns::{COLUMNS, Columns, ROWS};

pub(crate) const FULL_ROW: u16 = (1 << COLUMNS) - 1;

/// A board as one word per row: y = 0 at the top, bit x = column x.
///
/// Between two turns no row is full and row 0 is empty. The text form has one line per row, from
/// the top down: `.` is an empty cell, `#` a filled one. Parsing accepts fewer than twenty lines:
/// the lowest rows.
///
/// ```
/// use tetris::Piece;
/// use tetris_ai::contest::{Board, FallingPiece, OrientedPiece};
/// let mut board: Board = "####..####".parse()?;
/// board.place(FallingPiece { piece: OrientedPiece::new(Piece::O, 0), x: 4, y: 19 });
/// assert_eq!((board.cells(), board.clear_full_rows(), board.cells()), (12, 1, 2));
/// # Ok::<(), tetris_ai::contest::ParseBoardError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    rows: [u16; ROWS],
}

impl Board {
    /// Returns the empty board.
    pub const fn new() -> Self {
        Self { rows: [0; ROWS] }
    }

    /// The caller ensures that no row is full and row 0 is empty.
    pub(crate) const fn from_rows(rows: [u16; ROWS]) -> Self {
        Self { rows }
    }

    /// Returns the rows: y = 0 is the top row, bit x is column x.
    pub const fn rows(&self) -> &[u16; ROWS] {
        &self.rows
    }

    /// Returns whether the cell in column x and row y is filled; `false` outside the board.
    pub fn filled(&self, x: i8, y: i8) -> bool {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        row.is_some_and(|row| (0..COLUMNS as i8).contains(&x) && row >> x & 1 != 0)
    }

    /// Returns the number of filled cells.
    pub fn cells(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    /// Returns whether all four cells of the piece are between the walls, above the floor, and
    /// free. Every cell above the top is free.
    pub fn fits(&self, falling: FallingPiece) -> bool {
        falling
            .cells()
            .iter()
            .all(|&(x, y)| (0..COLUMNS as i8).contains(&x) && y < ROWS as i8 && !self.filled(x, y))
    }

    /// Fills the cells of a piece. Cells outside the board, such as those above its top, are
    /// dropped.
    pub fn place(&mut self, falling: FallingPiece) {
        for (x, y) in falling.cells() {
            let row = usize::try_from(y).ok().and_then(|y| self.rows.get_mut(y));
            if let Some(row) = row.filter(|_| (0..COLUMNS as i8).contains(&x)) {
                *row |= 1 << x;
            }
        }
    }

    /// Returns whether row 0 has a filled cell, which ends the game.
    pub const fn top_touched(&self) -> bool {
        self.rows[0] != 0
    }

    /// Removes the full rows and moves the rows above them down. Returns the number of rows
    /// removed.
    pub fn clear_full_rows(&mut self) -> u32 {
        let mut free = ROWS;
        for y in (0..ROWS).rev() {
            if self.rows[y] != FULL_ROW {
                free -= 1;
                self.rows[free] = self.rows[y];
            }
        }
        self.rows[..free].fill(0);
        free as u32
    }

    /// Returns the piece at its spawn location, or `None` if it does not fit there.
    pub fn spawn(&self, piece: OrientedPiece) -> Option<FallingPiece> {
        Some(FallingPiece::spawned(piece)).filter(|&falling| self.fits(falling))
    }
}

impl From<&Board> for Columns {
    fn from(board: &Board) -> Self {
        let mut columns = [0; COLUMNS];
        for (y, row) in board.rows().iter().enumerate() {
            for (x, column) in columns.iter_mut().enumerate() {
                *column |= u32::from(row >> x & 1) << (ROWS - 1 - y);
            }
        }
        Self::from_columns(columns)
    }
}

impl From<&Columns> for Board {
    fn from(columns: &Columns) -> Self {
        Self::from_rows(std::array::from_fn(|y| {
            let bits = columns.columns().iter().enumerate();
            bits.fold(0, |row, (x, column)| row | ((column >> (ROWS - 1 - y) & 1) as u16) << x)
        }))
    }
}
