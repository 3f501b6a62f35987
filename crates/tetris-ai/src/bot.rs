//! A bot for guideline Tetris with hold and preview. It plays for attack.
//!
//! | you want to | use |
//! |---|---|
//! | describe one player's side of a game | [`GameState`] |
//! | find the best move, with a search of any length | [`Search`] |
//! | change the evaluation | [`BotWeights`] |
//! | let other programs play the bot | [`tbp`] |
//! | let two bots play against each other | [`versus`] |
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
//!     attack += game.play(search.best().unwrap(), &mut rng)?.attack;
//! }
//! assert!(!game.is_over() && attack > 0);
//! # Ok::<(), tetris::GameError>(())
//! ```

mod evaluation;
mod game_state;
mod search;
mod t_slot;
pub mod tbp;
pub mod versus;

pub use evaluation::BotWeights;
pub use game_state::GameState;
pub use search::{MAX_DEPTH, Search};
