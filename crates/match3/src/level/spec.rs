//! [`LevelSpec`]: a level as plain data, and what is wrong with it.

use super::goals::{Goal, Target};
use super::kind::Kind;
use crate::bitboard::colors::RandomColors;
use crate::board::{At, MAX_SIDE};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The most layers of jelly, ice or a crate.
pub(super) const MAX_LAYERS: u8 = 9;
/// The most portals: a letter each.
const MAX_PORTALS: usize = 26;

/// A level as plain data with public fields, not checked: [`Level::new`](super::Level::new) does.
///
/// ```
/// use match3::level::{Ground, Level, LevelSpec, Start};
/// let mut spec = LevelSpec::new(6, 6);
/// spec.cell((2, 3)).ground = Ground::Wall;
/// spec.cell((3, 3)).start = Start::Crate(2);
/// assert!(Level::new(spec).is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelSpec {
    /// The name, for people.
    pub name: String,
    /// The number of columns, 1 to 64.
    pub width: usize,
    /// The number of rows, 1 to 64.
    pub height: usize,
    /// The weight of each color, from color 1: how often new pieces have it. 1 to 15 colors.
    pub colors: Vec<u32>,
    /// What ends the game.
    pub limit: Limit,
    /// What falls where.
    pub falls: Falls,
    /// Where things fall to.
    pub gravity: Gravity,
    /// Which special pieces there are.
    pub effects: Effects,
    /// The most levels of a cascade, at least 1.
    pub cascade_limit: u32,
    /// What happens when no swap is legal.
    pub shuffle: ShuffleRule,
    /// Points for each move, or second, that is left when the goals are reached.
    pub bonus: u32,
    /// All of these win the game. Without goals, the game ends with its limit.
    pub goals: Vec<Goal>,
    /// The cells, row by row from the top.
    pub cells: Vec<StartCell>,
    /// Where new pieces enter, or `None` for each stream that begins at the edge.
    pub spawners: Option<Vec<Spawner>>,
    /// Where items leave, in any order.
    pub exits: Vec<At>,
    /// Cells that continue elsewhere.
    pub portals: Vec<Portal>,
    /// The items that spawners bring.
    pub items: Items,
}

impl LevelSpec {
    /// Creates a level of random pieces: 6 colors, 30 moves, straight falls down, special pieces
    /// with pairs, no goals, at most 100 levels of a cascade.
    pub fn new(width: usize, height: usize) -> Self {
        let cells = width.saturating_mul(height).min(MAX_SIDE * MAX_SIDE);
        Self {
            name: String::new(),
            width,
            height,
            colors: vec![1; 6],
            limit: Limit::Moves(30),
            falls: Falls::Straight,
            gravity: Gravity::Down,
            effects: Effects::default(),
            cascade_limit: 100,
            shuffle: ShuffleRule::Rearrange,
            bonus: 0,
            goals: Vec::new(),
            cells: vec![StartCell::default(); cells],
            spawners: None,
            exits: Vec::new(),
            portals: Vec::new(),
            items: Items::default(),
        }
    }

    /// Returns a cell, to change it.
    ///
    /// # Panics
    ///
    /// If the cell, given as (x, y), is outside the board.
    pub fn cell(&mut self, (x, y): (usize, usize)) -> &mut StartCell {
        assert!(x < self.width, "column {x} of a level {} wide", self.width);
        &mut self.cells[y * self.width + x]
    }

    /// Returns the number of things at the start that a target counts: crates, cells with jelly,
    /// and so on. `None` for those without a number: points, colors and special pieces.
    ///
    /// ```
    /// use match3::level::{LevelSpec, Target};
    /// let mut spec = LevelSpec::new(5, 5);
    /// spec.cell((0, 0)).jelly = 2;
    /// assert_eq!(spec.count(Target::Jelly), Some(1));
    /// assert_eq!(spec.count(Target::Score), None);
    /// ```
    pub fn count(&self, target: Target) -> Option<u32> {
        let has = |cell: &&StartCell| match (target, cell.start) {
            (Target::Jelly, _) => cell.jelly > 0,
            (Target::Crates, Start::Crate(_)) => true,
            (Target::Ice, Start::Piece { cover, .. }) => matches!(cover, Cover::Ice(_)),
            (Target::Locked, Start::Piece { cover, .. }) => cover == Cover::Lock,
            _ => false,
        };
        match target {
            Target::Score | Target::Color(_) | Target::SetOff | Target::Made => None,
            Target::Items => Some(self.items.total.max(self.items_at_start())),
            _ => Some(self.cells.iter().filter(has).count() as u32),
        }
    }

