//! Many games stepped by a caller's actions: [`Batch`], an environment for reinforcement learning.

use crate::board::{Board, HEIGHT, WIDTH};
use crate::game::{Game, LockResult, Move, Rules, placements_on};
use crate::location::Location;
use crate::movegen::{self};
use crate::piece::{Orientation, Piece};
use crate::placement::{Placement, Spin};
use alloc::vec::Vec;
use bitcore::batch::{Shape, check_legal};
use bitcore::{Level, Rng, ThreadPool};
use core::num::NonZeroU32;

pub use bitcore::batch::{Autoreset, BatchError, StepBuffers, StepOut, TooManyGames};

/// The rows of a piece's center that [`Actions::Placements`] numbers, from the floor. A piece whose center is
/// higher lies wholly above row 20: a lock there loses the game, and has no number.
pub const ACTION_ROWS: usize = 22;

/// The numbering of the moves of a game.
///
/// The number of a move is `(orientation * 10 + column)` for [`Drops`](Self::Drops) and
/// `(orientation * 10 + column) * 22 + row` for [`Placements`](Self::Placements), orientation in the order of
/// [`Orientation::ALL`], column and row those of the center of the [canonical](Location::canonical) location.
/// In a game with hold, the same moves after a hold follow: their numbers are higher by half of
/// [`len`](Self::len). The number doesn't say the piece: that is the one in play.
///
/// ```
/// use tetris::batch::Actions;
/// use tetris::{Location, Orientation, Piece};
/// let at = Location { piece: Piece::T, orientation: Orientation::South, x: 4, y: 1 };
/// assert_eq!(Actions::Drops.encode(true, false, at), Some(24));
/// assert_eq!(Actions::Drops.encode(true, true, at), Some(40 + 24));
/// assert_eq!(Actions::Placements.encode(false, false, at), Some(24 * 22 + 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Actions {
    /// [Hard drops](movegen::hard_drops): 40 actions, or 80 with hold. If two drops in a column end in
    /// different rows, which kicks near the spawn can cause, the lower one counts. A drop has no spin if it
    /// can lock without one.
    #[default]
    Drops,
    /// All reachable placements: 880 actions, or 1760 with hold. Each has the best
    /// kind of spin that it can have.
    Placements,
}

/// The meaning of an action's number. The piece is the one in play, which the number doesn't say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecodedAction {
    /// `true` if the piece in play is held first.
    pub hold: bool,
    /// The orientation of the piece.
    pub orientation: Orientation,
    /// The column of its center.
    pub column: usize,
    /// The row of its center, of a placement; a hard drop has none.
    pub row: Option<usize>,
}

impl Actions {
    /// Returns the number of actions, legal or not.
    pub const fn len(self, hold: bool) -> usize {
        let ways = Orientation::ALL.len() * WIDTH * self.rows();
        if hold { 2 * ways } else { ways }
    }

    /// Returns `false`: there are always actions.
    pub const fn is_empty(self) -> bool {
        false
    }

    const fn rows(self) -> usize {
        match self {
            Self::Drops => 1,
            Self::Placements => ACTION_ROWS,
        }
    }

    /// Returns the number of a move, in a game with hold if `with_hold`, after a hold if `hold`.
    /// Returns `None` if the center lies outside the field or above the numbered rows, or if the
    /// move holds in a game without hold.
    pub fn encode(self, with_hold: bool, hold: bool, at: Location) -> Option<u32> {
        let at = at.canonical();
        let (x, y) = (usize::try_from(at.x).ok()?, usize::try_from(at.y).ok()?);
        let (rows, row) = match self {
            Self::Drops => (HEIGHT, 0),
            Self::Placements => (ACTION_ROWS, y),
        };
        if x >= WIDTH || y >= rows || hold && !with_hold {
            return None;
        }
        let way = (at.orientation as usize * WIDTH + x) * self.rows();
        Some((way + row + if hold { self.len(false) } else { 0 }) as u32)
    }

    /// Returns the meaning of a number, or `None` if there is no such action.
    ///
    /// ```
    /// use tetris::Orientation;
    /// use tetris::batch::{Actions, DecodedAction};
    /// let decoded = DecodedAction { hold: true, orientation: Orientation::South, column: 4, row: Some(1) };
    /// assert_eq!(Actions::Placements.decode(true, 880 + 24 * 22 + 1), Some(decoded));
    /// assert_eq!(Actions::Drops.decode(false, 40), None);
    /// ```
    pub fn decode(self, with_hold: bool, action: u32) -> Option<DecodedAction> {
        let action = action as usize;
        if action >= self.len(with_hold) {
            return None;
        }
        let (hold, way) = (action / self.len(false) == 1, action % self.len(false));
        let (way, row) = (way / self.rows(), way % self.rows());
        let row = (self == Self::Placements).then_some(row);
        Some(DecodedAction { hold, orientation: Orientation::ALL[way / WIDTH], column: way % WIDTH, row })
    }

