//! Special pieces: which cells they hit, and what sets off what.

use super::board::LevelBoard;
use super::event::LevelEvent;
use super::goals::{Tally, Target, Wanted};
use super::kind::Kind;
use super::spec::{Effects, Ground};
use crate::board::MAX_SIDE;
use crate::cells::groups::Group;
use crate::cells::journal::Journal;
use alloc::collections::VecDeque;
use bitcore::SetBits;
use core::ops::Range;

/// A set of cells, a word a row.
#[derive(Clone)]
pub(super) struct CellSet([u64; MAX_SIDE]);

impl CellSet {
    pub(super) const EMPTY: Self = Self([0; MAX_SIDE]);

    fn contains(&self, (x, y): (usize, usize)) -> bool {
        self.0[y] >> x & 1 == 1
    }

    fn insert(&mut self, (x, y): (usize, usize)) {
        self.0[y] |= 1 << x;
    }

    /// Returns the indices of the cells, in reading order.
    pub(super) fn cells(&self, width: usize, height: usize) -> impl Iterator<Item = usize> + '_ {
        let rows = self.0[..height].iter().enumerate();
        rows.flat_map(move |(y, &row)| SetBits(row).map(move |x| y * width + x as usize))
    }
}

/// What a swap sets off besides its matches. The cells are indices.
#[derive(Clone, Copy, Debug)]
pub(super) enum Activation {
    /// Color pieces, each with the color that it hits.
    Colors([Option<(usize, u8)>; 2]),
    /// Two special pieces; the effect is at the second cell of the swap.
    Pair { at: usize, other: usize },
}

impl Activation {
    /// Returns what a swap sets off, after its exchange.
    pub(super) fn of(board: &LevelBoard, effects: Effects, [a, b]: [usize; 2]) -> Option<Self> {
        let kinds = [a, b].map(|cell| board.spots[cell].kind);
        if effects.pairs && kinds.iter().all(Option::is_some) {
            return Some(Self::Pair { at: b, other: a });
        }
        let colors = [(a, b), (b, a)].map(|(cell, other)| {
            let color = board.plain.cells()[other].color()?;
            (board.spots[cell].kind == Some(Kind::Color)).then_some((cell, color))
        });
        colors.iter().any(Option::is_some).then_some(Self::Colors(colors))
    }
}

/// A cascade level's hits, as they are collected.
pub(super) struct Hits<'a, J> {
    pub(super) board: &'a mut LevelBoard,
    pub(super) journal: &'a mut J,
    pub(super) level: u64,
    pub(super) wanted: Wanted,
    pub(super) set: CellSet,
    /// Special pieces to be set off, each with its color.
    pub(super) queue: VecDeque<(usize, Kind, u8)>,
}

