//! [`Player`]: the interface of a move-choosing player.

use tetris::{Game, Move};

/// A player of the guideline game, which chooses one move at a time.
///
/// A player sees the game but not its random generator: it knows the preview, not the pieces after it.
///
/// ```
/// use tetris::{Game, Move, Rng, Rules};
/// use tetris_ai::Player;
///
/// struct Lowest;
/// impl Player for Lowest {
///     fn choose(&mut self, game: &Game) -> Option<Move> {
///         game.legal_moves().into_iter().min_by_key(|mv| mv.placement.at.y)
///     }
/// }
///
/// let mut rng = Rng::new(1);
/// let mut game = Game::new(Rules::default(), &mut rng);
/// while let Some(mv) = Lowest.choose(&game) {
///     game.play(mv, &mut rng)?;
/// }
/// assert!(game.is_over());
/// # Ok::<(), tetris::GameError>(())
/// ```
pub trait Player {
    /// Returns the chosen move, or `None` if the game is over.
    fn choose(&mut self, game: &Game) -> Option<Move>;

    /// Like [`choose`](Self::choose), but returns `None` soon after `stop` returns `true`. Fast players may
    /// ignore `stop`.
    fn choose_until(&mut self, game: &Game, stop: &dyn Fn() -> bool) -> Option<Move> {
        let _ = stop;
        self.choose(game)
    }
}
