//! A bot for guideline Tetris: with hold and preview, it plays for attack.
//!
//! [`Search`] looks at the known pieces layer by layer, the most promising boards of each layer first, and can be
//! stopped and gone on with at any time; [`BotWeights`] say what a board and a clear are worth. A [`GameState`] is what a bot
//! knows of its side of a game. [`tbp`](crate::tbp) makes a bot of it that other programs can play.
//!
//! ```
//! use bitcore::Rng;
//! use tetris::{Game, Rules};
//! use tetris_ai::bot::{GameState, Search, BotWeights};
//! let mut rng = Rng::new(1);
//! let mut game = Game::new(Rules::default(), &mut rng);
//! let mut attack = 0;
//! for _ in 0..30 {
//!     let mut search = Search::new(&GameState::from(&game), BotWeights::default());
//!     search.run(2000, &|| false);
//!     attack += game.step(search.best().unwrap(), &mut rng)?.attack;
//! }
//! assert!(game.over().is_none() && attack > 0);
//! # Ok::<(), tetris::GameError>(())
//! ```

mod evaluation;
mod game_state;
mod search;
mod t_slot;

pub use evaluation::BotWeights;
pub use game_state::GameState;
pub use search::{MAX_DEPTH, Search};