    /// Returns the legal moves of a game that have a number, sorted by that number. A game that is over has
    /// none, any other game at least one.
    ///
    /// ```
    /// use bitcore::Rng;
    /// use tetris::batch::Actions;
    /// use tetris::{Game, Rules};
    /// let mut rng = Rng::new(2);
    /// let mut game = Game::new(Rules::default(), &mut rng);
    /// for (action, mv) in Actions::Placements.moves(&game) {
    ///     assert_eq!(Actions::Placements.encode(true, mv.hold, mv.placement.at), Some(action));
    ///     game.clone().step(mv, &mut rng.clone())?;
    /// }
    /// # Ok::<(), tetris::GameError>(())
    /// ```
    pub fn moves(self, game: &Game) -> Vec<(u32, Move)> {
        self.moves_on(Level::detect(), game)
    }

    /// Runs [`moves`](Self::moves) on a level.
    pub fn moves_on(self, level: Level, game: &Game) -> Vec<(u32, Move)> {
        let mut moves = Vec::new();
        self.moves_into(level, game, &mut moves);
        moves
    }

    fn moves_into(self, level: Level, game: &Game, moves: &mut Vec<(u32, Move)>) {
        moves.clear();
        if game.over().is_some() {
            return;
        }
        for (hold, piece) in [(false, Some(game.piece())), (true, game.piece_after_hold())] {
            let Some(piece) = piece else { continue };
            let mut push = |placement: Placement| {
                if let Some(action) = self.encode(game.rules().hold, hold, placement.at) {
                    moves.push((action, Move { hold, placement }));
                }
            };
            match self {
                Self::Drops => drops_on(level, game.board(), piece).into_iter().for_each(push),
                Self::Placements => placements_on(level, game.board(), piece).iter().for_each(&mut push),
            }
        }
        // The first of equal numbers is kept: the same cells with the best spin, or the
        // lowest drop with the least spin.
        moves.sort_unstable_by_key(|&(action, Move { placement: Placement { at, spin }, .. })| match self {
            Self::Drops => (action, at.y, spin as u8),
            Self::Placements => (action, at.y, Spin::Full as u8 - spin as u8),
        });
        moves.dedup_by_key(|&mut (action, _)| action);
    }
}

/// Returns the hard drops with every spin that they can have: a T whose last movement was a rotation spins.
fn drops_on(level: Level, board: &Board, piece: Piece) -> Vec<Placement> {
    let locations = movegen::hard_drops(board, piece);
    if piece != Piece::T {
        return locations.iter().map(|at| Placement { at, spin: Spin::None }).collect();
    }
    let all = placements_on(level, board, piece);
    all.iter().filter(|placement| locations.iter().any(|at| at == placement.at)).collect()
}

/// The quantity that a step is rewarded for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RewardKind {
    /// The number of lines cleared.
    #[default]
    Lines,
    /// The lines of the attack, by the rules' table.
    Attack,
}

/// The rules, actions, rewards and observations of a [`Batch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BatchRules {
    /// The games' rules.
    pub game: Rules,
    /// The numbering of the moves.
    pub actions: Actions,
    /// The quantity that is rewarded.
    pub reward: RewardKind,
    /// The number of rows of the board in an observation, from the floor: 1 to 40.
    pub rows: usize,
    /// The number of pieces after which a game is truncated.
    pub max_pieces: Option<NonZeroU32>,
}

impl Default for BatchRules {
    /// Returns the guideline's rules with hard drops, a reward for lines, 20
    /// visible rows, and no limit of pieces.
    fn default() -> Self {
        Self {
            game: Rules::default(),
            actions: Actions::default(),
            reward: RewardKind::default(),
            rows: 20,
            max_pieces: None,
        }
    }
}

/// The error of rules whose observations have no rows, or more than the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 1 to {HEIGHT} visible rows, found {found}")]
pub struct WrongRows {
    /// The number of rows asked for.
    pub found: usize,
}

