//! The text forms of boards, pieces and queues.

use crate::board::{Board, HEIGHT, WIDTH};
use crate::piece::{Orientation, Piece};
use alloc::{string::String, vec::Vec};
use core::ops::Deref;
use core::{fmt, str::FromStr};

/// The reason why a text isn't a [`Board`]. Lines and columns of the text count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseBoardError {
    /// A cell that is neither empty nor filled.
    #[error("line {line}, column {column}: expected `.` (empty) or `#` (filled), found {found:?}")]
    Cell {
        /// The line of the text.
        line: usize,
        /// The column of the text.
        column: usize,
        /// The character found there.
        found: char,
    },
    /// A row that doesn't have ten cells.
    #[error("line {line}, column {column}: expected {WIDTH} cells, found {found}")]
    Width {
        /// The line of the text.
        line: usize,
        /// The column of the end of the row, or of the first surplus cell.
        column: usize,
        /// The number of cells.
        found: usize,
    },
    /// More rows than the field has.
    #[error("line {}: expected at most {HEIGHT} rows, found {found}", HEIGHT + 1)]
    Rows {
        /// The number of rows.
        found: usize,
    },
    /// A number that isn't hexadecimal.
    #[error("line 1, column {column}: expected a hexadecimal digit or a comma, found {found:?}")]
    Digit {
        /// The column of the text.
        column: usize,
        /// The character found there.
        found: char,
    },
    /// A missing number, between two commas or at an end.
    #[error("line 1, column {column}: expected a hexadecimal number, found none")]
    Missing {
        /// The column where it should be.
        column: usize,
    },
    /// A column of the field with a bit above the field.
    #[error("line 1, column {column}: expected a column of at most {HEIGHT} bits")]
    TooHigh {
        /// The column where the number begins.
        column: usize,
    },
    /// Fewer or more than ten numbers.
    #[error("line 1, column {column}: expected {WIDTH} numbers, found {found}")]
    Columns {
        /// The column of the end of the text, or of the first surplus number.
        column: usize,
        /// The number of numbers.
        found: usize,
    },
}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Parses one of two forms: rows from the top, one per line, `.` for an empty and `#` for a filled cell;
    /// or, if there is a comma, the ten columns from the left as hexadecimal numbers, bit 0 = bottom row.
    /// Spaces at the ends are ignored.
    ///
    /// ```
    /// use tetris::{Board, ParseBoardError};
    /// let rows: Board = "#.........\n##.......#".parse().unwrap();
    /// assert_eq!(Ok(rows), "3,1,0,0,0,0,0,0,0,1".parse());
    /// let wrong = ParseBoardError::Cell { line: 2, column: 3, found: 'x' };
    /// assert_eq!("#.........\n##x......#".parse::<Board>(), Err(wrong));
    /// assert_eq!(wrong.to_string(), "line 2, column 3: expected `.` (empty) or `#` (filled), found 'x'");
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseBoardError> {
        if text.contains(',') { columns(text) } else { rows(text) }
    }
}

fn rows(text: &str) -> Result<Board, ParseBoardError> {
    let text = text.trim_end();
    let height = text.lines().count();
    if height > HEIGHT {
        return Err(ParseBoardError::Rows { found: height });
    }
    if height == 0 {
        return Err(ParseBoardError::Width { line: 1, column: 1, found: 0 });
    }
    let mut columns = [0; WIDTH];
    for (y, (line, row)) in (0..height).rev().zip((1..).zip(text.lines())) {
        let cells = row.trim_end();
        for (x, found) in cells.chars().enumerate() {
            let filled = match found {
                '.' => 0,
                '#' => 1,
                _ => return Err(ParseBoardError::Cell { line, column: x + 1, found }),
            };
            if let Some(column) = columns.get_mut(x) {
                *column |= filled << y;
            }
        }
        let found = cells.len();
        if found != WIDTH {
            return Err(ParseBoardError::Width { line, column: found.min(WIDTH) + 1, found });
        }
    }
    Board::from_columns(columns).ok_or(ParseBoardError::Rows { found: height })
}

fn columns(text: &str) -> Result<Board, ParseBoardError> {
    let indent = text.chars().take_while(|c| c.is_whitespace()).count();
    let text = text.trim();
    let mut columns = [0; WIDTH];
    let (mut column, mut found) = (indent + 1, 0);
    for number in text.split(',') {
        let mut digits = (column..).zip(number.chars());
        if let Some((column, found)) = digits.find(|(_, c)| !c.is_ascii_hexdigit()) {
            return Err(ParseBoardError::Digit { column, found });
        }
        if number.is_empty() {
            return Err(ParseBoardError::Missing { column });
        }
        let value = u64::from_str_radix(number, 16).ok().filter(|value| value >> HEIGHT == 0);
        let value = value.ok_or(ParseBoardError::TooHigh { column })?;
        let Some(into) = columns.get_mut(found) else {
            return Err(ParseBoardError::Columns { column, found: text.split(',').count() });
        };
        *into = value;
        column += number.len() + 1;
        found += 1;
    }
    if found < WIDTH {
        return Err(ParseBoardError::Columns { column: column - 1, found });
    }
    Board::from_columns(columns).ok_or(ParseBoardError::TooHigh { column: indent + 1 })
}