impl<J: Journal<LevelEvent>> Hits<'_, J> {
    pub(super) fn collect(
        &mut self,
        groups: &[Group],
        activation: Option<Activation>,
        tally: &mut Tally<'_>,
    ) {
        match activation {
            Some(Activation::Colors(colors)) => {
                for (cell, color) in colors.into_iter().flatten() {
                    self.set.insert(self.board.at(cell));
                    self.queue.push_back((cell, Kind::Color, color));
                }
            }
            Some(Activation::Pair { at, other }) => {
                let kinds = [at, other].map(|cell| self.board.spots[cell].kind);
                let colors = kinds.iter().filter(|&&kind| kind == Some(Kind::Color)).count();
                for (cell, kind) in [at, other].into_iter().zip(kinds) {
                    if colors != 1 || kind == Some(Kind::Color) {
                        self.set.insert(self.board.at(cell));
                    }
                }
            }
            None => {}
        }
        let mut matched = CellSet::EMPTY;
        for &at in groups.iter().flat_map(Group::cells) {
            matched.insert(at);
        }
        let (width, height) = (self.board.width(), self.board.height());
        for cell in matched.cells(width, height) {
            self.hit(cell);
        }
        self.hit_crates_beside(&matched);
        if let Some(Activation::Pair { at, other }) = activation {
            self.set_off_pair(at, other);
            tally.add(Target::SetOff, 2);
        }
        while let Some((cell, special, color)) = self.queue.pop_front() {
            if J::RECORDS {
                let at = self.board.at(cell);
                self.journal.record(LevelEvent::SetOff { level: self.level, at, special, color });
            }
            tally.add(Target::SetOff, 1);
            match special {
                Kind::Color => self.hit_color(color),
                Kind::Square => {
                    self.hit_neighbors(cell);
                    self.fly(cell);
                }
                Kind::Row | Kind::Column | Kind::Bomb => self.hit_reach(special, cell),
            }
        }
    }

    fn hit(&mut self, cell: usize) {
        let at = self.board.at(cell);
        let spot = &self.board.spots[cell];
        if spot.ground != Ground::Open || self.set.contains(at) {
            return;
        }
        self.set.insert(at);
        if let (Some(kind), Some(color), 0) =
            (spot.kind, self.board.plain.cells()[cell].color(), spot.ice)
        {
            self.queue.push_back((cell, kind, color));
        }
    }

    fn hit_crates_beside(&mut self, matched: &CellSet) {
        let (width, height) = (self.board.width(), self.board.height());
        for y in 0..height {
            let row = matched.0[y];
            let above = if y > 0 { matched.0[y - 1] } else { 0 };
            let below = if y + 1 < height { matched.0[y + 1] } else { 0 };
            let beside = (row << 1 | row >> 1 | above | below) & (u64::MAX >> (64 - width));
            for x in SetBits(beside) {
                let cell = y * width + x as usize;
                if self.board.spots[cell].crate_layers > 0 {
                    self.hit(cell);
                }
            }
        }
    }

    /// Hits rectangles, in reading order.
    fn hit_area(&mut self, is_in: impl Fn(usize, usize) -> bool, rows: Range<usize>) {
        for y in rows {
            for x in 0..self.board.width() {
                if is_in(x, y) {
                    self.hit(self.board.index((x, y)));
                }
            }
        }
    }

    /// Hits the cells within a distance in both directions.
    fn hit_around(&mut self, cell: usize, distance: usize) {
        let (x, y) = self.board.at(cell);
        let rows = y.saturating_sub(distance)..self.board.height().min(y + distance + 1);
        self.hit_area(|column, _| column.abs_diff(x) <= distance, rows);
    }

    /// Hits rows and columns within a distance.
    fn hit_cross(&mut self, cell: usize, distance: usize) {
        let (x, y) = self.board.at(cell);
        let rows = 0..self.board.height();
        self.hit_area(
            |column, row| column.abs_diff(x) <= distance || row.abs_diff(y) <= distance,
            rows,
        );
    }

    fn hit_reach(&mut self, kind: Kind, cell: usize) {
        let (x, y) = self.board.at(cell);
        match kind {
            Kind::Row => self.hit_area(|_, _| true, y..y + 1),
            Kind::Column => self.hit_area(|column, _| column == x, 0..self.board.height()),
            _ => self.hit_around(cell, 1),
        }
    }

    fn hit_neighbors(&mut self, cell: usize) {
        let (x, y) = self.board.at(cell);
        let rows = y.saturating_sub(1)..self.board.height().min(y + 2);
        self.hit_area(|column, row| column.abs_diff(x) + row.abs_diff(y) == 1, rows);
    }

    fn hit_color(&mut self, color: u8) {
        for cell in 0..self.board.spots.len() {
            if self.board.plain.cells()[cell].color() == Some(color) {
                self.hit(cell);
            }
        }
    }

    /// Flies from a cell. Returns the cell that was hit.
    fn fly(&mut self, from: usize) -> Option<usize> {
        let to = self.goal_of_flight()?;
        if J::RECORDS {
            let from = self.board.at(from);
            let to = self.board.at(to);
            self.journal.record(LevelEvent::Fly { level: self.level, from, to });
        }
        self.hit(to);
        Some(to)
    }

    fn goal_of_flight(&self) -> Option<usize> {
        let board = &*self.board;
        let first = |suits: &dyn Fn(usize) -> bool| {
            (0..board.spots.len()).find(|&cell| !self.set.contains(board.at(cell)) && suits(cell))
        };
        let color = |cell: usize| board.plain.cells()[cell].color();
        let is_locked = |cell: usize| board.plain.cells()[cell].is_locked();
        let has: [&dyn Fn(usize) -> bool; 4] = [
            &|cell| board.spots[cell].crate_layers > 0,
            &|cell| board.spots[cell].jelly > 0,
            &|cell| board.spots[cell].ice > 0,
            &|cell| is_locked(cell) && board.spots[cell].ice == 0,
        ];
        let mut things = has.into_iter().zip(self.wanted.things).filter(|&(_, wanted)| wanted);
        let colors = self.wanted.colors;
        things
            .find_map(|(has, _)| first(has))
            .or_else(|| first(&|cell| color(cell).is_some_and(|color| colors >> color & 1 == 1)))
            .or_else(|| first(&|cell| color(cell).is_some()))
    }

    fn set_off_pair(&mut self, at: usize, other: usize) {
        let (Some(special), Some(other_special)) =
            (self.board.spots[at].kind, self.board.spots[other].kind)
        else {
            return;
        };
        if J::RECORDS {
            let level = self.level;
            let (at, other) = (self.board.at(at), self.board.at(other));
            self.journal.record(LevelEvent::Pair { level, at, special, other, other_special });
        }
        match (special, other_special) {
            (Kind::Color, Kind::Color) => {
                for cell in 0..self.board.spots.len() {
                    if !self.board.plain.cells()[cell].is_hole() {
                        self.hit(cell);
                    }
                }
            }
            (Kind::Color, kind) => self.change(other, kind),
            (kind, Kind::Color) => self.change(at, kind),
            (Kind::Square, Kind::Square) => {
                self.hit_neighbors(at);
                for _ in 0..3 {
                    self.fly(at);
                }
            }
            (Kind::Square, kind) | (kind, Kind::Square) => {
                self.hit_neighbors(at);
                if let Some(to) = self.fly(at) {
                    self.hit_reach(kind, to);
                }
            }
            (Kind::Bomb, Kind::Bomb) => self.hit_around(at, 2),
            (Kind::Bomb, _) | (_, Kind::Bomb) => self.hit_cross(at, 1),
            (Kind::Row | Kind::Column, Kind::Row | Kind::Column) => self.hit_cross(at, 0),
        }
    }

    /// Makes all plain pieces of the color of the piece in `cell` special, and hits them.
    fn change(&mut self, cell: usize, kind: Kind) {
        let color = self.board.plain.cells()[cell].color();
        let mut line = Kind::Row;
        for cell in 0..self.board.spots.len() {
            if self.board.plain.cells()[cell].color() != color {
                continue;
            }
            let at = self.board.at(cell);
            let spot = &mut self.board.spots[cell];
            if spot.kind.is_none() && spot.ice == 0 && !self.set.contains(at) {
                let special = if kind.is_line() { line } else { kind };
                line = if line == Kind::Row { Kind::Column } else { Kind::Row };
                spot.kind = Some(special);
                if J::RECORDS {
                    self.journal.record(LevelEvent::Change { level: self.level, at, special });
                }
            }
            self.hit(cell);
        }
    }
}
