//! Many games stepped by a caller's actions: [`Batch`], an environment for reinforcement learning.

use crate::colors::RandomColors;
use crate::mask::{ColumnMask, Mask, Swaps};
use crate::planes::{Layout, PlaneBoard, PlaneLayout};
use crate::planes_error::PlanesError;
use crate::rules::{Rules, RulesError};
use crate::swap::Swap;
use alloc::vec::Vec;
use bitcore::batch::{Autoreset, Shape, StepOut, check_legal};
use bitcore::{Level, Rng, ThreadPool};

pub use bitcore::batch::BatchError;

/// Many games of the same [`Rules`], in the smallest [`Layout`] that holds them.
///
/// The slices are row-major, game by game, and owned by the caller ([`bitcore::batch`] lists them). An
/// observation is one byte per cell, the colors row by row from the top. An action is the index of a pair of
/// neighbors ([`Swap::action`]). A game is truncated after [`Rules::moves`] moves, a limit that the
/// observation does not show; no game is terminated. A board without a legal swap is replaced by a new one,
/// which takes no move. The mode of [`Autoreset`] says when the next game begins.
///
/// Game i draws from [stream](Rng::stream) i of the seed alone: it does not depend on the number of games,
/// the level or the mode of restart. Its draws: the boards that are dealt ([`PlaneBoard::deal`]); for each
/// move the refills ([`RandomColors`]), and before them, if the move itself is random, `below(legal swaps)`,
/// which counts them as [`PlaneBoard::random_move`] does.
///
/// ```
/// use bitcore::batch::StepBuffers;
/// use match3::{Batch, Rules};
/// let mut batch = Batch::new(3, 42, Rules::default())?;
/// assert_eq!((batch.cells(), batch.actions()), (64, 112));
/// let mut buffers = StepBuffers::new(batch.shape());
/// batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
/// let first = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap() as u32;
/// let chosen: Vec<u32> = buffers.mask.chunks(112).map(first).collect();
/// batch.step_into(&chosen, buffers.out())?;
/// batch.random_step_into(buffers.out())?;
/// assert!(buffers.reward.iter().all(|&points| points >= 30) && !buffers.truncated[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    level: Level,
    seed: u64,
    rules: Rules,
    autoreset: Autoreset,
    games: AnyGames,
}

/// The games in one of the layouts.
#[derive(Clone, Debug)]
enum AnyGames {
    Size8Colors7(Vec<Game<1, 3>>),
    Size8Colors15(Vec<Game<1, 4>>),
    Size16Colors7(Vec<Game<4, 3>>),
    Size16Colors15(Vec<Game<4, 4>>),
}

/// Evaluates `$work` with the vector of typed games bound to `$games`.
macro_rules! with_games {
    ($any:expr, $games:ident => $work:expr) => {
        match $any {
            AnyGames::Size8Colors7($games) => $work,
            AnyGames::Size8Colors15($games) => $work,
            AnyGames::Size16Colors7($games) => $work,
            AnyGames::Size16Colors15($games) => $work,
        }
    };
}

#[derive(Clone, Debug)]
struct Game<const WORDS: usize, const P: usize> {
    board: PlaneBoard<WORDS, P>,
    colors: RandomColors,
    /// The legal swaps of the board; stale in a finished game, which has none.
    legal: Swaps<ColumnMask<WORDS>>,
    moves_left: u32,
    /// The final board of the game that ended last in this place.
    last: Option<PlaneBoard<WORDS, P>>,
}

