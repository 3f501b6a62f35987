//! Settling a board of masks.

use super::board::MaskBoard;
use super::plan::Plan;
use super::{THINGS, Word, has};
use crate::level::event::Spawned;
use crate::level::falls::Spawners;

impl<W: Word, const P: usize> MaskBoard<W, P> {
    /// Lets everything fall, without new pieces if there are no `spawners`. Returns the number of
    /// items that left.
    #[inline(always)]
    pub(super) fn settle<const F: u8>(
        &mut self,
        plan: &Plan<W>,
        mut spawners: Option<&mut Spawners<'_>>,
    ) -> u32 {
        let mut left = 0;
        loop {
            if plan.is_straight {
                self.fall::<F>(plan);
            } else {
                self.fall_in_streams::<F>(plan);
            }
            if let Some(spawners) = spawners.as_deref_mut() {
                self.fill::<F>(plan, spawners);
            }
            if plan.is_diagonal && self.slide::<F>(plan) {
                continue;
            }
            let out = if has::<F>(THINGS) { self.items & plan.exits } else { W::EMPTY };
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
    fn fall<const F: u8>(&mut self, plan: &Plan<W>) {
        let falls = plan.falls & !self.fixed::<F>();
        loop {
            let occupied = self.occupied::<F>();
            let empty = plan.open & !occupied;
            let mut able = falls & occupied;
            let mut moving = able & empty << W::STRIDE;
            if moving.is_empty() {
                return;
            }
            // And whatever is on something that moves.
            let mut rows = 1;
            while rows < W::STRIDE {
                moving |= able & moving << (rows * W::STRIDE);
                able &= able << (rows * W::STRIDE);
                rows *= 2;
            }
            self.move_down::<F>(moving, W::STRIDE);
        }
    }

    /// Like [`fall`](Self::fall), in streams that go through voids or portals.
    fn fall_in_streams<const F: u8>(&mut self, plan: &Plan<W>) {
        for stream in &plan.streams {
            let occupied = self.occupied::<F>();
            let fixed = self.fixed::<F>();
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
                    self.exchange::<F>([at, stream[low]]);
                }
                low += 1;
            }
        }
    }

    fn fill<const F: u8>(&mut self, plan: &Plan<W>, spawners: &mut Spawners<'_>) {
        let mut empty = plan.sourced & !self.occupied::<F>();
        if empty.is_empty() {
            return;
        }
        let fixed = self.fixed::<F>();
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
    fn slide<const F: u8>(&mut self, plan: &Plan<W>) -> bool {
        let occupied = self.occupied::<F>();
        let able = occupied & !self.fixed::<F>();
        let empty = plan.open & !occupied;
        let from_previous = empty & plan.has_previous & able >> (W::STRIDE - 1);
        let from_next = empty & plan.has_next & able >> (W::STRIDE + 1);
        let any = from_previous | from_next;
        if any.is_empty() {
            return false;
        }
        let to = any.first();
        let side = if from_previous.contains(to) { W::STRIDE - 1 } else { W::STRIDE + 1 };
        self.move_down::<F>(W::bit(to + side), side);
        true
    }
}
