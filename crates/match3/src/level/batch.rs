//! [`LevelBatch`](crate::LevelBatch): levels as a reinforcement learning environment.

use super::Level;
use super::board::{Content, Layer, LevelBoard, LevelCell};
use super::game::LevelGame;
use super::goals::Outcome;
use super::kind::Kind;
use super::masks::{MaskGame, Masks, NARROW_PLANES, WIDE_PLANES};
use super::position::Position;
use super::save::LevelSave;
use super::spec::{Cover, Ground, LevelError, Limit, Place};
use crate::bitboard::colors::RandomColors;
use crate::error::Error;
use crate::swap::Swap;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use bitcade_core::batch::{Context, Games, Shape, Turn};
use bitcore::{Rng, SetBits};
use core::num::NonZeroU32;

/// The rules of a [`LevelBatch`](crate::LevelBatch): a level, and what its goals are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    all(feature = "serde", feature = "level-files"),
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Text", into = "Text")
)]
pub struct LevelRules {
    level: Arc<Level>,
    goal_reward: u32,
}

/// The serialized form: the text of the level's file.
#[cfg(all(feature = "serde", feature = "level-files"))]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    level: alloc::string::String,
    goal_reward: u32,
}

#[cfg(all(feature = "serde", feature = "level-files"))]
impl From<LevelRules> for Text {
    fn from(rules: LevelRules) -> Self {
        Self { level: rules.level.to_toml(), goal_reward: rules.goal_reward }
    }
}

#[cfg(all(feature = "serde", feature = "level-files"))]
impl TryFrom<Text> for LevelRules {
    type Error = alloc::string::String;

    fn try_from(text: Text) -> Result<Self, Self::Error> {
        let level = Level::from_toml(&text.level).map_err(|error| error.to_string())?;
        Self::new(level, text.goal_reward).map_err(|error| error.to_string())
    }
}

impl LevelRules {
    /// Creates the rules. `goal_reward` is added to the points of a move for each goal that it
    /// reaches.
    ///
    /// # Errors
    ///
    /// [`LevelError`] if the level has a limit of time: an environment has no clock.
    pub fn new(level: impl Into<Arc<Level>>, goal_reward: u32) -> Result<Self, LevelError> {
        let level = level.into();
        match level.spec().limit {
            Limit::Moves(_) => Ok(Self { level, goal_reward }),
            Limit::Time(_) => Err(LevelError {
                place: Place::Rules("time"),
                reason: "a batch has no clock, expected a level with moves".to_string(),
            }),
        }
    }

    /// Returns the level.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// Returns the reward for each goal.
    pub fn goal_reward(&self) -> u32 {
        self.goal_reward
    }

    fn cells(&self) -> usize {
        self.level.width() * self.level.height()
    }

    fn planes(&self) -> usize {
        COLORS + usize::from(self.level.colors()) + self.level.spec().goals.len()
    }
}

/// The planes after those of the kinds of special pieces. The last ones are of the colors and the
/// goals.
const LOCK: usize = Kind::Square as usize + 1;
const ICE: usize = LOCK + 1;
const CRATE: usize = ICE + 1;
const ITEM: usize = CRATE + 1;
const JELLY: usize = ITEM + 1;
const WALL: usize = JELLY + 1;
const VOID: usize = WALL + 1;
const MOVES: usize = VOID + 1;
const COLORS: usize = MOVES + 1;

/// One game of a [`LevelBatch`](crate::LevelBatch) as a value, with its random stream.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct LevelState {
    game: LevelSave,
    colors: RandomColors,
    is_won: bool,
}

/// A game on the engine that carries its level.
#[derive(Clone, Debug)]
enum Engine {
    Plain(LevelGame),
    Narrow(MaskGame<u64, NARROW_PLANES>),
    Wide(MaskGame<u128, WIDE_PLANES>),
}

macro_rules! on_engine {
    ($engine:expr, $game:ident => $value:expr) => {
        match $engine {
            Engine::Plain($game) => $value,
            Engine::Narrow($game) => $value,
            Engine::Wide($game) => $value,
        }
    };
}

