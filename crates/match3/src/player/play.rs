//! [`Player`], and [`play`] for a single game.

use crate::bitboard::colors::RandomColors;
use crate::error::Error;
use crate::game::Game;
use crate::rules::Rules;
use crate::swap::Swap;
use bitcore::Rng;

/// Chooses the swap to play. A player sees the game but not the pieces to come, and draws from its own
/// generator.
///
/// ```
/// use match3::player::play;
/// use match3::{Game, Player, Rng, Rules, Swap};
/// /// Plays the first legal swap.
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
    /// Returns the swap to play, or `None` if the game is over.
    fn choose(&mut self, game: &Game) -> Option<Swap>;

    /// Like [`choose`](Self::choose), but returns `None` soon after `stop` starts to return `true`. Players
    /// that take milliseconds per move poll it regularly; faster ones don't need to implement this method.
    fn choose_until(&mut self, game: &Game, stop: &dyn Fn() -> bool) -> Option<Swap> {
        let _ = stop;
        self.choose(game)
    }
}

/// The reason a game was not played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// No board could be dealt.
    #[error(transparent)]
    Deal(#[from] Error),
    /// The player returned an illegal swap, or none on a board that has one.
    #[error("the player returned no legal swap with {moves_left} moves left")]
    Illegal {
        /// The number of moves left, including this one.
        moves_left: u32,
    },
    /// The caller's `stop` returned `true`.
    #[error("stopped")]
    Stopped,
}

/// Plays one game and returns its score. The generator deals and refills.
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

/// Moves between two polls of `stop` by the game itself; slow players poll more often.
const MOVES_PER_STOP: u32 = 64;

/// Plays one game like [`play`], but gives up when `stop`, which is polled regularly, returns `true`.
///
/// # Errors
///
/// As for [`play`], plus [`PlayError::Stopped`].
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
