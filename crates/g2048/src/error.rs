//! [`Error`]: invalid sizes, boards, text, settings and files.

/// An invalid size, board, text, setting or file.
///
/// Cells are numbered row-major, and lines and columns from 1. Offsets are in bytes from the start
/// of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A width or height outside 2..=8, or text that isn't a size.
    #[error("expected a size WxH with both numbers from 2 to 8, such as 4x4")]
    Size,
    /// Text that isn't a direction.
    #[error("expected left, right, up or down")]
    Direction,
    /// Text that isn't a board.
    #[error("line {line}, column {column}: {expected}")]
    Board {
        /// The line, counted from 1.
        line: usize,
        /// The column, counted in characters from 1.
        column: usize,
        /// What the parser expected there.
        expected: Expected,
    },
    /// The number of ranks differs from the number of cells.
    #[error("expected {expected} ranks, found {found}")]
    RankCount {
        /// The number of cells.
        expected: usize,
        /// The number of ranks given.
        found: usize,
    },
    /// A rank is too large for a [`Board`](crate::Board) or a [`Packed`](crate::Packed) board.
    #[error("cell {cell}: expected a rank of at most {most}, found {rank}")]
    Rank {
        /// The cell, row-major.
        cell: usize,
        /// The rank of the cell.
        rank: u8,
        /// The largest rank allowed.
        most: u8,
    },
    /// A board that isn't 4x4 can't be [`Packed`](crate::Packed).
    #[error("expected a board of 4x4, found {width}x{height}")]
    Not4x4 {
        /// The width of the board.
        width: usize,
        /// The height of the board.
        height: usize,
    },
    /// A [`Boards32`](crate::Boards32) was given no boards, more than 32, or boards of different
    /// sizes.
    #[error("expected 1 to 32 boards of one size")]
    Boards,
    /// [`LearnerSettings::concurrent_games`](crate::network::LearnerSettings::concurrent_games) is
    /// out of range.
    #[error("expected 1 to 64 concurrent games")]
    ConcurrentGames,
    /// [`LearnerSettings::learning_rate`](crate::network::LearnerSettings::learning_rate) is out of
    /// range.
    #[error("expected a learning rate above 0 and at most 1")]
    LearningRate,
    /// [`LearnerSettings::lambda`](crate::network::LearnerSettings::lambda) is out of range.
    #[error("expected a lambda from 0 to 1")]
    Lambda,
    /// The file doesn't begin with the name of a network or learner format.
    #[error("offset 0: expected a file that begins with \"{expected}\"")]
    FileName {
        /// The expected first eight bytes.
        expected: &'static str,
    },
    /// The file has an unsupported version.
    #[error("offset 8: expected version {expected}, found {found}")]
    FileVersion {
        /// The supported version.
        expected: u32,
        /// The version in the file.
        found: u32,
    },
    /// The file is too short or too long.
    #[error("offset {found}: expected {expected} bytes in all")]
    FileLength {
        /// The expected length in bytes: the length given in the header, or the minimum length of
        /// any file.
        expected: u64,
        /// The actual length in bytes.
        found: u64,
    },
    /// The checksum doesn't match: the file was modified or damaged.
    #[error("offset {offset}: expected the checksum {expected:016x}, found {found:016x}")]
    FileChecksum {
        /// The offset of the checksum.
        offset: usize,
        /// The checksum of the bytes before it.
        expected: u64,
        /// The checksum in the file.
        found: u64,
    },
    /// The checksum matches, but the content is invalid.
    #[error("offset {offset}: expected {expected}")]
    FileContent {
        /// The offset of the invalid content.
        offset: usize,
        /// What was expected there.
        expected: &'static str,
    },
}

/// What the parser of a [`Board`](crate::Board) expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Expected {
    /// A tile value or an empty cell.
    #[error("expected a tile: a power of two from 2 to {}, or . or 0 for an empty cell", 1u64 << MAX_RANK)]
    Tile,
    /// A board; the text is blank.
    #[error("expected a board: rows of tile values")]
    Board,
    /// As many tiles as in the first row.
    #[error("expected {0} tiles in this row, as in the first")]
    Width(usize),
    /// A first row of 2 to 8 tiles.
    #[error("expected rows of 2 to 8 tiles")]
    RowLength,
    /// 2 to 8 rows.
    #[error("expected 2 to 8 rows")]
    Rows,
    /// The end of the text; a blank line ends a board.
    #[error("expected nothing more after the board's last row")]
    End,
}

/// See [`Board::MAX_RANK`](crate::Board::MAX_RANK).
pub(crate) const MAX_RANK: u8 = 50;
