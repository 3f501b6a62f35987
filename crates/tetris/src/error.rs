//! [`Error`]: why something can't be made or read.

use bitcore::batch::TooManyGames;

/// The error of a text, a board, a position, a setting or a fumen.
///
/// Lines, columns, characters and pages of a text count from 1, columns of the field from 0.
///
/// ```
/// use tetris::{Board, Error};
/// let error = "#.........\n##x......#".parse::<Board>().unwrap_err();
/// assert_eq!(error, Error::Cell { line: 2, column: 3, found: 'x' });
/// assert_eq!(error.to_string(), "line 2, column 3: expected `.` (empty) or `#` (filled), found 'x'");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A cell in a text of rows that is neither empty nor filled.
    #[error("line {line}, column {column}: expected `.` (empty) or `#` (filled), found {found:?}")]
    Cell {
        /// The line of the text.
        line: usize,
        /// The column of the text.
        column: usize,
        /// The character found there.
        found: char,
    },
    /// A row in a text that doesn't have ten cells.
    #[error("line {line}, column {column}: expected {WIDTH} cells, found {found}")]
    RowLength {
        /// The line of the text.
        line: usize,
        /// The column of the end of the row, or of the first surplus cell.
        column: usize,
        /// The number of cells.
        found: usize,
    },
    /// More rows in a text than the field has: line 41 is the first surplus one.
    #[error("line {}: expected at most {HEIGHT} rows, found {found}", HEIGHT + 1)]
    RowCount {
        /// The number of rows.
        found: usize,
    },
    /// A number in a text of columns that isn't hexadecimal.
    #[error("line 1, column {column}: expected a hexadecimal digit or a comma, found {found:?}")]
    HexDigit {
        /// The column of the text.
        column: usize,
        /// The character found there.
        found: char,
    },
    /// A missing number in a text of columns, between two commas or at an end.
    #[error("line 1, column {column}: expected a hexadecimal number, found none")]
    MissingNumber {
        /// The column of the text where it should be.
        column: usize,
    },
    /// A number in a text of columns with a bit above the field.
    #[error("line 1, column {column}: expected a column of at most {HEIGHT} bits")]
    NumberTooHigh {
        /// The column of the text where the number begins.
        column: usize,
    },
    /// A text of columns with fewer or more than ten numbers.
    #[error("line 1, column {column}: expected {WIDTH} numbers, found {found}")]
    NumberCount {
        /// The column of the end of the text, or of the first surplus number.
        column: usize,
        /// The number of numbers.
        found: usize,
    },
    /// A character that isn't the letter of a [`Piece`](crate::Piece).
    #[error("column {column}: expected one of I O T S Z J L, found {found:?}")]
    Letter {
        /// The column of the text.
        column: usize,
        /// The character found there.
        found: char,
    },
    /// A text for one [`Piece`](crate::Piece) that isn't one letter.
    #[error("column {column}: expected one of I O T S Z J L and nothing more")]
    LetterCount {
        /// The column of the text.
        column: usize,
    },
    /// A text that isn't a [`Recording`](crate::real_time::Recording).
    #[error("line {line}, column {column}: expected {expected}")]
    Recording {
        /// The line of the text.
        line: usize,
        /// The column of the line.
        column: usize,
        /// The words that could stand there.
        expected: Expected,
    },
    /// Columns for a [`Board`](crate::Board) with a cell above the field.
    #[error("column {column}: expected no cell above row {}, the highest of the field", HEIGHT - 1)]
    AboveField {
        /// The first such column from the left.
        column: usize,
    },
    /// A board for a [`SimdBoard`](crate::simd_board::SimdBoard) with a filled cell above row 31.
    #[error("a cell above row 31 is filled: this layout has 32 rows")]
    AboveSimdBoard {
        /// The first column with such a cell from the left.
        column: usize,
    },
    /// A [`Position`](crate::Position) with more pieces than the game shows.
    #[error("expected at most {max} pieces, found {found}")]
    QueueLength {
        /// The number of pieces in play and in the preview.
        max: usize,
        /// The number of pieces given.
        found: usize,
    },
    /// [`BatchSettings::rows`](crate::batch::BatchSettings::rows) is 0, or more than the field has.
    #[error("expected 1 to {HEIGHT} visible rows, found {found}")]
    VisibleRows {
        /// The number of rows asked for.
        found: usize,
    },
    /// There is no memory for the games of a batch.
    #[error(transparent)]
    Games(#[from] TooManyGames),
    /// A board that is too high for a fumen.
    #[cfg(feature = "fumen")]
    #[error("page {page}: expected a board of at most {FUMEN_ROWS} rows, found {found}")]
    FumenHeight {
        /// The page.
        page: usize,
        /// The board's height.
        found: u32,
    },
    /// A piece with a cell outside the field of a fumen.
    #[cfg(feature = "fumen")]
    #[error("page {page}: a cell of the piece is outside the field")]
    FumenPiece {
        /// The page.
        page: usize,
    },
    /// A comment that is too long for a fumen.
    #[cfg(feature = "fumen")]
    #[error("page {page}: expected a comment of at most {FUMEN_COMMENT} escaped characters, found {found}")]
    FumenComment {
        /// The page.
        page: usize,
        /// The length of its escaped form.
        found: usize,
    },
    /// A text without a fumen: there is no `v115@` or `v110@` anywhere in it.
    #[cfg(feature = "fumen")]
    #[error("expected `v115@` or `v110@`, or the same with m or d for v")]
    FumenVersion,
    /// A second fumen in the text.
    #[cfg(feature = "fumen")]
    #[error("character {position}: expected one fumen, found a second one")]
    FumenSecond {
        /// The position of its first character in the text.
        position: usize,
    },
    /// A character in a fumen that isn't one of the 64 digits.
    #[cfg(feature = "fumen")]
    #[error("character {position}: expected a letter, a digit, `+` or `/`, found {found:?}")]
    FumenDigit {
        /// The position of the character in the text.
        position: usize,
        /// The character found there.
        found: char,
    },
    /// A fumen that ends within a page.
    #[cfg(feature = "fumen")]
    #[error("page {page}: the text ends in it")]
    FumenShort {
        /// The page.
        page: usize,
    },
    /// Cells in a fumen that don't make up a field.
    #[cfg(feature = "fumen")]
    #[error("page {page}: its cells don't make up a field")]
    FumenCells {
        /// The page.
        page: usize,
    },
}

