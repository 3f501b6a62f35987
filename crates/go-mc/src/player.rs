//! [`Player`]: a strategy that chooses moves.

use crate::game::{Game, Move};

/// A strategy that chooses the moves of a game.
///
/// ```
/// use go_mc::{Game, Move, Player, Rules};
/// /// Plays the first legal point, or passes if there is none.
/// struct First;
/// impl Player for First {
///     fn choose(&mut self, game: &Game) -> Option<Move> {
///         game.legal_moves().first().copied()
///     }
/// }
/// let mut game = Game::new(Rules { size: "2x2".parse().unwrap(), ..Rules::default() });
/// while let Some(mv) = First.choose(&game) {
///     game.play(mv).unwrap();
/// }
/// assert!(game.is_over());
/// ```
pub trait Player {
    /// Returns a legal move, possibly a pass; `None` if the game is over.
    fn choose(&mut self, game: &Game) -> Option<Move>;

    /// Like [`choose`](Self::choose), but returns `None` soon after `stop` begins to return `true`.
    ///
    /// The default only calls [`choose`](Self::choose); override it in slow players.
    fn choose_until(&mut self, game: &Game, stop: &dyn Fn() -> bool) -> Option<Move> {
        let _ = stop;
        self.choose(game)
    }
}
