//! [`Cells`]: the cells of a level as a picture shows them, changed event by event.

use crate::games::match3::animation::At;
use match3::level::{
    Coat, Content, Cover, Ground, LevelBoard, LevelCell, LevelEvent, LevelSpec, Spawned, Start,
};

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

    pub(super) fn apply(&mut self, event: &LevelEvent) {
        match event {
            LevelEvent::Swap(swap) => {
                let [a, b] = swap.cells();
                let content = self.get(a).content;
                self.get_mut(a).content = std::mem::replace(&mut self.get_mut(b).content, content);
            }
            LevelEvent::Clear { at, .. } | LevelEvent::Collect { at } => {
                self.get_mut(*at).content = Content::Empty;
            }
            &LevelEvent::Layer { at, coat, left, .. } => self.take_layer(at, coat, left),
            &LevelEvent::Change { at, special, .. } => {
                if let Content::Piece { special: kind, .. } = &mut self.get_mut(at).content {
                    *kind = Some(special);
                }
            }
            &LevelEvent::Create { at, special, color, .. } => {
                let special = Some(special);
                self.get_mut(at).content = Content::Piece { color, special, cover: Cover::None };
            }
            LevelEvent::Fall { path } => {
                if let (Some(&from), Some(&to)) = (path.first(), path.last()) {
                    let from = &mut self.get_mut(from).content;
                    let content = std::mem::replace(from, Content::Empty);
                    self.get_mut(to).content = content;
                }
            }
            LevelEvent::Spawn { spawned, path } => {
                if let Some(&to) = path.last() {
                    self.get_mut(to).content = content_of(*spawned);
                }
            }
            LevelEvent::Shuffle { pieces } => {
                for &(at, new_color, new_special) in pieces {
                    if let Content::Piece { color, special, .. } = &mut self.get_mut(at).content {
                        (*color, *special) = (new_color, new_special);
                    }
                }
            }
            _ => {}
        }
    }

    fn take_layer(&mut self, at: At, coat: Coat, left: u8) {
        let cell = self.get_mut(at);
        match (coat, &mut cell.content) {
            (Coat::Jelly, _) => cell.jelly = left,
            (Coat::Crate, content) => {
                *content = if left == 0 { Content::Empty } else { Content::Crate(left) };
            }
            (Coat::Ice, Content::Piece { cover, .. }) => {
                *cover = if left == 0 { Cover::None } else { Cover::Ice(left) };
            }
            (Coat::Ice, _) => {}
        }
    }
}

pub(super) fn content_of(spawned: Spawned) -> Content {
    match spawned {
        Spawned::Piece(color) => Content::Piece { color, special: None, cover: Cover::None },
        Spawned::Item => Content::Item,
    }
}
