//! The text forms of boards, pieces and queues.

use crate::board::{Board, HEIGHT, WIDTH};
use crate::error::Error;
use crate::piece::{Orientation, Piece};
use alloc::{string::String, vec::Vec};
use bitcade_core::__board_text;
use core::ops::Deref;
use core::{fmt, str::FromStr};

impl FromStr for Board {
    type Err = Error;

    /// Parses one of three forms. Rows from the top, one per line, with `.` or `_` for an empty and
    /// `#` or `X` for a filled cell; lists of such cells in brackets, or of 0 and 1, as Python and
    /// JSON print them; or, if the text contains a comma, the ten columns from the left as
    /// hexadecimal numbers, bit 0 = bottom row. Leading spaces before columns and trailing spaces
    /// are ignored.
    ///
    /// ```
    /// use tetris::{Board, Error};
    /// let rows: Board = "#.........\n##.......#".parse().unwrap();
    /// assert_eq!(Ok(rows), "3,1,0,0,0,0,0,0,0,1".parse());
    /// let wrong = Error::Cell { line: 2, column: 3, found: 'x' };
    /// assert_eq!("#.........\n##x......#".parse::<Board>(), Err(wrong));
    /// assert_eq!(wrong.to_string(), "line 2, column 3: expected `.` (empty) or `#` (filled), found 'x'");
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        if text.trim_start().starts_with('[') {
            lists(text)
        } else if text.contains(',') {
            columns(text)
        } else {
            rows(text)
        }
    }
}

/// Parses rows in brackets, which may stand in any number of lines.
fn lists(text: &str) -> Result<Board, Error> {
    let all: Vec<_> = __board_text::rows(text).collect();
    let is_row = |row: &__board_text::Row<'_>| !row.text().trim().is_empty();
    let (Some(first), Some(last)) = (all.iter().position(is_row), all.iter().rposition(is_row))
    else {
        return Err(Error::RowLength { line: 1, column: 1, found: 0 });
    };
    let height = last - first + 1;
    if height > HEIGHT {
        return Err(Error::RowCount { found: height });
    }
    let mut columns = [0; WIDTH];
    for (y, row) in (0..height).rev().zip(&all[first..]) {
        let mut found = 0;
        for (byte, word) in row.words() {
            let (line, column) = row.place(byte);
            let filled = match word {
                "." | "_" | "0" => 0,
                "#" | "X" | "1" => 1,
                _ => {
                    let found = word.chars().next().unwrap_or(',');
                    return Err(Error::Cell { line, column, found });
                }
            };
            if let Some(column) = columns.get_mut(found) {
                *column |= filled << y;
            }
            found += 1;
        }
        if found != WIDTH {
            let (line, column) = row.place(0);
            return Err(Error::RowLength { line, column, found });
        }
    }
    Board::from_columns(columns).ok_or(Error::RowCount { found: height })
}

fn rows(text: &str) -> Result<Board, Error> {
    let text = text.trim_end();
    let height = text.lines().count();
    if height > HEIGHT {
        return Err(Error::RowCount { found: height });
    }
    if height == 0 {
        return Err(Error::RowLength { line: 1, column: 1, found: 0 });
    }
    let mut columns = [0; WIDTH];
    for (y, (line, row)) in (0..height).rev().zip((1..).zip(text.lines())) {
        let cells = row.trim_end();
        for (x, found) in cells.chars().enumerate() {
            let filled = match found {
                '.' | '_' => 0,
                '#' | 'X' => 1,
                _ => return Err(Error::Cell { line, column: x + 1, found }),
            };
            if let Some(column) = columns.get_mut(x) {
                *column |= filled << y;
            }
        }
        let found = cells.len();
        if found != WIDTH {
            return Err(Error::RowLength { line, column: found.min(WIDTH) + 1, found });
        }
    }
    Board::from_columns(columns).ok_or(Error::RowCount { found: height })
}

fn columns(text: &str) -> Result<Board, Error> {
    let indent = text.chars().take_while(|c| c.is_whitespace()).count();
    let text = text.trim();
    let mut columns = [0; WIDTH];
    let mut column = indent + 1;
    let mut found = 0;
    for number in text.split(',') {
        let mut digits = (column..).zip(number.chars());
        if let Some((column, found)) = digits.find(|(_, c)| !c.is_ascii_hexdigit()) {
            return Err(Error::HexDigit { column, found });
        }
        if number.is_empty() {
            return Err(Error::MissingNumber { column });
        }
        let value = u64::from_str_radix(number, 16).ok().filter(|value| value >> HEIGHT == 0);
        let value = value.ok_or(Error::NumberTooHigh { column })?;
        let Some(into) = columns.get_mut(found) else {
            return Err(Error::NumberCount { column, found: text.split(',').count() });
        };
        *into = value;
        column += number.len() + 1;
        found += 1;
    }
    if found < WIDTH {
        return Err(Error::NumberCount { column: column - 1, found });
    }
    Board::from_columns(columns).ok_or(Error::NumberTooHigh { column: indent + 1 })
}

impl fmt::Display for Board {
    /// Writes the rows from the highest non-empty one down, one per line, `.` for an empty and `#`
    /// for a filled cell. The empty board is one empty row.
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
    /// Writes the ten columns from the left as comma-separated hexadecimal numbers, bit 0 = bottom
    /// row.
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
    type Error = Error;

    /// Returns the piece with this letter, in upper or lower case.
    ///
    /// ```
    /// use tetris::Piece;
    /// assert_eq!(Piece::try_from('t'), Ok(Piece::T));
    /// assert!(Piece::try_from('x').is_err());
    /// ```
    fn try_from(letter: char) -> Result<Self, Error> {
        Self::from_letter(letter).ok_or(Error::Letter { column: 1, found: letter })
    }
}

impl FromStr for Piece {
    type Err = Error;

    /// Parses one letter, in upper or lower case.
    fn from_str(text: &str) -> Result<Self, Error> {
        let queue: Queue = text.parse()?;
        match queue[..] {
            [piece] => Ok(piece),
            _ => Err(Error::LetterCount { column: queue.len().min(1) + 1 }),
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

/// A sequence of pieces, next piece first.
///
/// ```
/// use tetris::{Error, Piece, Queue};
/// let queue: Queue = "IOT".parse().unwrap();
/// assert_eq!(*queue, [Piece::I, Piece::O, Piece::T]);
/// assert_eq!(queue.to_string(), "IOT");
/// assert_eq!("IOX".parse::<Queue>(), Err(Error::Letter { column: 3, found: 'X' }));
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
    type Err = Error;

    /// Parses one letter per piece, in upper or lower case, without separators.
    fn from_str(text: &str) -> Result<Self, Error> {
        let piece =
            |(column, found)| Piece::from_letter(found).ok_or(Error::Letter { column, found });
        (1..).zip(text.chars()).map(piece).collect::<Result<_, _>>().map(Self)
    }
}
