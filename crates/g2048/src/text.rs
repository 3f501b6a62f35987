//! Text forms: `4x4` for a [`Size`], `left` for a [`Direction`], rows of tile values for a
//! [`Board`].

use crate::board::{Board, Size, tile};
use crate::direction::Direction;
use crate::error::{Error, Expected};
use bitcade_core::__board_text::rows;
use core::fmt;
use core::str::FromStr;

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width(), self.height())
    }
}

impl fmt::Debug for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Size {
    type Err = Error;

    /// Parses `WxH`, such as `4x4`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (width, height) = text.split_once('x').ok_or(Error::Size)?;
        match (width.parse(), height.parse()) {
            (Ok(width), Ok(height)) => Self::new(width, height),
            _ => Err(Error::Size),
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Up => "up",
            Self::Down => "down",
        })
    }
}

impl FromStr for Direction {
    type Err = Error;

    /// Parses `left`, `right`, `up` or `down`.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "left" => Ok(Self::Left),
            "right" => Ok(Self::Right),
            "up" => Ok(Self::Up),
            "down" => Ok(Self::Down),
            _ => Err(Error::Direction),
        }
    }
}

impl FromStr for Board {
    type Err = Error;

    /// Parses one row per line: tile values separated by white space or commas, with `.`, `_` or
    /// `0` for an empty cell. Blank lines before and after the board are ignored. Rows may also be
    /// lists in brackets, as Python and JSON print them.
    ///
    /// ```
    /// use g2048::{Board, Error};
    /// let board = "2 4 8 \n . 0 1024".parse::<Board>();
    /// assert!(board.is_ok());
    /// assert_eq!("[[2, 4, 8], [0, 0, 1024]]".parse(), board);
    /// let error = "2 4 8 \n . 6 8".parse::<Board>().unwrap_err();
    /// assert!(matches!(error, Error::Board { line: 2, column: 4, .. }));
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut cells = [0; 64];
        let mut width = 0;
        let mut height = 0;
        let mut ended = false;
        let mut last_line = 1;
        for row in rows(text) {
            let error = |byte, expected| {
                let (line, column) = row.place(byte);
                Err(Error::Board { line, column, expected })
            };
            let Some(first) = row.text().find(|c: char| !c.is_whitespace()) else {
                ended = height > 0;
                continue;
            };
            if ended {
                return error(first, Expected::End);
            }
            if height == 8 {
                return error(first, Expected::Rows);
            }
            let mut n = 0;
            for (byte, word) in row.words() {
                let Some(rank) = parse_tile(word) else { return error(byte, Expected::Tile) };
                if n == 8 {
                    return error(byte, Expected::RowLength);
                }
                if height > 0 && n == width {
                    return error(byte, Expected::Width(width));
                }
                cells[height * width + n] = rank;
                n += 1;
            }
            let end = row.text().trim_end().len();
            if height == 0 {
                width = n;
                if width < 2 {
                    return error(end, Expected::RowLength);
                }
            } else if n < width {
                return error(end, Expected::Width(width));
            }
            height += 1;
            last_line = row.line();
        }
        let size = Size::new(width, height).map_err(|_| {
            let expected = if height == 0 { Expected::Board } else { Expected::Rows };
            Error::Board { line: last_line + height, column: 1, expected }
        })?;
        Ok(Self::from_fn(size, |cell| cells[cell]))
    }
}

fn parse_tile(word: &str) -> Option<u8> {
    if matches!(word, "." | "_") {
        return Some(0);
    }
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    match word.parse::<u64>() {
        Ok(0) if digits => Some(0),
        Ok(value)
            if digits && value > 1 && value.is_power_of_two() && value <= tile(Board::MAX_RANK) =>
        {
            Some(value.ilog2() as u8)
        }
        _ => None,
    }
}

impl fmt::Display for Board {
    /// Writes rows of tile values in aligned columns, `.` for an empty cell, without a trailing
    /// newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = |rank| tile(rank).checked_ilog10().map_or(1, |log| log as usize + 1);
        let width = self.ranks().iter().map(|&rank| digits(rank)).max().unwrap_or(1);
        for (y, row) in self.ranks().chunks_exact(self.size().width()).enumerate() {
            if y > 0 {
                writeln!(f)?;
            }
            for (x, &rank) in row.iter().enumerate() {
                let gap = if x > 0 { " " } else { "" };
                match rank {
                    0 => write!(f, "{gap}{:>width$}", '.')?,
                    _ => write!(f, "{gap}{:>width$}", tile(rank))?,
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    /// Writes the size, then the rows of [`Display`](fmt::Display) on separate lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board {} [\n{self}\n]", self.size())
    }
}
