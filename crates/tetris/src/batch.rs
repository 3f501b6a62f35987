//! [`Batch`]: many games that a caller plays, as learning programs want them.

use crate::board::{Board, HEIGHT, WIDTH};
use crate::game::{Game, LockResult, Move, Rules, placements_on};
use crate::location::Location;
use crate::movegen::{self};
use crate::piece::{Orientation, Piece};
use crate::placement::{Placement, Spin};
use alloc::vec::Vec;
use bitcore::batch::{Shape, check_legal};
use bitcore::{Level, Rng};
use core::num::NonZeroU32;

pub use bitcore::batch::BatchError;

/// Rows of the center that [`Actions::Placements`] numbers, from the floor. A piece whose center is higher is wholly
/// above row 20: locking there loses, and isn't offered.
pub const ACTION_ROWS: usize = 22;

/// How a batch numbers the moves of a game.
///
/// The number of a move is `(orientation * 10 + column)` for [`Drops`](Self::Drops) and
/// `(orientation * 10 + column) * 22 + row` for [`Placements`](Self::Placements), orientation in the order of
/// [`Orientation::ALL`], column and row those of the center of the [canonical](Location::canonical) location. In a game
/// with hold, the same moves after a hold follow: their numbers are higher by half of [`len`](Self::len). The number
/// doesn't say the piece: that is the one in play.
///
/// ```
/// use tetris::batch::Actions;
/// use tetris::{Location, Orientation, Piece};
/// let at = Location { piece: Piece::T, orientation: Orientation::South, x: 4, y: 1 };
/// assert_eq!(Actions::Drops.action(true, false, at), Some(24));
/// assert_eq!(Actions::Drops.action(true, true, at), Some(40 + 24));
/// assert_eq!(Actions::Placements.action(false, false, at), Some(24 * 22 + 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Actions {
    /// [Hard drops](movegen::hard_drops): 40 ways, or 80 with hold. Where two drops in a column end in different rows,
    /// as kicks near the spawn may have it, the lower one. A drop has no spin, but for a T that can't help having one.
    #[default]
    Drops,
    /// Every reachable cell set: 880 ways, or 1760 with hold. Each locks with the best kind of spin that it can have.
    Placements,
}

/// An action's number, taken apart: what it says whatever the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Whether the piece in play is held first.
    pub hold: bool,
    /// Which way the piece points.
    pub orientation: Orientation,
    /// Column of its center.
    pub column: usize,
    /// Row of its center; none of a drop.
    pub row: Option<usize>,
}

impl Actions {
    /// The number of actions, legal or not.
    pub const fn len(self, hold: bool) -> usize {
        let ways = Orientation::ALL.len() * WIDTH * self.rows();
        if hold { 2 * ways } else { ways }
    }

    /// Never.
    pub const fn is_empty(self) -> bool {
        false
    }

    const fn rows(self) -> usize {
        match self {
            Self::Drops => 1,
            Self::Placements => ACTION_ROWS,
        }
    }

