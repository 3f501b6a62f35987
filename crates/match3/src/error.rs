//! [`Error`]: boards, rules and games that there are not.

use bitcore::batch::TooManyGames;

/// The reason why a board, a game or a new arrangement can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A width or height is 0 or too large.
    #[error("a board of {width} x {height}: expected sides of 1 to {longest}")]
    Size {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
        /// The largest width and height of the layout.
        longest: usize,
    },
    /// A board isn't of the size of the rules.
    #[error("a board of {width} x {height}: expected {} x {}", .expected.0, .expected.1)]
    OtherSize {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
        /// The width and height of the rules.
        expected: (usize, usize),
    },
    /// The number of cells isn't the expected one: width times height.
    #[error("{found} cells: expected {expected}")]
    Cells {
        /// The number expected.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// A color is too large.
    #[error("column {x} of row {y}, from 0: color {found}, expected at most {largest} in these bit planes")]
    Color {
        /// The column of the cell.
        x: usize,
        /// The row of the cell.
        y: usize,
        /// The color.
        found: u8,
        /// The largest color that the planes hold.
        largest: u8,
    },
    /// A number of colors is too small or too large.
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
    #[error("no legal swap on any of {boards} random boards of {width} x {height} with {colors} colors")]
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
    /// It is proven that each arrangement has a run or no legal swap.
    #[error("no arrangement of the pieces is stable and has a legal swap")]
    NoneExists,
    /// The search for an arrangement ran out of steps: one may exist.
    #[error("found no stable arrangement with a legal swap within the bounds of the search")]
    NotFound,
    /// A game has no move.
    #[error("0 moves: expected at least 1")]
    NoMoves,
    /// There is no memory for the games.
    #[error(transparent)]
    Games(#[from] TooManyGames),
}
