//! [`ParseCheckpointError`] and the line prefixes that it names.

use super::checksum::ChecksumError;
use super::depth::MAX_DEPTH;
use super::record::ParseRecordError;
use super::sequence::PIECES;
use super::verify::VerifyError;

/// The first words of the second line of a beam.
pub(super) const BEAM: &str = "# beam:";

/// The first words of the third line of a beam.
pub(super) const WEIGHTS: &str = "# weights:";

/// The first words of the second line of a solver.
pub(super) const SOLVER: &str = "# tree search:";

/// The error of parsing an invalid checkpoint of a [`Beam`](super::beam::Beam) or a
/// [`Solver`](super::tree::Solver).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseCheckpointError {
    /// The checksum line is missing or wrong.
    #[error(transparent)]
    Checksum(#[from] ChecksumError),
    /// The first line is not a valid record.
    #[error(transparent)]
    Record(#[from] ParseRecordError),
    /// The record breaks the rules.
    #[error(transparent)]
    Rules(#[from] VerifyError),
    /// The game of a solver's record ends before its last piece.
    #[error("line 1: expected a game that continues, found one that ends with piece {piece}")]
    Over {
        /// The last piece of the game, from 1.
        piece: usize,
    },
    /// The second line is not a solver's state.
    #[error(
        "line 2: expected \"{SOLVER}\" with seed, depth, most, early, at, now, past and steps, each with a number"
    )]
    SolverState,
    /// The numbers of a solver's second line contradict each other.
    #[error("line 2: expected 1 <= depth <= now <= most <= {MAX_DEPTH} and past <= {PIECES}")]
    SolverNumbers,
    /// The second line is not a beam's state.
    #[error(
        "line 2: expected \"{BEAM}\" with seed, pieces, trunk, placements, spent, allowed and widths, each with its number"
    )]
    BeamState,
    /// The numbers of a beam's second line contradict each other, the record or the lines below.
    #[error(
        "line 2: expected trunk <= pieces <= {PIECES}, a record of the trunk, and a width for each piece"
    )]
    BeamNumbers,
    /// The third line is not a beam's weights.
    #[error(
        "line 3: expected \"{WEIGHTS}\" with a number of at most 10000 for each weight, and the checksum of the patterns"
    )]
    Weights,
    /// The weights were saved with patterns other than the ones given.
    #[error("line 3: expected weights with the patterns {expected:08x}, found {found:08x}")]
    Patterns {
        /// The checksum of the patterns given.
        expected: u32,
        /// The checksum of the saved weights' patterns.
        found: u32,
    },
    /// A link to a board that the layer before does not have, or with a placement that the piece
    /// cannot reach.
    #[error(
        "line {line}, link {link}: expected PARENT.PLACEMENT, a board of the line before and a place where the piece can lock"
    )]
    Link {
        /// The line, from 1.
        line: usize,
        /// The link, from 1.
        link: usize,
    },
    /// A layer that is empty, has a board twice, or has its boards in the wrong order.
    #[error("line {line}: expected a layer of different boards")]
    Layer {
        /// The line, from 1.
        line: usize,
    },
}
