//! Settling a board of masks.

use super::Word;
use super::board::MaskBoard;
use super::plan::Plan;
use crate::level::event::Spawned;
use crate::level::falls::Spawners;

impl<W: Word, const P: usize> MaskBoard<W, P> {
    /// Lets everything fall, without new pieces if there are no `spawners`. Returns the number of
    /// items that left.
    #[inline(always)]
    pub(super) fn settle(
        &mut self,
        plan: &Plan<W>,
        mut spawners: Option<&mut Spawners<'_>>,
    ) -> u32 {
        let mut left = 0;
        loop {
            if plan.is_straight {
                self.fall(plan);
            } else {
                self.fall_in_streams(plan);
            }
            if let Some(spawners) = spawners.as_deref_mut() {
                self.fill(plan, spawners);
            }
            if plan.is_diagonal && self.slide(plan) {
                continue;
            }
            let out = self.items & plan.exits;
            if out.is_empty() {
                return left;
            }
            self.items ^= out;
            left += out.len();
            if let Some(spawners) = &mut spawners {
                spawners.supply.on_board -= out.len();
            }
        }
    }

    /// Moves everything that can fall straight, a row at a time.
    #[inline(always)]
    fn fall(&mut self, plan: &Plan<W>) {
        let falls = plan.falls & !self.fixed();
        loop {
            let occupied = self.occupied();
            let empty = plan.open & !occupied;
            let able = falls & occupied;
            let mut moving = able & empty << W::STRIDE;
            if moving.is_empty() {
                return;
            }
            // Whatever is on something that moves.
            let mut able = able;
            let mut rows = 1;
            while rows < W::STRIDE {
                moving |= able & moving << (rows * W::STRIDE);
                able &= able << (rows * W::STRIDE);
                rows *= 2;
            }
            self.move_down(moving);
        }
    }

    /// Like [`fall`](Self::fall), in streams that go through voids or portals.
    fn fall_in_streams(&mut self, plan: &Plan<W>) {
        for stream in &plan.streams {
            let occupied = self.occupied();
            let fixed = self.fixed();
            let mut low = 0;
            for (i, &at) in stream.iter().enumerate() {
                if !occupied.contains(at) {
                    continue;
                }
                if fixed.contains(at) {
                    low = i + 1;
                    continue;
                }
                if low != i {
                    self.exchange([at, stream[low]]);
                }
                low += 1;
            }
        }
    }

    fn fill(&mut self, plan: &Plan<W>, spawners: &mut Spawners<'_>) {
        let mut empty = plan.sourced & !self.occupied();
        if empty.is_empty() {
            return;
        }
        let fixed = self.fixed();
        for (&(source, stream), &index) in plan.sources.iter().zip(&plan.source_streams) {
            let mut cells = empty & stream;
            if cells.is_empty() {
                continue;
            }
            empty ^= cells;
            if plan.is_straight {
                let fixed = fixed & stream;
                if !fixed.is_empty() {
                    // The bit above the last row's may not exist.
                    cells &= !W::EMPTY << fixed.last();
                }
                for at in cells.bits() {
                    if !self.spawn(plan, spawners, source, at) {
                        break;
                    }
                }
            } else {
                let stream = &plan.streams[index];
                let reached = stream.iter().rev().take_while(|&&at| cells.contains(at)).count();
                for &at in &stream[stream.len() - reached..] {
                    if !self.spawn(plan, spawners, source, at) {
                        break;
                    }
                }
            }
        }
    }

    /// Returns whether the spawner brought something.
    #[inline(always)]
    fn spawn(
        &mut self,
        plan: &Plan<W>,
        spawners: &mut Spawners<'_>,
        source: usize,
        at: u32,
    ) -> bool {
        match spawners.next(source, &plan.level.layout.sources[source]) {
            Some(Spawned::Piece(color)) => self.put(at, color, None),
            Some(Spawned::Item) => self.items |= W::bit(at),
            None => return false,
        }
        true
    }

    /// Takes the first diagonal step, if there is one.
    #[inline(always)]
    fn slide(&mut self, plan: &Plan<W>) -> bool {
        let occupied = self.occupied();
        let able = occupied & !self.fixed();
        let empty = plan.open & !occupied;
        let from_previous = empty & plan.has_previous & able >> (W::STRIDE - 1);
        let from_next = empty & plan.has_next & able >> (W::STRIDE + 1);
        let any = from_previous | from_next;
        if any.is_empty() {
            return false;
        }
        let to = any.first();
        let side = if from_previous.contains(to) { W::STRIDE - 1 } else { W::STRIDE + 1 };
        self.exchange([to + side, to]);
        true
    }
}