impl Engine {
    fn of(masks: Option<&Masks>, game: LevelGame) -> Self {
        match masks {
            None => Self::Plain(game),
            Some(Masks::Narrow(plan)) => Self::Narrow(MaskGame::of(plan, game)),
            Some(Masks::Wide(plan)) => Self::Wide(MaskGame::of(plan, game)),
        }
    }
}

/// A game in its place in a [`LevelBatch`](crate::LevelBatch).
#[derive(Clone, Debug)]
pub struct LevelPlace {
    game: Engine,
    colors: RandomColors,
    is_won: bool,
    /// The legal actions in ascending order.
    legal: Vec<u32>,
}

impl LevelPlace {
    /// Returns a copy of the game.
    pub fn game(&self) -> LevelGame {
        on_engine!(&self.game, game => game.to_plain())
    }

    /// Returns the points so far, with the bonus.
    pub fn score(&self) -> u64 {
        on_engine!(&self.game, game => Position::score(game))
    }

    /// Returns how much each goal lacks, in the order of the level; 0 for a goal that is reached.
    pub fn left(&self) -> &[u32] {
        on_engine!(&self.game, game => Position::left(game))
    }

    /// Returns the legal swaps, each with the points that it scores with the pieces already on the
    /// board.
    pub fn hints(&self) -> Vec<(Swap, u64)> {
        on_engine!(&self.game, game => {
            game.legal_swaps().into_iter().map(|swap| (swap, game.value(swap).1)).collect()
        })
    }

    /// Returns `true` if the last step won a game, which may have been the one before this.
    pub fn is_won(&self) -> bool {
        self.is_won
    }

    fn list_legal(&mut self, rules: &LevelRules) {
        let (width, height) = (rules.level.width(), rules.level.height());
        self.legal.clear();
        let legal = &mut self.legal;
        let see = |swap: Swap| legal.extend(swap.action(width, height).map(|action| action as u32));
        on_engine!(&self.game, game => game.each_legal(see));
        self.legal.sort_unstable();
    }

    fn draw(&mut self) -> Option<u32> {
        let n = self.legal.len() as u32;
        if n == 0 { None } else { Some(self.legal[self.colors.rng().below(n) as usize]) }
    }

    /// Plays a legal action, and returns the reward.
    fn play(&mut self, rules: &LevelRules, action: u32) -> i64 {
        let (width, height) = (rules.level.width(), rules.level.height());
        let Some(swap) = Swap::from_action(action as usize, width, height) else { return 0 };
        let open = |left: &[u32]| left.iter().filter(|&&left| left > 0).count();
        let before = open(self.left());
        let colors = &mut self.colors;
        let result = on_engine!(&mut self.game, game => Position::play(game, swap, colors, None));
        self.is_won = result.outcome == Some(Outcome::Won);
        self.list_legal(rules);
        let points = i64::try_from(result.cascade.score.saturating_add(result.bonus));
        let reached = (before - open(self.left())) as i64;
        points.unwrap_or(i64::MAX).saturating_add(reached * i64::from(rules.goal_reward))
    }

    fn observe(&self, rules: &LevelRules, obs: &mut [u8]) {
        obs.fill(0);
        let n = rules.cells();
        let colors = rules.level.colors();
        let put = |layer, cell: usize, number| {
            let plane = match layer {
                Layer::Kind(kind) => kind as usize,
                Layer::Lock => LOCK,
                Layer::Ice => ICE,
                Layer::Crate => CRATE,
                Layer::Item => ITEM,
                Layer::Jelly => JELLY,
                Layer::Color(color) => COLORS + usize::from(color) - 1,
            };
            obs[plane * n + cell] = number;
        };
        match &self.game {
            Engine::Plain(game) => game.board().each_layer(put),
            Engine::Narrow(game) => game.each_layer(put),
            Engine::Wide(game) => game.each_layer(put),
        }
        for (cell, spec) in rules.level.spec().cells.iter().enumerate() {
            obs[WALL * n + cell] = (spec.ground == Ground::Wall).into();
            obs[VOID * n + cell] = (spec.ground == Ground::Void).into();
        }
        let moves = on_engine!(&self.game, game => Position::limit_left(game));
        let moves = u8::try_from(moves).unwrap_or(u8::MAX);
        obs[MOVES * n..][..n].fill(moves);
        let goals = rules.level.spec().goals.iter().zip(self.left());
        let first = COLORS + usize::from(colors);
        for (plane, (goal, &left)) in obs[first * n..].chunks_exact_mut(n).zip(goals) {
            plane.fill((u64::from(left) * 255).div_ceil(goal.count.into()) as u8);
        }
    }
}

