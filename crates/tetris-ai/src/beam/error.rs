//! [`ParseBeamError`].

use crate::contest::{PIECES, ParseRecordError, VerifyError};

/// What begins the second line.
pub(super) const STATE: &str = "# beam:";

/// Why a text isn't that of a [`Beam`](super::Beam), or of [`Widths`](super::Widths).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseBeamError {
    /// The first line isn't a record.
    #[error(transparent)]
    Record(#[from] ParseRecordError),
    /// The record breaks the rules.
    #[error(transparent)]
    Rules(#[from] VerifyError),
    /// The second line isn't a beam's.
    #[error(
        "line 2: expected \"{STATE}\" with seed, pieces, trunk, placements, spent, allowed and widths, each with its number"
    )]
    State,
    /// The numbers of the second line contradict each other, the record or the lines below.
    #[error(
        "line 2: expected trunk <= pieces <= {PIECES}, a record of the trunk, and a width for each piece"
    )]
    Numbers,
    /// A line that isn't a layer, or whose links lead nowhere.
    #[error(
        "line {line}, link {link}: expected PARENT.PLACEMENT, a board of the line before and where the piece can lock"
    )]
    Link {
        /// The line, from 1.
        line: usize,
        /// The link, from 1.
        link: usize,
    },
    /// The same board twice, or none.
    #[error("line {line}: expected a layer of boards, each of them once")]
    Layer {
        /// The line, from 1.
        line: usize,
    },
    /// The widths aren't well formed.
    #[error("expected WIDTHxPIECES,..,WIDTH, each at least 1")]
    Widths,
}
