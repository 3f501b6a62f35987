//! [`Batch`]: many games that a caller plays, as learning programs want them.

use crate::board::Size;
use crate::games::{DirectionMasks, Games32};
use crate::lanes::Boards32;
use crate::slide::Direction;
use alloc::vec::Vec;
use bitcore::batch::{BatchError, Shape, check_legal};
use bitcore::{Level, Rng, SetBits};

/// Many games of the same [`Size`] that restart by themselves, 32 at once in vector lanes.
///
/// Per game, in row-major slices that the caller owns: an observation of a byte a cell, the ranks row by row; an action,
/// the index of a direction in [`Direction::ALL`]; a mask of a flag an action, whether it is legal. A game that has no
/// legal move is over, and the next one begins in the same call.
///
/// Game i draws from [stream](Rng::stream) i of the seed alone: it is the same however many are played beside it, and on
/// whatever level. Its draws: the two spawns of each start ([`spawn`](crate::Board::spawn)); for each move the spawn, and
/// before that, if the move itself is random, `below(legal moves)`, which counts them in the order of
/// [`Direction::ALL`].
///
/// ```
/// use g2048::{Batch, Size};
/// let mut batch = Batch::new(3, 42, Size::CLASSIC);
/// let (cells, actions) = (batch.cells(), batch.actions());
/// assert_eq!((cells, actions), (16, 4));
/// let (mut obs, mut mask) = (vec![0; 3 * cells], vec![false; 3 * actions]);
/// batch.reset_into(&mut obs, &mut mask)?;
/// let first = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap() as u32;
/// let chosen: Vec<u32> = mask.chunks(actions).map(first).collect();
/// let (mut reward, mut done) = (vec![0; 3], vec![false; 3]);
/// batch.step_into(&chosen, &mut obs, &mut reward, &mut done, &mut mask)?;
/// batch.random_step_into(&mut obs, &mut reward, &mut done, &mut mask)?;
/// assert!(obs.iter().filter(|&&rank| rank > 0).count() <= 4 * 3 && !done[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    level: Level,
    seed: u64,
    size: Size,
    n: usize,
    groups: Vec<Group>,
}

/// 32 games, or what is left of them for the last group.
#[derive(Clone, Debug)]
struct Group {
    games: Games32,
    /// How the game before the present one ended, lane by lane.
    last: Boards32,
    /// Bit i = there was one in lane i.
    ended: u32,
}

/// What a step writes.
struct Slices<'a> {
    obs: &'a mut [u8],
    reward: &'a mut [u64],
    done: &'a mut [bool],
    mask: &'a mut [bool],
}

impl Group {
    /// One move in each game.
    fn step(&mut self, level: Level, chosen: &DirectionMasks, reward: &mut [u64], done: &mut [bool]) {
        let mut points = [0; 32];
        self.games.play(level, chosen, Some(&mut points));
        reward.copy_from_slice(&points[..reward.len()]);
        let over = self.games.update_legal(level);
        for (lane, done) in done.iter_mut().enumerate() {
            *done = over >> lane & 1 == 1;
        }
        if over != 0 {
            for lane in SetBits(over.into()).map(|lane| lane as usize) {
                self.last.set(lane, &self.games.boards().board(lane));
                self.games.restart(lane);
            }
            self.ended |= over;
            // Two tiles always have a move.
            self.games.update_legal(level);
        }
    }
}

impl Batch {
    /// Starts `n` games of a seed.
    pub fn new(n: usize, seed: u64, size: Size) -> Self {
        Self::new_on(Level::detect(), n, seed, size)
    }

    /// [`new`](Self::new) on a level, which all calls then run on.
    pub fn new_on(level: Level, n: usize, seed: u64, size: Size) -> Self {
        let group = Group { games: Games32::new(size), last: Boards32::empty(size), ended: 0 };
        let mut batch = Self { level, seed, size, n, groups: alloc::vec![group; n.div_ceil(32)] };
        batch.restart();
        batch
    }