    /// The number of a move: in a game with hold if `with_hold`, after a hold if `hold`. None if its center lies outside
    /// the field or above what is numbered, or if it holds in a game without.
    pub fn action(self, with_hold: bool, hold: bool, at: Location) -> Option<u32> {
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

    /// What a number says. None if there is no such action.
    ///
    /// ```
    /// use tetris::Orientation;
    /// use tetris::batch::{Actions, Slot};
    /// let slot = Slot { hold: true, orientation: Orientation::South, column: 4, row: Some(1) };
    /// assert_eq!(Actions::Placements.slot(true, 880 + 24 * 22 + 1), Some(slot));
    /// assert_eq!(Actions::Drops.slot(false, 40), None);
    /// ```
    pub fn slot(self, with_hold: bool, action: u32) -> Option<Slot> {
        let action = action as usize;
        if action >= self.len(with_hold) {
            return None;
        }
        let (hold, way) = (action / self.len(false) == 1, action % self.len(false));
        let (way, row) = (way / self.rows(), way % self.rows());
        let row = (self == Self::Placements).then_some(row);
        Some(Slot { hold, orientation: Orientation::ALL[way / WIDTH], column: way % WIDTH, row })
    }

    /// The legal moves of a game that have a number, with it and in its order. None once the game is over, one at least
    /// before.
    ///
    /// ```
    /// use bitcore::Rng;
    /// use tetris::batch::Actions;
    /// use tetris::{Game, Rules};
    /// let mut rng = Rng::new(2);
    /// let mut game = Game::new(Rules::default(), &mut rng);
    /// for (action, mv) in Actions::Placements.moves(&game) {
    ///     assert_eq!(Actions::Placements.action(true, mv.hold, mv.placement.at), Some(action));
    ///     game.clone().step(mv, &mut rng.clone())?;
    /// }
    /// # Ok::<(), tetris::GameError>(())
    /// ```
    pub fn moves(self, game: &Game) -> Vec<(u32, Move)> {
        self.moves_on(Level::detect(), game)
    }

    /// [`moves`](Self::moves) on a level.
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
                if let Some(action) = self.action(game.rules().hold, hold, placement.at) {
                    moves.push((action, Move { hold, placement }));
                }
            };
            match self {
                Self::Drops => drops_on(level, game.board(), piece).into_iter().for_each(push),
                Self::Placements => placements_on(level, game.board(), piece).iter().for_each(&mut push),
            }
        }
        // Of equal numbers the first stays: the same cells with the best spin, or the lowest drop with the least.
        moves.sort_unstable_by_key(|&(action, Move { placement: Placement { at, spin }, .. })| match self {
            Self::Drops => (action, at.y, spin as u8),
            Self::Placements => (action, at.y, Spin::Full as u8 - spin as u8),
        });
        moves.dedup_by_key(|&mut (action, _)| action);
    }
}

/// The hard drops, with every kind of spin that they can have: a T that needn't fall after its last turn spins.
fn drops_on(level: Level, board: &Board, piece: Piece) -> Vec<Placement> {
    let locations = movegen::hard_drops(board, piece);
    if piece != Piece::T {
        return locations.iter().map(|at| Placement { at, spin: Spin::None }).collect();
    }
    let all = placements_on(level, board, piece);
    all.iter().filter(|placement| locations.iter().any(|at| at == placement.at)).collect()
}

/// What a step is rewarded for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reward {
    /// Lines cleared.
    #[default]
    Lines,
    /// Lines of attack, by the rules' table.
    Attack,
}

/// What a [`Batch`] plays and shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BatchRules {
    /// The games' rules.
    pub game: Rules,
    /// The moves' numbers.
    pub actions: Actions,
    /// What is rewarded.
    pub reward: Reward,
    /// Rows of the board to be seen, from the floor: 1 to 40.
    pub rows: usize,
    /// After so many pieces a game ends in any case.
    pub pieces: Option<NonZeroU32>,
}

impl Default for BatchRules {
    /// The guideline's game, hard drops, a reward for lines, 20 rows, no end but topping out.
    fn default() -> Self {
        Self {
            game: Rules::default(),
            actions: Actions::default(),
            reward: Reward::default(),
            rows: 20,
            pieces: None,
        }
    }
}

/// Rules by which an observation would show no rows, or more than the field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 1 to {HEIGHT} rows to be seen, found {found}")]
pub struct WrongRows {
    /// The rows asked for.
    pub found: usize,
}

