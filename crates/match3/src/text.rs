//! Boards as text: one row per line, with `.` for empty, `#` for blocked, `1`-`9` and `a`-`z` for
//! colors, and `!` before a locked piece. Also read are `_` and `0` for empty, `X` for blocked, and
//! rows of numbers with commas or in brackets, as Python and JSON print them.

use crate::board::{Board, Cell, MAX_SIDE};
use alloc::vec::Vec;
use bitcade_core::__board_text::{Row, rows};
use core::fmt;
use core::str::FromStr;

/// Names the variants of an enum: implements `name`, [`Display`](fmt::Display), [`FromStr`] and its
/// error.
macro_rules! names {
    ($type:ident: $noun:literal, $error:ident, $list:literal, $($variant:ident $name:literal),+) => {
        impl $type {
            /// The list of names, for messages.
            pub(crate) const NAMES: &str = $list;

            #[doc = concat!("Returns the name: ", $list, ".")]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        #[doc = concat!("The error for an unknown ", $noun, " name.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("unknown {}: expected {}", $noun, $list)]
        pub struct $error;

        impl core::str::FromStr for $type {
            type Err = $error;

            #[doc = concat!("Parses the [`name`](Self::name) of a ", $noun, ".")]
            fn from_str(name: &str) -> Result<Self, $error> {
                match name {
                    $($name => Ok(Self::$variant),)+
                    _ => Err($error),
                }
            }
        }
    };
}
pub(crate) use names;

/// The reason a text isn't a board, with its position. Lines and columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants explain their fields")]
pub enum ParseBoardError {
    /// A character that doesn't represent a cell.
    #[error(
        "line {line}, column {column}: found {found:?}, expected ., #, 1-9, a-z or ! before a color"
    )]
    Character { line: usize, column: usize, found: char },
    /// A cell of a row with commas or in brackets that doesn't represent a cell.
    #[error(
        "line {line}, column {column}: expected a color from 1 to 35, ., #, or ! before a color"
    )]
    Item { line: usize, column: usize },
    /// A `!` that isn't followed by a color, with the column where the color was expected.
    #[error("line {line}, column {column}: expected a color (1-9, a-z) after !")]
    Lock { line: usize, column: usize },
    /// A row whose length differs from the first row of the board.
    #[error("line {line}: a row of {found} cells, expected {expected} as in the board's first row")]
    Width { line: usize, expected: usize, found: usize },
    /// More rows or columns than a board may have.
    #[error("line {line}: a board has at most 64 rows and 64 columns")]
    TooLarge { line: usize },
    /// No board in the text.
    #[error("line {line}, column 1: expected a board, found the end")]
    Missing { line: usize },
    /// A second board where one was expected.
    #[error("line {line}: expected one board, found another after a blank line")]
    Another { line: usize },
}

/// In base 36, the digits 1-9 and a-z are the colors.
fn piece(found: char) -> Option<Cell> {
    let digit = found.to_digit(36).filter(|_| !found.is_ascii_uppercase());
    digit.and_then(|digit| Cell::new(digit as u8))
}

/// Parses a cell as it is printed, in none of the other forms that boards may have.
pub(crate) fn parse_printed(word: &str) -> Option<Cell> {
    let (locked, color) = word.strip_prefix('!').map_or((false, word), |color| (true, color));
    let mut characters = color.chars();
    let cell = match (characters.next()?, characters.next()) {
        ('.', None) => Cell::EMPTY,
        ('#', None) => Cell::BLOCKED,
        (letter, None) => piece(letter)?,
        _ => return None,
    };
    with_lock(cell, locked)
}

/// Only a piece has a lock.
fn with_lock(cell: Cell, locked: bool) -> Option<Cell> {
    if locked { cell.color().map(|_| cell.locked()) } else { Some(cell) }
}

/// Parses a cell that is a word of its own: colors are numbers or letters.
fn parse_item(word: &str) -> Option<Cell> {
    let (locked, color) = word.strip_prefix('!').map_or((false, word), |color| (true, color));
    let mut characters = color.chars();
    let cell = match (characters.next()?, characters.next()) {
        ('.' | '_' | '0', None) => Cell::EMPTY,
        ('#' | 'X', None) => Cell::BLOCKED,
        (letter, None) => piece(letter)?,
        ('1'..='9', Some('0'..='9')) => Cell::new(color.parse().ok()?)?,
        _ => return None,
    };
    with_lock(cell, locked)
}

