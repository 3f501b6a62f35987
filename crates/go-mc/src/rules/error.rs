//! [`Error`]: an input that can't be parsed or isn't supported.

use crate::rules::board::{IllegalMove, Size};
use bitcade_core::batch::TooManyGames;

/// The reason why an input can't be parsed or isn't supported.
///
/// ```
/// use go_mc::{Error, Point, Size};
/// let error = "I4".parse::<Point>().unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 1: expected a column letter, A to T without I");
/// assert!(matches!("3x20".parse::<Size>(), Err(Error::Text { line: 1, column: 3, .. })));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text can't be parsed.
    #[error("line {line}, column {column}: expected {expected}")]
    Text {
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1, in characters.
        column: usize,
        /// The expected text at that place.
        expected: &'static str,
    },
    /// Playouts don't support this board size.
    #[error("no playouts of size {}: expected 5, 9, 13 or 19", .0.short())]
    NoPlayouts(Size),
    /// The move before the playouts is illegal.
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
    /// Batches don't support this board size.
    #[error("no batch of size {}: expected 5, 7, 9, 13 or 19", .0.short())]
    NoBatch(Size),
    /// The games of the batch don't fit in memory.
    #[error(transparent)]
    Games(#[from] TooManyGames),
    /// A number of points isn't a [`Komi`](crate::Komi).
    #[error("komi: expected a multiple of 0.5, found {0}")]
    Komi(f64),
    /// The search doesn't support this komi.
    #[cfg(feature = "std")]
    #[error("komi: expected a number from -{max} to {max}, found {0}", max = crate::rules::komi_range::MAX_KOMI)]
    KomiRange(f64),
}
