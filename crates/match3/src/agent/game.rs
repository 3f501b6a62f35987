//! A game and its player: [`Agent`], [`Rules`], [`play`].

use crate::colors::RandomColors;
use crate::planes::{Layout, PlaneBoard};
use crate::planes_error::{PlanesError, check_colors};
use crate::swap::Swap;
use bitcore::{Level, Rng};

/// A player: chooses the swap to play. It sees the board, and never the refills to come: its draws are its own.
///
/// ```
/// use match3::{Agent, Board8, Rules, Swap, play};
/// /// Plays the first swap of the list.
/// struct First;
/// impl Agent<1, 3> for First {
///     fn choose(&mut self, board: &Board8, _moves_left: u32) -> Option<Swap> {
///         board.swaps().iter().next()
///     }
/// }
/// let score = play(&mut First, &Rules::default(), bitcore::Rng::new(1))?;
/// assert!(score >= 30 * 30);
/// # Ok::<(), match3::PlayError>(())
/// ```
pub trait Agent<const WORDS: usize, const P: usize> {
    /// The swap to play, with so many moves left, this one included; none if the board is dead.
    fn choose(&mut self, board: &PlaneBoard<WORDS, P>, moves_left: u32) -> Option<Swap>;

    /// [`choose`](Self::choose) on a level. A player that calls no kernel has nothing to do here.
    fn choose_on(&mut self, level: Level, board: &PlaneBoard<WORDS, P>, moves_left: u32) -> Option<Swap> {
        let _ = level;
        self.choose(board, moves_left)
    }
}

/// Why a game has no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// No board was dealt.
    #[error(transparent)]
    Deal(#[from] PlanesError),
    /// The player gave an illegal swap, or none on a board that has one.
    #[error("no legal swap from the player with {moves_left} moves left")]
    Illegal {
        /// The moves left, that one included.
        moves_left: u32,
    },
}

/// The game that is played: so many moves on a full board, for points.
///
/// A cascade scores 10 points a cell, times its level. A board without a legal swap is dealt anew and costs no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Columns, 1 to 16.
    pub width: usize,
    /// Rows, 1 to 16.
    pub height: usize,
    /// Colors, 3 to 15.
    pub colors: u8,
    /// Moves of a game.
    pub moves: u32,
}

impl Default for Rules {
    /// 8 x 8, 6 colors, 30 moves.
    fn default() -> Self {
        Self { width: 8, height: 8, colors: 6, moves: 30 }
    }
}

/// Plays one game and returns its points. The generator deals, and refills.
///
/// ```
/// use match3::{Greedy, Rules, play};
/// let score = play::<1, 3>(&mut Greedy, &Rules::default(), bitcore::Rng::new(1))?;
/// assert!((2000..8000).contains(&score));
/// # Ok::<(), match3::PlayError>(())
/// ```
///
/// # Errors
///
/// [`PlayError::Deal`] as for [`PlaneBoard::deal`], [`PlayError::Illegal`].
pub fn play<const WORDS: usize, const P: usize>(
    agent: &mut dyn Agent<WORDS, P>,
    rules: &Rules,
    rng: Rng,
) -> Result<u64, PlayError>
where
    PlaneBoard<WORDS, P>: Layout<WORDS, P>,
{
    play_on(Level::detect(), agent, rules, rng)
}

/// [`play`] on a level.
///
/// # Errors
///
/// As for [`play`].
pub fn play_on<const WORDS: usize, const P: usize>(
    level: Level,
    agent: &mut dyn Agent<WORDS, P>,
    rules: &Rules,
    rng: Rng,
) -> Result<u64, PlayError>
where
    PlaneBoard<WORDS, P>: Layout<WORDS, P>,
{
    check_colors::<P>(rules.colors)?;
    let mut colors = RandomColors::new(rules.colors, rng)?;
    let deal = |colors: &mut _| PlaneBoard::deal_on(level, rules.width, rules.height, colors);
    let mut board = deal(&mut colors)?;
    let mut score = 0;
    for moves_left in (1..=rules.moves).rev() {
        let mut legal = board.swaps_on(level);
        if legal.is_empty() {
            board = deal(&mut colors)?;
            legal = board.swaps_on(level);
        }
        let swap = agent.choose_on(level, &board, moves_left).filter(|&swap| legal.contains(swap));
        board.exchange(swap.ok_or(PlayError::Illegal { moves_left })?);
        score += board.cascade_random(level, &mut colors).score;
    }
    Ok(score)
}