/// Skips spaces and tabs between cells.
fn parse_row(text: &Row<'_>) -> Result<Vec<Cell>, ParseBoardError> {
    if text.has_words() {
        let cell = |(byte, word)| {
            let (line, column) = text.place(byte);
            parse_item(word).ok_or(ParseBoardError::Item { line, column })
        };
        return text.words().map(cell).collect();
    }
    let mut row = Vec::new();
    let line = text.line();
    let first = text.place(0).1;
    let mut characters = (first..).zip(text.text().chars());
    while let Some((column, found)) = characters.next() {
        row.push(match found {
            ' ' | '\t' | '\r' => continue,
            '.' | '_' | '0' => Cell::EMPTY,
            '#' | 'X' => Cell::BLOCKED,
            '!' => {
                let color = characters.next().and_then(|(_, found)| piece(found));
                color.ok_or(ParseBoardError::Lock { line, column: column + 1 })?.locked()
            }
            _ => piece(found).ok_or(ParseBoardError::Character { line, column, found })?,
        });
    }
    Ok(row)
}

/// Parses all boards in a text. Boards are separated by one or more blank lines.
///
/// # Errors
///
/// The first error, with its line. A text without a board is [`ParseBoardError::Missing`].
///
/// ```
/// let boards = match3::parse_boards("12\n21\n\n1#!3\n")?;
/// assert_eq!(boards.len(), 2);
/// assert_eq!(boards[1].to_string(), "1#!3");
/// assert_eq!(match3::parse_boards("[[1, 2],\n [2, 1]]")?, boards[..1]);
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn parse_boards(text: &str) -> Result<Vec<Board>, ParseBoardError> {
    let located = parse_located(text)?;
    Ok(located.into_iter().map(|(_, board)| board).collect())
}

/// Parses all boards, each with the line number of its first row.
fn parse_located(text: &str) -> Result<Vec<(usize, Board)>, ParseBoardError> {
    let mut boards = Vec::new();
    let mut first = 0;
    let mut width = 0;
    let mut cells = Vec::new();
    let mut last = 0;
    // A blank line after the end closes the last board.
    for row in rows(text).map(Some).chain([None]) {
        last = row.map_or(last, |row| row.line());
        let line = last;
        let row = row.as_ref().map_or(Ok(Vec::new()), parse_row)?;
        if row.is_empty() {
            if !cells.is_empty() {
                let rows = cells.len() / width;
                let board = Board::from_cells(width, rows, core::mem::take(&mut cells))
                    .map_err(|_| ParseBoardError::TooLarge { line: first })?;
                boards.push((first, board));
            }
            continue;
        }
        if cells.is_empty() {
            (first, width) = (line, row.len());
        }
        if row.len() != width {
            return Err(ParseBoardError::Width { line, expected: width, found: row.len() });
        }
        if width > MAX_SIDE || cells.len() >= width * MAX_SIDE {
            return Err(ParseBoardError::TooLarge { line });
        }
        cells.extend(row);
    }
    if boards.is_empty() { Err(ParseBoardError::Missing { line: last }) } else { Ok(boards) }
}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Parses exactly one board in the text form of [`Board`], skipping blank lines before and
    /// after it.
    fn from_str(text: &str) -> Result<Self, ParseBoardError> {
        let mut boards = parse_located(text)?;
        match boards.get(1) {
            Some(&(line, _)) => Err(ParseBoardError::Another { line }),
            None => Ok(boards.swap_remove(0).1),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_locked() {
            f.write_str("!")?;
        }
        match self.color() {
            Some(color) => write!(f, "{}", char::from_digit(u32::from(color), 36).unwrap_or('?')),
            None if *self == Self::BLOCKED => f.write_str("#"),
            None => f.write_str("."),
        }
    }
}

impl fmt::Display for Board {
    /// Writes one row per line, without a trailing newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (y, row) in self.rows().enumerate() {
            if y > 0 {
                f.write_str("\n")?;
            }
            row.iter().try_for_each(|cell| write!(f, "{cell}"))?;
        }
        Ok(())
    }
}
