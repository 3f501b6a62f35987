//! [`GoalsBatch`](crate::GoalsBatch): levels with goals, special pieces, and boards of any shape,
//! as a reinforcement learning environment.

use crate::bitboard::colors::{Colors, RandomColors};
use crate::bitboard::mask::{Mask, Swaps};
use crate::board::{Board, Cell};
use crate::cells::journal::{Event, Journal};
use crate::cells::special::{Special, SpecialBoard, SpecialEvent};
use crate::error::Error;
use crate::runs::is_stable;
use crate::swap::Swap;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::batch::{Context, Games, Shape, Turn};
use bitcore::{Rng, SetBits};
use core::num::NonZeroU32;

/// Something that moves are counted towards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Target {
    /// Points.
    Score,
    /// Pieces of this color that are cleared, special or not.
    Color(u8),
    /// Locked pieces that are cleared.
    Locked,
    /// Special pieces that are set off.
    Special,
}

/// A goal of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Goal {
    /// What is counted.
    pub target: Target,
    /// The number to reach, at least 1.
    pub count: u32,
}

/// The rules of a level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct GoalsRules {
    /// The shape of the board, with sides of 1 to 16: each game gives the pieces random colors.
    /// Empty and blocked cells stay, and locks stay in their cells until the game begins.
    pub board: Board,
    /// The number of colors, 4 to 15. With three, special pieces on a large board would never come
    /// to rest.
    pub colors: u8,
    /// The number of moves in a game.
    pub moves: u32,
    /// Whether groups of four or more create special pieces.
    pub special: bool,
    /// The goals, all of which win the game. Without goals, a game ends with its moves.
    pub goals: Vec<Goal>,
    /// The reward for reaching a goal, added to the points. A bonus larger than the points of a
    /// whole game makes an early win worth more than further moves.
    pub bonus: u32,
}

impl Default for GoalsRules {
    /// Returns the rules for 8 x 8 cells, 6 colors, 30 moves and special pieces, without goals, and
    /// with a bonus of 10,000.
    fn default() -> Self {
        let cells = vec![Cell::from_byte(1); 64];
        let board = Board::from_cells(8, 8, cells).expect("64 cells");
        Self { board, colors: 6, moves: 30, special: true, goals: Vec::new(), bonus: 10_000 }
    }
}

const MAX_SIDE: usize = 16;
/// The planes after those of the special kinds. The last ones are of the colors and the goals.
const LOCKED: usize = Special::Color as usize + 1;
const BLOCKED: usize = LOCKED + 1;
const MOVES: usize = BLOCKED + 1;
const COLORS: usize = MOVES + 1;

impl GoalsRules {
    fn check(&self) -> Result<(), Error> {
        if self.moves == 0 {
            return Err(Error::NoMoves);
        }
        let found = self.colors;
        let least = 4;
        let largest = RandomColors::MAX;
        if !(least..=largest).contains(&found) {
            return Err(Error::Colors { found, least, largest });
        }
        let width = self.board.width();
        let height = self.board.height();
        if width.max(height) > MAX_SIDE {
            return Err(Error::Size { width, height, longest: MAX_SIDE });
        }
        for (index, &goal) in self.goals.iter().enumerate() {
            self.check_goal(index, goal).map_err(|reason| Error::Goal { index, reason })?;
        }
        self.deal(&mut Rng::new(0)).map(|_| ())
    }

