//! Players and their games: [`Agent`], [`play`], [`Player`].

mod greedy;
mod random;
mod rollout;

pub use greedy::Greedy;
pub use random::Random;
pub use rollout::Rollout;

use crate::colours::RandomColours;
use crate::deal::check_colours;
use crate::planes::{PlaneBoard, PlanesError, largest_colour};
use crate::swaps::Swap;
use bitcore::{Level, Rng, dispatch};
use core::ops::Range;

/// A player: chooses the swap to play. It sees the board, and never the refills to come: its draws are its own.
///
/// ```
/// use match3::{Agent, PlaneBoard, Rules, Swap, play};
/// /// Plays the first swap of the list.
/// struct First;
/// impl<const WORDS: usize, const P: usize> Agent<WORDS, P> for First {
///     fn choose(&mut self, board: &PlaneBoard<WORDS, P>, _moves_left: u32) -> Option<Swap> {
///         board.swaps().iter().next()
///     }
/// }
/// let score = play::<1, 3>(&mut First, &Rules::default(), bitcore::Rng::new(1))?;
/// assert!(score >= 30 * 30);
/// # Ok::<(), match3::PlayError>(())
/// ```
pub trait Agent<const WORDS: usize, const P: usize> {
    /// The swap to play, with so many moves left, this one included; none if the board is dead.
    fn choose(&mut self, board: &PlaneBoard<WORDS, P>, moves_left: u32) -> Option<Swap>;

    /// The same on an instruction set. A player without kernels of its own has nothing to do here.
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
    /// Colours, 3 to 15.
    pub colours: u8,
    /// Moves of a game.
    pub moves: u32,
}

impl Default for Rules {
    /// 8 x 8, 6 colours, 30 moves.
    fn default() -> Self {
        Self { width: 8, height: 8, colours: 6, moves: 30 }
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
    agent: &mut impl Agent<WORDS, P>,
    rules: &Rules,
    rng: Rng,
) -> Result<u64, PlayError> {
    play_on(Level::detect(), agent, rules, rng)
}

/// [`play`] on an instruction set.
fn play_on<const WORDS: usize, const P: usize>(
    level: Level,
    agent: &mut impl Agent<WORDS, P>,
    rules: &Rules,
    rng: Rng,
) -> Result<u64, PlayError> {
    check_colours::<P>(rules.colours)?;
    let mut colours = RandomColours::new(rules.colours, rng)?;
    let mut board = PlaneBoard::deal(rules.width, rules.height, &mut colours)?;
    let mut score = 0;
    for moves_left in (1..=rules.moves).rev() {
        let mut legal = dispatch!(level, isa => board.swaps_with(isa));
        if legal.is_empty() {
            board = PlaneBoard::deal(rules.width, rules.height, &mut colours)?;
            legal = board.swaps();
        }
        let swap = agent.choose_on(level, &board, moves_left).filter(|&swap| legal.contains(swap));
        board.exchange(swap.ok_or(PlayError::Illegal { moves_left })?);
        score += dispatch!(level, isa => board.cascade_with(isa, &mut colours)).score;
    }
    Ok(score)
}

/// A player by name, for games of any [`Rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Player {
    /// [`Random`].
    Random,
    /// [`Greedy`].
    Greedy,
    /// [`Rollout`] with a budget.
    Rollout(u32),
}

impl Player {
    /// Plays games of a seed, each for its points.
    ///
    /// Game i deals and refills from [stream](Rng::stream) i of the seed; the player draws from stream i of `!seed`. So
    /// game i is the same whichever others are played.
    ///
    /// ```
    /// use match3::{Moments, Player, Rules};
    /// let rules = Rules { width: 9, height: 7, colours: 5, ..Rules::default() };
    /// let mut scores = Moments::default();
    /// for score in Player::Greedy.games(rules, 1, 0..100) {
    ///     scores.add(score?);
    /// }
    /// println!("{} points, variance of the mean {}", scores.mean(), scores.variance_of_mean());
    /// assert_eq!(scores.count, 100);
    /// # Ok::<(), match3::PlayError>(())
    /// ```
    pub fn games(
        self,
        rules: Rules,
        seed: u64,
        games: Range<u64>,
    ) -> impl Iterator<Item = Result<u64, PlayError>> {
        self.games_on(Level::detect(), rules, seed, games)
    }

    /// [`games`](Self::games) on an instruction set: the same games.
    pub fn games_on(
        self,
        level: Level,
        rules: Rules,
        seed: u64,
        games: Range<u64>,
    ) -> impl Iterator<Item = Result<u64, PlayError>> {
        let streams = |seed| {
            let first = Rng::stream(seed, games.start);
            core::iter::successors(Some(first), |rng| {
                let mut next = rng.clone();
                next.jump();
                Some(next)
            })
        };
        let (game, own) = (streams(seed), streams(!seed));
        games.zip(game.zip(own)).map(move |(_, (game, own))| self.play(level, &rules, game, own))
    }

    /// One game, in the smallest layout that holds it.
    fn play(self, level: Level, rules: &Rules, game: Rng, own: Rng) -> Result<u64, PlayError> {
        match (rules.width.max(rules.height) <= 8, rules.colours <= largest_colour(3)) {
            (true, true) => self.play_in::<1, 3>(level, rules, game, own),
            (true, false) => self.play_in::<1, 4>(level, rules, game, own),
            (false, true) => self.play_in::<4, 3>(level, rules, game, own),
            (false, false) => self.play_in::<4, 4>(level, rules, game, own),
        }
    }

    fn play_in<const WORDS: usize, const P: usize>(
        self,
        level: Level,
        rules: &Rules,
        game: Rng,
        own: Rng,
    ) -> Result<u64, PlayError> {
        match self {
            Self::Random => play_on::<WORDS, P>(level, &mut Random::new(own), rules, game),
            Self::Greedy => play_on::<WORDS, P>(level, &mut Greedy, rules, game),
            Self::Rollout(budget) => {
                check_colours::<P>(rules.colours)?;
                play_on::<WORDS, P>(level, &mut Rollout::new(budget, rules.colours, own)?, rules, game)
            }
        }
    }
}
