//! Many games stepped by a caller's actions: [`Batch`], an environment for reinforcement learning.

use crate::board::Size;
use crate::games::{DirectionMasks, Games32};
use crate::lanes::Boards32;
use crate::slide::Direction;
use alloc::vec::Vec;
use bitcore::batch::{Autoreset, BatchError, Shape, StepOut, TooManyGames, check_legal};
use bitcore::{Level, Rng, SetBits, ThreadPool};

/// Many games of the same [`Size`], stepped at once, 32 per group of vector lanes.
///
/// The slices are row-major, game by game, and owned by the caller ([`bitcore::batch`] lists them). An
/// observation is one byte per cell, the ranks in row-major order. An action is the index of a direction in
/// [`Direction::ALL`]. A game without a legal move is terminated; no game is truncated. The mode of
/// [`Autoreset`] determines when the next game begins.
///
/// Game i draws from [stream](Rng::stream) i of the seed alone, so it doesn't depend on the number of games,
/// the level or the mode of restart. Its draws: the two spawns of each start
/// ([`spawn`](crate::Board::spawn)); for each move the spawn, and before it, if the move is random,
/// `below(legal moves)`, which counts them in the order of [`Direction::ALL`].
///
/// ```
/// use bitcore::batch::StepBuffers;
/// use g2048::{Batch, Size};
/// let mut batch = Batch::new(3, 42, Size::CLASSIC)?;
/// assert_eq!((batch.cells(), batch.actions()), (16, 4));
/// let mut buffers = StepBuffers::new(batch.shape());
/// batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
/// let first = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap() as u32;
/// let chosen: Vec<u32> = buffers.mask.chunks(4).map(first).collect();
/// batch.step_into(&chosen, buffers.out())?;
/// batch.random_step_into(buffers.out())?;
/// assert!(buffers.obs.iter().filter(|&&rank| rank > 0).count() <= 4 * 3 && !buffers.terminated[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    level: Level,
    seed: u64,
    size: Size,
    n: usize,
    autoreset: Autoreset,
    groups: Vec<Group>,
}

/// 32 games; the last group of a batch may have fewer.
#[derive(Clone, Debug)]
struct Group {
    games: Games32,
    /// The final board of the game that ended last in each lane.
    last: Boards32,
    /// The mask of the lanes in which a game has ended.
    ended: u32,
    /// The mask of the lanes whose finished game waits for its restart.
    finished: u32,
}

impl Group {
    /// Plays one action in each game: those of `actions`, or random legal ones without.
    fn step(&mut self, level: Level, autoreset: Autoreset, actions: Option<&[u32]>, out: StepOut<'_>) {
        let StepOut { obs, reward, terminated, truncated, mask } = out;
        // As in `SameStep`, a waiting slot starts its game from the state of the stream before this step.
        let waiting = self.finished;
        let streams = if waiting == 0 { Vec::new() } else { self.streams_of(waiting) };
        let chosen = match actions {
            Some(actions) => chosen(actions, waiting),
            None => self.games.draw_moves(level),
        };
        let mut gains = [0; 32];
        self.games.play(level, &chosen, Some(&mut gains));
        for (lane, stream) in streams {
            self.keep_final(lane);
            gains[lane] = 0;
            if let Some(rng) = stream {
                self.games.start(lane, rng);
            }
        }
        self.finished = 0;
        for (reward, &gain) in reward.iter_mut().zip(&gains) {
            *reward = gain as i64;
        }
        let over = self.games.update_legal(level);
        for (lane, terminated) in terminated.iter_mut().enumerate() {
            *terminated = over >> lane & 1 == 1;
        }
        truncated.fill(false);
        if over != 0 {
            self.finished = over;
            if autoreset == Autoreset::SameStep {
                self.restart(level, over);
            }
        }
        self.games.write_rows(level, obs, mask);
    }

    /// Returns the stream of each lane of a mask.
    #[cold]
    fn streams_of(&self, which: u32) -> Vec<(usize, Option<Rng>)> {
        lanes(which).map(|lane| (lane, self.games.stream(lane))).collect()
    }

    /// Starts the next game in each lane of the mask `which`.
    fn restart(&mut self, level: Level, which: u32) {
        for lane in lanes(which) {
            self.keep_final(lane);
            self.games.restart(lane);
        }
        self.finished &= !which;
        // A board of two tiles always has a legal move.
        self.games.update_legal(level);
    }

