//! Tree search over a contest game: the best hard drop of the next piece, looking several pieces
//! ahead.
//!
//! [`TreeSearch`] finds the drop of one piece; [`Solver`] uses it to play a whole game,
//! backtracking out of dead ends. [`children`] is the move generator of both: every [`HardDrop`]
//! with its board and value.

mod children;
mod search;
mod solver;

pub use super::depth::MAX_DEPTH;
pub use children::{Child, HardDrop, children, children_into};
pub(crate) use search::horizon;
pub use search::{Leaf, SearchResult, TreeSearch, branch_limit};
pub use solver::{IPieceExtension, Settings, Solver, StepResult};
