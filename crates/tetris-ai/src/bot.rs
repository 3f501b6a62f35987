//! A bot for guideline Tetris, which attacks, and digs where garbage lies.
//!
//! | you want to | use |
//! |---|---|
//! | describe a position | [`GameState`] |
//! | play a whole game | [`Bot`](crate::Bot) |
//! | find the best move with a search of any length | [`Search`] |
//! | find a perfect clear | [`PerfectClear`] |
//! | go on with the search after a move | [`Search::advance`] |
//! | change the evaluation | [`BotWeights`] |
//! | connect the bot to other programs | [`tbp`] |
//! | play two bots against each other | [`versus`] |
//!
//! ```
//! use tetris::{Game, Rng, Rules};
//! use tetris_ai::bot::{BotWeights, GameState, Search};
//! let game = Game::new(Rules::default(), &mut Rng::new(1));
//! let mut search = Search::new(&GameState::from(&game), BotWeights::default());
//! search.run(2000);
//! let best = search.best().unwrap();
//! assert!(game.legal_moves().contains(&best));
//! ```

mod evaluation;
mod game_state;
mod garbage;
mod perfect_clear;
pub(crate) mod player;
mod search;
mod t_slot;
pub mod tbp;
pub mod versus;

pub use evaluation::BotWeights;
pub use game_state::GameState;
pub use perfect_clear::PerfectClear;
pub use search::{MAX_DEPTH, Search};
