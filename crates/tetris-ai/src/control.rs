//! One-piece and two-piece controllers for plain Tetris: 10 x 20, uniformly random pieces, drops only.
//!
//! This is the game of the literature on learned controllers, not the guideline's: a piece is turned and shifted above
//! the field and falls straight down; it may end anywhere below row 20, whatever rows it completes, and the game is over
//! when no drop does. Each piece is drawn from the seven with equal probability.
//!
//! A controller gives every drop of the known pieces a value, a weighted sum of features, and takes the best. The
//! features are those of [`tetris::features`], where walls and floor count as filled. [`ControllerWeights`] has published weights;
//! [`reference::control`](crate::reference::control) is the same, cell by cell.
//!
//! Sources: C. Thiery and B. Scherrer, *Building Controllers for Tetris* (ICGA Journal 32, 2009), which writes down
//! P. Dellacherie's controller; B. Scherrer and others, *Approximate Modified Policy Iteration and its Application to
//! the Game of Tetris* (JMLR 16, 2015), for DT-20.
//!
//! ```
//! use bitcore::Rng;
//! use tetris_ai::control::{Controller, SimplifiedGame, ControllerWeights};
//! let mut game = SimplifiedGame::new(Rng::new(1));
//! assert_eq!(game.play(&Controller::new(ControllerWeights::DT20), 1000), 1000);
//! assert_eq!((game.pieces(), game.over()), (1000, false));
//! // Every line takes ten cells; the rest is still there.
//! assert_eq!(4 * game.pieces(), 10 * game.lines() + u64::from(game.board().filled_cells()));
//! ```

mod controller;
mod game;
mod game_length;
mod hard_drops;
mod low_board;
mod weights;

pub use controller::{Choice, Controller};
pub use game::SimplifiedGame;
pub use game_length::GameLength;
pub use weights::{ControllerWeights, ParseWeightsError};

/// Rows of the field.
pub const ROWS: usize = crate::contest::ROWS;
