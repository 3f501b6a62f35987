//! What a board is worth: a sum over its rows, kept in tables.
//!
//! What a row adds depends on four ten-bit numbers only: its cells, the cells above it, the skyline of all rows above and
//! its own. So a piece changes the terms of the rows that it touches, of the row below it, and of those down to where
//! the skyline is what it was; all others are known from the board before.

use super::patterns::Patterns;
use super::rows::{FULL_ROW, PaddedRows, PieceRows, highest_row};
use super::weights::BeamWeights;
use crate::contest::{COLUMNS, ROWS, multiplier};

/// Numbers of filled cells: 0..=190, some more for a round array.
pub(super) const CELLS: usize = 256;

/// The tables of some weights.
#[derive(PartialEq, Eq)]
pub(super) struct RowTables {
    /// By the row and whether any of its gaps is covered: twice the term, plus one if its gap is single and open.
    row_terms: [i16; 2 << COLUMNS],
    skyline: [i16; 1 << COLUMNS],
    holes: [i16; 1 << COLUMNS],
    column: [i16; 1 << COLUMNS],
}

/// Bits with a different right neighbor in the row.
const fn transitions(row: u16) -> u16 {
    (row ^ row >> 1) & FULL_ROW >> 1
}

/// Cells between filled ones or walls.
const fn wells(skyline: u16) -> u16 {
    !skyline & (skyline << 1 | 1) & (skyline >> 1 | 1 << (COLUMNS - 1)) & FULL_ROW
}

impl RowTables {
    /// Of some weights and patterns, of which `faded` of a hundred parts count.
    pub(super) fn new(weights: &BeamWeights, patterns: Option<&Patterns>, faded: i32) -> Box<Self> {
        // With room for doubling.
        let scaled = |value: i32| (value * faded / 100).clamp(-16_000, 16_000) as i16;
        let count = |bits: u16| bits.count_ones() as i32;
        let pattern = |of: &dyn Fn(&Patterns) -> i16| patterns.map_or(0, |patterns| i32::from(of(patterns)));
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
            let own: [i32; 2] =
                std::array::from_fn(|hidden| own[hidden] + pattern(&|patterns| patterns.rows[i][hidden]));
            tables.row_terms[2 * i] = 2 * scaled(own[0]) + i16::from(gaps == 1);
            tables.row_terms[2 * i + 1] = 2 * scaled(own[1]);
            let skyline =
                weights.skyline_transitions * count(transitions(bits)) + weights.wells * count(wells(bits));
            tables.skyline[i] = scaled(skyline + pattern(&|patterns| patterns.skyline[i]));
            let holes = weights.holes * count(bits) + weights.rows_with_holes * i32::from(bits != 0);
            tables.holes[i] = scaled(holes + pattern(&|patterns| patterns.holes[i]));
            let column = weights.column_transitions * count(bits);
            tables.column[i] = scaled(column + pattern(&|patterns| patterns.columns[i]));
        }
        tables
    }

    /// What a row adds below `above` and the skyline `skyline`, and whether it has a single gap, and that open.
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

    /// The part of that which depends on the row above.
    #[inline(always)]
    fn column_value(&self, row: u16, above: u16) -> i32 {
        i32::from(self.column[usize::from((row ^ above) & FULL_ROW)])
    }
}

/// The longest run of ones, at most four.
#[inline(always)]
const fn longest_run(rows: u32) -> usize {
    let two = rows & rows << 1;
    let three = two & rows << 2;
    let four = two & two << 2;
    (rows != 0) as usize + (two != 0) as usize + (three != 0) as usize + (four != 0) as usize
}

/// What boards are worth after one piece of the sequence. Arrays are as long as no index, cut to its bits, can leave.
pub(super) struct Evaluation<'a> {
    pub(super) tables: &'a RowTables,
    /// By the number of filled cells.
    pub(super) cells: [i32; CELLS],
    /// By the length of the run.
    pub(super) runs: [i32; 8],
    /// By the highest filled row.
    pub(super) tops: [i32; 32],
    /// With fewer cells, the piece's included, no row is cleared.
    pub(super) min_clear_cells: u32,
    /// Whether this piece scores.
    pub(super) scores: bool,
}

/// A board with the terms of its rows, summed from the top: what its children are evaluated from.
pub(super) struct EvaluatedBoard {
    pub(super) rows: PaddedRows,
    cells: u32,
    top: usize,
    /// Before row y: the skyline of the rows above.
    skyline: [u16; 32],
    /// Before row y: the sum of the rows above. Row 20 is the floor.
    sums: [i32; 32],
    /// Rows with a single, open gap.
    open_rows: u32,
}

/// A child that isn't built yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EvaluatedChild {
    /// What it is worth, without the score so far.
    pub(super) value: i32,
    /// The full rows.
    pub(super) lines: u32,
    /// Its filled cells.
    pub(super) cells: u32,
}

impl Evaluation<'_> {
    /// The terms of a board.
    #[inline(always)]
    pub(super) fn evaluate(&self, rows: &PaddedRows, cells: u32) -> EvaluatedBoard {
        let mut board =
            EvaluatedBoard { rows: *rows, cells, top: ROWS, skyline: [0; 32], sums: [0; 32], open_rows: 0 };
        let (mut sum, mut skyline) = (0, 0);
        // Empty rows below empty ones add nothing.
        board.top = highest_row(rows);
        for y in board.top..=ROWS {
            let (row, above) = (rows[(y + 2) & 31], rows[(y + 1) & 31]);
            let (value, open) = self.tables.row_value(row, above, skyline);
            sum += value;
            board.open_rows |= open << y;
            skyline |= row;
            board.skyline[(y + 1) & 31] = skyline;
            board.sums[(y + 1) & 31] = sum;
        }
        board
    }

    /// What the board is worth as it is.
    #[inline(always)]
    pub(super) fn value(&self, board: &EvaluatedBoard) -> i32 {
        board.sums[ROWS + 1]
            + self.runs[longest_run(board.open_rows)]
            + self.tops[board.top]
            + self.cells[board.cells as usize]
    }

    /// What the board is worth with a piece whose center is at (x, y); `None` if it fills rows and that is too early.
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
            // Nothing differs below, but for what the next row has above it.
            let row = board.rows[(y + 2) & 31];
            sum += self.tables.column_value(row, above);
            sum -= self.tables.column_value(row, board.rows[(y + 1) & 31]);
        } else {
            // The floor is full: below it nothing differs.
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
