//! [`Bot`]: the search as a [`Player`].

use super::evaluation::BotWeights;
use super::game_state::GameState;
use super::search::Search;
use bitcade_core::{Player, Stop, Stopped};
use tetris::{Game, Move};

/// The bot as a [`Player`], which runs a [`Search`] of fixed size for each move. Equal bots choose
/// equal moves.
///
/// ```
/// use tetris::{Game, Rng, Rules};
/// use tetris_ai::{Bot, Player};
/// let mut rng = Rng::new(1);
/// let mut game = Game::new(Rules::default(), &mut rng);
/// let mut bot = Bot { nodes: 500, ..Bot::default() };
/// while game.pieces() < 10 {
///     let mv = bot.choose(&game).expect("the game is not over");
///     game.play(mv, &mut rng)?;
/// }
/// # Ok::<(), tetris::GameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bot {
    /// The evaluation of boards and clears.
    pub weights: BotWeights,
    /// The number of placements searched per move.
    pub nodes: u64,
}

impl Default for Bot {
    /// Returns a bot that searches 5,000 placements per move.
    fn default() -> Self {
        Self { weights: BotWeights::default(), nodes: 5_000 }
    }
}

impl Player<Game> for Bot {
    fn choose(&mut self, game: &Game) -> Option<Move> {
        self.choose_until(game, &|| false).ok().flatten()
    }

    fn choose_until(&mut self, game: &Game, stop: Stop<'_>) -> Result<Option<Move>, Stopped> {
        if game.is_over() {
            return Ok(None);
        }
        // A short search doesn't ask.
        if stop() {
            return Err(Stopped);
        }
        let mut search = Search::new(&GameState::from(game), self.weights.clone());
        search.run_until(self.nodes, stop)?;
        Ok(search.best())
    }
}
