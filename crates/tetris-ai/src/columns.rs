//! [`Columns`]: a board as ten columns of bits.

use crate::piece_columns::PieceColumns;
use bitcore::{Isa, Lanes, U32s};
use std::ops::BitAnd;

/// The number of columns of a board; x = 0 is the leftmost.
pub const COLUMNS: usize = tetris::Board::WIDTH;
/// The number of rows of a board in the contest and in simplified Tetris.
pub const ROWS: usize = 20;

/// A board between two pieces, as ten columns of bits: bit 0 is the bottom row, bit 19 the top row
/// (row 0 of the contest).
///
/// ```
/// use tetris_ai::{Columns, contest::Board};
/// let board: Board = "#.........\n####.#####".parse()?;
/// let columns = Columns::from(&board);
/// assert_eq!((columns.heights()[0], columns.heights()[4], columns.cells()), (2, 0, 10));
/// assert_eq!(Board::from(&columns), board);
/// # Ok::<(), tetris_ai::contest::ParseBoardError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Columns {
    columns: [u32; COLUMNS],
    cells: u32,
}

impl Columns {
    /// Returns the empty board.
    pub const fn new() -> Self {
        Self { columns: [0; COLUMNS], cells: 0 }
    }

    pub(crate) fn from_columns(columns: [u32; COLUMNS]) -> Self {
        Self { columns, cells: columns.iter().map(|column| column.count_ones()).sum() }
    }

    /// Returns the columns; bit 0 is the bottom row.
    pub const fn columns(&self) -> &[u32; COLUMNS] {
        &self.columns
    }

    /// Returns the number of filled cells.
    pub const fn cells(&self) -> u32 {
        self.cells
    }

    /// Returns the height of each column: the number of rows from the floor up to its highest
    /// filled cell.
    #[inline(always)]
    pub fn heights(&self) -> [u32; COLUMNS] {
        let mut heights = [0; COLUMNS];
        for (height, column) in heights.iter_mut().zip(self.columns) {
            *height = u32::BITS - column.leading_zeros();
        }
        heights
    }

    /// Returns the board after a piece locks and the rows in the mask `full` clear. The lower left
    /// corner of the piece's bounding box is at column `left` and row `bottom`.
    ///
    /// ```text
    /// index                0 ..          10 11 12 ..     23
    /// piece_columns.row    0 .. 0        p0 p1 p2 0 ..    0    ten zeros before the piece
    /// row[10 - left..]     0 .. 0 p0 p1 p2 0 ..                p0 at index `left`, its board column
    /// ```
    #[inline(always)]
    pub(crate) fn child<S: Isa>(
        &self,
        isa: S,
        piece_columns: &PieceColumns,
        left: u8,
        bottom: u8,
        full: u32,
    ) -> Self {
        let start = COLUMNS - usize::from(left);
        let first = &piece_columns.row[start..];
        let last = &piece_columns.row[start + 2..];
        let bottom = bottom.into();
        let mut left =
            isa.u32x8(&first8(&self.columns)) | isa.u32x8(&first8(first)).shl_all(bottom);
        let mut right =
            isa.u32x8(&first8(&self.columns[2..])) | isa.u32x8(&first8(last)).shl_all(bottom);
        if full != 0 {
            left = without_rows(isa, left, full);
            right = without_rows(isa, right, full);
        }
        let mut columns = [0; COLUMNS];
        columns[..8].copy_from_slice(&left.to_array());
        columns[2..].copy_from_slice(&right.to_array());
        Self { columns, cells: self.cells + 4 - COLUMNS as u32 * full.count_ones() }
    }

    /// Rows may be full.
    pub(crate) fn lowest_rows(board: &tetris::Board) -> Self {
        Self::from_columns(board.columns().map(|column| (column & ((1 << ROWS) - 1)) as u32))
    }

    #[inline(always)]
    pub(crate) fn board(&self) -> tetris::Board {
        let mut columns = [0; COLUMNS];
        for (wide, column) in columns.iter_mut().zip(self.columns) {
            *wide = u64::from(column);
        }
        // Always `Ok`: boards of `tetris` have forty rows.
        tetris::Board::try_from(columns).unwrap_or_default()
    }
}

/// Ten columns are processed as two overlapping groups, 0..8 and 2..10.
#[inline(always)]
fn first8(numbers: &[u32]) -> [u32; 8] {
    let mut first = [0; 8];
    first.copy_from_slice(&numbers[..8]);
    first
}

/// At most four rows, a few lane operations each; a PEXT per column is no faster (see
/// docs/decisions.md).
#[inline(always)]
fn without_rows<S: Isa>(isa: S, mut columns: S::U32x8, mut rows: u32) -> S::U32x8 {
    while rows != 0 {
        // Highest row first: removing it moves none of the other rows of the mask.
        let row = rows.ilog2();
        columns = isa.splat_u32((1 << row) - 1).bitselect(columns, columns.shr::<1>());
        rows &= !(1 << row);
    }
    columns
}

/// Returns, for each i, the rows that are full in all columns before i and in all columns from i
/// on.
#[inline(always)]
pub(crate) fn full_beside<W: Copy + BitAnd<Output = W>>(
    columns: &[W; COLUMNS],
    all: W,
) -> ([W; COLUMNS + 1], [W; COLUMNS + 1]) {
    let mut before = [all; COLUMNS + 1];
    let mut from = [all; COLUMNS + 1];
    for i in 0..COLUMNS {
        before[i + 1] = before[i] & columns[i];
        from[COLUMNS - 1 - i] = from[COLUMNS - i] & columns[COLUMNS - 1 - i];
    }
    (before, from)
}
