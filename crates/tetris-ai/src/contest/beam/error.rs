//! [`ParseBeamError`].

use crate::contest::checksum::ChecksumError;
use crate::contest::record::ParseRecordError;
use crate::contest::sequence::PIECES;
use crate::contest::verify::VerifyError;

/// The greatest width: the number of boards that an index within a partition can tell apart.
pub(super) const MAX_WIDTH: usize = 1 << 28;

/// The first words of the second line.
pub(super) const STATE: &str = "# beam:";

/// The first words of the third line.
pub(super) const WEIGHTS: &str = "# weights:";

/// The reason why a text is not that of a [`Beam`](super::Beam) or of [`Widths`](super::Widths).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseBeamError {
    /// The text has no checksum line, or one that is not that of the text.
    #[error(transparent)]
    Checksum(#[from] ChecksumError),
    /// The first line is not a record.
    #[error(transparent)]
    Record(#[from] ParseRecordError),
    /// The record breaks the rules.
    #[error(transparent)]
    Rules(#[from] VerifyError),
    /// The second line is not that of a beam.
    #[error(
        "line 2: expected \"{STATE}\" with seed, pieces, trunk, placements, spent, allowed and widths, each with its number"
    )]
    State,
    /// The numbers of the second line contradict each other, the record or the lines below.
    #[error(
        "line 2: expected trunk <= pieces <= {PIECES}, a record of the trunk, and a width for each piece"
    )]
    Numbers,
    /// The third line is not that of weights.
    #[error(
        "line 3: expected \"{WEIGHTS}\" with each weight and its number, of at most 10000, and the checksum of the patterns"
    )]
    Weights,
    /// The weights have other patterns than those given.
    #[error("line 3: expected weights with the patterns {expected:08x}, found {found:08x}")]
    Patterns {
        /// The checksum of the patterns given.
        expected: u32,
        /// The checksum of the patterns of the weights.
        found: u32,
    },
    /// A link that names no board of the layer before, or a placement that the piece cannot reach.
    #[error(
        "line {line}, link {link}: expected PARENT.PLACEMENT, a board of the line before and a place where the piece can lock"
    )]
    Link {
        /// The line, from 1.
        line: usize,
        /// The link, from 1.
        link: usize,
    },
    /// A layer without a board, with the same board twice, or with boards in another order.
    #[error("line {line}: expected a layer of different boards")]
    Layer {
        /// The line, from 1.
        line: usize,
    },
    /// The text is not a list of widths.
    #[error(
        "expected a width such as 500, or widths piece by piece such as 900x50,500, each from 1 to {MAX_WIDTH}"
    )]
    Widths,
}
