//! [`LevelBoard`]: the cells of a level in play.

use super::kind::Kind;
use super::spec::{Cover, Ground, LevelSpec, Start};
use crate::board::{At, Board, Cell};
use alloc::vec::Vec;

/// What is in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants explain their fields")]
pub enum Content {
    /// Nothing.
    Empty,
    /// A piece.
    Piece { color: u8, special: Option<Kind>, cover: Cover },
    /// An item.
    Item,
    /// A crate of this many layers, at least 1.
    Crate(u8),
}

/// A cell of a level in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LevelCell {
    /// What the cell is. Walls and voids are empty for ever.
    pub ground: Ground,
    /// What is in it.
    pub content: Content,
    /// The layers of jelly under it.
    pub jelly: u8,
}

/// What a cell can have, alone or with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    Color(u8),
    Kind(Kind),
    Lock,
    Ice,
    Crate,
    Item,
    Jelly,
}

/// What a cell has besides the color and the lock of its piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Spot {
    pub(super) ground: Ground,
    pub(super) kind: Option<Kind>,
    pub(super) is_item: bool,
    pub(super) crate_layers: u8,
    pub(super) ice: u8,
    pub(super) jelly: u8,
}

/// The cells of a level in play.
///
/// ```
/// use match3::level::{Content, Level, LevelGame, LevelSpec, Start};
/// use match3::{RandomColors, Rng};
/// let mut spec = LevelSpec::new(6, 6);
/// spec.cell((1, 1)).start = Start::Crate(2);
/// let mut colors = RandomColors::new(6, Rng::new(1))?;
/// let game = LevelGame::new(Level::new(spec)?, &mut colors)?;
/// assert_eq!(game.board().cell(1, 1).content, Content::Crate(2));
/// assert_eq!(game.board().plain()[(1, 1)], match3::Cell::BLOCKED);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LevelBoard {
    /// The pieces, locked if they have a lock or ice; what else a cell has in it is blocked.
    pub(super) plain: Board,
    pub(super) spots: Vec<Spot>,
}

impl LevelBoard {
    /// Creates the board of a level, with pieces of color 1 in place of random ones.
    pub(super) fn start(spec: &LevelSpec) -> Self {
        let plain = Board::new(spec.width, spec.height).expect("a size that was checked");
        let mut board = Self { plain, spots: alloc::vec![Spot::default(); spec.cells.len()] };
        for (i, cell) in spec.cells.iter().enumerate() {
            board.spots[i].ground = cell.ground;
            board.spots[i].jelly = cell.jelly;
            if cell.ground != Ground::Open {
                board.plain.cells_mut()[i] = Cell::BLOCKED;
                continue;
            }
            match cell.start {
                Start::Empty => {}
                Start::Item => board.put(i, Content::Item),
                Start::Crate(layers) => board.put(i, Content::Crate(layers)),
                Start::Piece { color, special, cover } => {
                    let color = color.unwrap_or(1);
                    board.put(i, Content::Piece { color, special, cover });
                }
            }
        }
        board
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.plain.width()
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.plain.height()
    }

    /// Returns the cell in column `x` of row `y`.
    ///
    /// # Panics
    ///
    /// If the cell is outside the board.
    pub fn cell(&self, x: usize, y: usize) -> LevelCell {
        self.cell_at(self.plain.index_of((x, y)))
    }

