//! [`LevelGame`]: one game of a level.

use super::Level;
use super::board::LevelBoard;
use super::cascade::Cascade;
use super::event::LevelEvent;
use super::falls::{Spawners, Supply};
use super::goals::Outcome;
use super::spec::Limit;
use crate::bitboard::colors::{PieceSource, RandomColors};
use crate::cascade_result::CascadeResult;
use crate::cells::journal::Journal;
use crate::error::Error;
use crate::swap::{Swap, SwapError};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::{RandomSource, Rng};

/// The totals of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelMove {
    /// Pieces cleared, points without the bonus, and cascade levels.
    pub cascade: CascadeResult,
    /// Whether the level's bound ended the cascade, with matches on the board.
    pub is_limited: bool,
    /// Whether no swap was legal and the board was shuffled.
    pub is_shuffled: bool,
    /// The points for moves or seconds left.
    pub bonus: u64,
    /// How the game ended, if it did.
    pub outcome: Option<Outcome>,
}

/// One game of a [`Level`]. A clone is a state to come back to.
///
/// The caller owns the randomness, as for a [`Game`](crate::Game): the same level, swaps and
/// [`RandomColors`] give the same game.
///
/// ```
/// use match3::level::{Goal, Level, LevelEvent, LevelGame, LevelSpec, Outcome, Target};
/// use match3::{RandomColors, Rng};
/// let mut spec = LevelSpec::new(8, 8);
/// spec.goals = vec![Goal { target: Target::Score, count: 500 }];
/// let level = Level::new(spec)?;
/// let mut colors = RandomColors::new(level.colors(), Rng::new(7))?;
/// let mut game = LevelGame::new(level, &mut colors)?;
/// while !game.is_over() {
///     let swap = game.legal_moves()[0];
///     let mut events: Vec<LevelEvent> = Vec::new();
///     game.play(swap, &mut colors, &mut events)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Won));
/// assert_eq!(game.left(), [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LevelGame {
    pub(super) level: Arc<Level>,
    pub(super) board: LevelBoard,
    pub(super) score: u64,
    pub(super) left: Vec<u32>,
    /// Moves or seconds left.
    pub(super) limit_left: u32,
    pub(super) moves: u32,
    pub(super) supply: Supply,
    pub(super) outcome: Option<Outcome>,
    /// The legal swaps; none if the game is over.
    legal: Vec<Swap>,
}

impl LevelGame {
    /// Deals a board and starts a game.
    ///
    /// # Errors
    ///
    /// [`Error::Colors`] if `pieces` are [`RandomColors`] with another number of colors than the
    /// level.
    pub fn new(
        level: impl Into<Arc<Level>>,
        pieces: &mut (impl PieceSource + ?Sized),
    ) -> Result<Self, Error> {
        let level = level.into();
        pieces.with_colors(level.colors(), |colors| {
            check_colors(&level, colors)?;
            // The second deal is the one of the level's check, which found a board.
            let board = level.deal(colors.rng()).or_else(|_| level.deal(&mut Rng::new(0)))?;
            Ok(Self::begin(level, board))
        })
    }

    /// Starts a game on a board that nothing has come to.
    pub(super) fn begin(level: Arc<Level>, board: LevelBoard) -> Self {
        let on_board = level.spec().items_at_start();
        let items = level.spec().items;
        Self::with(level, board, Supply { items, brought: on_board, on_board })
    }

    /// Starts a game on a board.
    pub(super) fn with(level: Arc<Level>, board: LevelBoard, supply: Supply) -> Self {
        let left = level.spec().goals.iter().map(|goal| goal.count).collect();
        let (Limit::Moves(limit_left) | Limit::Time(limit_left)) = level.spec().limit;
        let legal = board.swaps(level.spec().effects);
        Self { level, board, score: 0, left, limit_left, moves: 0, supply, outcome: None, legal }
    }

    pub(super) fn over(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.legal.clear();
    }

    /// Returns the level.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// Returns the board.
    pub fn board(&self) -> &LevelBoard {
        &self.board
    }

    /// Returns the points so far, with the bonus.
    pub const fn score(&self) -> u64 {
        self.score
    }

    /// Returns how much each goal lacks, in the order of the level; 0 for a goal that is reached.
    pub fn left(&self) -> &[u32] {
        &self.left
    }

    /// Returns the number of moves or seconds left, whichever the level has.
    pub const fn limit_left(&self) -> u32 {
        self.limit_left
    }

    /// Returns the number of moves played.
    pub const fn moves(&self) -> u32 {
        self.moves
    }

    /// Returns how the game ended, or `None` while it goes on.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Returns whether the game is over.
    pub const fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// Returns the legal swaps by row, then column, horizontal before vertical; empty if the game
    /// is over.
    pub fn legal_moves(&self) -> &[Swap] {
        &self.legal
    }