    /// Stores the final board of a lane if its game is finished.
    fn keep_final(&mut self, lane: usize) {
        if self.finished >> lane & 1 == 1 {
            self.last.set(lane, &self.games.boards().board(lane));
            self.ended |= 1 << lane;
        }
    }
}

/// Returns the indices of the lanes of a mask.
fn lanes(set: u32) -> impl Iterator<Item = usize> {
    SetBits(set.into()).map(|lane| lane as usize)
}

impl Batch {
    /// Starts `n` games of a seed.
    ///
    /// # Errors
    ///
    /// [`TooManyGames`] if there is no memory for them.
    pub fn new(n: usize, seed: u64, size: Size) -> Result<Self, TooManyGames> {
        Self::new_on(Level::detect(), n, seed, size)
    }

    /// Starts `n` games of a seed; all calls then run on `level`.
    ///
    /// # Errors
    ///
    /// [`TooManyGames`] if there is no memory for them.
    pub fn new_on(level: Level, n: usize, seed: u64, size: Size) -> Result<Self, TooManyGames> {
        let group = Group { games: Games32::new(size), last: Boards32::empty(size), ended: 0, finished: 0 };
        let mut batch = Self { level, seed, size, n, autoreset: Autoreset::default(), groups: Vec::new() };
        batch.groups = batch.shape().reserve_games(32)?;
        batch.groups.resize(n.div_ceil(32), group);
        batch.restart(&ThreadPool::single());
        Ok(batch)
    }

    /// Returns the batch with another mode of restart.
    #[must_use]
    pub fn with_autoreset(mut self, autoreset: Autoreset) -> Self {
        self.autoreset = autoreset;
        self
    }

    /// Starts every game from the beginning of its stream.
    fn restart(&mut self, pool: &ThreadPool) {
        let (n, level) = (self.n, self.level);
        let mut streams = Rng::streams(self.seed);
        // The streams are found one after the other.
        let groups = self.groups.iter_mut().enumerate().map(|(g, group)| {
            let mut starts: [Option<Rng>; 32] = [const { None }; 32];
            for (start, rng) in starts[..(n - 32 * g).min(32)].iter_mut().zip(&mut streams) {
                *start = Some(rng);
            }
            (group, starts)
        });
        pool.for_each(groups, |(group, starts)| {
            for (lane, rng) in starts.into_iter().enumerate() {
                if let Some(rng) = rng {
                    group.games.start(lane, rng);
                }
            }
            (group.ended, group.finished) = (0, 0);
            group.games.update_legal(level);
        });
    }

    /// Returns the number of bytes of an observation, one per cell.
    pub fn cells(&self) -> usize {
        self.size.cells()
    }

    /// Returns the number of actions of a game, legal or not: 4.
    pub fn actions(&self) -> usize {
        Direction::ALL.len()
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Returns `true` if the batch has no games.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Returns the shape of the slices.
    pub fn shape(&self) -> Shape {
        Shape { games: self.len(), cells: self.cells(), actions: self.actions() }
    }

    /// Starts every game from the beginning of its stream and writes the first observations and masks.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if a slice has the wrong length.
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
        self.shape().check_reset(obs, mask)?;
        self.restart(pool);
        self.write(obs, mask);
        Ok(())
    }

    /// Starts the next game of its stream in each slot whose flag is set, and writes the observations and
    /// masks of all games.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if a slice has the wrong length.
    pub fn reset_some_into(
        &mut self,
        which: &[bool],
        obs: &mut [u8],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.shape().check_which(which)?;
        self.shape().check_reset(obs, mask)?;
        for (group, which) in self.groups.iter_mut().zip(which.chunks(32)) {
            let set = which.iter().rev().fold(0, |set, &flag| set << 1 | u32::from(flag));
            if set != 0 {
                group.restart(self.level, set);
            }
        }
        self.write(obs, mask);
        Ok(())
    }

    fn write(&self, obs: &mut [u8], mask: &mut [bool]) {
        for (group, (obs, mask)) in self.groups.iter().zip(self.shape().rows(32, obs, mask)) {
            group.games.write_rows(self.level, obs, mask);
        }
    }