    /// Starts every game from the beginning of its stream.
    fn restart(&mut self) {
        for (game, rng) in (0..self.n).zip(Rng::streams(self.seed)) {
            self.groups[game / 32].games.start(game % 32, rng);
        }
        for group in &mut self.groups {
            group.ended = 0;
            group.games.update_legal(self.level);
        }
    }

    /// Returns the bytes of an observation.
    pub fn cells(&self) -> usize {
        self.size.cells()
    }

    /// Returns the actions of a game, legal or not: 4.
    pub fn actions(&self) -> usize {
        Direction::ALL.len()
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Returns whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.n == 0
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
        let shape = self.shape();
        shape.check_reset(obs, mask)?;
        self.restart();
        for (group, (obs, mask)) in self.groups.iter().zip(shape.rows(32, obs, mask)) {
            group.games.write_rows(self.level, obs, mask);
        }
        Ok(())
    }

    /// Plays one action in each game. `reward` gets the points of the move, the sum of its merged tiles; `done` whether
    /// it was the game's last: then a new game has begun, `obs` and `mask` are its first, and
    /// [`last_into`](Self::last_into) has how the old one ended.
    ///
    /// The points are 64 bits wide because they are bounded by nothing but the sum of the tiles, which grows by up to 4 a
    /// move: on the larger boards a game may well last until a move's points are beyond 32 bits.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`]; [`BatchError::Illegal`] for the first action that isn't legal.
    pub fn step_into(
        &mut self,
        actions: &[u32],
        obs: &mut [u8],
        reward: &mut [u64],
        done: &mut [bool],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.shape().check_actions(actions)?;
        self.shape().check_step(obs, reward, done, mask)?;
        check_legal(actions, |game, action| {
            let legal = self.groups[game / 32].games.legal().get(action as usize);
            legal.is_some_and(|lanes| lanes[game % 32] != 0)
        })?;
        self.step_all(Some(actions), Slices { obs, reward, done, mask });
        Ok(())
    }

    /// Plays one random move in each game, all its legal moves equally likely. All else as for
    /// [`step_into`](Self::step_into); both may be called in any order.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`].
    pub fn random_step_into(
        &mut self,
        obs: &mut [u8],
        reward: &mut [u64],
        done: &mut [bool],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.shape().check_step(obs, reward, done, mask)?;
        self.step_all(None, Slices { obs, reward, done, mask });
        Ok(())
    }

    /// Plays one legal action in each game, or without actions a random one.
    fn step_all(&mut self, actions: Option<&[u32]>, slices: Slices<'_>) {
        let Slices { obs, reward, done, mask } = slices;
        let rows = self.shape().rows(32, obs, mask).zip(reward.chunks_mut(32).zip(done.chunks_mut(32)));
        for (g, (group, ((obs, mask), (reward, done)))) in self.groups.iter_mut().zip(rows).enumerate() {
            let chosen = match actions {
                Some(actions) => chosen(&actions[32 * g..self.n.min(32 * g + 32)]),
                None => group.games.draw_moves(self.level),
            };
            group.step(self.level, &chosen, reward, done);
            group.games.write_rows(self.level, obs, mask);
        }
    }

    /// The last observation of the game that was played before the present one in this place: `false`, and `obs`
    /// untouched, if there was none.
    ///
    /// # Panics
    ///
    /// If there is no such game or `obs` hasn't a byte a cell.
    pub fn last_into(&self, game: usize, obs: &mut [u8]) -> bool {
        assert_eq!(obs.len(), self.cells(), "a byte a cell");
        assert!(game < self.n, "game {game} of {}", self.n);
        let (group, lane) = (&self.groups[game / 32], game % 32);
        let is = group.ended >> lane & 1 == 1;
        if is {
            obs.copy_from_slice(group.last.board(lane).ranks());
        }
        is
    }
}

/// Returns the lane masks of up to 32 legal actions.
fn chosen(actions: &[u32]) -> DirectionMasks {
    let mut chosen = [[0; 32]; 4];
    for (lane, &action) in actions.iter().enumerate() {
        chosen[action as usize % 4][lane] = 0xff;
    }
    chosen
}
