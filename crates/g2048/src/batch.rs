//! [`Batch`]: many games that a caller plays, as learning programs want them.

use crate::board::Size;
use crate::games::{Directions, Games32};
use crate::lanes::{Boards32, Gains};
use crate::slide::Direction;
use alloc::vec::Vec;
use bitcore::batch::{Shape, WrongLength};
use bitcore::{Bytes, Isa, Lanes, Rng, SetBits, dispatch};

/// Why a step was refused. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A slice has the wrong length.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// An action isn't a legal move.
    #[error("game {game}: action {action} is no legal move")]
    Illegal {
        /// The game, from 0.
        game: usize,
        /// Its action.
        action: u32,
    },
}

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

/// What a call writes.
struct Slices<'a> {
    obs: &'a mut [u8],
    reward: &'a mut [u64],
    done: &'a mut [bool],
    mask: &'a mut [bool],
}

impl Group {
    /// One move in each game.
    #[inline(always)]
    fn step_with<S: Isa>(&mut self, isa: S, chosen: &Directions, reward: &mut [u64], done: &mut [bool]) {
        let mut gains = Gains::new(isa);
        self.games.play(isa, chosen, &mut gains);
        for (reward, points) in reward.iter_mut().zip(gains.points(isa)) {
            *reward = points;
        }
        let over = self.games.look(isa);
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
            self.games.look(isa);
        }
    }

    #[inline(always)]
    fn write_with<S: Isa>(&self, isa: S, obs: &mut [u8], mask: &mut [bool]) {
        self.games.boards().write_rows(isa, obs);
        for (row, legal) in mask.as_chunks_mut::<4>().0.iter_mut().zip(self.games.legal_sets_with(isa)) {
            *row = FLAGS[usize::from(legal % 16)];
        }
    }
}

/// A set of directions as flags.
const FLAGS: [[bool; 4]; 16] = {
    let mut flags = [[false; 4]; 16];
    let mut set = 0;
    while set < 16 {
        flags[set] = [set & 1 == 1, set & 2 == 2, set & 4 == 4, set & 8 == 8];
        set += 1;
    }
    flags
};

impl Batch {
    /// `n` games of a seed.
    pub fn new(n: usize, seed: u64, size: Size) -> Self {
        let group = Group { games: Games32::new(size), last: Boards32::empty(size), ended: 0 };
        let mut batch = Self { seed, size, n, groups: alloc::vec![group; n.div_ceil(32)] };
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
            dispatch!(isa => group.games.look(isa));
        }
    }

    /// Bytes of an observation.
    pub fn cells(&self) -> usize {
        self.size.cells()
    }

    /// Actions of a game, legal or not: 4.
    pub fn actions(&self) -> usize {
        Direction::ALL.len()
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there is none.
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
        self.shape().check_reset(obs, mask)?;
        self.restart();
        let rows = obs.chunks_mut(32 * self.size.cells()).zip(mask.chunks_mut(32 * 4));
        for (group, (obs, mask)) in self.groups.iter().zip(rows) {
            dispatch!(isa => group.write_with(isa, obs, mask));
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
        dispatch!(isa => self.step_into_with(isa, actions, obs, reward, done, mask))
    }

    /// [`step_into`](Self::step_into) on the instruction set of a token.
    ///
    /// # Errors
    ///
    /// As there.
    #[doc(hidden)]
    #[inline(always)]
    pub fn step_into_with<S: Isa>(
        &mut self,
        isa: S,
        actions: &[u32],
        obs: &mut [u8],
        reward: &mut [u64],
        done: &mut [bool],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.shape().check_actions(actions)?;
        self.shape().check_step(obs, reward, done, mask)?;
        for (g, (group, actions)) in self.groups.iter().zip(actions.chunks(32)).enumerate() {
            let illegal = illegal_with(isa, &group.games, &chosen_with(isa, actions));
            if illegal != 0 {
                let lane = illegal.trailing_zeros() as usize;
                return Err(BatchError::Illegal { game: 32 * g + lane, action: actions[lane] });
            }
        }
        self.step_all_with(isa, Some(actions), Slices { obs, reward, done, mask });
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
        dispatch!(isa => self.random_step_into_with(isa, obs, reward, done, mask))
    }

    /// [`random_step_into`](Self::random_step_into) on the instruction set of a token.
    ///
    /// # Errors
    ///
    /// As there.
    #[doc(hidden)]
    #[inline(always)]
    pub fn random_step_into_with<S: Isa>(
        &mut self,
        isa: S,
        obs: &mut [u8],
        reward: &mut [u64],
        done: &mut [bool],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.shape().check_step(obs, reward, done, mask)?;
        self.step_all_with(isa, None, Slices { obs, reward, done, mask });
        Ok(())
    }

    /// One legal action in each game, or without actions a random one.
    #[inline(always)]
    fn step_all_with<S: Isa>(&mut self, isa: S, actions: Option<&[u32]>, slices: Slices<'_>) {
        let Slices { obs, reward, done, mask } = slices;
        let rows = obs.chunks_mut(32 * self.size.cells()).zip(mask.chunks_mut(32 * 4));
        let rows = rows.zip(reward.chunks_mut(32).zip(done.chunks_mut(32)));
        for (g, (group, ((obs, mask), (reward, done)))) in self.groups.iter_mut().zip(rows).enumerate() {
            let chosen = match actions {
                Some(actions) => chosen_with(isa, &actions[32 * g..self.n.min(32 * g + 32)]),
                None => group.games.draw_moves(isa),
            };
            group.step_with(isa, &chosen, reward, done);
            group.write_with(isa, obs, mask);
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

/// The lane masks of up to 32 actions.
#[inline(always)]
fn chosen_with<S: Isa>(isa: S, actions: &[u32]) -> Directions {
    let mut lanes = [0xff; 32];
    for (lane, &action) in lanes.iter_mut().zip(actions) {
        *lane = action.min(0xff) as u8;
    }
    let lanes = isa.u8x32(&lanes);
    let mut chosen = [[0; 32]; 4];
    for (direction, chosen) in (0..).zip(&mut chosen) {
        *chosen = lanes.lanes_eq(isa.splat_u8(direction)).to_array();
    }
    chosen
}

/// The mask of the games whose choice isn't legal.
#[inline(always)]
fn illegal_with<S: Isa>(isa: S, games: &Games32, chosen: &Directions) -> u32 {
    let mut legal = isa.splat_u8(0);
    for (legals, chosen) in games.legal().iter().zip(chosen) {
        legal = legal | (isa.u8x32(legals) & isa.u8x32(chosen));
    }
    games.live_with(isa).and_not(legal).top_bits()
}
