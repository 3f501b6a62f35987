//! [`Random`]: uniformly random legal swaps.

use crate::game::Game;
use crate::game::position::with_position;
use crate::swap::Swap;
use bitcade_core::Player;
use bitcore::Rng;

/// A player that picks a uniformly random legal swap: the baseline for other players.
///
/// It draws once per move, [`below`](Rng::below) the number of swaps. Horizontal swaps are counted
/// before vertical ones, each by column from the left and within a column from the bottom up.
///
/// ```
/// use match3::player::Random;
/// use match3::{Game, Player, RandomColors, Rng, Rules};
/// let mut colors = RandomColors::new(6, Rng::new(1))?;
/// let mut game = Game::new(Rules::default(), &mut colors)?;
/// let mut player = Random::new(Rng::new(2));
/// while let Some(swap) = player.choose(&game) {
///     game.play(swap, &mut colors)?;
/// }
/// assert!(game.is_over() && game.score() >= 30 * 30);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// Creates a player with its own generator.
    pub const fn new(rng: Rng) -> Self {
        Self { rng }
    }

    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.rng.below(n)
    }
}

impl Player<Game> for Random {
    fn choose(&mut self, game: &Game) -> Option<Swap> {
        with_position!(&game.position, position => {
            position.legal.draw(&mut self.rng).map(|swap| position.board.swap_at(swap))
        })
    }
}
