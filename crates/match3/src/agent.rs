//! Players and their games: [`Agent`], [`play`], [`Player`].

mod greedy;
mod random;
mod rollout;

pub use greedy::Greedy;
pub use random::Random;
pub use rollout::Rollout;

use crate::board::{Board, Cell};
use crate::colours::{Colours, RandomColours};
use crate::planes::{PlaneBoard, PlanesError, largest_colour};
use crate::swaps::Swap;
use alloc::vec;
use bitcore::Rng;
use core::ops::{AddAssign, Range};

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
}

/// Why no board was dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DealError {
    /// A side is 0 or too long.
    #[error("a board of {width} x {height}: expected sides of 1 to {longest}")]
    Size {
        /// The columns asked for.
        width: usize,
        /// The rows asked for.
        height: usize,
        /// What the layout holds.
        longest: usize,
    },
    /// Too few colours, or more than the bit planes hold.
    #[error(transparent)]
    Colours(#[from] PlanesError),
    /// No board with a legal swap came up.
    #[error("no legal swap on any of {boards} random boards of {width} x {height} with {colours} colours")]
    Dead {
        /// The columns asked for.
        width: usize,
        /// The rows asked for.
        height: usize,
        /// The colours asked for.
        colours: u8,
        /// How many boards were drawn.
        boards: u32,
    },
}

/// Why a game has no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// No board was dealt.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// The player gave an illegal swap, or none on a board that has one.
    #[error("no legal swap from the player with {moves_left} moves left")]
    Illegal {
        /// The moves left, that one included.
        moves_left: u32,
    },
}

impl From<PlanesError> for PlayError {
    fn from(error: PlanesError) -> Self {
        Self::Deal(error.into())
    }
}

/// Boards drawn before a deal gives up.
const BOARDS: u32 = 10_000;

impl<const WORDS: usize, const P: usize> PlaneBoard<WORDS, P> {
    /// A full random board of any size without a run and with a legal swap: with the draws of
    /// [`Board8::deal`](crate::Board8::deal), and the same board for 8 x 8.
    ///
    /// # Errors
    ///
    /// [`DealError::Size`]; [`DealError::Colours`] if there are fewer than three colours: a cell could end a run with
    /// each of them; [`DealError::Dead`] if none of 10,000 boards had a legal swap, as on 2 x 2.
    ///
    /// ```
    /// use bitcore::Rng;
    /// use match3::{Board16, DealError, RandomColours};
    /// let mut colours = RandomColours::new(5, Rng::new(1))?;
    /// let board: Board16 = Board16::deal_sized(9, 11, &mut colours)?;
    /// assert!(board.is_stable() && board.has_swap());
    /// assert!(matches!(Board16::deal_sized(2, 2, &mut colours), Err(DealError::Dead { .. })));
    /// # Ok::<(), DealError>(())
    /// ```
    pub fn deal_sized(
        width: usize,
        height: usize,
        colours: &mut RandomColours<P>,
    ) -> Result<Self, DealError> {
        let longest = Self::SIDE;
        if !(1..=longest).contains(&width) || !(1..=longest).contains(&height) {
            return Err(DealError::Size { width, height, longest });
        }
        check_colours::<P>(colours.count())?;
        for _ in 0..BOARDS {
            let mut cells = vec![Cell::EMPTY; width * height];
            for at in 0..cells.len() {
                cells[at] = loop {
                    let cell = Cell::from_byte(colours.next());
                    let left = at % width >= 2 && cells[at - 1] == cell && cells[at - 2] == cell;
                    let above = at >= 2 * width && cells[at - width] == cell && cells[at - 2 * width] == cell;
                    if !left && !above {
                        break cell;
                    }
                };
            }
            // The sides and the number of cells are right.
            let Ok(board) = Board::from_cells(width, height, cells) else {
                break;
            };
            let board = Self::new(&board)?;
            if board.has_swap() {
                return Ok(board);
            }
        }
        Err(DealError::Dead { width, height, colours: colours.count(), boards: BOARDS })
    }
}

