//! What falls where: settling a board.

use super::board::{Content, LevelBoard};
use super::event::{LevelEvent, Spawned};
use super::layout::{Draw, Layout, NONE, Source};
use super::spec::{Cover, Items};
use crate::bitboard::colors::{Colors, RandomColors};
use crate::board::At;
use crate::cells::journal::Journal;
use alloc::vec::Vec;

/// What spawners have brought and may still bring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Supply {
    pub(super) items: Items,
    /// Items that have been on the board.
    pub(super) brought: u32,
    /// Items on the board.
    pub(super) on_board: u32,
}

/// The spawners during a move.
pub(super) struct Spawners<'a> {
    pub(super) supply: &'a mut Supply,
    pub(super) colors: &'a mut RandomColors,
    /// How much each source has brought in this move.
    pub(super) counts: &'a mut [u32],
}

impl Spawners<'_> {
    /// Returns what a source brings next, if anything.
    pub(super) fn next(&mut self, index: usize, source: &Source) -> Option<Spawned> {
        if source.limit.is_some_and(|limit| self.counts[index] >= limit) {
            return None;
        }
        self.counts[index] += 1;
        let Supply { items, brought, on_board } = &mut *self.supply;
        if source.items && *brought < items.total && *on_board < items.at_once {
            *brought += 1;
            *on_board += 1;
            return Some(Spawned::Item);
        }
        Some(Spawned::Piece(match &source.draw {
            Draw::Even => self.colors.next(),
            Draw::Sums(sums) => {
                let sum = sums[sums.len() - 1];
                let number = self.colors.rng().below(sum);
                1 + sums.partition_point(|&sum| sum <= number) as u8
            }
        }))
    }
}

/// A set of streams.
struct Streams([u64; 64]);

impl Streams {
    fn insert(&mut self, stream: u16) {
        self.0[usize::from(stream / 64)] |= 1 << (stream % 64);
    }

    fn take(&mut self, stream: usize) -> bool {
        let bit = 1 << (stream % 64);
        let had = self.0[stream / 64] & bit != 0;
        self.0[stream / 64] &= !bit;
        had
    }
}

/// Lets everything fall, without new pieces if there are no `spawners`. Returns the number of
/// items that left.
pub(super) fn settle<J: Journal<LevelEvent>>(
    board: &mut LevelBoard,
    layout: &Layout,
    mut spawners: Option<&mut Spawners<'_>>,
    journal: &mut J,
) -> u32 {
    let mut left = 0;
    let mut open = Streams([u64::MAX; 64]);
    loop {
        for i in 0..layout.streams.len() {
            if open.take(i) {
                fall(board, layout, i, spawners.as_deref_mut(), journal);
            }
        }
        if let Some((from, to)) = diagonal_step(board, layout) {
            board.carry(from.into(), to.into());
            if J::RECORDS {
                let path = [from, to].map(|cell| board.at(cell.into())).to_vec();
                journal.record(LevelEvent::Fall { path });
            }
            open.insert(layout.stream_of[usize::from(from)]);
            open.insert(layout.stream_of[usize::from(to)]);
            continue;
        }
        let mut has_left = false;
        for &exit in &layout.exits {
            if board.spots[usize::from(exit)].is_item {
                board.put(exit.into(), Content::Empty);
                if J::RECORDS {
                    journal.record(LevelEvent::Collect { at: board.at(exit.into()) });
                }
                if let Some(spawners) = &mut spawners {
                    spawners.supply.on_board -= 1;
                }
                open.insert(layout.stream_of[usize::from(exit)]);
                left += 1;
                has_left = true;
            }
        }
        if !has_left {
            return left;
        }
    }
}

/// Lets a stream fall straight, then fills it.
fn fall<J: Journal<LevelEvent>>(
    board: &mut LevelBoard,
    layout: &Layout,
    index: usize,
    spawners: Option<&mut Spawners<'_>>,
    journal: &mut J,
) {
    let stream = &layout.streams[index];
    let cells = layout.cells(stream);
    let path = |board: &LevelBoard, from: usize, to: usize| -> Vec<At> {
        cells[to..=from].iter().rev().map(|&cell| board.at(cell.into())).collect()
    };
    // The cells from here up to the next content are empty.
    let mut low = 0;
    for (i, &cell) in cells.iter().enumerate() {
        let cell = usize::from(cell);
        if board.is_empty(cell) {
            continue;
        }
        if !board.is_movable(cell) {
            low = i + 1;
            continue;
        }
        if low != i {
            board.carry(cell, cells[low].into());
            if J::RECORDS {
                journal.record(LevelEvent::Fall { path: path(board, i, low) });
            }
        }
        low += 1;
    }
    let (Some(spawners), Some(source)) = (spawners, stream.source) else { return };
    for to in low..cells.len() {
        let source = usize::from(source);
        let Some(spawned) = spawners.next(source, &layout.sources[source]) else { return };
        board.put(
            cells[to].into(),
            match spawned {
                Spawned::Item => Content::Item,
                Spawned::Piece(color) => {
                    Content::Piece { color, special: None, cover: Cover::None }
                }
            },
        );
        if J::RECORDS {
            let path = path(board, cells.len() - 1, to);
            journal.record(LevelEvent::Spawn { spawned, path });
        }
    }
}

/// Returns the first diagonal step: from and to.
fn diagonal_step(board: &LevelBoard, layout: &Layout) -> Option<(u16, u16)> {
    layout.diagonals.iter().find_map(|&(to, above)| {
        if !board.is_empty(to.into()) {
            return None;
        }
        let can_fall = |from: &u16| *from != NONE && board.is_movable((*from).into());
        above.into_iter().find(can_fall).map(|from| (from, to))
    })
}