impl<const WORDS: usize, const P: usize> Game<WORDS, P>
where
    PlaneBoard<WORDS, P>: PlaneLayout<WORDS, P>,
{
    fn new(level: Level, rules: &Rules, rng: Rng) -> Result<Self, PlanesError> {
        let mut colors = RandomColors::new(rules.colors, rng)?;
        let board = PlaneBoard::deal_on(level, rules.width, rules.height, &mut colors)?;
        Ok(Self { board, legal: board.swaps_on(level), colors, moves_left: rules.moves, last: None })
    }

    /// Starts `n` games.
    fn all(level: Level, n: usize, seed: u64, rules: &Rules) -> Result<Vec<Self>, RulesError> {
        let mut starts = Rng::streams(seed).map(|rng| Self::new(level, rules, rng));
        // The first game checks the rules, even if none is wanted.
        let first = starts.next().transpose()?;
        let mut games = shape(n, rules).reserve_games(1)?;
        for game in first.into_iter().map(Ok).chain(starts).take(n) {
            games.push(game?);
        }
        Ok(games)
    }

    /// Replaces the board by a new one of the same stream. If none is found in ten thousand draws, which is
    /// next to impossible where one was found before, the board stays.
    fn deal(&mut self, level: Level) {
        let (width, height) = (self.board.width(), self.board.height());
        if let Ok(board) = PlaneBoard::deal_on(level, width, height, &mut self.colors) {
            self.board = board;
        }
        self.legal = self.board.swaps_on(level);
    }

    /// Starts the first game of a stream.
    fn restart(&mut self, level: Level, rng: Rng, moves: u32) {
        self.colors.restart(rng);
        self.deal(level);
        (self.moves_left, self.last) = (moves, None);
    }

    const fn is_finished(&self) -> bool {
        self.moves_left == 0
    }

    /// Starts the next game of the stream. Keeps the final board if the present game is finished.
    fn start_next(&mut self, level: Level, moves: u32) {
        if self.is_finished() {
            self.last = Some(self.board);
        }
        self.moves_left = moves;
        self.deal(level);
    }

    /// Returns the swap of an action if it is legal.
    fn legal_swap(&self, action: u32) -> Option<Swap> {
        let swap = Swap::from_action(action as usize, self.board.width(), self.board.height())?;
        self.legal.contains(swap).then_some(swap)
    }

    /// Plays a legal action, or without one a random swap. Returns the points, and whether the game was cut
    /// off.
    fn step(&mut self, level: Level, autoreset: Autoreset, moves: u32, action: Option<u32>) -> (i64, bool) {
        if self.is_finished() {
            self.start_next(level, moves);
            return (0, false);
        }
        let swap = match action {
            Some(action) => self.legal_swap(action),
            None => self.board.random_swap(&self.legal, self.colors.rng()),
        };
        let Some(swap) = swap else { return (0, false) };
        self.board.exchange(swap);
        let score = self.board.cascade_entry(level, &mut self.colors).score;
        self.moves_left -= 1;
        let is_finished = self.is_finished();
        if !is_finished {
            self.legal = self.board.swaps_on(level);
            if self.legal.is_empty() {
                self.deal(level);
            }
        } else if autoreset == Autoreset::SameStep {
            self.start_next(level, moves);
        }
        (i64::try_from(score).unwrap_or(i64::MAX), is_finished)
    }

    fn write(&self, obs: &mut [u8], mask: &mut [bool]) {
        self.board.write_colors(obs);
        if self.is_finished() {
            mask.fill(false);
            return;
        }
        let (width, height) = (self.board.width(), self.board.height());
        let (right, down) = mask.split_at_mut((width - 1) * height);
        // A board one cell wide has no row of horizontal pairs.
        for (y, mask) in right.chunks_exact_mut((width - 1).max(1)).enumerate() {
            write_bits(self.legal.right.row(y), mask);
        }
        for (y, mask) in down.chunks_exact_mut(width).enumerate() {
            write_bits(self.legal.down.row(y), mask);
        }
    }
}

/// Returns the shape of the slices. The sides of the rules are known to be small.
fn shape(games: usize, rules: &Rules) -> Shape {
    let (width, height) = (rules.width, rules.height);
    Shape { games, cells: width * height, actions: Swap::actions(width, height) }
}

fn write_bits(row: u64, mask: &mut [bool]) {
    for (x, mask) in mask.iter_mut().enumerate() {
        *mask = row >> x & 1 == 1;
    }
}

impl Batch {
    /// Starts `n` games of a seed.
    ///
    /// # Errors
    ///
    /// [`RulesError::NoMoves`]; [`RulesError::Board`] as for [`PlaneBoard::deal`], with the size and colors
    /// of the rules, even if `n` is 0; [`RulesError::Games`].
    pub fn new(n: usize, seed: u64, rules: Rules) -> Result<Self, RulesError> {
        Self::new_on(Level::detect(), n, seed, rules)
    }