    /// Returns the cells, row by row from the top.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = LevelCell> + use<'_> {
        (0..self.spots.len()).map(|i| self.cell_at(i))
    }

    /// Returns the pieces as a plain board: a piece with a lock or with ice is locked, and items,
    /// crates, walls and voids are blocked.
    pub fn plain(&self) -> &Board {
        &self.plain
    }

    /// Returns the special kind of the piece in a cell.
    ///
    /// # Panics
    ///
    /// If the cell is outside the board.
    pub fn special(&self, x: usize, y: usize) -> Option<Kind> {
        self.spots[self.plain.index_of((x, y))].kind
    }

    pub(super) fn cell_at(&self, i: usize) -> LevelCell {
        let spot = &self.spots[i];
        LevelCell { ground: spot.ground, content: self.content(i), jelly: spot.jelly }
    }

    /// Calls a function with each layer that each cell has, the index of the cell, and the number
    /// of layers.
    pub(super) fn each_layer(&self, mut see: impl FnMut(Layer, usize, u8)) {
        for (i, cell) in self.cells().enumerate() {
            if cell.jelly > 0 {
                see(Layer::Jelly, i, cell.jelly);
            }
            match cell.content {
                Content::Empty => {}
                Content::Item => see(Layer::Item, i, 1),
                Content::Crate(layers) => see(Layer::Crate, i, layers),
                Content::Piece { color, special, cover } => {
                    see(Layer::Color(color), i, 1);
                    if let Some(kind) = special {
                        see(Layer::Kind(kind), i, 1);
                    }
                    match cover {
                        Cover::None => {}
                        Cover::Lock => see(Layer::Lock, i, 1),
                        Cover::Ice(layers) => see(Layer::Ice, i, layers),
                    }
                }
            }
        }
    }

    pub(super) fn content(&self, i: usize) -> Content {
        let spot = &self.spots[i];
        let cell = self.plain.cells()[i];
        match cell.color() {
            Some(color) => {
                let cover = match (spot.ice, cell.is_locked()) {
                    (0, false) => Cover::None,
                    (0, true) => Cover::Lock,
                    (layers, _) => Cover::Ice(layers),
                };
                Content::Piece { color, special: spot.kind, cover }
            }
            None if spot.is_item => Content::Item,
            None if spot.crate_layers > 0 => Content::Crate(spot.crate_layers),
            None => Content::Empty,
        }
    }

    /// Replaces what is in an open cell.
    pub(super) fn put(&mut self, i: usize, content: Content) {
        let spot = &mut self.spots[i];
        spot.kind = None;
        spot.is_item = false;
        spot.crate_layers = 0;
        spot.ice = 0;
        let cell = match content {
            Content::Empty => Cell::EMPTY,
            Content::Item => {
                spot.is_item = true;
                Cell::BLOCKED
            }
            Content::Crate(layers) => {
                spot.crate_layers = layers;
                Cell::BLOCKED
            }
            Content::Piece { color, special, cover } => {
                spot.kind = special;
                if let Cover::Ice(layers) = cover {
                    spot.ice = layers;
                }
                let cell = Cell::from_byte(color);
                if cover == Cover::None { cell } else { cell.locked() }
            }
        };
        self.plain.cells_mut()[i] = cell;
    }

    /// Returns whether an open cell has nothing in it.
    pub(super) fn is_empty(&self, i: usize) -> bool {
        self.plain.cells()[i] == Cell::EMPTY
    }

    /// Returns whether what is in the cell can fall: an item, or a piece without ice.
    pub(super) fn is_movable(&self, i: usize) -> bool {
        let spot = &self.spots[i];
        spot.is_item || (!self.plain.cells()[i].is_hole() && spot.ice == 0)
    }

    /// Moves what is in a cell, without its jelly, to an empty cell.
    pub(super) fn carry(&mut self, from: usize, to: usize) {
        self.plain.cells_mut().swap(from, to);
        let Spot { kind, is_item, .. } = self.spots[from];
        self.spots[from].kind = None;
        self.spots[from].is_item = false;
        self.spots[to].kind = kind;
        self.spots[to].is_item = is_item;
    }

    /// Exchanges what is in two cells; neither has ice or is a crate.
    pub(super) fn exchange(&mut self, a: usize, b: usize) {
        self.plain.cells_mut().swap(a, b);
        let (first, second) = (self.spots[a], self.spots[b]);
        self.spots[a].kind = second.kind;
        self.spots[a].is_item = second.is_item;
        self.spots[b].kind = first.kind;
        self.spots[b].is_item = first.is_item;
    }

    pub(super) fn at(&self, i: usize) -> At {
        (i % self.plain.width(), i / self.plain.width())
    }

    pub(super) fn index(&self, (x, y): At) -> usize {
        y * self.plain.width() + x
    }
}