    /// Counts seconds, in a level with a limit of time. The game is over when none is left.
    ///
    /// ```
    /// use match3::level::{Level, LevelGame, LevelSpec, Limit, Outcome};
    /// use match3::{RandomColors, Rng};
    /// let mut spec = LevelSpec::new(8, 8);
    /// spec.limit = Limit::Time(60);
    /// let mut game = LevelGame::new(Level::new(spec)?, &mut Rng::new(1))?;
    /// game.spend(59);
    /// assert_eq!((game.limit_left(), game.outcome()), (1, None));
    /// game.spend(2);
    /// assert_eq!(game.outcome(), Some(Outcome::OutOfTime));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spend(&mut self, seconds: u32) {
        if self.outcome.is_none() && matches!(self.level.spec().limit, Limit::Time(_)) {
            self.limit_left = self.limit_left.saturating_sub(seconds);
            if self.limit_left == 0 {
                self.over(Outcome::OutOfTime);
            }
        }
    }

    /// Plays a swap and its cascade. The journal receives every event of the move.
    ///
    /// # Errors
    ///
    /// The reason the swap is illegal, or [`SwapError::GameOver`]. The game is then unchanged,
    /// nothing is drawn, and no event is recorded.
    ///
    /// # Panics
    ///
    /// If `pieces` are [`RandomColors`] with another number of colors than the level.
    pub fn play<J: Journal<LevelEvent>>(
        &mut self,
        swap: Swap,
        pieces: &mut (impl PieceSource + ?Sized),
        journal: &mut J,
    ) -> Result<LevelMove, SwapError> {
        self.check(swap)?;
        let level = self.level.clone();
        Ok(pieces.with_colors(level.colors(), |colors| {
            assert!(check_colors(&level, colors).is_ok(), "the colors of another level");
            self.play_legal(swap, colors, journal)
        }))
    }

    fn check(&self, swap: Swap) -> Result<(), SwapError> {
        if self.is_over() {
            Err(SwapError::GameOver)
        } else if self.legal.binary_search(&swap).is_ok() {
            Ok(())
        } else {
            Err(self.board.why_illegal(swap))
        }
    }

    fn play_legal<J: Journal<LevelEvent>>(
        &mut self,
        swap: Swap,
        colors: &mut RandomColors,
        journal: &mut J,
    ) -> LevelMove {
        let level = self.level.clone();
        let mut counts = vec![0; level.layout.sources.len()];
        let mut spawners = Spawners { supply: &mut self.supply, colors, counts: &mut counts };
        let (cascade, is_limited) =
            play(&level, &mut self.board, &mut self.left, Some(&mut spawners), swap, journal);
        self.score = self.score.saturating_add(cascade.score);
        self.moves += 1;
        if let Limit::Moves(_) = level.spec().limit {
            self.limit_left -= 1;
        }
        let mut result = LevelMove { cascade, is_limited, ..LevelMove::default() };
        self.legal.clear();
        if !self.left.is_empty() && self.left.iter().all(|&left| left == 0) {
            let left = self.limit_left;
            result.bonus = u64::from(left) * u64::from(level.spec().bonus);
            self.score = self.score.saturating_add(result.bonus);
            if J::RECORDS && result.bonus > 0 {
                journal.record(LevelEvent::Bonus { left, points: result.bonus });
            }
            self.outcome = Some(Outcome::Won);
        } else if self.limit_left == 0 {
            self.outcome = Some(Outcome::OutOfMoves);
        } else {
            self.legal = self.board.swaps(level.spec().effects);
            if self.legal.is_empty() {
                if self.board.shuffle(&level, colors.rng()) {
                    if J::RECORDS {
                        journal.record(LevelEvent::Shuffle { pieces: self.board.pieces() });
                    }
                    self.legal = self.board.swaps(level.spec().effects);
                    result.is_shuffled = true;
                } else {
                    self.outcome = Some(Outcome::Dead);
                }
            }
        }
        result.outcome = self.outcome;
        if let (true, Some(outcome)) = (J::RECORDS, self.outcome) {
            journal.record(LevelEvent::Over(outcome));
        }
        result
    }

    /// Plays a legal swap on a copy of the board, without new pieces: what is certain before they
    /// are drawn. Returns the totals and what each goal lacks.
    ///
    /// # Errors
    ///
    /// As for [`play`](Self::play).
    pub fn foresee(&self, swap: Swap) -> Result<(CascadeResult, Vec<u32>), SwapError> {
        self.check(swap)?;
        let mut board = self.board.clone();
        let mut left = self.left.clone();
        let (result, _) = play(&self.level, &mut board, &mut left, None, swap, &mut ());
        Ok((result, left))
    }
}

fn play<J: Journal<LevelEvent>>(
    level: &Level,
    board: &mut LevelBoard,
    left: &mut [u32],
    spawners: Option<&mut Spawners<'_>>,
    swap: Swap,
    journal: &mut J,
) -> (CascadeResult, bool) {
    let cells = swap.cells();
    if J::RECORDS {
        journal.record(LevelEvent::Swap(swap));
    }
    board.exchange(board.index(cells[0]), board.index(cells[1]));
    Cascade { level, board, left, spawners, journal }.play(cells)
}

fn check_colors(level: &Level, colors: &RandomColors) -> Result<(), Error> {
    let found = colors.count();
    let expected = level.colors();
    if found == expected {
        Ok(())
    } else {
        Err(Error::Colors { found, least: expected, largest: expected })
    }
}

impl PartialEq for LevelGame {
    fn eq(&self, other: &Self) -> bool {
        self.level == other.level
            && self.board == other.board
            && (self.score, &self.left, self.limit_left, self.moves)
                == (other.score, &other.left, other.limit_left, other.moves)
            && (&self.supply, self.outcome) == (&other.supply, other.outcome)
    }
}

impl Eq for LevelGame {}

impl bitcade_core::Game for LevelGame {
    type Rules = Arc<Level>;
    type Move = Swap;
    type Outcome = LevelMove;
    type Error = Error;
    type IllegalMove = SwapError;

    fn new(rules: Arc<Level>, rng: &mut (impl RandomSource + ?Sized)) -> Result<Self, Error> {
        Self::new(rules, rng)
    }

    fn rules(&self) -> Arc<Level> {
        self.level.clone()
    }

    fn legal_moves(&self) -> Vec<Swap> {
        self.legal.clone()
    }

    fn play(
        &mut self,
        swap: Swap,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Result<LevelMove, SwapError> {
        self.play(swap, rng, &mut ())
    }

    fn is_over(&self) -> bool {
        self.is_over()
    }
}