/// Rules that no [`Batch`] can play, or more games than it can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchRulesError {
    /// Observations without rows, or with more than the field has.
    #[error(transparent)]
    Rows(#[from] WrongRows),
    /// There is no memory for the games.
    #[error(transparent)]
    Games(#[from] TooManyGames),
}

/// Many games of the same [`BatchRules`].
///
/// The slices are row-major, game by game, and owned by the caller ([`bitcore::batch`] lists them):
///
/// - an observation of [`cells`](Self::cells) bytes: the visible rows of the board from the top one, ten
///   bytes each, 1 for a filled cell; the piece in play, the held piece and the preview, each 1 to 7 in the
///   order of [`Piece::ALL`], 0 for none; clears in a row and back-to-back clears in a row, 255 at most;
/// - an action, numbered by [`Actions`];
/// - a mask with one flag per action. A game that isn't over has a legal action.
///
/// A game that tops out is terminated, one that reaches [`max_pieces`](BatchRules::max_pieces) is truncated.
/// The mode of [`Autoreset`] says when the next game begins. Game i draws from [stream](Rng::stream) i of the
/// seed alone: it does not depend on the number of games, the level or the mode of restart.
///
/// ```
/// use tetris::batch::{Batch, BatchRules, StepBuffers};
/// let mut batch = Batch::new(3, 42, BatchRules::default())?;
/// let (cells, actions) = (batch.cells(), batch.actions());
/// assert_eq!((cells, actions), (20 * 10 + 1 + 1 + 5 + 2, 80));
/// let mut buffers = StepBuffers::new(batch.shape());
/// batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
/// let first = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap() as u32;
/// let chosen: Vec<u32> = buffers.mask.chunks(actions).map(first).collect();
/// batch.step_into(&chosen, buffers.out())?;
/// assert_eq!((buffers.reward, buffers.terminated), (vec![0; 3], vec![false; 3]));
/// assert!(buffers.obs.chunks(cells).all(|obs| obs[..200].iter().sum::<u8>() == 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    level: Level,
    seed: u64,
    rules: BatchRules,
    autoreset: Autoreset,
    games: Vec<Env>,
}

/// One environment of the batch: its present game, and the final position of the one before.
#[derive(Clone, Debug)]
struct Env {
    game: Game,
    rng: Rng,
    /// The legal moves in the order of their numbers; none of a finished game.
    legal: Vec<(u32, Move)>,
    /// The action of the last step, and its result.
    action: Option<u32>,
    result: Option<LockResult>,
    /// `true` if the game has ended and waits for its restart.
    finished: bool,
    last: Option<Game>,
}

impl Env {
    fn new(level: Level, rules: &BatchRules, mut rng: Rng) -> Self {
        let game = Game::new(rules.game, &mut rng);
        let legal = rules.actions.moves_on(level, &game);
        Self { game, rng, legal, action: None, result: None, finished: false, last: None }
    }

    fn legal_move(&self, action: u32) -> Option<(u32, Move)> {
        let found = self.legal.binary_search_by_key(&action, |&(action, _)| action).ok()?;
        Some(self.legal[found])
    }

    /// Starts the next game of the stream.
    fn restart(&mut self, level: Level, rules: &BatchRules) {
        let next = Game::new(rules.game, &mut self.rng);
        let ended = core::mem::replace(&mut self.game, next);
        if self.finished {
            self.last = Some(ended);
        }
        self.finished = false;
        rules.actions.moves_into(level, &self.game, &mut self.legal);
    }

    /// Plays a legal move, or restarts a finished game, and writes the results.
    fn step(
        &mut self,
        level: Level,
        turn: Option<(u32, Move)>,
        rules: &BatchRules,
        autoreset: Autoreset,
        out: StepOut<'_>,
    ) {
        let (mut reward, mut terminated, mut truncated) = (0, false, false);
        if self.finished {
            self.restart(level, rules);
            (self.action, self.result) = (None, None);
        } else if let Some((action, turn)) = turn {
            self.action = Some(action);
            self.result = self.game.lock(level, turn, &mut self.rng);
            reward = self.result.map_or(0, |result| match rules.reward {
                RewardKind::Lines => result.clear.lines,
                RewardKind::Attack => result.attack,
            });
            terminated = self.game.over().is_some();
            let limit = rules.max_pieces.is_some_and(|pieces| self.game.pieces() >= pieces.get().into());
            truncated = limit && !terminated;
            self.finished = terminated || truncated;
            if self.finished && autoreset == Autoreset::SameStep {
                self.restart(level, rules);
            } else if self.finished {
                self.legal.clear();
            } else {
                rules.actions.moves_into(level, &self.game, &mut self.legal);
            }
        }
        let StepOut { obs, reward: rewards, terminated: terminations, truncated: truncations, mask } = out;
        rewards[0] = reward.into();
        (terminations[0], truncations[0]) = (terminated, truncated);
        self.write(rules.rows, obs, mask);
    }