    /// Starts `n` games as [`new`](Self::new) does; all calls then run on `level`.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn new_on(level: Level, n: usize, seed: u64, rules: Rules) -> Result<Self, RulesError> {
        if rules.moves == 0 {
            return Err(RulesError::NoMoves);
        }
        let games = match Layout::smallest(rules.width, rules.height, rules.colors) {
            Layout::Size8Colors7 => AnyGames::Size8Colors7(Game::all(level, n, seed, &rules)?),
            Layout::Size8Colors15 => AnyGames::Size8Colors15(Game::all(level, n, seed, &rules)?),
            Layout::Size16Colors7 => AnyGames::Size16Colors7(Game::all(level, n, seed, &rules)?),
            Layout::Size16Colors15 => AnyGames::Size16Colors15(Game::all(level, n, seed, &rules)?),
        };
        Ok(Self { level, seed, rules, autoreset: Autoreset::default(), games })
    }

    /// Returns the batch with another mode of restart.
    #[must_use]
    pub fn with_autoreset(mut self, autoreset: Autoreset) -> Self {
        self.autoreset = autoreset;
        self
    }

    /// Returns the bytes of an observation.
    pub fn cells(&self) -> usize {
        self.shape().cells
    }

    /// Returns the actions of a game, legal or not.
    pub fn actions(&self) -> usize {
        self.shape().actions
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        with_games!(&self.games, games => games.len())
    }

    /// Returns whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the numbers of elements that the slices have.
    pub fn shape(&self) -> Shape {
        shape(self.len(), &self.rules)
    }

    /// Starts every game from the beginning of its stream and writes the first observations and masks.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`].
    pub fn reset_into(&mut self, obs: &mut [u8], mask: &mut [bool]) -> Result<(), BatchError> {
        self.reset(&ThreadPool::single(), obs, mask)
    }

    /// Does the same as [`reset_into`](Self::reset_into) on the threads of a pool.
    ///
    /// # Errors
    ///
    /// As for [`reset_into`](Self::reset_into).
    #[cfg(feature = "parallel")]
    pub fn reset_into_parallel(
        &mut self,
        pool: &ThreadPool,
        obs: &mut [u8],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.reset(pool, obs, mask)
    }

    fn reset(&mut self, pool: &ThreadPool, obs: &mut [u8], mask: &mut [bool]) -> Result<(), BatchError> {
        let shape = self.shape();
        shape.check_reset(obs, mask)?;
        let (level, moves) = (self.level, self.rules.moves);
        let rows = shape.rows(1, obs, mask);
        with_games!(&mut self.games, games => {
            let games = games.iter_mut().zip(Rng::streams(self.seed)).zip(rows);
            pool.for_each(games, |((game, rng), (obs, mask))| {
                game.restart(level, rng, moves);
                game.write(obs, mask);
            });
        });
        Ok(())
    }

    /// Starts the next game of its stream in each place whose flag is set, and writes the observations and
    /// masks of all games.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`].
    pub fn reset_some_into(
        &mut self,
        which: &[bool],
        obs: &mut [u8],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.shape().check_which(which)?;
        self.shape().check_reset(obs, mask)?;
        let (level, moves) = (self.level, self.rules.moves);
        with_games!(&mut self.games, games => {
            for (game, _) in games.iter_mut().zip(which).filter(|&(_, &flag)| flag) {
                game.start_next(level, moves);
            }
        });
        self.write(obs, mask);
        Ok(())
    }

    fn write(&self, obs: &mut [u8], mask: &mut [bool]) {
        let rows = self.shape().rows(1, obs, mask);
        with_games!(&self.games, games => {
            for (game, (obs, mask)) in games.iter().zip(rows) {
                game.write(obs, mask);
            }
        });
    }

    /// Plays one action in each game. `reward` gets the points of the move; `truncated` becomes `true` where
    /// it was the last move of the game.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`]; [`BatchError::Finished`] of the first game that waits for a reset;
    /// [`BatchError::Illegal`] of the first action that isn't legal. Nothing has changed then.
    pub fn step_into(&mut self, actions: &[u32], out: StepOut<'_>) -> Result<(), BatchError> {
        self.step(&ThreadPool::single(), actions, out)
    }

    /// Does the same as [`step_into`](Self::step_into) on the threads of a pool.
    ///
    /// # Errors
    ///
    /// As for [`step_into`](Self::step_into).
    ///
    /// ```
    /// use bitcore::ThreadPool;
    /// use bitcore::batch::StepBuffers;
    /// use match3::{Batch, Rules};
    /// let pool = ThreadPool::new(2.try_into()?);
    /// let mut one = Batch::new(100, 1, Rules::default())?;
    /// let mut two = one.clone();
    /// let (mut expected, mut found) = (StepBuffers::new(one.shape()), StepBuffers::new(two.shape()));
    /// one.random_step_into(expected.out())?;
    /// two.random_step_into_parallel(&pool, found.out())?;
    /// let legal = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap_or(0) as u32;
    /// let actions: Vec<u32> = found.mask.chunks(112).map(legal).collect();
    /// one.step_into(&actions, expected.out())?;
    /// two.step_into_parallel(&pool, &actions, found.out())?;
    /// assert_eq!(found, expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "parallel")]
    pub fn step_into_parallel(
        &mut self,
        pool: &ThreadPool,
        actions: &[u32],
        out: StepOut<'_>,
    ) -> Result<(), BatchError> {
        self.step(pool, actions, out)
    }

    fn step(&mut self, pool: &ThreadPool, actions: &[u32], out: StepOut<'_>) -> Result<(), BatchError> {
        self.shape().check_actions(actions)?;
        self.shape().check_step(&out)?;
        self.check_finished()?;
        with_games!(&self.games, games => check_legal(actions, |game, action| {
            games[game].is_finished() || games[game].legal_swap(action).is_some()
        }))?;
        self.step_all(pool, Some(actions), out);
        Ok(())
    }

    /// Plays one random legal swap in each game, all equally likely. Slices and results are those of
    /// [`step_into`](Self::step_into); both may be called in any order.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`]; [`BatchError::Finished`] of the first game that waits for a reset.
    pub fn random_step_into(&mut self, out: StepOut<'_>) -> Result<(), BatchError> {
        self.random_step(&ThreadPool::single(), out)
    }

    /// Does the same as [`random_step_into`](Self::random_step_into) on the threads of a pool.
    ///
    /// # Errors
    ///
    /// As for [`random_step_into`](Self::random_step_into).
    #[cfg(feature = "parallel")]
    pub fn random_step_into_parallel(
        &mut self,
        pool: &ThreadPool,
        out: StepOut<'_>,
    ) -> Result<(), BatchError> {
        self.random_step(pool, out)
    }

    fn random_step(&mut self, pool: &ThreadPool, out: StepOut<'_>) -> Result<(), BatchError> {
        self.shape().check_step(&out)?;
        self.check_finished()?;
        self.step_all(pool, None, out);
        Ok(())
    }

    /// Refuses a step while a finished game waits for its reset.
    fn check_finished(&self) -> Result<(), BatchError> {
        if self.autoreset != Autoreset::Disabled {
            return Ok(());
        }
        let finished = with_games!(&self.games, games => games.iter().position(Game::is_finished));
        finished.map_or(Ok(()), |game| Err(BatchError::Finished { game }))
    }

    /// Plays one legal action in each game, or without actions a random one.
    fn step_all(&mut self, pool: &ThreadPool, actions: Option<&[u32]>, out: StepOut<'_>) {
        let (level, autoreset, moves, shape) = (self.level, self.autoreset, self.rules.moves, self.shape());
        let share = pool.share(shape.games, 1);
        with_games!(&mut self.games, games => {
            let shares = games.chunks_mut(share).zip(out.split(shape, share)).enumerate();
            pool.for_each(shares, |(i, (games, out))| {
                let (first, shape) = (share * i, Shape { games: games.len(), ..shape });
                for (i, (game, out)) in games.iter_mut().zip(out.split(shape, 1)).enumerate() {
                    let action = actions.map(|actions| actions[first + i]);
                    (out.reward[0], out.truncated[0]) = game.step(level, autoreset, moves, action);
                    out.terminated[0] = false;
                    game.write(out.obs, out.mask);
                }
            });
        });
    }

    /// Writes the final observation of the game that ended last in this place into `obs`, one byte per cell.
    /// Returns `false`, and leaves `obs` untouched, if none has ended there since the reset.
    ///
    /// In the modes [`NextStep`](Autoreset::NextStep) and [`Disabled`](Autoreset::Disabled) a game counts as
    /// ended here once the next one has begun; until then its final observation is the one that the step
    /// wrote.
    ///
    /// # Panics
    ///
    /// If there is no such game or `obs` hasn't one byte per cell.
    pub fn final_obs_into(&self, game: usize, obs: &mut [u8]) -> bool {
        assert_eq!(obs.len(), self.cells(), "one byte per cell");
        with_games!(&self.games, games => {
            let last = &games[game].last;
            if let Some(board) = last {
                board.write_colors(obs);
            }
            last.is_some()
        })
    }
}