/// The part of a [`Recording`](crate::real_time::Recording) that is missing or wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Expected {
    /// A version that is known.
    #[error("version 1 or 2")]
    Version,
    /// The number of a tick.
    #[error("a tick, as a number")]
    Tick,
    /// A tick that isn't before the one of the line above.
    #[error("tick {0} or a later one")]
    Later(u64),
    /// The kind of input.
    #[error("`press`, `release`, `receive` or `end`")]
    Kind,
    /// The name of a key.
    #[error("`left`, `right`, `soft-drop`, `hard-drop`, `cw`, `ccw` or `hold`")]
    Key,
    /// The lines of an attack.
    #[error("a number of lines")]
    Lines,
    /// The column of an attack's hole.
    #[error("a column from 0 to 9")]
    Column,
    /// The end of the line.
    #[error("the end of the line")]
    LineEnd,
    /// The end of the text, after the line `end`.
    #[error("nothing after the line with `end`")]
    TextEnd,
    /// The line `end`.
    #[error("a line with a tick and `end`")]
    End,
}

/// [`Board::WIDTH`](crate::Board::WIDTH).
pub(crate) const WIDTH: usize = 10;
/// [`Board::HEIGHT`](crate::Board::HEIGHT).
pub(crate) const HEIGHT: usize = 40;
/// [`fumen::ROWS`](crate::fumen::ROWS).
#[cfg(feature = "fumen")]
pub(crate) const FUMEN_ROWS: usize = 23;
/// [`fumen::MAX_COMMENT`](crate::fumen::MAX_COMMENT).
#[cfg(feature = "fumen")]
pub(crate) const FUMEN_COMMENT: usize = 4095;
