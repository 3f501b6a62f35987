//! [`LevelSave`]: a game without its level.

use super::Level;
use super::board::{Content, LevelBoard};
use super::falls::Supply;
use super::game::LevelGame;
use super::goals::{Outcome, Target};
use super::kind::Kind;
use super::spec::{Cover, Ground, LevelSpec, Limit, Start};
use crate::board::{At, Board, Cell};
use crate::runs::is_stable;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A saved game, without its level: [`LevelGame::save`] makes it, and [`LevelGame::restore`] goes
/// on with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct LevelSave {
    /// The plain board.
    board: Board,
    /// What else there is, each with its cell.
    specials: Vec<(At, Kind)>,
    items: Vec<At>,
    crates: Vec<(At, u8)>,
    ice: Vec<(At, u8)>,
    jelly: Vec<(At, u8)>,
    score: u64,
    left: Vec<u32>,
    limit_left: u32,
    moves: u32,
    items_brought: u32,
}

/// The reason no game of the level can be in a saved state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game of this level has {0}")]
pub struct LevelSaveError(&'static str);

fn require(is_so: bool, otherwise: &'static str) -> Result<(), LevelSaveError> {
    if is_so { Ok(()) } else { Err(LevelSaveError(otherwise)) }
}

impl LevelGame {
    /// Returns the game without its level.
    ///
    /// ```
    /// use match3::level::{Level, LevelGame, LevelSpec};
    /// use match3::{RandomColors, Rng};
    /// let mut colors = RandomColors::new(6, Rng::new(1))?;
    /// let mut game = LevelGame::new(Level::new(LevelSpec::new(8, 8))?, &mut colors)?;
    /// game.play(game.legal_moves()[0], &mut colors, &mut ())?;
    /// assert_eq!(LevelGame::restore(game.level().clone(), &game.save())?, game);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> LevelSave {
        let board = &self.board;
        let layers = |layers: fn(&LevelBoard, usize) -> u8| {
            let cells = (0..board.spots.len()).map(|i| (board.at(i), layers(board, i)));
            cells.filter(|&(_, layers)| layers > 0).collect()
        };
        let kind = |i: usize| Some((board.at(i), board.spots[i].kind?));
        let items = (0..board.spots.len()).filter(|&i| board.spots[i].is_item);
        LevelSave {
            board: board.plain.clone(),
            specials: (0..board.spots.len()).filter_map(kind).collect(),
            items: items.map(|i| board.at(i)).collect(),
            crates: layers(|board, i| board.spots[i].crate_layers),
            ice: layers(|board, i| board.spots[i].ice),
            jelly: layers(|board, i| board.spots[i].jelly),
            score: self.score,
            left: self.left.clone(),
            limit_left: self.limit_left,
            moves: self.moves,
            items_brought: self.supply.brought,
        }
    }

    /// Goes on with a saved game of a level.
    ///
    /// # Errors
    ///
    /// [`LevelSaveError`] for what no game of the level has.
    pub fn restore(level: impl Into<Arc<Level>>, save: &LevelSave) -> Result<Self, LevelSaveError> {
        let level = level.into();
        let spec = level.spec();
        let board = save.board(spec)?;
        let on_board = save.items.len() as u32;
        let brought = save.items_brought;
        let items_at_start = spec.items_at_start();
        let most = spec.items.total.max(items_at_start);
        require((items_at_start..=most).contains(&brought) && on_board <= brought, "these items")?;
        let supply = Supply { items: spec.items, brought, on_board };
        save.check_counts(spec, &board, &supply)?;
        let mut game = Self::with(level, board, supply);
        game.score = save.score;
        game.left.clone_from(&save.left);
        game.limit_left = save.limit_left;
        game.moves = save.moves;
        game.end();
        Ok(game)
    }
}

impl LevelSave {
    fn board(&self, spec: &LevelSpec) -> Result<LevelBoard, LevelSaveError> {
        let size = (self.board.width(), self.board.height());
        require(size == (spec.width, spec.height), "a board of this size")?;
        let mut board = LevelBoard::start(spec);
        for (i, (&cell, start)) in self.board.cells().iter().zip(&spec.cells).enumerate() {
            board.spots[i].jelly = 0;
            if start.ground != Ground::Open {
                require(cell == Cell::BLOCKED, "this outline")?;
                continue;
            }
            let cover = if cell.is_locked() { Cover::Lock } else { Cover::None };
            let content = match cell.color() {
                Some(color) => {
                    require(usize::from(color) <= spec.colors.len(), "this color")?;
                    Content::Piece { color, special: None, cover }
                }
                None => Content::Empty,
            };
            board.put(i, content);
        }
        let mut seen: Vec<At> = Vec::new();
        let mut index = |at: At, what| {
            require(spec.is_open(at) && !seen.contains(&at), what)?;
            seen.push(at);
            Ok(at.1 * spec.width + at.0)
        };
        for &(at, kind) in &self.specials {
            let i = index(at, "a special piece there")?;
            let is_kind = spec.effects.specials && (kind != Kind::Square || spec.effects.square);
            require(is_kind && !self.board[at].is_hole(), "this special piece")?;
            board.spots[i].kind = Some(kind);
        }
        let blocked = self.board.cells().iter().zip(&spec.cells);
        let blocked =
            blocked.filter(|&(&cell, start)| start.ground == Ground::Open && cell == Cell::BLOCKED);
        require(blocked.count() == self.items.len() + self.crates.len(), "these crates or items")?;
        for &at in &self.items {
            let i = index(at, "an item there")?;
            require(self.board[at] == Cell::BLOCKED, "an item there")?;
            board.put(i, Content::Item);
        }
        for &(at, layers) in &self.crates {
            let i = index(at, "a crate there")?;
            let is_there = matches!(spec.cells[i].start, Start::Crate(most) if layers <= most);
            require(is_there && layers > 0 && self.board[at] == Cell::BLOCKED, "a crate there")?;
            board.put(i, Content::Crate(layers));
        }
        self.put_layers(spec, &mut board)?;
        Ok(board)
    }

