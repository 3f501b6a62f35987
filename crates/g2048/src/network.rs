//! N-tuple networks that estimate the values of boards, and their training by self-play.
//!
//! - [`Learner`](crate::Learner) learns the weights by self-play. Its whole state can be saved and
//!   loaded.
//! - [`Network`](crate::Network) has the learned weights rounded to 16 bits for play: at most
//!   128 MiB in a file.
//! - [`NetworkPair`] has another network for the [late](is_late) part of games, from a 16384 with an
//!   8192 and a 4096 on.
//! - [`SmallLearner`](crate::SmallLearner) and [`SmallNetwork`](crate::SmallNetwork) do the same
//!   with eight tuples of five cells ([`SMALL_TUPLES`]), in a file of 2 MB.
//! - [`TupleLearner`](crate::TupleLearner) and [`TupleNetwork`](crate::TupleNetwork) do it for boards
//!   of any size, with tuples of four to six cells.
//!
//! # Value
//!
//! The network estimates the remaining score from an *afterstate*, the position after a slide and
//! before the spawn. Each of four *tuples* is a set of six cells. The ranks in these cells index a
//! weight in the tuple's table, on the board and on each of its images under the symmetries of the
//! square:
//!
//! ```text
//! value(afterstate):
//!     sum over the 8 symmetries of the board and the 4 tuples:          32 weights
//!         table[tuple][ranks of the image in the tuple's cells]
//!
//! tuple 0     tuple 1     tuple 2     tuple 3
//! # # # #     . . . .     # # # .     . . . .
//! # # . .     # # # #     # # # .     # # # .
//! . . . .     # # . .     . . . .     # # # .
//! . . . .     . . . .     . . . .     . . . .
//! ```
//!
//! Ranks above 15 (32768) are clamped to 15.
//!
//! # Learning
//!
//! TD(lambda) on afterstates, from the end of each game, with the step sizes of temporal coherence
//! (TC) learning:
//!
//! ```text
//! play a game: choose the legal slide with the largest gain + value(its afterstate)
//! target = 0
//! for each move of the game, last move first:
//!     error = target - value(its afterstate)
//!     for each of the afterstate's 32 weights, with the sums of its past errors:
//!         weight += learning rate / 32 * error * |sum of errors| / sum of |errors|     (1 if both are 0)
//!         add the error to the first sum, |error| to the second
//!     target = gain + lambda * target + (1 - lambda) * value(its afterstate)
//! restart from the middle of these moves, or play the next game
//! ```
//!
//! # Sources
//!
//! - The network and TD learning on afterstates: Szubert and Jaśkowski, "Temporal difference
//!   learning of N-tuple networks for the game 2048", 2014.
//! - The tuples: Yeh, Wu, Hsueh, Chang, Liang and Chiang, "Multistage temporal difference learning
//!   for 2048-like games", 2016.
//! - Learning from the end of a game, and restarts: Matsuzaki, "Developing a 2048 player with
//!   backward temporal coherence learning and restart", 2017.
//! - TC learning: Beal and Smith, "Temporal coherence and prediction decay in TD learning", 1999;
//!   for 2048: Jaśkowski, "Mastering 2048 with delayed temporal coherence learning, multistage
//!   weight promotion, redundant encoding and carousel shaping", 2016.

pub(crate) mod any_size;
mod backward;
mod file;
mod late;
mod layout;
pub(crate) mod learn;
pub(crate) mod pair;
pub(crate) mod quantized;
mod replay;
mod settings;
pub(crate) mod small;
mod tables;
mod td;
mod tuples;

pub use backward::Transcript;
pub use file::HEADER_BYTES;
pub use late::is_late;
pub use learn::CurvePoint;
pub use pair::NetworkPair;
pub use settings::LearnerSettings;
pub use small::SMALL_TUPLES;
pub use tuples::{MAX_RANK, TUPLES};