    fn write(&self, rows: usize, obs: &mut [u8], mask: &mut [bool]) {
        observe(&self.game, rows, obs);
        mask.fill(false);
        for &(action, _) in &self.legal {
            mask[action as usize] = true;
        }
    }
}

/// The bytes of an observation beside its rows and its preview: piece, hold, combo, back-to-back.
const OTHERS: usize = 4;

fn observe(game: &Game, rows: usize, obs: &mut [u8]) {
    let (cells, others) = obs.split_at_mut(rows * WIDTH);
    for (row, y) in cells.chunks_exact_mut(WIDTH).zip((0..rows).rev()) {
        for (cell, column) in row.iter_mut().zip(game.board().columns()) {
            *cell = (column >> y & 1) as u8;
        }
    }
    let byte = |piece: Piece| piece as u8 + 1;
    let (pieces, counts) = others.split_at_mut(2 + game.next().len());
    pieces[0] = byte(game.piece());
    pieces[1] = game.held().map_or(0, byte);
    for (shown, &piece) in pieces[2..].iter_mut().zip(game.next()) {
        *shown = byte(piece);
    }
    for (shown, count) in counts.iter_mut().zip([game.combo(), game.back_to_back()]) {
        *shown = count.min(u8::MAX.into()) as u8;
    }
}

impl Batch {
    /// Starts `n` games of a seed.
    ///
    /// # Errors
    ///
    /// [`BatchRulesError`].
    pub fn new(n: usize, seed: u64, rules: BatchRules) -> Result<Self, BatchRulesError> {
        Self::new_on(Level::detect(), n, seed, rules)
    }

    /// Starts `n` games as [`new`](Self::new) does; all calls then run on `level`.
    ///
    /// # Errors
    ///
    /// [`BatchRulesError`].
    pub fn new_on(level: Level, n: usize, seed: u64, rules: BatchRules) -> Result<Self, BatchRulesError> {
        if !(1..=HEIGHT).contains(&rules.rows) {
            return Err(WrongRows { found: rules.rows }.into());
        }
        let mut batch = Self { level, seed, rules, autoreset: Autoreset::default(), games: Vec::new() };
        let shape = Shape { games: n, ..batch.shape() };
        batch.games = shape.reserve_games(1)?;
        batch.games.extend(Rng::streams(seed).take(n).map(|rng| Env::new(level, &rules, rng)));
        Ok(batch)
    }

    /// Returns the batch with another mode of restart.
    #[must_use]
    pub fn with_autoreset(mut self, autoreset: Autoreset) -> Self {
        self.autoreset = autoreset;
        self
    }

    /// Returns the number of bytes of an observation.
    pub fn cells(&self) -> usize {
        self.rules.rows * WIDTH + OTHERS + self.rules.game.next.min(crate::game::MAX_NEXT)
    }

    /// Returns the number of actions of a game, legal or not.
    pub fn actions(&self) -> usize {
        self.rules.actions.len(self.rules.game.hold)
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns `true` if there is no game.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Returns a game, or `None` if there is no such game.
    pub fn game(&self, game: usize) -> Option<&Game> {
        self.games.get(game).map(|env| &env.game)
    }

    /// Returns the result of the last step of this game, which may have ended it. Returns `None` if there is
    /// no such game, or the last step or a reset started it.
    pub fn lock_result(&self, game: usize) -> Option<LockResult> {
        self.games.get(game).and_then(|env| env.result)
    }

    /// Returns the action of the last step of this game, which [`random_step_into`](Self::random_step_into)
    /// may have chosen. Returns `None` where [`lock_result`](Self::lock_result) does.
    pub fn action(&self, game: usize) -> Option<u32> {
        self.games.get(game).and_then(|env| env.action)
    }

    /// Returns the numbers of elements that the slices have.
    pub fn shape(&self) -> Shape {
        Shape { games: self.len(), cells: self.cells(), actions: self.actions() }
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
        let (level, rules) = (self.level, &self.rules);
        let games = self.games.iter_mut().zip(Rng::streams(self.seed)).zip(shape.rows(1, obs, mask));
        pool.for_each(games, |((env, rng), (obs, mask))| {
            *env = Env::new(level, rules, rng);
            env.write(rules.rows, obs, mask);
        });
        Ok(())
    }

    /// Starts the next game of its stream in each place whose flag is set, and writes the
    /// observations and masks of all games.
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
        for (env, _) in self.games.iter_mut().zip(which).filter(|&(_, &reset)| reset) {
            env.restart(self.level, &self.rules);
            (env.action, env.result) = (None, None);
        }
        self.write(obs, mask);
        Ok(())
    }