    pub(super) fn items_at_start(&self) -> u32 {
        self.cells.iter().filter(|cell| cell.start == Start::Item).count() as u32
    }

    pub(super) fn contains(&self, (x, y): At) -> bool {
        x < self.width && y < self.height
    }

    pub(super) fn at(&self, (x, y): At) -> &StartCell {
        &self.cells[y * self.width + x]
    }

    pub(super) fn is_open(&self, at: At) -> bool {
        self.contains(at) && self.at(at).ground == Ground::Open
    }

    /// Checks everything that can be told without the streams and without a deal.
    pub(super) fn check(&self) -> Result<(), LevelError> {
        let rules = |field, reason: String| Err(LevelError { place: Place::Rules(field), reason });
        if !(1..=MAX_SIDE).contains(&self.width) || !(1..=MAX_SIDE).contains(&self.height) {
            let reason =
                format!("{} x {} cells, expected 1 to {MAX_SIDE}", self.width, self.height);
            return rules("cells", reason);
        }
        if self.cells.len() != self.width * self.height {
            let expected = self.width * self.height;
            return rules("cells", format!("{} cells, expected {expected}", self.cells.len()));
        }
        check_weights(&self.colors).or_else(|reason| rules("colors", reason))?;
        match self.limit {
            Limit::Moves(0) => return rules("moves", "0 moves, expected at least 1".into()),
            Limit::Time(0) => return rules("time", "0 seconds, expected at least 1".into()),
            _ => {}
        }
        if self.cascade_limit == 0 {
            return rules("cascade_limit", "0 levels, expected at least 1".into());
        }
        if !self.effects.specials && (self.effects.pairs || self.effects.square) {
            return rules("specials", "pairs or squares without special pieces".into());
        }
        self.check_cells()?;
        self.check_places()?;
        for (index, &goal) in self.goals.iter().enumerate() {
            self.check_goal(index, goal)
                .map_err(|reason| LevelError { place: Place::Goal(index), reason })?;
        }
        Ok(())
    }

    /// Makes equal levels equal data: lists in reading order, nothing in walls and voids.
    pub(super) fn normalize(&mut self) {
        for cell in self.cells.iter_mut().filter(|cell| cell.ground != Ground::Open) {
            cell.start = Start::Empty;
        }
        self.exits.sort_unstable_by_key(|&(x, y)| (y, x));
        if let Some(spawners) = &mut self.spawners {
            spawners.sort_by_key(|spawner| (spawner.at.1, spawner.at.0));
        }
    }

