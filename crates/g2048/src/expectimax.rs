//! [`Expectimax`](crate::Expectimax): choosing moves by search, with any evaluation of boards.
//!
//! ```text
//! search(board, depth):         the slide with the largest gain + chance(afterstate, depth)
//! chance(afterstate, 1):        the evaluation of the afterstate
//! chance(afterstate, depth):    the mean over all spawns of max(board, depth - 1), by probability
//! max(board, depth):            the largest gain + chance(afterstate, depth); 0 without a legal slide
//! ```
//!
//! A transposition table caches the values of chance nodes within one search, another one the
//! evaluations. The new afterstates of a chance node are evaluated in one call.

pub(crate) mod search;

pub use search::{Choice, Evaluate, Limits};
