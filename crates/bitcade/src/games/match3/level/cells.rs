//! [`Cells`]: the cells of a level as a picture shows them.

use crate::games::match3::animation::At;
use match3::level::{Content, Cover, Ground, LevelBoard, LevelCell, LevelSpec, Spawned, Start};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cells {
    width: usize,
    cells: Vec<LevelCell>,
}

impl Cells {
    pub(super) fn of(board: &LevelBoard) -> Self {
        Self { width: board.width(), cells: board.cells().collect() }
    }

    /// Returns the cells at the start of a level. Pieces of random colors have color 0.
    pub(super) fn start(spec: &LevelSpec) -> Self {
        let cells = spec.cells.iter().map(|cell| {
            let content = match cell.start {
                _ if cell.ground != Ground::Open => Content::Empty,
                Start::Empty => Content::Empty,
                Start::Piece { color, special, cover } => {
                    Content::Piece { color: color.unwrap_or(0), special, cover }
                }
                Start::Item => Content::Item,
                Start::Crate(layers) => Content::Crate(layers),
            };
            LevelCell { ground: cell.ground, content, jelly: cell.jelly }
        });
        Self { width: spec.width, cells: cells.collect() }
    }

    pub(super) fn size(&self) -> (usize, usize) {
        (self.width, self.cells.len() / self.width)
    }

    pub(super) fn get(&self, (x, y): At) -> LevelCell {
        self.cells[y * self.width + x]
    }

    pub(super) fn get_mut(&mut self, (x, y): At) -> &mut LevelCell {
        &mut self.cells[y * self.width + x]
    }

    /// Returns the cells by row, each with its column and row.
    pub(super) fn all(&self) -> impl Iterator<Item = (At, LevelCell)> {
        let at = |i: usize| (i % self.width, i / self.width);
        self.cells.iter().enumerate().map(move |(i, &cell)| (at(i), cell))
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[LevelCell]> {
        self.cells.chunks(self.width)
    }
}

pub(super) fn content_of(spawned: Spawned) -> Content {
    match spawned {
        Spawned::Piece(color) => Content::Piece { color, special: None, cover: Cover::None },
        Spawned::Item => Content::Item,
    }
}
