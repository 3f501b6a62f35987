//! [`Batch`]: many games that a caller plays, as learning programs want them.

use crate::agent::Rules;
use crate::colors::RandomColors;
use crate::mask::{ColumnMask, Mask, Swaps};
use crate::planes::{Layout, PlaneBoard};
use crate::planes_error::PlanesError;
use crate::swap::Swap;
use alloc::vec::Vec;
use bitcore::batch::{BatchError, Shape, check_legal};
use bitcore::{Level, Rng};

/// Many games of the same [`Rules`] that restart by themselves, in the layout of [`PlaneBoard`]: `Batch<1, 3>` for up to
/// 8 x 8 and 7 colors, `Batch<4, 4>` for up to 16 x 16 and 15.
///
/// Game i draws from [stream](Rng::stream) i of the seed alone: it is the same however many are played beside it.
/// Per game, in row-major slices that the caller owns: an observation of a byte a cell, the colors row by row from the
/// top; an action, the index of a pair of neighbors ([`Swap::action`]); a mask of a flag an action, whether it is legal.
/// A board without a legal swap never stays: a new one is dealt, which takes no move.
///
/// ```
/// use match3::{Batch, Rules};
/// let mut batch: Batch = Batch::new(3, 42, Rules::default())?;
/// let (cells, actions) = (batch.cells(), batch.actions());
/// assert_eq!((cells, actions), (64, 112));
/// let (mut obs, mut mask) = (vec![0; 3 * cells], vec![false; 3 * actions]);
/// batch.reset_into(&mut obs, &mut mask)?;
/// let first = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap() as u32;
/// let chosen: Vec<u32> = mask.chunks(actions).map(first).collect();
/// let (mut reward, mut done) = (vec![0; 3], vec![false; 3]);
/// batch.step_into(&chosen, &mut obs, &mut reward, &mut done, &mut mask)?;
/// assert!(reward.iter().all(|&points| points >= 30) && !done[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch<const WORDS: usize = 1, const P: usize = 3> {
    level: Level,
    seed: u64,
    rules: Rules,
    games: Vec<Game<WORDS, P>>,
}

#[derive(Clone, Debug)]
struct Game<const WORDS: usize, const P: usize> {
    board: PlaneBoard<WORDS, P>,
    colors: RandomColors<P>,
    legal: Swaps<ColumnMask<WORDS>>,
    /// Moves that are left.
    moves: u32,
    /// How the game before this one ended.
    last: Option<PlaneBoard<WORDS, P>>,
}

