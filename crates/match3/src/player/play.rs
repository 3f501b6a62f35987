//! [`play`]: one game of a player.

use crate::bitboard::colors::RandomColors;
use crate::error::Error;
use crate::game::Game;
use crate::rules::Rules;
use bitcade_core::{Player, Stop, Stopped};
use bitcore::Rng;

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
}

/// Plays one game on a dealt board and returns its score. The generator deals and refills. For a
/// game on a given board, such as a level, see [`Game::with_board`].
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
#[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
pub fn play(player: &mut dyn Player<Game>, rules: Rules, rng: Rng) -> Result<u64, PlayError> {
    play_until(player, rules, rng, &|| false).expect("nothing stops it")
}

/// Moves between two polls of `stop` by the game itself; slow players poll more often.
const MOVES_PER_STOP: u32 = 64;

/// Plays one game like [`play`], unless `stop` ends it.
///
/// # Errors
///
/// [`Stopped`] if `stop` returned `true`.
pub fn play_until(
    player: &mut dyn Player<Game>,
    rules: Rules,
    rng: Rng,
    stop: Stop<'_>,
) -> Result<Result<u64, PlayError>, Stopped> {
    let start = || {
        rules.check_colors()?;
        let mut colors = RandomColors::new(rules.colors, rng)?;
        Ok((Game::new(rules, &mut colors)?, colors))
    };
    let (mut game, mut colors) = match start() {
        Ok(started) => started,
        Err(error) => return Ok(Err(PlayError::Deal(error))),
    };
    while !game.is_over() {
        let moves_left = game.moves_left();
        if moves_left.is_multiple_of(MOVES_PER_STOP) && stop() {
            return Err(Stopped);
        }
        let swap = player.choose_until(&game, stop)?;
        if swap.is_none_or(|swap| game.play(swap, &mut colors).is_err()) {
            return Ok(Err(PlayError::Illegal { moves_left }));
        }
    }
    Ok(Ok(game.score()))
}
