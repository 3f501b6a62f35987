//! [`boards`]: boards in the forms in which people post them.
//!
//! - rows of tiles between blanks, tabs, commas or bars, with or without frames and fences;
//! - nested lists of any language, in `[]`, `{}` or `()`;
//! - one line or list of 9, 16, 25, .. tiles, row by row;
//! - one digit per cell for its rank, `1` for a 2 and `b` for a 2048: rows of digits, 16 digits, or
//!   a number `0x..`, whose lowest digit is the top left cell, as programs print a 64-bit board.
//!
//! Other numbers are tiles, or all of them ranks if one can't be a tile and none exceeds 17.
//!
//! ```
//! use g2048::Direction;
//! use g2048::posted::{boards, turns};
//! let posted = boards("[[0, 2], [0, 2]]\n\n[[0, 4], [2, 0]]", false)?;
//! assert_eq!(posted[0].board.to_string(), ". 2\n. 2");
//! assert_eq!(turns(&posted)?[0].moves, [Direction::Up]);
//! # Ok::<(), g2048::posted::PostError>(())
//! ```

use crate::board::{Board, Size};
use crate::direction::Direction;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use words::{Cell, Rows, is_empty, rows};

mod words;

/// A board, and the line on which it begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Posted {
    /// The board.
    pub board: Board,
    /// The line, from 1.
    pub line: usize,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The board before the move.
    pub board: Board,
    /// The moves that lead to the next board; one unless only boards are known.
    pub moves: Vec<Direction>,
}

/// What was expected in a text, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct PostError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What was expected.
    pub expected: String,
}

impl fmt::Display for PostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: expected {}", self.line, self.column, self.expected)
    }
}

impl core::error::Error for PostError {}

impl PostError {
    fn at(cell: &Cell<'_>, expected: impl Into<String>) -> Self {
        Self { line: cell.line, column: cell.column, expected: expected.into() }
    }
}

/// Returns whether a move leads from a board to another, with a new 2 or 4.
pub fn leads(board: &Board, direction: Direction, to: &Board) -> bool {
    let slide = board.slide(direction);
    slide.changed && slide.board.size() == to.size() && slide.board.spawns().any(|next| next == *to)
}

/// Finds the moves between the boards of a game. A board that is posted twice counts once.
///
/// # Errors
///
/// The first board that no move leads to.
pub fn turns(boards: &[Posted]) -> Result<Vec<Turn>, PostError> {
    let mut turns = Vec::new();
    for pair in boards.windows(2) {
        let [before, after] = [&pair[0], &pair[1]];
        if before.board == after.board {
            continue;
        }
        let all = Direction::ALL.into_iter();
        let moves: Vec<_> =
            all.filter(|&direction| leads(&before.board, direction, &after.board)).collect();
        if moves.is_empty() {
            let from = before.line;
            let expected =
                format!("the board after a move from the one on line {from}, with a new 2 or 4");
            return Err(PostError { line: after.line, column: 1, expected });
        }
        turns.push(Turn { board: before.board, moves });
    }
    Ok(turns)
}

/// The largest rank of play on 4x4: a 131072.
const LARGEST: u64 = 17;

/// Returns the boards of a text, of which there is at least one. `are_ranks` takes all numbers for
/// ranks.
///
/// # Errors
///
/// The place of what no form has.
pub fn boards(text: &str, are_ranks: bool) -> Result<Vec<Posted>, PostError> {
    let groups = groups(rows(text)?)?;
    if groups.is_empty() {
        let line = text.lines().count().max(1);
        return Err(PostError { line, column: 1, expected: "a board".to_owned() });
    }
    let mut grids = Vec::new();
    for group in groups {
        grids.push(Grid::new(&group)?);
    }
    let tiles = |grid: &Grid<'_>| if grid.is_digits { Vec::new() } else { grid.numbers() };
    let numbers: Vec<u64> = grids.iter().flat_map(tiles).collect();
    let all_small = numbers.iter().all(|&number| number <= LARGEST);
    let any_no_tile = numbers.iter().any(|&number| !is_tile(number));
    let are_ranks = are_ranks || all_small && any_no_tile;
    grids.iter().map(|grid| grid.board(are_ranks)).collect()
}