impl fmt::Display for Board {
    /// Writes the rows from the highest one that isn't empty, one per line, `.` for an empty and `#` for a
    /// filled cell. The empty board is one empty row.
    ///
    /// ```
    /// let board: tetris::Board = "3,1,0,0,0,0,0,0,0,1".parse().unwrap();
    /// assert_eq!(board.to_string(), "#.........\n##.......#");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let height = self.heights().into_iter().max().unwrap_or(0).max(1);
        for y in (0..height).rev() {
            for column in self.columns() {
                f.write_str(if column >> y & 1 == 1 { "#" } else { "." })?;
            }
            if y > 0 {
                f.write_str("\n")?;
            }
        }
        Ok(())
    }
}

impl fmt::LowerHex for Board {
    /// Writes the ten columns from the left as hexadecimal numbers with commas
    /// between them, bit 0 = bottom row.
    ///
    /// ```
    /// let board: tetris::Board = "#.........\n##.......#".parse().unwrap();
    /// assert_eq!(format!("{board:x}"), "3,1,0,0,0,0,0,0,0,1");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (x, column) in self.columns().iter().enumerate() {
            write!(f, "{}{column:x}", if x > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// The reason why a text isn't a [`Piece`] or a [`Queue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePieceError {
    /// A character that isn't the letter of a piece.
    #[error("column {column}: expected one of I O T S Z J L, found {found:?}")]
    Letter {
        /// The column of the text, from 1.
        column: usize,
        /// The character found there.
        found: char,
    },
    /// A text for one piece that isn't one letter.
    #[error("column {column}: expected one of I O T S Z J L and nothing more")]
    Length {
        /// The column of the text, from 1.
        column: usize,
    },
}

impl Piece {
    /// Returns the capital letter of the piece.
    pub const fn letter(self) -> char {
        match self {
            Self::I => 'I',
            Self::O => 'O',
            Self::T => 'T',
            Self::S => 'S',
            Self::Z => 'Z',
            Self::J => 'J',
            Self::L => 'L',
        }
    }

    fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|piece| piece.letter() == letter.to_ascii_uppercase())
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

impl TryFrom<char> for Piece {
    type Error = ParsePieceError;

    /// Returns the piece with this letter, capital or small.
    ///
    /// ```
    /// use tetris::Piece;
    /// assert_eq!(Piece::try_from('t'), Ok(Piece::T));
    /// assert!(Piece::try_from('x').is_err());
    /// ```
    fn try_from(letter: char) -> Result<Self, ParsePieceError> {
        Self::from_letter(letter).ok_or(ParsePieceError::Letter { column: 1, found: letter })
    }
}

impl FromStr for Piece {
    type Err = ParsePieceError;

    /// Parses one letter, capital or small.
    fn from_str(text: &str) -> Result<Self, ParsePieceError> {
        let queue: Queue = text.parse()?;
        match queue[..] {
            [piece] => Ok(piece),
            _ => Err(ParsePieceError::Length { column: queue.len().min(1) + 1 }),
        }
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        })
    }
}

/// A sequence of pieces, the next one first.
///
/// ```
/// use tetris::{Piece, Queue, ParsePieceError};
/// let queue: Queue = "IOT".parse().unwrap();
/// assert_eq!(*queue, [Piece::I, Piece::O, Piece::T]);
/// assert_eq!(queue.to_string(), "IOT");
/// assert_eq!("IOX".parse::<Queue>(), Err(ParsePieceError::Letter { column: 3, found: 'X' }));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Queue(pub Vec<Piece>);

impl Deref for Queue {
    type Target = [Piece];

    fn deref(&self) -> &[Piece] {
        &self.0
    }
}

impl fmt::Display for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.iter().map(|piece| piece.letter()).collect::<String>())
    }
}

impl FromStr for Queue {
    type Err = ParsePieceError;

    /// Parses one letter per piece, capital or small, with nothing between them.
    fn from_str(text: &str) -> Result<Self, ParsePieceError> {
        let piece =
            |(column, found)| Piece::from_letter(found).ok_or(ParsePieceError::Letter { column, found });
        (1..).zip(text.chars()).map(piece).collect::<Result<_, _>>().map(Self)
    }
}