    fn check_cells(&self) -> Result<(), LevelError> {
        for (index, cell) in self.cells.iter().enumerate() {
            let at = (index % self.width, index / self.width);
            let fail = |layer, reason: String| {
                Err(LevelError { place: Place::Cell { layer, at }, reason })
            };
            if cell.ground != Ground::Open {
                if cell.start != Start::default() && cell.start != Start::Empty {
                    return fail(Layer::Pieces, "a wall or void with content".into());
                }
                if cell.jelly > 0 {
                    return fail(Layer::Jelly, "jelly outside the open cells".into());
                }
                continue;
            }
            if cell.jelly > MAX_LAYERS {
                return fail(
                    Layer::Jelly,
                    format!("{} layers of at most {MAX_LAYERS}", cell.jelly),
                );
            }
            match cell.start {
                Start::Crate(0) => return fail(Layer::Pieces, "a crate of 0 layers".into()),
                Start::Crate(layers) if layers > MAX_LAYERS => {
                    let reason = format!("{layers} layers of at most {MAX_LAYERS}");
                    return fail(Layer::Pieces, reason);
                }
                Start::Piece { color, special, cover } => {
                    let colors = self.colors.len();
                    if color.is_some_and(|color| !(1..=colors).contains(&usize::from(color))) {
                        let color = color.unwrap_or(0);
                        return fail(Layer::Pieces, format!("color {color} of {colors} colors"));
                    }
                    if special.is_some() && !self.effects.specials {
                        let reason = "a special piece in a level without them";
                        return fail(Layer::Pieces, reason.into());
                    }
                    if special == Some(Kind::Square) && !self.effects.square {
                        let reason = "a square piece in a level without squares";
                        return fail(Layer::Pieces, reason.into());
                    }
                    match cover {
                        Cover::Ice(0) => return fail(Layer::Ice, "ice of 0 layers".into()),
                        Cover::Ice(layers) if layers > MAX_LAYERS => {
                            let reason = format!("{layers} layers of at most {MAX_LAYERS}");
                            return fail(Layer::Ice, reason);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_places(&self) -> Result<(), LevelError> {
        let check = |layer, at: At, others: &mut Vec<At>| {
            let reason = if !self.is_open(at) {
                "not an open cell"
            } else if others.contains(&at) {
                "named twice"
            } else {
                others.push(at);
                return Ok(());
            };
            Err(LevelError { place: Place::Cell { layer, at }, reason: reason.into() })
        };
        let mut seen = Vec::new();
        for spawner in self.spawners.iter().flatten() {
            check(Layer::Spawners, spawner.at, &mut seen)?;
            if let Some(weights) = &spawner.weights {
                let place = Place::Cell { layer: Layer::Spawners, at: spawner.at };
                let result = if weights.len() == self.colors.len() {
                    check_weights(weights)
                } else {
                    Err(format!("{} weights of {} colors", weights.len(), self.colors.len()))
                };
                result.map_err(|reason| LevelError { place, reason })?;
            }
        }
        seen.clear();
        for &at in &self.exits {
            check(Layer::Exits, at, &mut seen)?;
        }
        seen.clear();
        for portal in &self.portals {
            check(Layer::Portals, portal.entrance, &mut seen)?;
        }
        // A cell has one end of a portal, as a letter in a file says which.
        for portal in &self.portals {
            check(Layer::Portals, portal.exit, &mut seen)?;
        }
        if let Some(portal) = self.portals.get(MAX_PORTALS) {
            let place = Place::Cell { layer: Layer::Portals, at: portal.entrance };
            let reason = format!("{} portals of at most {MAX_PORTALS}", self.portals.len());
            return Err(LevelError { place, reason });
        }
        let has_items = self.items_at_start() > 0 || self.items.total > 0;
        if has_items && self.exits.is_empty() {
            let reason = "items, but no exit".into();
            return Err(LevelError { place: Place::Rules("exits"), reason });
        }
        if self.items.total > 0 && self.items.total < self.items_at_start() {
            let reason = "fewer items than on the board".into();
            return Err(LevelError { place: Place::Rules("items"), reason });
        }
        Ok(())
    }

    fn check_goal(&self, index: usize, Goal { target, count }: Goal) -> Result<(), String> {
        let colors = self.colors.len();
        match target {
            _ if count == 0 => return Err("a count of 0, expected at least 1".into()),
            _ if self.goals[..index].iter().any(|other| other.target == target) => {
                return Err("a target that an earlier goal has".into());
            }
            Target::Color(color) if !(1..=colors).contains(&usize::from(color)) => {
                return Err(format!("color {color} of {colors} colors"));
            }
            Target::SetOff | Target::Made if !self.effects.specials => {
                return Err("special pieces in a level without them".into());
            }
            _ => {}
        }
        match self.count(target) {
            Some(there) if there < count => Err(format!("{count} of {there} on the board")),
            _ => Ok(()),
        }
    }
}

fn check_weights(weights: &[u32]) -> Result<(), String> {
    let largest = usize::from(RandomColors::MAX);
    let most = 1_000_000;
    if !(1..=largest).contains(&weights.len()) {
        return Err(format!("{} colors, expected 1 to {largest}", weights.len()));
    }
    if weights.iter().any(|&weight| weight > most) {
        return Err(format!("a weight above {most}"));
    }
    if weights.iter().all(|&weight| weight == 0) {
        return Err("no weight above 0".into());
    }
    Ok(())
}

/// A cell at the start of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StartCell {
    /// What the cell is.
    pub ground: Ground,
    /// What is in it.
    pub start: Start,
    /// The layers of jelly under it.
    pub jelly: u8,
}

/// What a cell is for the whole game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ground {
    /// A cell that holds things.
    #[default]
    Open,
    /// Blocked for ever: it stops what falls.
    Wall,
    /// No cell: what falls straight passes through.
    Void,
}

/// What is in a cell at the start of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants explain their fields")]
pub enum Start {
    /// Nothing.
    Empty,
    /// A piece, of a random color if there is no `color`.
    Piece { color: Option<u8>, special: Option<Kind>, cover: Cover },
    /// An item, which must leave by an exit.
    Item,
    /// A crate of this many layers.
    Crate(u8),
}

impl Default for Start {
    /// Returns a plain piece of a random color.
    fn default() -> Self {
        Self::Piece { color: None, special: None, cover: Cover::None }
    }
}

/// What holds a piece in its cell or keeps it from being swapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cover {
    /// Nothing: the piece can be swapped.
    #[default]
    None,
    /// A lock: the piece falls, and the lock goes with it.
    Lock,
    /// Layers of ice, at least 1: the piece doesn't fall, and each hit takes a layer.
    Ice(u8),
}

/// What ends a game that isn't won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// This many moves.
    Moves(u32),
    /// This many seconds, which the caller [counts](super::LevelGame::spend).
    Time(u32),
}

/// What falls where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Falls {
    /// Straight only: what is below an obstacle stays empty.
    #[default]
    Straight,
    /// Also past obstacles, diagonally.
    Diagonal,
}

/// The direction in which things fall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "directions")]
pub enum Gravity {
    #[default]
    Down,
    Up,
    Left,
    Right,
}

/// Which special pieces a level has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effects {
    /// Whether matches make special pieces.
    pub specials: bool,
    /// Whether two special pieces can be swapped for an effect of both.
    pub pairs: bool,
    /// Whether squares of 2 x 2 are matches, which make square pieces.
    pub square: bool,
}

