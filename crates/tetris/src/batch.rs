//! Many games stepped by a caller's actions: [`Batch`], an environment for reinforcement learning.

use crate::board::{Board, HEIGHT, WIDTH};
use crate::game::{Game, LockResult, Move, Position, Rules, placements_on};
use crate::location::Location;
use crate::movegen::{self};
use crate::piece::{Orientation, Piece};
use crate::placement::{Placement, Spin};
use alloc::vec::Vec;
use bitcore::batch::{Context, Games, Shape};
use bitcore::{Level, Rng};
use core::num::NonZeroU32;

pub use bitcore::batch::{
    Autoreset, BatchError, GameState, IllegalAction, OtherRules, Seeds, StepBuffers, StepOut, TooManyGames,
};

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

/// Many games of the same [`BatchRules`]: an environment for reinforcement learning.
///
/// The slices are row-major, game by game, and owned by the caller ([`bitcore::batch`] lists them):
///
/// - an observation of [`cells`](bitcore::batch::Batch::cells) bytes: the visible rows of the board from the
///   top one, ten bytes each, 1 for a filled cell; the piece in play, the held piece and the preview, each 1
///   to 7 in the order of [`Piece::ALL`], 0 for none; clears in a row and back-to-back clears in a row, 255 at
///   most;
/// - an action, numbered by [`Actions`];
/// - the reward: the lines or the attack of the move;
/// - a mask with one flag per action. A game that isn't over has a legal action.
///
/// A game that tops out is terminated, one that reaches [`max_pieces`](BatchRules::max_pieces) is truncated.
/// The mode of [`Autoreset`] determines when the next game begins.
///
/// Game i draws from [stream](Rng::stream) i of the seed alone. First the pieces of its queue are drawn, each
/// by [`Bag::draw`](crate::Bag::draw); later, in each step, the random action, by [`Rng::below`] the number of
/// legal actions, which count in the order of their numbers, then the pieces that enter the queue.
///
/// A start is a [`Board`] over which all seven pieces fit where they spawn.
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
/// assert_eq!((&buffers.reward, &buffers.terminated), (&vec![0; 3], &vec![false; 3]));
/// assert!(buffers.obs.chunks(cells).all(|obs| obs[..200].iter().sum::<u8>() == 4));
///
/// let legal = buffers.mask.clone();
/// batch.random_step_into(buffers.out())?;
/// let action = batch.game(0).and_then(|env| env.action()).unwrap();
/// assert!(legal[action as usize]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Batch = bitcore::batch::Batch<EnvGroup>;

/// One environment of a [`Batch`]: its present game, and the result of the last step.
#[derive(Clone, Debug)]
pub struct Env {
    game: Game,
    rng: Rng,
    /// The legal moves in the order of their numbers.
    legal: Vec<(u32, Move)>,
    /// The action of the last step, and its result.
    action: Option<u32>,
    result: Option<LockResult>,
}

impl Env {
    /// Returns the present game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the result of the last step, which may have ended the game before the present one. Returns
    /// `None` if the last step played no action, or a reset came after it.
    pub fn lock_result(&self) -> Option<LockResult> {
        self.result
    }

    /// Returns the action of the last step, which a random step has chosen itself. Returns `None` where
    /// [`lock_result`](Self::lock_result) does.
    pub fn action(&self) -> Option<u32> {
        self.action
    }

    fn new(rules: &BatchRules, rng: Rng) -> Self {
        // The batch starts a game before it shows one.
        let game = Game::new(rules.game, &mut rng.clone());
        Self { game, rng, legal: Vec::new(), action: None, result: None }
    }

    /// Starts the next game of the stream.
    fn start(&mut self, context: &Context<EnvGroup>) {
        let rules = &context.rules;
        let start = context.draw_start(&mut self.rng);
        let position = Position { board: start.copied().unwrap_or(Board::EMPTY), ..Position::default() };
        self.game = Game::start(rules.game, position, &mut self.rng);
        rules.actions.moves_into(context.level, &self.game, &mut self.legal);
    }

    fn legal_move(&self, action: u32) -> Option<(u32, Move)> {
        let found = self.legal.binary_search_by_key(&action, |&(action, _)| action).ok()?;
        Some(self.legal[found])
    }

    /// Draws a legal action.
    fn draw(&mut self) -> u32 {
        let chosen = self.rng.below(self.legal.len() as u32) as usize;
        self.legal.get(chosen).map_or(0, |&(action, _)| action)
    }

