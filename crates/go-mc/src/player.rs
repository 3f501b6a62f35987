//! [`Player`]: whoever chooses the moves of a game.

use crate::game::{Game, Move};

/// Whoever chooses the moves of a game.
///
/// ```
/// use go_mc::{Game, Move, Player, Rules};
/// /// Plays on the first legal point, and passes if there is none.
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
    /// Returns a legal move, which can be a pass; `None` if the game is over.
    fn choose(&mut self, game: &Game) -> Option<Move>;

    /// Does the same, and returns `None` soon after `stop` begins to return `true`.
    ///
    /// Slow players implement it; by default it only calls [`choose`](Self::choose).
    fn choose_until(&mut self, game: &Game, stop: &dyn Fn() -> bool) -> Option<Move> {
        let _ = stop;
        self.choose(game)
    }
}
