//! Tree search over a game of the contest: the best hard drop of the next piece, some pieces deep.
//!
//! [`TreeSearch`] finds the drop of one piece, [`Solver`] plays a whole game by it, with backtracking out of
//! dead ends. [`children`] is the move generator of both: every [`HardDrop`] with its board and value.

mod children;
mod search;
mod solver;

pub use children::{Child, HardDrop, children, children_into};
pub(crate) use search::horizon;
pub use search::{Leaf, MAX_DEPTH, SearchResult, TreeSearch, branch_limit};
pub use solver::{IPieceExtension, Settings, Solver, StepResult};
