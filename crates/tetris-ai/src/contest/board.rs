//! [`Board`]: twenty rows of ten cells.

use super::falling_piece::FallingPiece;
use super::piece::Piece;

/// The columns of the board, x = 0 at the left.
pub const COLUMNS: usize = 10;
/// The rows of the board, y = 0 at the top.
pub const ROWS: usize = 20;

/// A row with every cell filled.
const FULL: u16 = (1 << COLUMNS) - 1;

/// The board: one word a row, y = 0 at the top, bit x = column x.
///
/// Made empty, parsed, or reached by play: between two turns no row is full and row 0 is empty. Text: twenty lines (or
/// the lowest few) of `.` and `#`.
///
/// ```
/// use tetris_ai::contest::{Board, FallingPiece, Piece, Shape};
/// let mut board: Board = "####..####".parse()?;
/// board.place(FallingPiece { piece: Piece::new(Shape::O, 0), x: 4, y: 19 });
/// assert_eq!((board.cells(), board.clear_full_rows(), board.cells()), (12, 1, 2));
/// # Ok::<(), tetris_ai::ParseBoardError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    rows: [u16; ROWS],
}

impl Board {
    /// The empty board.
    pub const fn new() -> Self {
        Self { rows: [0; ROWS] }
    }

    /// The board of some rows. What parsing has checked.
    pub(crate) const fn from_rows(rows: [u16; ROWS]) -> Self {
        Self { rows }
    }

    /// The rows, y = 0 at the top, bit x = column x.
    pub const fn rows(&self) -> &[u16; ROWS] {
        &self.rows
    }

    /// Whether the cell at column x, row y is filled; outside the board nothing is.
    pub fn filled(&self, x: i8, y: i8) -> bool {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        row.is_some_and(|row| (0..COLUMNS as i8).contains(&x) && row >> x & 1 != 0)
    }

    /// The number of filled cells.
    pub fn cells(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    /// Whether the four cells are between the walls, above the floor and free. Above the top everything is free.
    pub fn fits(&self, falling: FallingPiece) -> bool {
        falling
            .cells()
            .iter()
            .all(|&(x, y)| (0..COLUMNS as i8).contains(&x) && y < ROWS as i8 && !self.filled(x, y))
    }

    /// Fills the cells of a piece that lie on the board: those above the top are lost.
    pub fn place(&mut self, falling: FallingPiece) {
        for (x, y) in falling.cells() {
            let row = usize::try_from(y).ok().and_then(|y| self.rows.get_mut(y));
            if let Some(row) = row.filter(|_| (0..COLUMNS as i8).contains(&x)) {
                *row |= 1 << x;
            }
        }
    }

    /// Whether row 0 has a filled cell: the game is over.
    pub const fn top_touched(&self) -> bool {
        self.rows[0] != 0
    }

    /// Removes the full rows; those above move down. Returns how many there were.
    pub fn clear_full_rows(&mut self) -> u32 {
        let mut free = ROWS;
        for y in (0..ROWS).rev() {
            if self.rows[y] != FULL {
                free -= 1;
                self.rows[free] = self.rows[y];
            }
        }
        self.rows[..free].fill(0);
        free as u32
    }

    /// Where a piece spawns, if it fits there.
    pub fn spawn(&self, piece: Piece) -> Option<FallingPiece> {
        Some(FallingPiece::spawned(piece)).filter(|&falling| self.fits(falling))
    }
}
