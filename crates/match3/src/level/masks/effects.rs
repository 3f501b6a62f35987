//! Special pieces on masks: which cells they hit, and what sets off what.

use super::board::{MaskBoard, any};
use super::plan::Plan;
use super::{ALL, Word};
use crate::level::goals::Wanted;
use crate::level::kind::Kind;
use crate::level::spec::Effects;
use alloc::collections::VecDeque;

/// What a swap sets off besides its matches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Activation {
    /// Color pieces, each with the color that it hits.
    Colors([Option<(u32, u8)>; 2]),
    /// Two special pieces; the effect is at the second cell of the swap.
    Pair { at: u32, other: u32 },
}

impl Activation {
    /// Returns what a swap sets off, after its exchange.
    pub(super) fn of<W: Word, const P: usize>(
        board: &MaskBoard<W, P>,
        effects: Effects,
        [a, b]: [u32; 2],
    ) -> Option<Self> {
        let special = board.special::<ALL>();
        if (special & (W::bit(a) | W::bit(b))).is_empty() {
            return None;
        }
        if effects.pairs && special.contains(a) && special.contains(b) {
            return Some(Self::Pair { at: b, other: a });
        }
        let colors = [(a, b), (b, a)].map(|(cell, other)| {
            let color = board.color(other);
            (color > 0 && board.kind(cell) == Some(Kind::Color)).then_some((cell, color))
        });
        colors.iter().any(Option::is_some).then_some(Self::Colors(colors))
    }
}

/// A cascade level's hits, as they are collected.
pub(super) struct Hits<'a, W, const P: usize> {
    pub(super) plan: &'a Plan<W>,
    pub(super) board: &'a mut MaskBoard<W, P>,
    pub(super) wanted: Wanted,
    pub(super) set: W,
    /// Special pieces to be set off, each with its color.
    pub(super) queue: VecDeque<(u32, Kind, u8)>,
    /// The number of special pieces that were set off.
    pub(super) set_off: u64,
}

impl<W: Word, const P: usize> Hits<'_, W, P> {
    pub(super) fn collect(&mut self, matched: W, activation: Option<Activation>) {
        match activation {
            Some(Activation::Colors(colors)) => {
                for (cell, color) in colors.into_iter().flatten() {
                    self.set |= W::bit(cell);
                    self.queue.push_back((cell, Kind::Color, color));
                }
            }
            Some(Activation::Pair { at, other }) => {
                let kinds = [at, other].map(|cell| self.board.kind(cell));
                let colors = kinds.iter().filter(|&&kind| kind == Some(Kind::Color)).count();
                for (cell, kind) in [at, other].into_iter().zip(kinds) {
                    if colors != 1 || kind == Some(Kind::Color) {
                        self.set |= W::bit(cell);
                    }
                }
            }
            None => {}
        }
        self.hit(matched);
        self.hit(self.board.crates_beside(self.plan, matched));
        if let Some(Activation::Pair { at, other }) = activation {
            self.set_off_pair(at, other);
            self.set_off += 2;
        }
        while let Some((cell, special, color)) = self.queue.pop_front() {
            self.set_off += 1;
            match special {
                Kind::Color => self.hit(self.board.of_color(color)),
                Kind::Square => {
                    self.hit(self.plan.reach[cell as usize].neighbors);
                    self.fly();
                }
                Kind::Row | Kind::Column | Kind::Bomb => self.hit_reach(special, cell),
            }
        }
    }

    /// Hits open cells, in reading order.
    fn hit(&mut self, cells: W) {
        let new = cells & !self.set;
        self.set |= new;
        for at in self.plan.in_order(new & self.board.special::<ALL>() & !self.board.ice) {
            if let Some(kind) = self.board.kind(at) {
                self.queue.push_back((at, kind, self.board.color(at)));
            }
        }
    }

    fn hit_reach(&mut self, kind: Kind, cell: u32) {
        let reach = &self.plan.reach[cell as usize];
        self.hit(match kind {
            Kind::Row => reach.row,
            Kind::Column => reach.column,
            _ => reach.bomb,
        });
    }

    /// Returns the cell that was hit.
    fn fly(&mut self) -> Option<u32> {
        let board = &*self.board;
        let pieces = board.pieces();
        let mut to = None;
        let things = [board.crates, any(&board.jelly), board.ice, board.locked];
        let wanted = things.into_iter().zip(self.wanted.things).filter(|&(_, wanted)| wanted);
        let colors = (1..=self.plan.level.colors())
            .filter(|&color| self.wanted.colors >> color & 1 == 1)
            .fold(W::EMPTY, |set, color| set | board.of_color(color));
        for set in wanted.map(|(set, _)| set).chain([colors, pieces]) {
            to = to.or_else(|| self.plan.first_in_order(set & !self.set));
        }
        self.hit(W::bit(to?));
        to
    }

    fn set_off_pair(&mut self, at: u32, other: u32) {
        let (Some(special), Some(other_special)) = (self.board.kind(at), self.board.kind(other))
        else {
            return;
        };
        let reach = self.plan.reach[at as usize];
        match (special, other_special) {
            (Kind::Color, Kind::Color) => self.hit(self.board.pieces()),
            (Kind::Color, kind) => self.change(other, kind),
            (kind, Kind::Color) => self.change(at, kind),
            (Kind::Square, Kind::Square) => {
                self.hit(reach.neighbors);
                for _ in 0..3 {
                    self.fly();
                }
            }
            (Kind::Square, kind) | (kind, Kind::Square) => {
                self.hit(reach.neighbors);
                if let Some(to) = self.fly() {
                    self.hit_reach(kind, to);
                }
            }
            (Kind::Bomb, Kind::Bomb) => self.hit(reach.bombs),
            (Kind::Bomb, _) | (_, Kind::Bomb) => self.hit(reach.cross),
            (Kind::Row | Kind::Column, Kind::Row | Kind::Column) => {
                self.hit(reach.row | reach.column);
            }
        }
    }

    /// Makes all plain pieces of the color of the piece in `cell` special, and hits them.
    fn change(&mut self, cell: u32, kind: Kind) {
        let pieces = self.board.of_color(self.board.color(cell));
        let plain = pieces & !self.board.special::<ALL>() & !self.board.ice & !self.set;
        if kind.is_line() {
            let mut line = Kind::Row;
            for at in self.plan.in_order(plain) {
                self.board.put_kinds(W::bit(at), line);
                line = if line == Kind::Row { Kind::Column } else { Kind::Row };
            }
        } else {
            self.board.put_kinds(plain, kind);
        }
        self.hit(pieces);
    }
}
