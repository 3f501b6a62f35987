//! [`Error`]: why something can't be made or read.

use crate::board::Size;
use bitcore::batch::TooManyGames;

/// The reason why something can't be made or read.
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
    /// A text can't be read.
    #[error("line {line}, column {column}: expected {expected}")]
    Text {
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1, in characters.
        column: usize,
        /// The text expected at that place.
        expected: &'static str,
    },
    /// There are no playouts on boards of this size.
    #[error("no playouts of size {}: expected 5, 9, 13 or 19", .0.short())]
    NoPlayouts(Size),
    /// There is no batch on boards of this size.
    #[error("no batch of size {}: expected 5, 7, 9, 13 or 19", .0.short())]
    NoBatch(Size),
    /// There is no memory for the games of a batch.
    #[error(transparent)]
    Games(#[from] TooManyGames),
    /// A number of points isn't a [`Komi`](crate::Komi).
    #[error("komi: expected a multiple of 0.5, found {0}")]
    Komi(f64),
    /// A search can't have this komi.
    #[cfg(feature = "std")]
    #[error("komi: expected a number from -{max} to {max}, found {0}", max = crate::search::MAX_KOMI)]
    KomiRange(f64),
}