    fn check_goal(&self, index: usize, Goal { target, count }: Goal) -> Result<(), &'static str> {
        let locked = self.board.cells().iter().filter(|cell| cell.is_locked()).count();
        let is_reachable = match target {
            Target::Score => true,
            Target::Color(color) => (1..=self.colors).contains(&color),
            Target::Locked => count as usize <= locked,
            Target::Special => self.special,
        };
        if count == 0 {
            Err("a count of 0, expected at least 1")
        } else if !is_reachable {
            Err(match target {
                Target::Locked => "more locked pieces than the board has",
                Target::Special => "special pieces in a level without them",
                Target::Score | Target::Color(_) => "a color that the level doesn't have",
            })
        } else if self.goals[..index].iter().any(|other| other.target == target) {
            Err("a target that an earlier goal has")
        } else {
            Ok(())
        }
    }

    fn deal(&self, rng: &mut Rng) -> Result<SpecialBoard, Error> {
        let mut board = SpecialBoard::from(self.board.clone());
        board.redeal(self.colors, rng)?;
        Ok(board)
    }

    fn cells(&self) -> usize {
        self.board.cells().len()
    }

    /// The first plane of the goals.
    fn goals_plane(&self) -> usize {
        COLORS + usize::from(self.colors)
    }

    /// Checks what is true of the board in every game.
    fn check_board(&self, board: &SpecialBoard) -> Result<(), &'static str> {
        let width = board.board().width();
        let height = board.board().height();
        let is_blocked = |cell: &Cell| *cell == Cell::BLOCKED;
        let fits = |cell: &Cell| cell.color().is_none_or(|color| color <= self.colors);
        let is_special = |at| board.special(at % width, at / width).is_some();
        if (width, height) != (self.board.width(), self.board.height()) {
            Err("a board of another size")
        } else if !board.board().cells().iter().map(is_blocked).eq(self
            .board
            .cells()
            .iter()
            .map(is_blocked))
        {
            Err("blocked cells in other places than the level's")
        } else if !board.board().cells().iter().all(fits) {
            Err("a piece isn't of one of the colors")
        } else if !is_stable(board.board()) {
            Err("three or more pieces of a color in a row")
        } else if !self.special && (0..self.cells()).any(is_special) {
            Err("special pieces in a level without them")
        } else {
            Ok(())
        }
    }
}

/// One game of a [`GoalsBatch`](crate::GoalsBatch), with its random stream.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct GoalsGame {
    board: SpecialBoard,
    colors: RandomColors,
    score: u64,
    left: Vec<u32>,
    is_won: bool,
    /// The legal actions in ascending order.
    #[cfg_attr(feature = "serde", serde(skip))]
    legal: Vec<u32>,
}

impl GoalsGame {
    /// Returns the board.
    pub fn board(&self) -> &SpecialBoard {
        &self.board
    }

    /// Returns the score so far.
    pub fn score(&self) -> u64 {
        self.score
    }

    /// Returns how much each goal lacks, 0 for a goal that is reached.
    pub fn left(&self) -> &[u32] {
        &self.left
    }

    /// Returns `true` if the last step won a game, which may have been the one before this.
    pub fn is_won(&self) -> bool {
        self.is_won
    }

    fn start(&mut self, rules: &GoalsRules, start: Option<SpecialBoard>) {
        // A deal that finds no board takes the one of the check, which did.
        let deal = |rng| rules.deal(rng).or_else(|_| rules.deal(&mut Rng::new(0)));
        if let Some(board) = start.or_else(|| deal(self.colors.rng()).ok()) {
            self.board = board;
        }
        (self.score, self.left) = (0, rules.goals.iter().map(|goal| goal.count).collect());
        self.list_legal();
    }

    fn list_legal(&mut self) {
        let width = self.board.board().width();
        let height = self.board.board().height();
        let Swaps { right, down } = self.board.swap_masks();
        self.legal.clear();
        let mut first = 0;
        for (mask, width) in [(right, width - 1), (down, width)] {
            for y in 0..height {
                self.legal.extend(SetBits(mask.row(y)).map(|x| first + x));
                first += width as u32;
            }
        }
    }

    fn draw(&mut self) -> Option<u32> {
        let n = self.legal.len() as u32;
        if n == 0 { None } else { Some(self.legal[self.colors.rng().below(n) as usize]) }
    }

    /// Plays a legal action. Returns the reward and whether the game is over.
    fn play(&mut self, rules: &GoalsRules, action: u32, is_last: bool) -> (i64, bool) {
        let Self { board, colors, left, .. } = self;
        let is_open = |left: &[u32]| left.iter().filter(|&&left| left > 0).count();
        let before = is_open(left);
        let width = board.board().width();
        let height = board.board().height();
        let mut tally = Tally { goals: &rules.goals, left };
        let result = Swap::from_action(action as usize, width, height).map(|swap| {
            let color = || Colors::next(colors);
            if rules.special {
                board.try_swap(swap, color, &mut tally)
            } else {
                board.try_plain_swap(swap, color, &mut tally)
            }
        });
        let score = result.and_then(Result::ok).unwrap_or_default().score;
        tally.add(Target::Score, u32::try_from(score).unwrap_or(u32::MAX));
        self.score = self.score.saturating_add(score);
        let open = is_open(&self.left);
        self.is_won = open == 0 && !self.left.is_empty();
        let reached = (before - open) as i64;
        let reward = i64::try_from(score)
            .unwrap_or(i64::MAX)
            .saturating_add(reached * i64::from(rules.bonus));
        self.legal.clear();
        if self.is_won || is_last {
            return (reward, self.is_won);
        }
        self.list_legal();
        if self.legal.is_empty() && self.board.redeal(rules.colors, self.colors.rng()).is_ok() {
            self.list_legal();
        }
        (reward, self.legal.is_empty())
    }