/// The games that a [`LevelBatch`](crate::LevelBatch) steps together.
#[derive(Clone, Debug)]
pub struct LevelGames {
    games: Vec<LevelPlace>,
    masks: Option<Masks>,
}

impl LevelGames {
    fn each(&mut self, which: u64) -> impl Iterator<Item = (usize, &mut LevelPlace)> {
        self.games.iter_mut().enumerate().filter(move |&(place, _)| which >> place & 1 == 1)
    }
}

impl Games for LevelGames {
    const TOGETHER: usize = 32;
    type Rules = LevelRules;
    type Error = Error;
    type Start = LevelSave;
    type Layout = ();
    type Game = LevelState;
    type View<'a> = &'a LevelPlace;

    /// Accepts all rules: their level was checked.
    fn check(_: &LevelRules) -> Result<(), Error> {
        Ok(())
    }

    fn shape(rules: &LevelRules, games: usize) -> Shape {
        let (width, height) = (rules.level.width(), rules.level.height());
        Shape {
            games,
            cells: rules.planes() * rules.cells(),
            actions: Swap::actions(width, height),
        }
    }

    fn step_limit(_: &LevelRules) -> Option<NonZeroU32> {
        None
    }

    fn accepts(rules: &LevelRules, start: &LevelSave) -> Result<(), &'static str> {
        let game = LevelGame::restore(rules.level.clone(), start);
        match game.map(|game| (game.moves(), game.is_over())) {
            Ok((0, false)) => Ok(()),
            Ok((0, true)) => Err("no swap is legal"),
            _ => Err("no game of the level begins so"),
        }
    }

    fn new(rules: &LevelRules, games: usize) -> Self {
        // Placeholder: the batch starts each game before showing it.
        let mut colors = RandomColors::of(rules.level.colors(), Rng::new(0));
        let game = LevelGame::new(rules.level.clone(), &mut colors).expect("its colors");
        let masks = Masks::of(&rules.level);
        let game = Engine::of(masks.as_ref(), game);
        let place = LevelPlace { game, colors, is_won: false, legal: Vec::new() };
        Self { games: alloc::vec![place; games], masks }
    }

    fn start(
        &mut self,
        context: &Context<Self>,
        which: u64,
        stream: &mut dyn FnMut(usize) -> Option<Rng>,
    ) {
        let level = &context.rules.level;
        let masks = self.masks.clone();
        for (index, place) in self.each(which) {
            if let Some(rng) = stream(index) {
                place.colors.restart(rng);
                place.is_won = false;
            }
            let game = match context.draw_start(place.colors.rng()) {
                Some(start) => LevelGame::restore(level.clone(), start).expect("checked"),
                None => LevelGame::new(level.clone(), &mut place.colors).expect("its colors"),
            };
            place.game = Engine::of(masks.as_ref(), game);
            place.list_legal(&context.rules);
        }
    }

    fn forget(&mut self, which: u64) {
        for (_, place) in self.each(which) {
            place.is_won = false;
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
        for (index, place) in self.each(which) {
            actions[index] = place.draw().unwrap_or(0);
        }
    }

    fn play(&mut self, context: &Context<Self>, turn: Turn<'_>, reward: &mut [f32]) -> u64 {
        let Turn { which, actions, .. } = turn;
        self.forget(!which);
        let mut over = 0;
        for (index, place) in self.each(which) {
            let action = match actions {
                Some(actions) => Some(actions[index]),
                None => place.draw(),
            };
            let points = action.map_or(0, |action| place.play(&context.rules, action));
            reward[index] = points as f32;
            let is_over = on_engine!(&place.game, game => Position::outcome(game).is_some());
            over |= u64::from(is_over) << index;
        }
        over
    }

    fn plane_cells(rules: &LevelRules, (): ()) -> Option<usize> {
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

    fn game(&self, game: usize) -> LevelState {
        let place = &self.games[game];
        let LevelPlace { colors, is_won, .. } = place;
        LevelState { game: place.game().save(), colors: colors.clone(), is_won: *is_won }
    }

    fn set_game(&mut self, context: &Context<Self>, game: usize, value: &LevelState) {
        let place = &mut self.games[game];
        let game = LevelGame::restore(context.rules.level.clone(), &value.game);
        place.game = Engine::of(self.masks.as_ref(), game.expect("a game of the level"));
        place.colors.clone_from(&value.colors);
        place.is_won = value.is_won;
        place.list_legal(&context.rules);
    }

    fn check_game(rules: &LevelRules, game: &mut LevelState) -> Result<(), &'static str> {
        if LevelGame::restore(rules.level.clone(), &game.game).is_err() {
            Err("no game of the level is in this state")
        } else if game.colors.count() != rules.level.colors() {
            Err("a different number of colors")
        } else {
            Ok(())
        }
    }

    fn view(&self, game: usize) -> &LevelPlace {
        &self.games[game]
    }
}

