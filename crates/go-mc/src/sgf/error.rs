//! [`SgfError`], and the limits of a text.

use crate::board::IllegalMove;
use alloc::string::String;

/// The maximum number of nodes of a game, all variations together. The parser stores a node inside its
/// parent, so that a longer game could overflow the stack.
pub const MAX_NODES: usize = 10_000;

/// The maximum number of points of a game: one per value of a property, and every point of a rectangle such
/// as `AB[aa:ss]`. The parser lists them all: a text of some megabytes could keep it busy for minutes.
pub const MAX_POINTS: usize = 500_000;

/// The reason why a text cannot be read or a record cannot be played. Nodes are numbered from 0 (the root),
/// moves from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SgfError {
    /// The text is not SGF, or of another game.
    #[error("not an SGF record of Go: {0}")]
    Syntax(String),
    /// The text has more than [`MAX_NODES`] nodes.
    #[error("expected at most {MAX_NODES} nodes, found {0}")]
    TooManyNodes(usize),
    /// The text has more than [`MAX_POINTS`] values and points.
    #[error("expected at most {MAX_POINTS} values and points of rectangles, found {0}")]
    TooManyPoints(usize),
    /// The bytes are in a character set that is not known.
    #[error("unknown character set: {0}")]
    UnknownCharset(String),
    /// A size, komi, setup or move of the main line has an invalid value.
    #[error("node {node}: invalid value of {property}")]
    InvalidValue {
        /// The node.
        node: usize,
        /// The name of the property.
        property: String,
    },
    /// A move or stone is off the board.
    #[error("node {node}: point off the board")]
    OffBoard {
        /// The node.
        node: usize,
    },
    /// Stones are set up after the first move, off the board, two on a point or without liberties.
    #[error("node {node}: invalid setup: stones after the first move, off the board or without liberties")]
    InvalidSetup {
        /// The node.
        node: usize,
    },
    /// A move is illegal.
    #[error("move {number}: {error}")]
    IllegalMove {
        /// The move.
        number: usize,
        /// The reason.
        error: IllegalMove,
    },
}