    fn put_layers(&self, spec: &LevelSpec, board: &mut LevelBoard) -> Result<(), LevelSaveError> {
        for &(at, layers) in &self.ice {
            require(spec.is_open(at), "ice there")?;
            let i = board.index(at);
            let most = match spec.cells[i].start {
                Start::Piece { cover: Cover::Ice(most), .. } => most,
                _ => 0,
            };
            let is_new = board.spots[i].ice == 0 && self.board[at].is_locked();
            require(is_new && (1..=most).contains(&layers), "ice there")?;
            board.spots[i].ice = layers;
        }
        for &(at, layers) in &self.jelly {
            require(spec.is_open(at), "jelly there")?;
            let i = board.index(at);
            let most = spec.cells[i].jelly;
            let is_new = board.spots[i].jelly == 0;
            require(is_new && (1..=most).contains(&layers), "jelly there")?;
            board.spots[i].jelly = layers;
        }
        Ok(())
    }

    fn check_counts(
        &self,
        spec: &LevelSpec,
        board: &LevelBoard,
        supply: &Supply,
    ) -> Result<(), LevelSaveError> {
        let (Limit::Moves(limit) | Limit::Time(limit)) = spec.limit;
        require(self.limit_left <= limit, "this limit left")?;
        if let Limit::Moves(moves) = spec.limit {
            let played = self.moves.checked_add(self.limit_left);
            require(played == Some(moves), "this number of moves")?;
        }
        require(self.left.len() == spec.goals.len(), "this number of goals")?;
        let is_won = !self.left.is_empty() && self.left.iter().all(|&left| left == 0);
        let bonus = u64::from(self.limit_left) * u64::from(spec.bonus);
        let points = self.score.checked_sub(if is_won { bonus } else { 0 });
        let points = points.ok_or(LevelSaveError("these points"))?;
        if self.moves == 0 {
            require(points == 0, "points before the first move")?;
            require(is_stable(&board.plain), "a run before the first move")?;
        }
        let count = |has: &dyn Fn(Content) -> bool| {
            board.cells().filter(|cell| has(cell.content)).count() as u32
        };
        let is_locked = |content| matches!(content, Content::Piece { cover: Cover::Lock, .. });
        let is_iced = |content| matches!(content, Content::Piece { cover: Cover::Ice(_), .. });
        let gone = |target, now: u32| spec.count(target).unwrap_or(0).checked_sub(now);
        let locks = gone(Target::Locked, count(&is_locked));
        let locks = locks.ok_or(LevelSaveError("this number of locks"))?;
        for (goal, &left) in spec.goals.iter().zip(&self.left) {
            let done = match goal.target {
                Target::Score => Some(u32::try_from(points).unwrap_or(u32::MAX)),
                Target::Locked => Some(locks),
                Target::Jelly => gone(goal.target, self.jelly.len() as u32),
                Target::Crates => gone(goal.target, self.crates.len() as u32),
                Target::Ice => gone(goal.target, count(&is_iced)),
                Target::Items => Some(supply.brought - supply.on_board),
                Target::Color(_) | Target::SetOff | Target::Made => None,
            };
            let expected = done.map(|done| goal.count.saturating_sub(done));
            let is_possible = expected.is_none_or(|expected| left == expected);
            require(is_possible && left <= goal.count, "this much left of a goal")?;
            require(self.moves > 0 || left == goal.count, "a goal before the first move")?;
        }
        Ok(())
    }
}

impl LevelGame {
    /// Ends a restored game if it was over.
    fn end(&mut self) {
        if !self.left.is_empty() && self.left.iter().all(|&left| left == 0) {
            self.over(Outcome::Won);
        } else if self.limit_left == 0 {
            self.over(match self.level.spec().limit {
                Limit::Moves(_) => Outcome::OutOfMoves,
                Limit::Time(_) => Outcome::OutOfTime,
            });
        } else if self.legal_moves().is_empty() {
            self.over(Outcome::Dead);
        }
    }
}
