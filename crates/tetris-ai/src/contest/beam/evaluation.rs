//! The evaluation of a board: a sum of table entries over its rows, updated incrementally for each
//! child.
//!
//! The value of a row depends on only three ten-bit numbers: its cells, the cells of the row above,
//! and the skyline (the union of all rows above). It is the sum of four table entries:
//!
//! ```text
//! value(row) = row_terms[row, any covered gap] + skyline[row | skyline above]
//!            + holes[skyline above & !row] + column[row ^ row above]
//! value(board) = sum of value(row) over the rows and the floor
//!              + runs[longest run of rows with a single open gap]
//!              + tops[highest row] + cells[number of cells]
//! ```
//!
//! A board is evaluated once, keeping the partial sums from the top down to each row. A child then
//! costs only the rows that differ:
//!
//! ```text
//! rows above the piece         from the parent's sums
//! rows of the piece            looked up; full ones are skipped
//! rows below the piece         looked up while the skyline differs from the parent's; if it never differs,
//!                              only the column term of the next row changes
//! the rest, down to the floor  from the parent's sums
//! ```
//!
//! For example, an O lands on column 3 and covers a gap in column 2:
//!
//! ```text
//! parent         child
//! . . . . . .    . . . . . .    from the parent's sums
//! . . . . . .    . . O O . .    looked up: the piece
//! # . . . . .    # . O O . .    looked up: the piece
//! # # . # . .    # # . # . .    looked up: column 2 is now covered
//! # # # # . .    # # # # . .    looked up: the skyline above still differs in column 2
//! # # # . # .    # # # . # .    from the parent's sums: the skylines above agree again
//! ```

use super::patterns::Patterns;
use super::rows::{PaddedRows, PieceRows, highest_row};
use super::weights::BeamWeights;
use crate::columns::{COLUMNS, ROWS};
use crate::contest::board::FULL_ROW;
use crate::contest::game::multiplier;

/// The length of a table indexed by the number of filled cells, 0..=190, rounded up to a power of
/// two.
pub(super) const CELLS: usize = 256;

#[derive(PartialEq, Eq)]
pub(super) struct RowTables {
    /// The terms of the row itself, at index `2 * row + (any gap is covered)`: twice the value,
    /// plus one if the row has a single, open gap.
    row_terms: [i16; 2 << COLUMNS],
    skyline: [i16; 1 << COLUMNS],
    holes: [i16; 1 << COLUMNS],
    column: [i16; 1 << COLUMNS],
}

/// Returns the bits that differ from the next column's bit.
const fn transitions(row: u16) -> u16 {
    (row ^ row >> 1) & FULL_ROW >> 1
}

/// Returns the empty cells between two filled cells, or between a filled cell and a wall.
const fn wells(skyline: u16) -> u16 {
    !skyline & (skyline << 1 | 1) & (skyline >> 1 | 1 << (COLUMNS - 1)) & FULL_ROW
}

impl RowTables {
    /// Computes the tables with all values scaled by `faded`, in hundredths.
    pub(super) fn new(weights: &BeamWeights, patterns: &Patterns, faded: i32) -> Box<Self> {
        // Clamped to fit 16 bits even when doubled.
        let scaled = |value: i32| (value * faded / 100).clamp(-16_000, 16_000) as i16;
        let count = |bits: u16| bits.count_ones() as i32;
        let mut tables = Box::new(Self {
            row_terms: [0; 2 << COLUMNS],
            skyline: [0; 1 << COLUMNS],
            holes: [0; 1 << COLUMNS],
            column: [0; 1 << COLUMNS],
        });
        for bits in 0..=FULL_ROW {
            let i = usize::from(bits);
            let gaps = count(!bits & FULL_ROW);
            let by_gaps = match gaps {
                1 => weights.open_rows,
                2 => weights.two_gaps,
                _ => 0,
            };
            let value = weights.row_transitions * count(transitions(bits)) + by_gaps;
            let covered = if gaps == 1 { weights.covered_rows - weights.open_rows } else { 0 };
            let own = [value, value + covered];
            let own =
                [0, 1].map(|hidden| scaled(own[hidden] + i32::from(patterns.rows[i][hidden])));
            tables.row_terms[2 * i] = 2 * own[0] + i16::from(gaps == 1);
            tables.row_terms[2 * i + 1] = 2 * own[1];
            let skyline = weights.skyline_transitions * count(transitions(bits))
                + weights.wells * count(wells(bits));
            tables.skyline[i] = scaled(skyline + i32::from(patterns.skyline[i]));
            let holes =
                weights.holes * count(bits) + weights.rows_with_holes * i32::from(bits != 0);
            tables.holes[i] = scaled(holes + i32::from(patterns.holes[i]));
            let column = weights.column_transitions * count(bits);
            tables.column[i] = scaled(column + i32::from(patterns.columns[i]));
        }
        tables
    }

    /// Returns the value of a row below the row `above` and the skyline `skyline`, and 1 if the row
    /// has a single, open gap, else 0.
    #[inline(always)]
    fn row_value(&self, row: u16, above: u16, skyline: u16) -> (i32, u32) {
        let at = |bits: u16| usize::from(bits & FULL_ROW);
        let holes = !row & skyline & FULL_ROW;
        let own = i32::from(self.row_terms[2 * at(row) + usize::from(holes != 0)]);
        let value = (own >> 1)
            + i32::from(self.skyline[at(row | skyline)])
            + i32::from(self.holes[at(holes)])
            + self.column_value(row, above);
        (value, own as u32 & 1)
    }