fn check_colours<const P: usize>(found: u8) -> Result<(), PlanesError> {
    let (least, largest) = (3, largest_colour(P));
    if (least..=largest).contains(&found) {
        Ok(())
    } else {
        Err(PlanesError::Colours { found, least, largest })
    }
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
/// [`PlayError::Deal`] as for [`PlaneBoard::deal_sized`], [`PlayError::Illegal`].
pub fn play<const WORDS: usize, const P: usize>(
    agent: &mut impl Agent<WORDS, P>,
    rules: &Rules,
    rng: Rng,
) -> Result<u64, PlayError> {
    check_colours::<P>(rules.colours)?;
    let mut colours = RandomColours::new(rules.colours, rng)?;
    let mut board = PlaneBoard::deal_sized(rules.width, rules.height, &mut colours)?;
    let mut score = 0;
    for moves_left in (1..=rules.moves).rev() {
        if !board.has_swap() {
            board = PlaneBoard::deal_sized(rules.width, rules.height, &mut colours)?;
        }
        let swap = agent.choose(&board, moves_left);
        let outcome = swap.and_then(|swap| board.try_swap(swap, &mut colours));
        score += outcome.ok_or(PlayError::Illegal { moves_left })?.score;
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
    /// use match3::{Player, Rules, Scores};
    /// let rules = Rules { width: 9, height: 7, colours: 5, ..Rules::default() };
    /// let scores: Scores = Player::Greedy.games(rules, 1, 0..100).collect::<Result<_, _>>()?;
    /// println!("{} +- {} points", scores.mean(), scores.standard_error());
    /// assert_eq!(scores.games, 100);
    /// # Ok::<(), match3::PlayError>(())
    /// ```
    pub fn games(
        self,
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
        games.zip(game.zip(own)).map(move |(_, (game, own))| self.play(&rules, game, own))
    }

    /// One game, in the smallest layout that holds it.
    fn play(self, rules: &Rules, game: Rng, own: Rng) -> Result<u64, PlayError> {
        match (rules.width.max(rules.height) <= 8, rules.colours <= largest_colour(3)) {
            (true, true) => self.play_in::<1, 3>(rules, game, own),
            (true, false) => self.play_in::<1, 4>(rules, game, own),
            (false, true) => self.play_in::<4, 3>(rules, game, own),
            (false, false) => self.play_in::<4, 4>(rules, game, own),
        }
    }

    fn play_in<const WORDS: usize, const P: usize>(
        self,
        rules: &Rules,
        game: Rng,
        own: Rng,
    ) -> Result<u64, PlayError> {
        match self {
            Self::Random => play::<WORDS, P>(&mut Random::new(own), rules, game),
            Self::Greedy => play::<WORDS, P>(&mut Greedy, rules, game),
            Self::Rollout(budget) => {
                check_colours::<P>(rules.colours)?;
                play::<WORDS, P>(&mut Rollout::new(budget, rules.colours, own)?, rules, game)
            }
        }
    }
}

/// The points of some games: sums, exact.
///
/// ```
/// let scores: match3::Scores = [1000, 2000, 3000].into_iter().collect();
/// assert_eq!(scores.mean(), 2000.0);
/// assert!((scores.standard_error() - 577.35).abs() < 0.01);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scores {
    /// Games played.
    pub games: u64,
    /// The sum of their points.
    pub sum: u64,
    /// The sum of their squares.
    pub squares: u128,
}

impl Scores {
    /// The mean; 0 of no game.
    pub fn mean(&self) -> f64 {
        if self.games == 0 { 0.0 } else { self.sum as f64 / self.games as f64 }
    }

    /// The standard error of the mean: the standard deviation of the games (with n - 1) over the root of n. 0 of fewer
    /// than two games.
    pub fn standard_error(&self) -> f64 {
        if self.games < 2 {
            return 0.0;
        }
        let games = u128::from(self.games);
        // n^2 times the variance with n: no less than 0, exactly.
        let spread = games * self.squares - u128::from(self.sum) * u128::from(self.sum);
        root(spread as f64 / (self.games as f64 - 1.0)) / self.games as f64
    }
}

/// The square root, which `core` has for integers only: Newton's steps from theirs.
fn root(x: f64) -> f64 {
    let mut root = (x as u128).isqrt() as f64;
    if root > 0.0 {
        for _ in 0..4 {
            root = f64::midpoint(root, x / root);
        }
    }
    root
}

impl AddAssign<u64> for Scores {
    fn add_assign(&mut self, score: u64) {
        self.games += 1;
        self.sum += score;
        self.squares += u128::from(score) * u128::from(score);
    }
}

impl AddAssign for Scores {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

impl FromIterator<u64> for Scores {
    fn from_iter<I: IntoIterator<Item = u64>>(scores: I) -> Self {
        let mut sums = Self::default();
        for score in scores {
            sums += score;
        }
        sums
    }
}
