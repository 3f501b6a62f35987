//! The text form of contest boards.

use super::board::Board;
use crate::columns::{COLUMNS, ROWS};
use std::fmt;
use std::str::FromStr;

/// The error of parsing an invalid board. Lines and columns are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ParseBoardError {
    /// More than twenty lines.
    #[error("line {line}: expected the end of the text: a board has 20 rows")]
    TooManyRows {
        /// The line.
        line: usize,
    },
    /// A line with fewer or more than ten cells.
    #[error("line {line}, column {column}: expected 10 cells in a row")]
    Width {
        /// The line.
        line: usize,
        /// The first missing or extra column.
        column: usize,
    },
    /// A character other than `.` and `#`.
    #[error("line {line}, column {column}: expected . or #")]
    Cell {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// A full row; it would have been cleared.
    #[error("line {line}: expected a row with an empty cell: full rows are cleared")]
    FullRow {
        /// The line.
        line: usize,
    },
    /// A filled cell in the top row, which would have ended the game.
    #[error("line {line}: expected an empty row: a filled cell in the top row ends the game")]
    Top {
        /// The line.
        line: usize,
    },
}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Parses the lowest rows of a board, at most twenty, from the top down: `.` is an empty cell,
    /// `#` a filled one.
    ///
    /// ```
    /// use tetris_ai::contest::{Board, ParseBoardError};
    /// let board: Board = "#.........\n####.#####\n".parse()?;
    /// assert_eq!((board.filled(0, 18), board.filled(4, 19), board.cells()), (true, false, 10));
    /// assert_eq!("....x".parse::<Board>(), Err(ParseBoardError::Cell { line: 1, column: 5 }));
    /// # Ok::<(), ParseBoardError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseBoardError> {
        let lines = text.lines().count();
        if lines > ROWS {
            return Err(ParseBoardError::TooManyRows { line: ROWS + 1 });
        }
        let mut rows = [0u16; ROWS];
        for (i, text) in text.lines().enumerate() {
            let line = i + 1;
            let y = ROWS - lines + i;
            for (x, cell) in text.chars().enumerate() {
                match cell {
                    _ if x == COLUMNS => {
                        return Err(ParseBoardError::Width { line, column: x + 1 });
                    }
                    '.' => {}
                    '#' => rows[y] |= 1 << x,
                    _ => return Err(ParseBoardError::Cell { line, column: x + 1 }),
                }
            }
            let cells = text.chars().count();
            if cells < COLUMNS {
                return Err(ParseBoardError::Width { line, column: cells + 1 });
            }
            if rows[y].count_ones() as usize == COLUMNS {
                return Err(ParseBoardError::FullRow { line });
            }
            if y == 0 && rows[y] != 0 {
                return Err(ParseBoardError::Top { line });
            }
        }
        Ok(Self::from_rows(rows))
    }
}

/// Formats the board as twenty lines of `.` and `#`, from the top down.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.rows() {
            let cells = (0..COLUMNS).map(|x| if row >> x & 1 == 0 { '.' } else { '#' });
            writeln!(f, "{}", cells.collect::<String>())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_where() {
        let row = "..........\n";
        for (text, error) in [
            (row.repeat(21), ParseBoardError::TooManyRows { line: 21 }),
            (format!("{row}...."), ParseBoardError::Width { line: 2, column: 5 }),
            ("...........".into(), ParseBoardError::Width { line: 1, column: 11 }),
            ("##########".into(), ParseBoardError::FullRow { line: 1 }),
            (format!("#.........\n{}", row.repeat(19)), ParseBoardError::Top { line: 1 }),
        ] {
            assert_eq!(text.parse::<Board>(), Err(error));
        }
    }
}
