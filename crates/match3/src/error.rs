//! [`Error`]: boards, rules and games that cannot exist.

use bitcade_core::batch::TooManyGames;

/// The reason a board, a game or a new arrangement can't be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The width or height is 0 or too large.
    #[error("a board of {width} x {height}: expected sides of 1 to {longest}")]
    Size {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
        /// The largest width and height of the layout.
        longest: usize,
    },
    /// The board's size differs from the size in the rules.
    #[error("a board of {width} x {height}: expected {} x {}", .expected.0, .expected.1)]
    OtherSize {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
        /// The width and height of the rules.
        expected: (usize, usize),
    },
    /// The number of cells is not width times height.
    #[error("{found} cells: expected {expected}")]
    Cells {
        /// The number expected.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// A color is too large for the board's bit planes.
    #[error(
        "column {x} of row {y}, from 0: color {found}, expected at most {largest} in these bit planes"
    )]
    Color {
        /// The column of the cell.
        x: usize,
        /// The row of the cell.
        y: usize,
        /// The color.
        found: u8,
        /// The largest color the planes can represent.
        largest: u8,
    },
    /// The number of colors is too small or too large.
    #[error("{found} colors: expected {least} to {largest}")]
    Colors {
        /// The number.
        found: u8,
        /// The smallest number allowed.
        least: u8,
        /// The largest number allowed.
        largest: u8,
    },
    /// No random board had a legal swap.
    #[error(
        "no legal swap on any of {boards} random boards of {width} x {height} with {colors} colors"
    )]
    Dead {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
        /// The number of colors.
        colors: u8,
        /// The number of boards drawn.
        boards: u32,
    },
    /// No arrangement is stable and has a legal swap; this is proven.
    #[error("no arrangement of the pieces is stable and has a legal swap")]
    NoneExists,
    /// The search for an arrangement hit its step limit; one may still exist.
    #[error("found no stable arrangement with a legal swap within the bounds of the search")]
    NotFound,
    /// The rules allow no move.
    #[error("0 moves: expected at least 1")]
    NoMoves,
    /// There isn't enough memory for the games.
    #[error(transparent)]
    Games(#[from] TooManyGames),
}