/// Many games of the same [`BatchRules`] that restart by themselves.
///
/// Game i draws from [stream](Rng::stream) i of the seed alone: it is the same however many are played beside it. Per
/// game, in row-major slices that the caller owns:
///
/// - an observation of [`cells`](Self::cells) bytes: the board's rows from the top one seen, ten bytes each, 1 where a
///   cell is filled; the piece in play, the held one and the preview, each 1 to 7 in the order of [`Piece::ALL`], 0 for
///   none; clears in a row and back-to-back clears in a row, 255 at most;
/// - an action, numbered by [`Actions`];
/// - a mask of a flag an action, whether it is legal. A living game has a legal action.
///
/// ```
/// use tetris::batch::{Batch, BatchRules};
/// let mut batch = Batch::new(3, 42, BatchRules::default())?;
/// let (cells, actions) = (batch.cells(), batch.actions());
/// assert_eq!((cells, actions), (20 * 10 + 1 + 1 + 5 + 2, 80));
/// let (mut obs, mut mask) = (vec![0; 3 * cells], vec![false; 3 * actions]);
/// batch.reset_into(&mut obs, &mut mask)?;
/// let first = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap() as u32;
/// let chosen: Vec<u32> = mask.chunks(actions).map(first).collect();
/// let (mut reward, mut done) = (vec![0; 3], vec![false; 3]);
/// batch.step_into(&chosen, &mut obs, &mut reward, &mut done, &mut mask)?;
/// assert_eq!((reward, done), (vec![0; 3], vec![false; 3]));
/// assert!(obs.chunks(cells).all(|obs| obs[..200].iter().sum::<u8>() == 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    level: Level,
    seed: u64,
    rules: BatchRules,
    games: Vec<Place>,
}

/// One place of the batch: its game, and how the one before ended.
#[derive(Clone, Debug)]
struct Place {
    game: Game,
    rng: Rng,
    /// The legal moves in the order of their numbers.
    legal: Vec<(u32, Move)>,
    /// The action of the last step, and what it did.
    action: Option<u32>,
    outcome: Option<LockResult>,
    last: Option<Game>,
}

impl Place {
    fn new(level: Level, rules: &BatchRules, mut rng: Rng) -> Self {
        let game = Game::new(rules.game, &mut rng);
        let legal = rules.actions.moves_on(level, &game);
        Self { game, rng, legal, action: None, outcome: None, last: None }
    }

    fn legal_move(&self, action: u32) -> Option<(u32, Move)> {
        let found = self.legal.binary_search_by_key(&action, |&(action, _)| action).ok()?;
        Some(self.legal[found])
    }

    /// Plays a legal move.
    fn step(&mut self, level: Level, (action, turn): (u32, Move), rules: &BatchRules) -> (i32, bool) {
        self.action = Some(action);
        self.outcome = self.game.lock(level, turn, &mut self.rng);
        let reward = self.outcome.map_or(0, |outcome| match rules.reward {
            Reward::Lines => outcome.clear.lines,
            Reward::Attack => outcome.attack,
        });
        let limit = rules.pieces.is_some_and(|pieces| self.game.pieces() >= pieces.get().into());
        let done = limit || self.game.over().is_some();
        if done {
            let next = Game::new(rules.game, &mut self.rng);
            self.last = Some(core::mem::replace(&mut self.game, next));
        }
        rules.actions.moves_into(level, &self.game, &mut self.legal);
        (reward as i32, done)
    }

    fn write(&self, rows: usize, obs: &mut [u8], mask: &mut [bool]) {
        observe(&self.game, rows, obs);
        mask.fill(false);
        for &(action, _) in &self.legal {
            mask[action as usize] = true;
        }
    }
}