    /// Plays a legal action and returns its reward.
    fn play(&mut self, context: &Context<EnvGroup>, action: u32, is_last: bool) -> i64 {
        let rules = &context.rules;
        let Some((action, turn)) = self.legal_move(action) else { return 0 };
        self.action = Some(action);
        self.result = self.game.lock(context.level, turn, &mut self.rng);
        if !is_last {
            rules.actions.moves_into(context.level, &self.game, &mut self.legal);
        }
        let reward = self.result.map_or(0, |result| match rules.reward {
            RewardKind::Lines => result.clear.lines,
            RewardKind::Attack => result.attack,
        });
        reward.into()
    }
}

/// The environments that a [`Batch`] steps together.
#[derive(Clone, Debug)]
pub struct EnvGroup {
    envs: Vec<Env>,
}

impl EnvGroup {
    /// Iterates over the places and environments of a mask.
    fn each(&mut self, which: u64) -> impl Iterator<Item = (usize, &mut Env)> {
        self.envs.iter_mut().enumerate().filter(move |&(place, _)| which >> place & 1 == 1)
    }
}

impl Games for EnvGroup {
    const TOGETHER: usize = 32;
    type Rules = BatchRules;
    type Error = BatchRulesError;
    type Start = Board;
    type Game = Env;
    type View<'a> = &'a Env;

    fn check(_: Level, rules: &BatchRules) -> Result<(), BatchRulesError> {
        let found = rules.rows;
        if (1..=HEIGHT).contains(&found) { Ok(()) } else { Err(WrongRows { found }.into()) }
    }

    fn shape(rules: &BatchRules, games: usize) -> Shape {
        let cells = rules.rows * WIDTH + OTHERS + rules.game.next.min(crate::game::MAX_NEXT);
        Shape { games, cells, actions: rules.actions.len(rules.game.hold) }
    }

    fn step_limit(rules: &BatchRules) -> Option<NonZeroU32> {
        rules.max_pieces
    }

    fn accepts(_: Level, _: &BatchRules, start: &Board) -> bool {
        Piece::ALL.into_iter().all(|piece| start.fits(Location::spawn(piece)))
    }

    fn new(rules: &BatchRules, games: usize) -> Self {
        let env = Env::new(rules, Rng::new(0));
        Self { envs: alloc::vec![env; games] }
    }

    fn start(&mut self, context: &Context<Self>, which: u64, stream: &mut dyn FnMut(usize) -> Option<Rng>) {
        for (place, env) in self.each(which) {
            if let Some(rng) = stream(place) {
                env.rng = rng;
                (env.action, env.result) = (None, None);
            }
            env.start(context);
        }
    }

    fn forget(&mut self, which: u64) {
        for (_, env) in self.each(which) {
            (env.action, env.result) = (None, None);
        }
    }

    fn is_legal(&self, game: usize, action: u32) -> bool {
        self.envs[game].legal_move(action).is_some()
    }

    fn draw(&mut self, _: &Context<Self>, which: u64, actions: &mut [u32]) {
        for (place, env) in self.each(which) {
            actions[place] = env.draw();
        }
    }

    fn play(
        &mut self,
        context: &Context<Self>,
        which: u64,
        last: u64,
        actions: Option<&[u32]>,
        reward: &mut [i64],
    ) -> u64 {
        self.forget(!which);
        let mut over = 0;
        for (place, env) in self.each(which) {
            let action = match actions {
                Some(actions) => actions[place],
                None => env.draw(),
            };
            reward[place] = env.play(context, action, last >> place & 1 == 1);
            over |= u64::from(env.game.over().is_some()) << place;
        }
        over
    }

    fn write(&self, context: &Context<Self>, obs: &mut [u8], mask: &mut [bool]) {
        let shape = Self::shape(&context.rules, self.envs.len());
        for (env, (obs, mask)) in self.envs.iter().zip(shape.rows(1, obs, mask)) {
            observe(&env.game, context.rules.rows, obs);
            mask.fill(false);
            for &(action, _) in &env.legal {
                mask[action as usize] = true;
            }
        }
    }

    fn observe(&self, context: &Context<Self>, game: usize, obs: &mut [u8]) {
        observe(&self.envs[game].game, context.rules.rows, obs);
    }

    fn game(&self, game: usize) -> Env {
        self.envs[game].clone()
    }

    fn set_game(&mut self, _: &Context<Self>, game: usize, value: &Env) {
        self.envs[game].clone_from(value);
    }

    fn view(&self, game: usize) -> &Env {
        &self.envs[game]
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