    fn observe(&self, rules: &GoalsRules, obs: &mut [u8]) {
        obs.fill(0);
        let n = rules.cells();
        let width = self.board.board().width();
        for (at, &cell) in self.board.board().cells().iter().enumerate() {
            if let Some(color) = cell.color() {
                obs[(COLORS + usize::from(color) - 1) * n + at] = 1;
            }
            if let Some(kind) = self.board.special(at % width, at / width) {
                obs[kind as usize * n + at] = 1;
            }
            obs[LOCKED * n + at] = cell.is_locked().into();
            obs[BLOCKED * n + at] = (cell == Cell::BLOCKED).into();
        }
        let planes = obs[rules.goals_plane() * n..].chunks_exact_mut(n);
        for (plane, (goal, &left)) in planes.zip(rules.goals.iter().zip(&self.left)) {
            plane.fill((u64::from(left) * 255).div_ceil(goal.count.into()) as u8);
        }
    }
}

/// Counts the events of a move towards the goals.
struct Tally<'a> {
    goals: &'a [Goal],
    left: &'a mut [u32],
}

impl Tally<'_> {
    fn add(&mut self, target: Target, count: u32) {
        for (goal, left) in self.goals.iter().zip(&mut *self.left) {
            if goal.target == target {
                *left = left.saturating_sub(count);
            }
        }
    }
}

impl Journal for Tally<'_> {
    fn record(&mut self, event: Event) {
        if let Event::Clear { cell, .. } = event {
            self.add(Target::Color(cell.color().unwrap_or(0)), 1);
            self.add(Target::Locked, cell.is_locked().into());
        }
    }
}

impl Journal<SpecialEvent> for Tally<'_> {
    fn record(&mut self, event: SpecialEvent) {
        match event {
            SpecialEvent::Board(event) => self.record(event),
            SpecialEvent::SetOff { .. } => self.add(Target::Special, 1),
            SpecialEvent::Create { .. } => {}
        }
    }
}

/// The games that a [`GoalsBatch`](crate::GoalsBatch) steps together.
#[derive(Clone, Debug)]
pub struct GoalsGames {
    games: Vec<GoalsGame>,
}

impl GoalsGames {
    fn each(&mut self, which: u64) -> impl Iterator<Item = (usize, &mut GoalsGame)> {
        self.games.iter_mut().enumerate().filter(move |&(place, _)| which >> place & 1 == 1)
    }
}

impl Games for GoalsGames {
    const TOGETHER: usize = 32;
    type Rules = GoalsRules;
    type Error = Error;
    type Start = SpecialBoard;
    type Layout = ();
    type Game = GoalsGame;
    type View<'a> = &'a GoalsGame;

    /// Validates the rules.
    ///
    /// # Errors
    ///
    /// [`Error::NoMoves`], [`Error::Colors`], [`Error::Size`]; [`Error::Goal`] for a goal that
    /// can't be reached; and the errors of [`redeal`](fn@crate::redeal) if the board has no room
    /// for a legal swap.
    fn check(rules: &GoalsRules) -> Result<(), Error> {
        rules.check()
    }

    fn shape(rules: &GoalsRules, games: usize) -> Shape {
        let cells = (rules.goals_plane() + rules.goals.len()) * rules.cells();
        Shape { games, cells, actions: Swap::actions(rules.board.width(), rules.board.height()) }
    }

    fn step_limit(_: &GoalsRules) -> Option<NonZeroU32> {
        None
    }

    fn move_limit(rules: &GoalsRules) -> Option<NonZeroU32> {
        NonZeroU32::new(rules.moves)
    }