/// Bytes of an observation without its rows and its preview: piece, hold, combo, back-to-back.
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
    /// `n` games of a seed.
    ///
    /// # Errors
    ///
    /// [`WrongRows`].
    pub fn new(n: usize, seed: u64, rules: BatchRules) -> Result<Self, WrongRows> {
        Self::new_on(Level::detect(), n, seed, rules)
    }

    /// [`new`](Self::new) on a level, on which all steps are played.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn new_on(level: Level, n: usize, seed: u64, rules: BatchRules) -> Result<Self, WrongRows> {
        if !(1..=HEIGHT).contains(&rules.rows) {
            return Err(WrongRows { found: rules.rows });
        }
        let mut batch = Self { level, seed, rules, games: Vec::new() };
        batch.games.extend(Rng::streams(seed).take(n).map(|rng| Place::new(level, &rules, rng)));
        Ok(batch)
    }

    /// Bytes of an observation.
    pub fn cells(&self) -> usize {
        self.rules.rows * WIDTH + OTHERS + self.rules.game.next.min(crate::game::MAX_NEXT)
    }

    /// Actions of a game, legal or not.
    pub fn actions(&self) -> usize {
        self.rules.actions.len(self.rules.game.hold)
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// A game as it stands. None if there is no such game.
    pub fn game(&self, game: usize) -> Option<&Game> {
        self.games.get(game).map(|place| &place.game)
    }

    /// What the last step did in this place, to the game before if that ended by it. None if there is no such game or
    /// it hasn't been stepped since the reset.
    pub fn outcome(&self, game: usize) -> Option<LockResult> {
        self.games.get(game).and_then(|place| place.outcome)
    }

    /// The action of the last step in this place, as [`random_step_into`](Self::random_step_into) may have chosen it.
    /// None where [`outcome`](Self::outcome) is.
    pub fn action(&self, game: usize) -> Option<u32> {
        self.games.get(game).and_then(|place| place.action)
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
        for (place, rng) in self.games.iter_mut().zip(Rng::streams(self.seed)) {
            *place = Place::new(self.level, &self.rules, rng);
        }
        self.write(obs, mask);
        Ok(())
    }

    /// Plays one action in each game. `reward` gets what the move earned; `done` whether it was the game's last: then a
    /// new game has begun, `obs` and `mask` are its first, and [`last_into`](Self::last_into) has how the old one ended.
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
        check_legal(actions, |game, action| self.games[game].legal_move(action).is_some())?;
        for (i, place) in self.games.iter_mut().enumerate() {
            if let Some(turn) = place.legal_move(actions[i]) {
                (reward[i], done[i]) = place.step(self.level, turn, &self.rules);
            }
        }
        self.write(obs, mask);
        Ok(())
    }

    /// Plays a random legal action in each game, all with the same probability ([`action`](Self::action) tells which):
    /// game i draws, from its own stream and before its pieces, [`Rng::below`] the number of legal actions, which count
    /// in their order. All else as for [`step_into`](Self::step_into); both may be called in any order.
    ///
    /// ```
    /// use tetris::batch::{Batch, BatchRules};
    /// let mut batch = Batch::new(2, 1, BatchRules::default())?;
    /// let (mut obs, mut mask) = (vec![0; 2 * batch.cells()], vec![false; 2 * batch.actions()]);
    /// let (mut reward, mut done) = ([0; 2], [false; 2]);
    /// batch.reset_into(&mut obs, &mut mask)?;
    /// let legal = mask.clone();
    /// batch.random_step_into(&mut obs, &mut reward, &mut done, &mut mask)?;
    /// assert!(legal[batch.action(0).unwrap() as usize]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`].
    pub fn random_step_into(
        &mut self,
        obs: &mut [u8],
        reward: &mut [i32],
        done: &mut [bool],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.shape().check_step(obs, reward, done, mask)?;
        for (i, place) in self.games.iter_mut().enumerate() {
            let chosen = place.rng.below(place.legal.len() as u32) as usize;
            if let Some(&turn) = place.legal.get(chosen) {
                (reward[i], done[i]) = place.step(self.level, turn, &self.rules);
            }
        }
        self.write(obs, mask);
        Ok(())
    }

    fn write(&self, obs: &mut [u8], mask: &mut [bool]) {
        for (place, (obs, mask)) in self.games.iter().zip(self.shape().rows(1, obs, mask)) {
            place.write(self.rules.rows, obs, mask);
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
        let last = &self.games[game].last;
        if let Some(last) = last {
            observe(last, self.rules.rows, obs);
        }
        last.is_some()
    }
}
