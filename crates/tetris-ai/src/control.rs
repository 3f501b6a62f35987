//! One-piece and two-piece controllers for simplified Tetris: a 10 x 20 field, uniformly random
//! pieces, hard drops only.
//!
//! Simplified Tetris is the game used in research papers, not the guideline game. A piece is
//! rotated and shifted above the field, then falls straight down. It must come to rest entirely
//! below row 20, even if it completes rows; the game is over when no drop does. Each piece is one
//! of the seven with equal probability.
//!
//! A controller scores every drop of the known pieces by a weighted sum of features and plays the
//! drop with the highest value. The features are defined in [`tetris::Features`]; walls and floor
//! count as filled.
//!
//! | you want to | use |
//! |---|---|
//! | choose one drop | [`Controller::choose`] |
//! | play whole games | [`SimplifiedGame`] |
//! | play many games on several threads | [`play_games`]; to stop them, [`SimplifiedGames`] |
//! | use published weights | [`ControllerWeights::DT20`], [`ControllerWeights::DELLACHERIE`] |
//! | estimate the mean game length from finished and unfinished games | [`GameLength`] |
//! | check a controller against a slow, obvious implementation | [`reference`](mod@reference) |
//!
//! Sources: C. Thiery and B. Scherrer, *Building Controllers for Tetris* (ICGA Journal 32, 2009),
//! which describes P. Dellacherie's controller; B. Scherrer and others, *Approximate Modified
//! Policy Iteration and its Application to the Game of Tetris* (JMLR 16, 2015), for DT-20.
//!
//! ```
//! use tetris_ai::Rng;
//! use tetris_ai::control::{Controller, SimplifiedGame, ControllerWeights};
//! let mut game = SimplifiedGame::new(Rng::new(1));
//! assert_eq!(game.play(&Controller::new(ControllerWeights::DT20), 1000), 1000);
//! assert_eq!((game.pieces(), game.over()), (1000, false));
//! // Each line removes ten cells; the rest are still on the board.
//! assert_eq!(4 * game.pieces(), 10 * game.lines() + u64::from(game.board().filled_cells()));
//! ```

mod controller;
mod drops;
mod game;
mod game_length;
mod games;

mod low_board;
pub mod reference;
mod weights;

pub use controller::{Choice, Controller};
pub use game::SimplifiedGame;
pub use game_length::GameLength;
pub use games::{GamesPlayed, GamesSettings, SimplifiedGames, play_games};
pub use weights::{ControllerWeights, ParseWeightsError};