    #[inline(always)]
    fn column_value(&self, row: u16, above: u16) -> i32 {
        i32::from(self.column[usize::from((row ^ above) & FULL_ROW)])
    }
}

/// Returns the length of the longest run of ones, at most 4.
#[inline(always)]
const fn longest_run(rows: u32) -> usize {
    let two = rows & rows << 1;
    let three = two & rows << 2;
    let four = two & two << 2;
    (rows != 0) as usize + (two != 0) as usize + (three != 0) as usize + (four != 0) as usize
}

/// The evaluation of boards after one piece of the sequence. Array lengths are powers of two, so a
/// masked index is always in bounds.
pub(super) struct Evaluation<'a> {
    pub(super) tables: &'a RowTables,
    /// The value by the number of filled cells.
    pub(super) cells: [i32; CELLS],
    /// The value by the length of the longest run.
    pub(super) runs: [i32; 8],
    /// The value by the highest filled row.
    pub(super) tops: [i32; 32],
    /// The number of filled cells, including the piece, below which no child may clear a row.
    pub(super) min_clear_cells: u32,
    pub(super) scores: bool,
}

/// A board with the partial sums of its row values, the base for evaluating its children.
pub(super) struct EvaluatedBoard {
    pub(super) rows: PaddedRows,
    cells: u32,
    top: usize,
    /// The skyline of the rows above row y.
    skyline: [u16; 32],
    /// The sum of the values of the rows above row y. Row 20 is the floor.
    sums: [i32; 32],
    /// The rows with a single, open gap; bit y = row y.
    open_rows: u32,
}

/// The value of a child, computed without building its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EvaluatedChild {
    /// The value of the board plus the points scored by the placement.
    pub(super) value: i32,
    pub(super) lines: u32,
    /// The number of filled cells after the clear.
    pub(super) cells: u32,
}

impl Evaluation<'_> {
    #[inline(always)]
    pub(super) fn evaluate(&self, rows: &PaddedRows, cells: u32) -> EvaluatedBoard {
        let mut board = EvaluatedBoard {
            rows: *rows,
            cells,
            top: ROWS,
            skyline: [0; 32],
            sums: [0; 32],
            open_rows: 0,
        };
        let mut sum = 0;
        let mut skyline = 0;
        // Empty rows above the stack add nothing.
        board.top = highest_row(rows);
        for y in board.top..=ROWS {
            let row = rows[(y + 2) & 31];
            let above = rows[(y + 1) & 31];
            let (value, open) = self.tables.row_value(row, above, skyline);
            sum += value;
            board.open_rows |= open << y;
            skyline |= row;
            board.skyline[(y + 1) & 31] = skyline;
            board.sums[(y + 1) & 31] = sum;
        }
        board
    }

    #[inline(always)]
    pub(super) fn value(&self, board: &EvaluatedBoard) -> i32 {
        board.sums[ROWS + 1]
            + self.runs[longest_run(board.open_rows)]
            + self.tops[board.top]
            + self.cells[board.cells as usize]
    }

    /// Returns `None` if the piece clears rows of a board with fewer than `min_clear_cells` cells.
    #[inline(always)]
    pub(super) fn evaluate_child(
        &self,
        board: &EvaluatedBoard,
        piece_rows: &PieceRows,
        x: u32,
        y: usize,
    ) -> Option<EvaluatedChild> {
        let highest = y - piece_rows.up;
        let mut skyline = board.skyline[highest & 31];
        let mut above = board.rows[(highest + 1) & 31];
        let mut sum = board.sums[highest & 31];
        let mut open_rows = board.open_rows & ((1 << (highest & 31)) - 1);
        let mut lines = 0;
        let mut y = highest;
        for i in 0..piece_rows.height {
            let row = board.rows[(y + 2) & 31] | piece_rows.row(i, x);
            if row == FULL_ROW {
                lines += 1;
                open_rows <<= 1;
            } else {
                let (value, open) = self.tables.row_value(row, above, skyline);
                sum += value;
                open_rows |= open << (y & 31);
                skyline |= row;
                above = row;
            }
            y += 1;
        }
        let placed = board.cells + 4;
        if lines > 0 && placed < self.min_clear_cells {
            return None;
        }
        let same = board.skyline[y & 31];
        if skyline == same {
            // Only the next row differs: the row above it has changed.
            let row = board.rows[(y + 2) & 31];
            sum += self.tables.column_value(row, above);
            sum -= self.tables.column_value(row, board.rows[(y + 1) & 31]);
        } else {
            // Below the floor, the skyline is full on every board, so the loop ends there.
            while y <= ROWS && skyline != board.skyline[y & 31] {
                let row = board.rows[(y + 2) & 31];
                let (value, open) = self.tables.row_value(row, above, skyline);
                sum += value;
                open_rows |= open << (y & 31);
                skyline |= row;
                above = row;
                y += 1;
            }
        }
        sum += board.sums[ROWS + 1] - board.sums[y & 31];
        open_rows |= board.open_rows & !((1 << (y & 31)) - 1);
        let cells = placed - COLUMNS as u32 * lines;
        let top = board.top.min(highest) + lines as usize;
        let gain = if self.scores { multiplier(lines) * placed } else { 0 };
        let value = sum
            + self.runs[longest_run(open_rows) & 7]
            + self.tops[top & 31]
            + self.cells[cells as usize & 255]
            + gain as i32;
        Some(EvaluatedChild { value, lines, cells })
    }
}