    fn accepts(rules: &GoalsRules, start: &SpecialBoard) -> Result<(), &'static str> {
        rules.check_board(start)?;
        let locked = start.board().cells().iter().filter(|cell| cell.is_locked()).count();
        let lacks = |goal: &Goal| goal.target == Target::Locked && goal.count as usize > locked;
        if rules.goals.iter().any(lacks) {
            Err("fewer locked pieces than the goal")
        } else if start.has_swap() {
            Ok(())
        } else {
            Err("no swap is legal")
        }
    }

    fn new(rules: &GoalsRules, games: usize) -> Self {
        // Placeholder: the batch starts each game before showing it.
        let colors =
            RandomColors::new(rules.colors, Rng::new(0)).expect("colors that were checked");
        let board = SpecialBoard::from(rules.board.clone());
        let left = Vec::new();
        let legal = Vec::new();
        Self {
            games: vec![GoalsGame { board, colors, score: 0, left, is_won: false, legal }; games],
        }
    }

    fn start(
        &mut self,
        context: &Context<Self>,
        which: u64,
        stream: &mut dyn FnMut(usize) -> Option<Rng>,
    ) {
        for (place, game) in self.each(which) {
            if let Some(rng) = stream(place) {
                game.colors.restart(rng);
                game.is_won = false;
            }
            let start = context.draw_start(game.colors.rng()).cloned();
            game.start(&context.rules, start);
        }
    }

    fn forget(&mut self, which: u64) {
        for (_, game) in self.each(which) {
            game.is_won = false;
        }
    }

    fn is_legal(&self, game: usize, action: u32) -> bool {
        self.games[game].legal.binary_search(&action).is_ok()
    }

    fn count_legal(&self, _: &Context<Self>, which: u64, counts: &mut [usize]) {
        for place in SetBits(which).map(|place| place as usize) {
            counts[place] = self.games[place].legal.len();
        }
    }

    fn list_legal(&self, _: &Context<Self>, which: u64, actions: &mut [u32]) {
        let legal = SetBits(which).flat_map(|place| &self.games[place as usize].legal);
        actions.iter_mut().zip(legal).for_each(|(to, &action)| *to = action);
    }

    fn draw(&mut self, _: &Context<Self>, which: u64, actions: &mut [u32]) {
        for (place, game) in self.each(which) {
            actions[place] = game.draw().unwrap_or(0);
        }
    }

    fn play(&mut self, context: &Context<Self>, turn: Turn<'_>, reward: &mut [f32]) -> u64 {
        let Turn { which, last, actions } = turn;
        self.forget(!which);
        let mut over = 0;
        for (place, game) in self.each(which) {
            let action = match actions {
                Some(actions) => Some(actions[place]),
                None => game.draw(),
            };
            let played =
                action.map(|action| game.play(&context.rules, action, last >> place & 1 == 1));
            // A restored game may have no legal action.
            let (points, is_over) = played.unwrap_or((0, true));
            reward[place] = points as f32;
            over |= u64::from(is_over) << place;
        }
        over
    }

    fn plane_cells(rules: &GoalsRules, (): ()) -> Option<usize> {
        Some(rules.cells())
    }

    fn write(&self, context: &Context<Self>, (): (), obs: &mut [u8], mask: &mut [bool]) {
        let Shape { cells, actions, .. } = Self::shape(&context.rules, 1);
        let rows = obs.chunks_exact_mut(cells).zip(mask.chunks_exact_mut(actions));
        for (game, (obs, mask)) in rows.enumerate() {
            self.write_obs(context, (), game, obs);
            self.write_mask(context, game, mask);
        }
    }

    fn write_obs(&self, context: &Context<Self>, (): (), game: usize, obs: &mut [u8]) {
        self.games[game].observe(&context.rules, obs);
    }

    fn write_mask(&self, _: &Context<Self>, game: usize, mask: &mut [bool]) {
        mask.fill(false);
        for &action in &self.games[game].legal {
            mask[action as usize] = true;
        }
    }

    fn write_steps(rules: &GoalsRules, steps: u32, obs: &mut [u8]) {
        let cells = rules.cells();
        let left = u8::try_from(rules.moves.saturating_sub(steps)).unwrap_or(u8::MAX);
        obs[MOVES * cells..][..cells].fill(left);
    }

    fn game(&self, game: usize) -> GoalsGame {
        self.games[game].clone()
    }

    fn set_game(&mut self, _: &Context<Self>, game: usize, value: &GoalsGame) {
        self.games[game].clone_from(value);
    }

    fn check_game(rules: &GoalsRules, game: &mut GoalsGame) -> Result<(), &'static str> {
        rules.check_board(&game.board)?;
        if game.colors.count() != rules.colors {
            return Err("a different number of colors");
        }
        let is_left = |(goal, &left): (&Goal, &u32)| left <= goal.count;
        if game.left.len() != rules.goals.len() || !rules.goals.iter().zip(&game.left).all(is_left)
        {
            return Err("other goals");
        }
        game.list_legal();
        Ok(())
    }

    fn view(&self, game: usize) -> &GoalsGame {
        &self.games[game]
    }
}