    /// Plays one action in each game. Writes to `reward` the gain of the move, the sum of its merged tiles,
    /// and to `terminated` whether no legal move is left.
    ///
    /// A reward has 64 bits because a gain is limited only by the sum of the tiles, which grows by up to 4
    /// per move: a game on a large board may last until the gain of one move exceeds 32 bits.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if a slice has the wrong length; [`BatchError::Finished`] with the first game
    /// that waits for a reset; [`BatchError::Illegal`] with the first action that isn't legal. An error
    /// changes nothing.
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
    /// use g2048::{Batch, Size};
    /// let pool = ThreadPool::new(2.try_into()?);
    /// let (mut one, mut two) = (Batch::new(100, 1, Size::CLASSIC)?, Batch::new(100, 1, Size::CLASSIC)?);
    /// let (mut expected, mut found) = (StepBuffers::new(one.shape()), StepBuffers::new(two.shape()));
    /// one.random_step_into(expected.out())?;
    /// two.random_step_into_parallel(&pool, found.out())?;
    /// let legal = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap_or(0) as u32;
    /// let actions: Vec<u32> = found.mask.chunks(4).map(legal).collect();
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
        check_legal(actions, |game, action| {
            let group = &self.groups[game / 32];
            let legal = group.games.legal().get(action as usize);
            group.finished >> (game % 32) & 1 == 1 || legal.is_some_and(|lanes| lanes[game % 32] != 0)
        })?;
        self.step_all(pool, Some(actions), out);
        Ok(())
    }

    /// Plays one random move in each game, all its legal moves equally likely. Slices and results are those
    /// of [`step_into`](Self::step_into); calls of both may alternate.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if a slice has the wrong length; [`BatchError::Finished`] with the first game
    /// that waits for a reset.
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
        for (g, group) in self.groups.iter().enumerate() {
            if group.finished != 0 {
                return Err(BatchError::Finished { game: 32 * g + group.finished.trailing_zeros() as usize });
            }
        }
        Ok(())
    }

    /// Plays one action in each game: those of `actions`, or random legal ones without.
    fn step_all(&mut self, pool: &ThreadPool, actions: Option<&[u32]>, out: StepOut<'_>) {
        let (level, autoreset, n, shape) = (self.level, self.autoreset, self.n, self.shape());
        let share = pool.share(n, 32);
        let shares = self.groups.chunks_mut(share / 32).zip(out.split(shape, share)).enumerate();
        pool.for_each(shares, |(i, (groups, out))| {
            let first = share * i;
            let shape = Shape { games: out.reward.len(), ..shape };
            for (g, (group, out)) in groups.iter_mut().zip(out.split(shape, 32)).enumerate() {
                let first = first + 32 * g;
                let actions = actions.map(|actions| &actions[first..n.min(first + 32)]);
                group.step(level, autoreset, actions, out);
            }
        });
    }

    /// Writes the final observation of the last game that ended in a slot into `obs`, one byte per cell.
    /// Returns `false`, and leaves `obs` unchanged, if none has ended there since the reset.
    ///
    /// In the modes [`NextStep`](Autoreset::NextStep) and [`Disabled`](Autoreset::Disabled) a game counts as
    /// ended once the next one has begun; until then its final observation is the one that the step wrote.
    ///
    /// # Panics
    ///
    /// Panics if `game` isn't below the number of games, or `obs` doesn't have one byte per cell.
    pub fn final_obs_into(&self, game: usize, obs: &mut [u8]) -> bool {
        assert_eq!(obs.len(), self.cells(), "one byte per cell");
        assert!(game < self.n, "game {game} of {}", self.n);
        let (group, lane) = (&self.groups[game / 32], game % 32);
        let ended = group.ended >> lane & 1 == 1;
        if ended {
            obs.copy_from_slice(group.last.board(lane).ranks());
        }
        ended
    }
}

/// Returns the lane masks of up to 32 legal actions; those of waiting games are ignored.
fn chosen(actions: &[u32], waiting: u32) -> DirectionMasks {
    let mut chosen = [[0; 32]; 4];
    for (lane, &action) in actions.iter().enumerate() {
        let plays = waiting >> lane & 1 == 0;
        chosen[action as usize % 4][lane] = if plays { 0xff } else { 0 };
    }
    chosen
}
