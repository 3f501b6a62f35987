//! [`Player`], and one game of a player: [`play`].

use crate::bitboard::colors::RandomColors;
use crate::error::Error;
use crate::game::Game;
use crate::rules::Rules;
use crate::swap::Swap;
use bitcore::Rng;

/// A player, which chooses the swap to play. It sees the game, but not the pieces to come; it draws from a
/// generator of its own.
///
/// ```
/// use match3::player::play;
/// use match3::{Game, Player, Rng, Rules, Swap};
/// /// Plays the first swap of the list.
/// struct First;
/// impl Player for First {
///     fn choose(&mut self, game: &Game) -> Option<Swap> {
///         game.legal_moves().first().copied()
///     }
/// }
/// let score = play(&mut First, Rules::default(), Rng::new(1))?;
/// assert!(score >= 30 * 30);
/// # Ok::<(), match3::player::PlayError>(())
/// ```
pub trait Player {
    /// Returns the swap to play; none if the game is over.
    fn choose(&mut self, game: &Game) -> Option<Swap>;

    /// Does the same as [`choose`](Self::choose), or returns `None` soon after `stop` begins to return
    /// `true`. A player that takes milliseconds per move calls it regularly; a faster one need not implement
    /// it.
    fn choose_until(&mut self, game: &Game, stop: &dyn Fn() -> bool) -> Option<Swap> {
        let _ = stop;
        self.choose(game)
    }
}

/// The error of a game that was not played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// No board was dealt.
    #[error(transparent)]
    Deal(#[from] Error),
    /// The player gave an illegal swap, or none on a board that has one.
    #[error("no legal swap from the player with {moves_left} moves left")]
    Illegal {
        /// The number of moves left, this one included.
        moves_left: u32,
    },
    /// The caller's `stop` returned `true`.
    #[error("stopped")]
    Stopped,
}

/// Plays one game and returns its points. The generator deals and refills.
///
/// ```
/// use match3::player::{Greedy, play};
/// use match3::{Rng, Rules};
/// let score = play(&mut Greedy, Rules::default(), Rng::new(1))?;
/// assert!((2000..8000).contains(&score));
/// # Ok::<(), match3::player::PlayError>(())
/// ```
///
/// # Errors
///
/// [`PlayError::Deal`] as for [`Game::new`], [`PlayError::Illegal`].
pub fn play(player: &mut dyn Player, rules: Rules, rng: Rng) -> Result<u64, PlayError> {
    play_until(player, rules, rng, &|| false)
}

/// The number of moves between two calls of `stop` by the game itself. A slow player calls it more often.
const MOVES_PER_STOP: u32 = 64;

/// Plays one game as [`play`] does, unless `stop`, which is called regularly, returns `true`.
///
/// # Errors
///
/// As for [`play`], and [`PlayError::Stopped`].
pub fn play_until(
    player: &mut dyn Player,
    rules: Rules,
    rng: Rng,
    stop: &dyn Fn() -> bool,
) -> Result<u64, PlayError> {
    rules.check_colors()?;
    let mut colors = RandomColors::new(rules.colors, rng)?;
    let mut game = Game::new(rules, &mut colors)?;
    while !game.is_over() {
        let moves_left = game.moves_left();
        if moves_left.is_multiple_of(MOVES_PER_STOP) && stop() {
            return Err(PlayError::Stopped);
        }
        let swap = player.choose_until(&game, stop);
        if swap.is_none_or(|swap| game.play(swap, &mut colors).is_err()) {
            return Err(if stop() { PlayError::Stopped } else { PlayError::Illegal { moves_left } });
        }
    }
    Ok(game.score())
}
