//! One game and its player: [`Agent`], [`play`].

use crate::bitboard::colors::RandomColors;
use crate::bitboard::error::PlanesError;
use crate::bitboard::planes::{AnyBoard, Layout, PlaneBoard, PlaneLayout, with_layout};
use crate::rules::Rules;
use crate::swap::Swap;
use bitcore::Rng;

/// A player, which chooses the swap to play. It sees the board, but not the refills to come; it draws from a
/// generator of its own.
///
/// ```
/// use match3::agent::{Agent, play};
/// use match3::planes::AnyBoard;
/// use match3::{Rules, Swap};
/// /// Plays the first swap of the list.
/// struct First;
/// impl Agent for First {
///     fn choose(&mut self, board: &AnyBoard, _moves_left: u32) -> Option<Swap> {
///         board.swaps().first().copied()
///     }
/// }
/// let score = play(&mut First, &Rules::default(), bitcore::Rng::new(1))?;
/// assert!(score >= 30 * 30);
/// # Ok::<(), match3::agent::PlayError>(())
/// ```
pub trait Agent {
    /// Returns the swap to play; none if the board is dead. `moves_left` counts this move, too.
    fn choose(&mut self, board: &AnyBoard, moves_left: u32) -> Option<Swap>;

    /// Does the same as [`choose`](Self::choose), or returns `None` soon after `stop` begins to return
    /// `true`. An agent that takes milliseconds per move calls it regularly; a faster one need not implement
    /// it.
    fn choose_until(&mut self, board: &AnyBoard, moves_left: u32, stop: &dyn Fn() -> bool) -> Option<Swap> {
        let _ = stop;
        self.choose(board, moves_left)
    }
}

/// The reason why a game has no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// No board was dealt.
    #[error(transparent)]
    Deal(#[from] PlanesError),
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
/// use match3::Rules;
/// use match3::agent::{Greedy, play};
/// let score = play(&mut Greedy, &Rules::default(), bitcore::Rng::new(1))?;
/// assert!((2000..8000).contains(&score));
/// # Ok::<(), match3::agent::PlayError>(())
/// ```
///
/// # Errors
///
/// [`PlayError::Deal`] as for [`PlaneBoard::deal`], [`PlayError::Illegal`].
pub fn play(agent: &mut dyn Agent, rules: &Rules, rng: Rng) -> Result<u64, PlayError> {
    play_until(agent, rules, rng, &|| false)
}

/// Plays one game as [`play`] does, unless `stop`, which is called regularly, returns `true`.
///
/// # Errors
///
/// As for [`play`], and [`PlayError::Stopped`].
pub fn play_until(
    agent: &mut dyn Agent,
    rules: &Rules,
    rng: Rng,
    stop: &dyn Fn() -> bool,
) -> Result<u64, PlayError> {
    rules.check_colors()?;
    let mut colors = RandomColors::new(rules.colors, rng)?;
    with_layout!(Layout::smallest(rules.width, rules.height, rules.colors), Typed => {
        play_on(Typed::deal(rules.width, rules.height, &mut colors)?, agent, rules, colors, stop)
    })
}

/// The number of moves between two calls of `stop` by the game itself. A slow player calls it more often.
const MOVES_PER_STOP: u32 = 64;

fn play_on<W: PlaneLayout<P>, const P: usize>(
    mut board: PlaneBoard<W, P>,
    agent: &mut dyn Agent,
    rules: &Rules,
    mut colors: RandomColors,
    stop: &dyn Fn() -> bool,
) -> Result<u64, PlayError>
where
    PlaneBoard<W, P>: Into<AnyBoard>,
{
    let mut score = 0;
    for moves_left in (1..=rules.moves).rev() {
        let mut legal = board.swaps();
        if legal.is_empty() {
            board = PlaneBoard::deal(rules.width, rules.height, &mut colors)?;
            legal = board.swaps();
        }
        if moves_left.is_multiple_of(MOVES_PER_STOP) && stop() {
            return Err(PlayError::Stopped);
        }
        let swap = agent.choose_until(&board.into(), moves_left, stop);
        let Some(swap) = swap.filter(|&swap| legal.contains(swap)) else {
            return Err(if stop() { PlayError::Stopped } else { PlayError::Illegal { moves_left } });
        };
        board.exchange(swap);
        score += board.cascade_random(&mut colors).score;
    }
    Ok(score)
}