fn is_tile(number: u64) -> bool {
    number == 0 || number > 1 && number.is_power_of_two()
}

/// The rows of one board.
type Group<'a> = Vec<Vec<Cell<'a>>>;

fn groups(rows: Rows<'_>) -> Result<Vec<Group<'_>>, PostError> {
    let Rows { boards, are_lists } = rows;
    if boards.iter().flatten().all(|row| is_whole_board(row)) {
        return Ok(boards.into_iter().flatten().map(|row| vec![row]).collect());
    }
    // Rows with blank lines between them, or numbers with one on each line.
    let are_apart = boards.len() > 1 && boards.iter().all(|board| board.len() == 1);
    if are_apart && !are_lists {
        return Ok(vec![boards.into_iter().flatten().collect()]);
    }
    let mut groups: Vec<Group<'_>> = Vec::new();
    for board in boards {
        if let Some(row) = board.get(8)
            && board.iter().any(|row| row.len() > 1)
        {
            return Err(PostError::at(&row[0], "at most 8 rows, then a blank line"));
        }
        groups.push(board);
    }
    Ok(groups)
}

/// Returns whether a row has all tiles of a board of at least 3x3.
fn is_whole_board(row: &[Cell<'_>]) -> bool {
    match row {
        [cell] => packed(cell.text).is_some() || is_digits(cell.text, 16),
        _ => row.len() > 8 && row.len().isqrt().pow(2) == row.len(),
    }
}

/// Returns the ranks of a 64-bit board in hexadecimal, whose lowest digit is the first cell.
fn packed(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X"))?;
    let digits = digits.trim_end_matches(['u', 'l', 'U', 'L']);
    u64::from_str_radix(&digits.replace('_', ""), 16).ok()
}

/// Returns whether a text has a number of cells with one digit each.
fn is_digits(text: &str, length: usize) -> bool {
    text.chars().count() == length && text.chars().all(|c| digit(c).is_some())
}

/// Returns the rank that a digit stands for.
fn digit(c: char) -> Option<u8> {
    match c {
        '.' | '_' => Some(0),
        _ => c.to_digit(LARGEST as u32 + 1).map(|rank| rank as u8),
    }
}

/// The cells of a board with their numbers, and whether these are digits for ranks.
struct Grid<'a> {
    width: usize,
    cells: Vec<(Cell<'a>, u64)>,
    is_digits: bool,
}

impl<'a> Grid<'a> {
    fn new(rows: &[Vec<Cell<'a>>]) -> Result<Self, PostError> {
        let first = rows[0][0];
        let is_single = rows.iter().all(|row| row.len() == 1);
        let flat: Vec<Cell<'a>> = rows.iter().flatten().copied().collect();
        if let [cell] = flat[..]
            && let Some(bits) = packed(cell.text)
        {
            return Ok(Self::of_digits(4, (0..16).map(|i| (cell, bits >> (4 * i) & 15)).collect()));
        }
        let count = flat.len();
        let are_digits = |length| count > 1 && flat.iter().all(|cell| is_digits(cell.text, length));
        let length = first.text.chars().count();
        let is_line_of_digits = rows.len() == 1 && count == length;
        if count == 1 && is_digits(first.text, 16) {
            return Ok(Self::of_digits(4, digits_of(&flat)));
        }
        if (2..=8).contains(&length) && (2..=8).contains(&count) && are_digits(length) {
            // Four tiles on one line are no board, but four rows of four digits are.
            if is_single || is_line_of_digits {
                return Ok(Self::of_digits(length, digits_of(&flat)));
            }
        }
        let side = count.isqrt();
        let is_flat = (rows.len() == 1 || is_single) && side >= 3 && side * side == count;
        let width = if is_flat { side } else { Self::check_rows(rows)? };
        let cells = flat.into_iter().map(|cell| Ok((cell, number(&cell)?)));
        Ok(Self { width, cells: cells.collect::<Result<_, _>>()?, is_digits: false })
    }

    fn of_digits(width: usize, cells: Vec<(Cell<'a>, u64)>) -> Self {
        Self { width, cells, is_digits: true }
    }

    /// Returns the width of rows that are all of one length.
    fn check_rows(rows: &[Vec<Cell<'a>>]) -> Result<usize, PostError> {
        let width = rows[0].len();
        if !(2..=8).contains(&width) {
            // A word is a better reason than the number of words.
            for cell in &rows[0] {
                number(cell)?;
            }
            let at = rows[0].get(8).unwrap_or(&rows[0][0]);
            return Err(PostError::at(at, "rows of 2 to 8 tiles, or 9, 16, 25, .. on one line"));
        }
        for row in rows {
            if row.len() != width {
                for cell in row {
                    number(cell)?;
                }
                let at = row.get(width).unwrap_or(&row[row.len() - 1]);
                let expected = format!("{width} tiles in this row, as in the first");
                return Err(PostError::at(at, expected));
            }
        }
        if rows.len() < 2 {
            return Err(PostError::at(&rows[0][width - 1], "2 to 8 rows"));
        }
        Ok(width)
    }

    fn numbers(&self) -> Vec<u64> {
        self.cells.iter().map(|&(_, number)| number).collect()
    }

    fn board(&self, are_ranks: bool) -> Result<Posted, PostError> {
        let mut ranks = Vec::with_capacity(self.cells.len());
        for &(ref cell, number) in &self.cells {
            let is_rank = are_ranks || self.is_digits;
            let most = u64::from(Board::MAX_RANK);
            let rank = match number {
                _ if is_rank => Some(number),
                0 => Some(0),
                _ => is_tile(number).then(|| u64::from(number.ilog2())),
            };
            let Some(rank) = rank.filter(|&rank| rank <= most) else {
                let expected = if is_rank { "a rank, 0 to 50" } else { TILE };
                return Err(PostError::at(cell, format!("{expected}, found {number}")));
            };
            ranks.push(rank as u8);
        }
        let first = &self.cells[0].0;
        let size = Size::new(self.width, self.cells.len() / self.width);
        let board = size.and_then(|size| Board::from_ranks(size, &ranks));
        let board = board.map_err(|_| PostError::at(first, "a board of 2x2 to 8x8"))?;
        Ok(Posted { board, line: first.line })
    }
}

const TILE: &str = "a tile, a power of two, or . or 0 for an empty cell";

fn digits_of<'a>(cells: &[Cell<'a>]) -> Vec<(Cell<'a>, u64)> {
    let digits = |cell: &Cell<'a>| {
        let cell = *cell;
        cell.text.chars().map(move |c| (cell, digit(c).map_or(0, u64::from)))
    };
    cells.iter().flat_map(digits).collect()
}

/// Returns the number in a cell, such as `2048`, `1,024`, `2K`, `4.` or `8.0`; 0 if it is empty.
fn number(cell: &Cell<'_>) -> Result<u64, PostError> {
    let text = cell.text;
    if is_empty(text) {
        return Ok(0);
    }
    let (text, factor) = match text.strip_suffix(['k', 'K']) {
        Some(text) => (text, 1024),
        None => (text, 1),
    };
    let whole = text.split_once('.').filter(|(_, part)| part.bytes().all(|byte| byte == b'0'));
    let whole = whole.map_or(text, |(whole, _)| whole);
    let is_grouped = whole.split(',').skip(1).all(|part| part.len() == 3);
    let digits = whole.replace(',', "");
    let is_number = is_grouped && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse::<u64>().ok().filter(|_| is_number);
    number.and_then(|number| number.checked_mul(factor)).ok_or_else(|| PostError::at(cell, TILE))
}

#[cfg(test)]
mod tests;