    /// Plays one action in each game. `reward` gets the lines or the attack of the move; `terminated` becomes
    /// `true` where the game topped out, `truncated` where it reached its limit of pieces.
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
    /// use tetris::batch::{Batch, BatchRules, StepBuffers};
    /// let pool = ThreadPool::new(2.try_into()?);
    /// let mut one = Batch::new(20, 1, BatchRules::default())?;
    /// let mut two = one.clone();
    /// let (mut expected, mut found) = (StepBuffers::new(one.shape()), StepBuffers::new(two.shape()));
    /// one.random_step_into(expected.out())?;
    /// two.random_step_into_parallel(&pool, found.out())?;
    /// let legal = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap_or(0) as u32;
    /// let actions: Vec<u32> = found.mask.chunks(one.actions()).map(legal).collect();
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
            let env = &self.games[game];
            env.finished || env.legal_move(action).is_some()
        })?;
        self.step_all(pool, out, |env, game| env.legal_move(actions[game]));
        Ok(())
    }

    /// Plays the move of `turn` in each game.
    fn step_all(
        &mut self,
        pool: &ThreadPool,
        out: StepOut<'_>,
        turn: impl Fn(&mut Env, usize) -> Option<(u32, Move)> + Sync,
    ) {
        let (level, autoreset, shape) = (self.level, self.autoreset, self.shape());
        let (share, rules) = (pool.share(shape.games, 1), &self.rules);
        let shares = self.games.chunks_mut(share).zip(out.split(shape, share)).enumerate();
        pool.for_each(shares, |(i, (games, out))| {
            let (first, shape) = (share * i, Shape { games: games.len(), ..shape });
            for (i, (env, out)) in games.iter_mut().zip(out.split(shape, 1)).enumerate() {
                let turn = turn(env, first + i);
                env.step(level, turn, rules, autoreset, out);
            }
        });
    }

    /// Plays a random legal action in each game, all with the same probability; [`action`](Self::action)
    /// returns the chosen one. Game i draws, from its own stream and before its pieces, [`Rng::below`] the
    /// number of legal actions, which count in the order of their numbers. Slices and results are those of
    /// [`step_into`](Self::step_into); both may be called in any order.
    ///
    /// ```
    /// use tetris::batch::{Batch, BatchRules, StepBuffers};
    /// let mut batch = Batch::new(2, 1, BatchRules::default())?;
    /// let mut buffers = StepBuffers::new(batch.shape());
    /// batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
    /// let legal = buffers.mask.clone();
    /// batch.random_step_into(buffers.out())?;
    /// assert!(legal[batch.action(0).unwrap() as usize]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        self.step_all(pool, out, |env, _| {
            if env.finished {
                return None;
            }
            let chosen = env.rng.below(env.legal.len() as u32) as usize;
            env.legal.get(chosen).copied()
        });
        Ok(())
    }

    /// Refuses a step while a finished game waits for its reset.
    fn check_finished(&self) -> Result<(), BatchError> {
        let waits = || self.games.iter().position(|env| env.finished);
        match self.autoreset {
            Autoreset::Disabled => waits().map_or(Ok(()), |game| Err(BatchError::Finished { game })),
            Autoreset::SameStep | Autoreset::NextStep => Ok(()),
        }
    }

    fn write(&self, obs: &mut [u8], mask: &mut [bool]) {
        for (env, (obs, mask)) in self.games.iter().zip(self.shape().rows(1, obs, mask)) {
            env.write(self.rules.rows, obs, mask);
        }
    }

    /// Writes the final observation of the game that ended last in this place into `obs`. Returns `false`,
    /// and leaves `obs` untouched, if none has ended there since the reset.
    ///
    /// In the modes [`NextStep`](Autoreset::NextStep) and [`Disabled`](Autoreset::Disabled) a
    /// game counts as ended here once the next one has begun; until then its final observation
    /// is the one that the step wrote.
    ///
    /// # Panics
    ///
    /// If there is no such game or `obs` hasn't [`cells`](Self::cells) bytes.
    pub fn final_obs_into(&self, game: usize, obs: &mut [u8]) -> bool {
        assert_eq!(obs.len(), self.cells(), "one observation");
        let last = &self.games[game].last;
        if let Some(last) = last {
            observe(last, self.rules.rows, obs);
        }
        last.is_some()
    }
}