/// Returns a cell's number in an array of numbers, as [`LevelSave::start`] reads it: the color,
/// plus 16 times the kind of a special piece from 1, plus 128 with a lock or ice; of other cells 16
/// for a wall, 32 for a void, 48 for a crate and 64 for an item.
pub(super) fn number(cell: LevelCell) -> u8 {
    match (cell.ground, cell.content) {
        (Ground::Wall, _) => 16,
        (Ground::Void, _) => 32,
        (Ground::Open, Content::Empty) => 0,
        (Ground::Open, Content::Crate(_)) => 48,
        (Ground::Open, Content::Item) => 64,
        (Ground::Open, Content::Piece { color, special, cover }) => {
            let kind = special.map_or(0, |kind| kind as u8 + 1);
            let covered = if cover == Cover::None { 0 } else { 128 };
            color | kind << 4 | covered
        }
    }
}

impl LevelBoard {
    /// Returns a number for each cell, row by row from the top: the color of a piece, plus 16, 32,
    /// 48, 64 or 80 for a row, column, bomb, color or square piece, plus 128 with a lock or ice; 16
    /// for a wall, 32 for a void, 48 for a crate, 64 for an item; 0 for an empty cell.
    pub fn numbers(&self) -> Vec<u8> {
        self.cells().map(number).collect()
    }
}

impl LevelSave {
    /// Returns the start of a game of a level with pieces of these colors and kinds, given as
    /// [`LevelBoard::numbers`]; `None` if a number is that of another thing than the level has
    /// there. [`LevelGame::restore`] checks the rest.
    ///
    /// ```
    /// use match3::level::{Level, LevelGame, LevelSave, LevelSpec};
    /// use match3::{RandomColors, Rng};
    /// let level = Level::new(LevelSpec::new(6, 6))?;
    /// let mut colors = RandomColors::new(level.colors(), Rng::new(1))?;
    /// let game = LevelGame::new(level.clone(), &mut colors)?;
    /// let start = LevelSave::start(&level, &game.board().numbers()).expect("its numbers");
    /// assert_eq!(LevelGame::restore(level, &start)?, game);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(level: &Level, numbers: &[u8]) -> Option<Self> {
        let kinds = [Kind::Row, Kind::Column, Kind::Bomb, Kind::Color, Kind::Square];
        let mut board = LevelBoard::start(level.spec());
        if numbers.len() != level.spec().cells.len() {
            return None;
        }
        for (i, &found) in numbers.iter().enumerate() {
            let there = board.cell_at(i);
            let (Content::Piece { cover, .. }, Ground::Open) = (there.content, there.ground) else {
                if found != number(there) {
                    return None;
                }
                continue;
            };
            let color = found & 15;
            let kind = usize::from(found >> 4 & 7);
            let special = if kind == 0 { None } else { Some(*kinds.get(kind - 1)?) };
            if color == 0 || (found >= 128) != (cover != Cover::None) {
                return None;
            }
            board.put(i, Content::Piece { color, special, cover });
        }
        Some(LevelGame::begin(level.clone().into(), board).save())
    }
}
