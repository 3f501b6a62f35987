//! [`Error`]: invalid texts, boards, positions, settings and fumens.

use bitcade_core::batch::TooManyGames;

/// An invalid text, board, position, setting or fumen.
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
    /// A row of a text with a number of cells other than ten.
    #[error("line {line}, column {column}: expected {WIDTH} cells, found {found}")]
    RowLength {
        /// The line of the text.
        line: usize,
        /// The column of the row's end, or of the first surplus cell.
        column: usize,
        /// The number of cells.
        found: usize,
    },
    /// A text with more rows than the field: line 41 is the first surplus one.
    #[error("line {}: expected at most {HEIGHT} rows, found {found}", HEIGHT + 1)]
    RowCount {
        /// The number of rows.
        found: usize,
    },
    /// A character in a text of columns that isn't a hexadecimal digit.
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
        /// The column of the text where the number was expected.
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
        /// The column of the text's end, or of the first surplus number.
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
    /// A text for one [`Piece`](crate::Piece) with no letter, or more than one.
    #[error("column {column}: expected one of I O T S Z J L and nothing more")]
    LetterCount {
        /// The column of the text.
        column: usize,
    },
    /// An invalid text of a [`Recording`](crate::real_time::Recording).
    #[error("line {line}, column {column}: expected {expected}")]
    Recording {
        /// The line of the text.
        line: usize,
        /// The column of the line.
        column: usize,
        /// The words expected there.
        expected: Expected,
    },
    /// A column for a [`Board`](crate::Board) with a cell above the field.
    #[error("column {column}: expected no cell above row {}, the highest of the field", HEIGHT - 1)]
    AboveField {
        /// The first such column from the left.
        column: usize,
    },
    /// A board for a [`SimdBoard`](crate::simd_board::SimdBoard) with a filled cell above row 31.
    #[error("a cell above row 31 is filled: this layout has 32 rows")]
    AboveSimdBoard {
        /// The first such column from the left.
        column: usize,
    },
    /// A [`Position`](crate::Position) with more pieces than the game's queue.
    #[error("expected at most {max} pieces, found {found}")]
    QueueLength {
        /// The maximum number of pieces, current piece and preview together.
        max: usize,
        /// The number of pieces given.
        found: usize,
    },
    /// A [`BatchSettings::rows`](crate::batch::BatchSettings::rows) of 0, or more than the field
    /// has.
    #[error("expected 1 to {HEIGHT} visible rows, found {found}")]
    VisibleRows {
        /// The number of rows requested.
        found: usize,
    },
    /// Not enough memory for the games of a batch.
    #[error(transparent)]
    Games(#[from] TooManyGames),
    /// A board that is too high for a fumen.
    #[cfg(feature = "fumen")]
    #[error("page {page}: expected a board of at most {FUMEN_ROWS} rows, found {found}")]
    FumenHeight {
        /// The page.
        page: usize,
        /// The height of the board.
        found: u32,
    },
    /// A piece with a cell outside the field of a fumen.
    #[cfg(feature = "fumen")]
    #[error("page {page}: a cell of the piece is outside the field")]
    FumenPiece {
        /// The page.
        page: usize,
    },
    /// A comment too long for a fumen.
    #[cfg(feature = "fumen")]
    #[error(
        "page {page}: expected a comment of at most {FUMEN_COMMENT} escaped characters, found {found}"
    )]
    FumenComment {
        /// The page.
        page: usize,
        /// The length of the escaped comment.
        found: usize,
    },
    /// A text without a fumen: it contains neither `v115@` nor `v110@`.
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
    /// A fumen that ends in the middle of a page.
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
    /// A known version.
    #[error("version 1, 2 or 3")]
    Version,
    /// A tick number.
    #[error("a tick, as a number")]
    Tick,
    /// A tick no earlier than the previous line's.
    #[error("tick {0} or a later one")]
    Later(u64),
    /// The kind of input.
    #[error("`press`, `release`, `receive` or `end`")]
    Kind,
    /// The name of a key.
    #[error("`left`, `right`, `soft-drop`, `hard-drop`, `cw`, `ccw`, `hold` or `180`")]
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
