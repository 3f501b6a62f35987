//! [`Game`]: one game as a value.

use alloc::vec::Vec;
use bitcore::RandomSource;
use core::error::Error;
use core::fmt::Debug;

/// One game as a value, which plays, copies and compares. Its type has the same methods of its own,
/// so that a user of one game needs no trait.
///
/// ```
/// use bitcade_core::{Game, Player, RandomPlayer};
/// use bitcore::Rng;
/// /// Plays a game with random moves and returns their number.
/// fn random_game<G: Game>(rules: G::Rules, seed: u64) -> Result<u32, G::Error> {
///     let mut rng = Rng::new(seed);
///     let mut player = RandomPlayer::new(Rng::new(!seed));
///     let mut game = G::new(rules, &mut rng)?;
///     let mut moves = 0;
///     while let Some(mv) = player.choose(&game) {
///         game.play(mv, &mut rng).expect("a legal move");
///         moves += 1;
///     }
///     Ok(moves)
/// }
/// ```
pub trait Game: Clone + Eq + Debug + Send + Sync + Sized {
    /// The rules, a value.
    type Rules: Clone + PartialEq + Debug + Send + Sync;
    /// A move.
    type Move: Copy + PartialEq + Debug + Send + Sync;
    /// What a move did.
    type Outcome: Debug;
    /// The reason a game can't start.
    type Error: Error + Send + Sync + 'static;
    /// The reason a move is refused.
    type IllegalMove: Error + Send + Sync + 'static;

    /// Starts a game. Where chance deals, `rng` does.
    ///
    /// # Errors
    ///
    /// If the rules allow no game.
    fn new(rules: Self::Rules, rng: &mut (impl RandomSource + ?Sized))
    -> Result<Self, Self::Error>;

    /// Returns the rules.
    fn rules(&self) -> Self::Rules;

    /// Returns the legal moves in the game's order; empty exactly if the game is over.
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// Plays a move. Where chance has its turn, `rng` decides, so that a search on a copy of the
    /// game doesn't see what comes.
    ///
    /// # Errors
    ///
    /// If the move is illegal. The game is then unchanged, and nothing is drawn.
    fn play(
        &mut self,
        mv: Self::Move,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Result<Self::Outcome, Self::IllegalMove>;

    /// Returns whether the game is over.
    fn is_over(&self) -> bool;
}
