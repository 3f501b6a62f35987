//! [`Player`]: what chooses moves.

use crate::game::Game;
use crate::stop::{Stop, Stopped};
use bitcore::Rng;

/// Chooses the moves of a game. A player sees the game, but not what chance will bring.
///
/// ```
/// use bitcade_core::{Game, Player};
/// /// Plays the first legal move.
/// struct First;
/// impl<G: Game> Player<G> for First {
///     fn choose(&mut self, game: &G) -> Option<G::Move> {
///         game.legal_moves().first().copied()
///     }
/// }
/// ```
pub trait Player<G: Game> {
    /// Returns a legal move, or `None` if the game is over.
    fn choose(&mut self, game: &G) -> Option<G::Move>;

    /// Does the same, unless `stop` ends it. A player that takes milliseconds for a move asks
    /// `stop` regularly. Others don't need to implement this method.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`.
    fn choose_until(&mut self, game: &G, stop: Stop<'_>) -> Result<Option<G::Move>, Stopped> {
        let _ = stop;
        Ok(self.choose(game))
    }
}

/// A player that chooses uniformly among the legal moves, in any game: the baseline for other
/// players.
///
/// It draws [`below`](Rng::below) their number once per move, from a generator of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomPlayer {
    rng: Rng,
}

impl RandomPlayer {
    /// Creates a player with its own generator.
    pub const fn new(rng: Rng) -> Self {
        Self { rng }
    }
}

impl<G: Game> Player<G> for RandomPlayer {
    fn choose(&mut self, game: &G) -> Option<G::Move> {
        let legal = game.legal_moves();
        if legal.is_empty() {
            None
        } else {
            Some(legal[self.rng.below(legal.len() as u32) as usize])
        }
    }
}