impl Default for Effects {
    /// Returns special pieces with pairs, without squares.
    fn default() -> Self {
        Self { specials: true, pairs: true, square: false }
    }
}

/// What happens when no swap is legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ShuffleRule {
    /// The free pieces change places.
    #[default]
    Rearrange,
    /// All pieces get new colors.
    Recolor,
    /// The game ends.
    End,
}

/// A cell where new pieces enter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spawner {
    /// The cell.
    pub at: At,
    /// The weight of each color, or those of the level.
    pub weights: Option<Vec<u32>>,
    /// Whether it brings items.
    pub items: bool,
    /// The most things that it brings in a move.
    pub limit: Option<u32>,
}

impl Spawner {
    /// Returns a spawner with the weights of the level, with items and without a limit.
    pub const fn new(at: At) -> Self {
        Self { at, weights: None, items: true, limit: None }
    }
}

/// A cell that continues elsewhere: what falls out of the entrance falls into the exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "cells")]
pub struct Portal {
    pub entrance: At,
    pub exit: At,
}

/// The items that spawners bring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Items {
    /// All items of the level, with those on the board at its start; 0 for only these.
    pub total: u32,
    /// A spawner brings an item while fewer than this many are on the board.
    pub at_once: u32,
}

/// A layer of the cells of a level, as its file has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "names")]
pub enum Layer {
    Pieces,
    Jelly,
    Ice,
    Locks,
    Spawners,
    Exits,
    Portals,
}

/// The part of a level that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants explain their fields")]
pub enum Place {
    /// A field, by its name in a file.
    Rules(&'static str),
    /// A cell, in one of the layers.
    Cell { layer: Layer, at: At },
    /// The goal with this index.
    Goal(usize),
}

/// What is wrong with a level, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", self.prefix())]
#[non_exhaustive]
pub struct LevelError {
    /// Where.
    pub place: Place,
    /// What, in one line without the place.
    pub reason: String,
}

impl LevelError {
    fn prefix(&self) -> String {
        match self.place {
            Place::Rules(field) => format!("{field}: "),
            Place::Cell { at: (x, y), .. } => format!("({x}, {y}): "),
            Place::Goal(index) => format!("goal {index}, from 0: "),
        }
    }
}
