//! The cascade of a move.

use super::Level;
use super::board::{Content, LevelBoard};
use super::effects::{Activation, CellSet, Hits};
use super::event::{Coat, LevelEvent};
use super::falls::{Spawners, settle};
use super::goals::{Tally, Target};
use super::kind::Kind;
use super::spec::Cover;
use crate::board::At;
use crate::cascade_result::CascadeResult;
use crate::cells::groups::{Group, groups_in, squares};
use crate::cells::journal::Journal;
use crate::runs::matched;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// A cascade, with what it changes.
pub(super) struct Cascade<'a, 'b, J> {
    pub(super) level: &'a Level,
    pub(super) board: &'a mut LevelBoard,
    pub(super) left: &'a mut [u32],
    /// The spawners, or none to see what is certain.
    pub(super) spawners: Option<&'a mut Spawners<'b>>,
    pub(super) journal: &'a mut J,
}

impl<J: Journal<LevelEvent>> Cascade<'_, '_, J> {
    /// Plays the cascade of a swap whose cells, `swapped`, have been exchanged. Returns the totals
    /// and whether the level's bound ended it.
    pub(super) fn play(&mut self, swapped: [At; 2]) -> (CascadeResult, bool) {
        let spec = self.level.spec();
        let cells = swapped.map(|at| self.board.index(at));
        let mut activation = Activation::of(self.board, spec.effects, cells);
        let mut result = CascadeResult::default();
        let mut queue = VecDeque::new();
        let mut was_open = Vec::with_capacity(self.left.len());
        loop {
            let groups = groups(self.board, spec.effects.square);
            if groups.is_empty() && activation.is_none() {
                return (result, false);
            }
            if result.levels == u64::from(spec.cascade_limit) {
                if J::RECORDS {
                    self.journal.record(LevelEvent::CascadeLimit { level: result.levels });
                }
                return (result, true);
            }
            let level = result.levels + 1;
            was_open.clear();
            was_open.extend(self.left.iter().map(|&left| left > 0));
            let mut tally = Tally { goals: &spec.goals, left: self.left };
            if J::RECORDS {
                for group in &groups {
                    self.journal.record(LevelEvent::Match { level, group: group.clone() });
                }
            }
            let mut hits = Hits {
                board: self.board,
                journal: self.journal,
                level,
                wanted: tally.wanted(),
                set: CellSet::EMPTY,
                queue,
            };
            hits.collect(&groups, activation.take(), &mut tally);
            let set = hits.set;
            queue = hits.queue;
            let (cleared, layers) = take_effect(self.board, &set, level, &mut tally, self.journal);
            result.add_level(cleared);
            result.score += 10 * layers * level;
            tally.add(Target::Score, 10 * (cleared + layers) * level);
            if spec.effects.specials {
                let swapped: &[At] = if level == 1 { &swapped } else { &[] };
                create(self.board, &groups, swapped, level, &mut tally, self.journal);
            }
            let spawners = self.spawners.as_deref_mut();
            let items = settle(self.board, &self.level.layout, spawners, self.journal);
            tally.add(Target::Items, items.into());
            if J::RECORDS {
                for (index, (&left, &was_open)) in tally.left.iter().zip(&was_open).enumerate() {
                    if left == 0 && was_open {
                        self.journal.record(LevelEvent::Goal { index });
                    }
                }
            }
        }
    }
}

/// Returns the groups of a board, with its squares.
pub(super) fn groups(board: &LevelBoard, square: bool) -> Vec<Group> {
    let matched = matched(&board.plain);
    let mut groups = groups_in(&board.plain, matched);
    if square {
        let mut taken: Vec<At> = groups.iter().flat_map(Group::cells).copied().collect();
        for group in squares(&board.plain) {
            if group.cells().iter().all(|at| !taken.contains(at)) {
                taken.extend(group.cells());
                groups.push(group);
            }
        }
    }
    groups
}

/// Applies the hits. Returns the numbers of pieces cleared and of layers taken.
fn take_effect<J: Journal<LevelEvent>>(
    board: &mut LevelBoard,
    set: &CellSet,
    level: u64,
    tally: &mut Tally<'_>,
    journal: &mut J,
) -> (u64, u64) {
    let mut cleared = 0;
    let mut layers = 0;
    let (width, height) = (board.width(), board.height());
    for i in set.cells(width, height) {
        let at = board.at(i);
        let mut take = |coat, target, left: &mut u8, tally: &mut Tally<'_>, journal: &mut J| {
            *left -= 1;
            layers += 1;
            if *left == 0 {
                tally.add(target, 1);
            }
            if J::RECORDS {
                journal.record(LevelEvent::Layer { level, at, coat, left: *left });
            }
        };
        let content = board.content(i);
        match content {
            Content::Crate(mut left) => {
                take(Coat::Crate, Target::Crates, &mut left, tally, journal);
                board.put(i, if left == 0 { Content::Empty } else { Content::Crate(left) });
                continue;
            }
            Content::Piece { color, special, cover: Cover::Ice(mut left) } => {
                take(Coat::Ice, Target::Ice, &mut left, tally, journal);
                let cover = if left == 0 { Cover::None } else { Cover::Ice(left) };
                board.put(i, Content::Piece { color, special, cover });
                continue;
            }
            Content::Piece { color, special, cover } => {
                if J::RECORDS {
                    let cell = board.plain.cells()[i];
                    journal.record(LevelEvent::Clear { level, at, cell, special });
                }
                cleared += 1;
                board.put(i, Content::Empty);
                tally.add(Target::Color(color), 1);
                tally.add(Target::Locked, (cover == Cover::Lock).into());
            }
            Content::Empty | Content::Item => {}
        }
        if board.spots[i].jelly > 0 {
            take(Coat::Jelly, Target::Jelly, &mut board.spots[i].jelly, tally, journal);
        }
    }
    (cleared, layers)
}

/// Creates the special pieces of the groups.
fn create<J: Journal<LevelEvent>>(
    board: &mut LevelBoard,
    groups: &[Group],
    swapped: &[At],
    level: u64,
    tally: &mut Tally<'_>,
    journal: &mut J,
) {
    for group in groups {
        let Some(special) = Kind::of(group) else { continue };
        let cells = group.cells();
        let swapped = swapped.iter().copied().find(|at| cells.contains(at));
        let first = swapped.unwrap_or(cells[cells.len() / 2]);
        let mut candidates = core::iter::once(first).chain(cells.iter().copied());
        let is_free = |at: &At| board.is_empty(board.index(*at));
        let Some(at) = candidates.find(is_free) else { continue };
        let color = group.color();
        let content = Content::Piece { color, special: Some(special), cover: Cover::None };
        board.put(board.index(at), content);
        tally.add(Target::Made, 1);
        if J::RECORDS {
            journal.record(LevelEvent::Create { level, at, special, color });
        }
    }
}