impl<const WORDS: usize, const P: usize> Game<WORDS, P>
where
    PlaneBoard<WORDS, P>: Layout<WORDS, P>,
{
    fn new(level: Level, rules: &Rules, rng: Rng) -> Result<Self, PlanesError> {
        let mut colors = RandomColors::new(rules.colors, rng)?;
        let board = PlaneBoard::deal_on(level, rules.width, rules.height, &mut colors)?;
        Ok(Self { board, legal: board.swaps_on(level), colors, moves: rules.moves, last: None })
    }

    /// A new board of the same stream. Where one was dealt another can be, but for bad luck ten thousand times in a row:
    /// then the board stays.
    fn deal(&mut self, level: Level) {
        let (width, height) = (self.board.width(), self.board.height());
        if let Ok(board) = PlaneBoard::deal_on(level, width, height, &mut self.colors) {
            self.board = board;
        }
        self.legal = self.board.swaps_on(level);
    }

    /// The first game of a stream.
    fn restart(&mut self, level: Level, rng: Rng, moves: u32) {
        self.colors.restart(rng);
        self.deal(level);
        (self.moves, self.last) = (moves, None);
    }

    /// Plays a legal swap.
    fn step(&mut self, level: Level, swap: Swap, moves: u32) -> (i32, bool) {
        self.board.exchange(swap);
        let result = self.board.cascade_random(level, &mut self.colors);
        self.moves -= 1;
        let done = self.moves == 0;
        if done {
            self.last = Some(self.board);
            self.moves = moves;
            self.deal(level);
        } else {
            self.legal = self.board.swaps_on(level);
            if self.legal.is_empty() {
                self.deal(level);
            }
        }
        (i32::try_from(result.score).unwrap_or(i32::MAX), done)
    }

    fn write(&self, obs: &mut [u8], mask: &mut [bool]) {
        self.board.write_colors(obs);
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

fn write_bits(row: u64, mask: &mut [bool]) {
    for (x, mask) in mask.iter_mut().enumerate() {
        *mask = row >> x & 1 == 1;
    }
}

impl<const WORDS: usize, const P: usize> Batch<WORDS, P>
where
    PlaneBoard<WORDS, P>: Layout<WORDS, P>,
{
    /// `n` games of a seed.
    ///
    /// # Errors
    ///
    /// As for [`PlaneBoard::deal`], with the rules' size and colors.
    ///
    /// # Panics
    ///
    /// If a game has no move.
    pub fn new(n: usize, seed: u64, rules: Rules) -> Result<Self, PlanesError> {
        Self::new_on(Level::detect(), n, seed, rules)
    }

    /// [`new`](Self::new) on a level, for all steps: the same games.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    ///
    /// # Panics
    ///
    /// If a game has no move.
    pub fn new_on(level: Level, n: usize, seed: u64, rules: Rules) -> Result<Self, PlanesError> {
        assert!(rules.moves > 0, "a game of no move");
        let games = Rng::streams(seed).take(n).map(|rng| Game::new(level, &rules, rng));
        Ok(Self { level, seed, rules, games: games.collect::<Result<_, _>>()? })
    }

    /// Bytes of an observation.
    pub fn cells(&self) -> usize {
        self.rules.width * self.rules.height
    }

    /// Actions of a game, legal or not.
    pub fn actions(&self) -> usize {
        Swap::actions(self.rules.width, self.rules.height)
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    fn shape(&self) -> Shape {
        Shape { games: self.len(), cells: self.cells(), actions: self.actions() }
    }

    /// Starts every game from the beginning of its stream and writes the first observations and masks.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`].
    pub fn reset_into(&mut self, obs: &mut [u8], mask: &mut [bool]) -> Result<(), BatchError> {
        self.shape().check_reset(obs, mask)?;
        for (game, rng) in self.games.iter_mut().zip(Rng::streams(self.seed)) {
            game.restart(self.level, rng, self.rules.moves);
        }
        self.write(obs, mask);
        Ok(())
    }

    /// Plays one action in each game. `reward` gets the points of the move; `done` whether it was the game's last: then
    /// a new game has begun, `obs` and `mask` are its first, and [`final_obs_into`](Self::final_obs_into) has how the old one ended.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`]; [`BatchError::Illegal`] for the first action that isn't legal.
    pub fn step_into(
        &mut self,
        actions: &[u32],
        obs: &mut [u8],
        reward: &mut [i32],
        done: &mut [bool],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.shape().check_actions(actions)?;
        self.shape().check_step(obs, reward, done, mask)?;
        let (width, height, moves) = (self.rules.width, self.rules.height, self.rules.moves);
        let legal = |game: &Game<WORDS, P>, action: u32| {
            Swap::from_action(action as usize, width, height).filter(|&swap| game.legal.contains(swap))
        };
        check_legal(actions, |game, action| legal(&self.games[game], action).is_some())?;
        for (i, game) in self.games.iter_mut().enumerate() {
            if let Some(swap) = legal(game, actions[i]) {
                (reward[i], done[i]) = game.step(self.level, swap, moves);
            }
        }
        self.write(obs, mask);
        Ok(())
    }

    fn write(&self, obs: &mut [u8], mask: &mut [bool]) {
        for (game, (obs, mask)) in self.games.iter().zip(self.shape().rows(1, obs, mask)) {
            game.write(obs, mask);
        }
    }

    /// The last observation of the game that was played before the present one in this place: `false`, and `obs`
    /// untouched, if there was none.
    ///
    /// # Panics
    ///
    /// If there is no such game or `obs` hasn't a byte a cell.
    pub fn final_obs_into(&self, game: usize, obs: &mut [u8]) -> bool {
        assert_eq!(obs.len(), self.cells(), "a byte a cell");
        let last = &self.games[game].last;
        if let Some(board) = last {
            board.write_colors(obs);
        }
        last.is_some()
    }
}
