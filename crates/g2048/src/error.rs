//! [`Error`]: why something can't be made or read.

/// The error of a size, a board, a text, a setting or a file.
///
/// Cells are numbered row-major, lines and columns from 1, offsets in bytes from the beginning of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A width or height outside 2..=8, or a text that isn't a size.
    #[error("expected a size WxH with both numbers from 2 to 8, such as 4x4")]
    Size,
    /// A text that isn't a direction.
    #[error("expected left, right, up or down")]
    Direction,
    /// A text that isn't a board.
    #[error("line {line}, column {column}: {expected}")]
    Board {
        /// The line, counted from 1.
        line: usize,
        /// The column, counted in characters from 1.
        column: usize,
        /// The text that was expected.
        expected: Expected,
    },
    /// The number of ranks isn't the number of cells.
    #[error("expected {expected} ranks, found {found}")]
    RankCount {
        /// The number of cells of the size.
        expected: usize,
        /// The number of ranks given.
        found: usize,
    },
    /// A rank is too large: for a [`Board`](crate::Board), or for a [`Packed`](crate::Packed) one.
    #[error("cell {cell}: expected a rank of at most {most}, found {rank}")]
    Rank {
        /// The index of the cell, row-major.
        cell: usize,
        /// The rank of the cell.
        rank: u8,
        /// The largest rank that fits.
        most: u8,
    },
    /// A board to be [`Packed`](crate::Packed) isn't 4x4.
    #[error("expected a board of 4x4, found {width}x{height}")]
    Not4x4 {
        /// The width of the board.
        width: usize,
        /// The height of the board.
        height: usize,
    },
    /// No boards, more than 32, or boards of different sizes, for one [`Boards32`](crate::Boards32).
    #[error("expected 1 to 32 boards of one size")]
    Boards,
    /// [`LearnerSettings::concurrent_games`](crate::network::LearnerSettings::concurrent_games) is outside its
    /// range.
    #[error("expected 1 to 64 games at once")]
    ConcurrentGames,
    /// [`LearnerSettings::learning_rate`](crate::network::LearnerSettings::learning_rate) is outside its range.
    #[error("expected a learning rate above 0 and at most 1")]
    LearningRate,
    /// The file of a network or learner begins with another name.
    #[error("offset 0: expected a file that begins with \"{expected}\"")]
    FileName {
        /// The expected first eight bytes.
        expected: &'static str,
    },
    /// The file has another version.
    #[error("offset 8: expected version {expected}, found {found}")]
    FileVersion {
        /// The version that can be read.
        expected: u32,
        /// The version found.
        found: u32,
    },
    /// The file is too short or too long.
    #[error("offset {found}: expected {expected} bytes in all")]
    FileLength {
        /// The expected length in bytes: that of the header, or the length of the shortest file.
        expected: u64,
        /// The length found in bytes.
        found: u64,
    },
    /// The checksum doesn't match: the file was changed.
    #[error("offset {offset}: expected the checksum {expected:016x}, found {found:016x}")]
    FileChecksum {
        /// The offset of the checksum.
        offset: usize,
        /// The checksum of the bytes before it.
        expected: u64,
        /// The checksum found.
        found: u64,
    },
    /// The checksum matches, but the content is invalid.
    #[error("offset {offset}: expected {expected}")]
    FileContent {
        /// The offset of the invalid content.
        offset: usize,
        /// The content that was expected.
        expected: &'static str,
    },
}

/// The text that the parser of a [`Board`](crate::Board) expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Expected {
    /// The value of a tile, or an empty cell.
    #[error("expected a tile: a power of two from 2 to {}, or . or 0 for an empty cell", 1u64 << MAX_RANK)]
    Tile,
    /// The first row; the text is empty.
    #[error("expected a board: rows of tile values")]
    Board,
    /// A row as long as the first one.
    #[error("expected {0} tiles in this row, as in the first")]
    Width(usize),
    /// A first row of 2 to 8 tiles.
    #[error("expected rows of 2 to 8 tiles")]
    RowLength,
    /// 2 to 8 rows.
    #[error("expected 2 to 8 rows")]
    Rows,
    /// The end of the text, after the blank line that ends a board.
    #[error("expected nothing more after the board's last row")]
    End,
}

/// [`Board::MAX_RANK`](crate::Board::MAX_RANK).
pub(crate) const MAX_RANK: u8 = 50;
