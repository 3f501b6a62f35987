//! The learner's weights, where a board's are, and how they change.

use super::{Views, shared, sixth, sixth_below};
use alloc::vec;
use alloc::vec::Vec;
use bitcore::Isa;

/// Floats of a block: what two tuples hold for five shared ranks. 2 x 16 values, one line of cache each; then the sums
/// of the errors and the sums of their sizes, side by side in pairs, 2 x 16 again.
///
/// A move reads the values of up to four boards and changes one: values alone are dense, and the sums are on the
/// same page as the values that were just read.
pub(super) const BLOCK: usize = 96;
pub(super) type Block = [f32; BLOCK];

/// Five ranks of four bits.
const HALF: usize = 1 << 20;
/// The blocks of the first and the third tuple, then those of the second and the fourth.
pub(super) const BLOCKS: usize = 2 * HALF;

/// 768 MiB of address space, of which the system gives what is written to.
pub(super) struct Weights {
    floats: Vec<f32>,
    /// Where the first block begins: at the beginning of a line of cache.
    start: usize,
}

impl Weights {
    pub(super) fn new() -> Self {
        // Zeros are what an allocator gives without touching them.
        let floats = vec![0.0; BLOCKS * BLOCK + 31];
        // An address says nothing about any value: this is for speed alone.
        let start = floats.as_ptr().align_offset(128).min(31);
        Self { floats, start }
    }

    #[inline(always)]
    pub(super) fn blocks(&self) -> &[Block] {
        &self.floats[self.start..].as_chunks().0[..BLOCKS]
    }

    #[inline(always)]
    pub(super) fn blocks_mut(&mut self) -> &mut [Block] {
        &mut self.floats[self.start..].as_chunks_mut().0[..BLOCKS]
    }

    /// Asks for the lines that [`value`](Self::value) reads.
    #[inline(always)]
    pub(super) fn prefetch_values_with<S: Isa>(&self, isa: S, views: &Views) {
        let (low, high) = self.blocks().split_at(HALF);
        for view in views.0 {
            for (half, view) in [(low, view), (high, view >> 16)] {
                let block = &half[shared(view)];
                isa.prefetch(&block[0]);
                isa.prefetch(&block[16]);
            }
        }
    }

    /// Asks for the other lines that [`update`](Self::update) needs.
    #[inline(always)]
    pub(super) fn prefetch_sums_with<S: Isa>(&self, isa: S, views: &Views) {
        let (low, high) = self.blocks().split_at(HALF);
        for view in views.0 {
            for (half, view) in [(low, view), (high, view >> 16)] {
                let block = &half[shared(view)];
                isa.prefetch(&block[32 + 2 * sixth(view)]);
                isa.prefetch(&block[64 + 2 * sixth_below(view)]);
            }
        }
    }

    /// The board's value. The order of the additions is part of what "the same learner" means.
    #[inline(always)]
    pub(super) fn value(&self, views: &Views) -> f32 {
        let (low, high) = self.blocks().split_at(HALF);
        // Four sums, since one would wait for itself 32 times.
        let mut sums = [0.0; 4];
        for view in views.0 {
            let block = &low[shared(view)];
            sums[0] += block[sixth(view)];
            sums[1] += block[16 + sixth_below(view)];
            let view = view >> 16;
            let block = &high[shared(view)];
            sums[2] += block[sixth(view)];
            sums[3] += block[16 + sixth_below(view)];
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// Moves the board's value towards a target, `rate` of the way.
    #[inline(always)]
    pub(super) fn update(&mut self, views: &Views, target: f32, rate: f32, coherence: bool) {
        let error = target - self.value(views);
        let step = rate / 32.0 * error;
        let (low, high) = self.blocks_mut().split_at_mut(HALF);
        for view in views.0 {
            let block = &mut low[shared(view)];
            change(block, sixth(view), step, error, coherence);
            change(block, 16 + sixth_below(view), step, error, coherence);
            let view = view >> 16;
            let block = &mut high[shared(view)];
            change(block, sixth(view), step, error, coherence);
            change(block, 16 + sixth_below(view), step, error, coherence);
        }
    }
}

/// One weight's step. With coherence it is shorter where errors of both signs cancelled out: by |sum| / sum of sizes.
#[inline(always)]
fn change(block: &mut Block, i: usize, step: f32, error: f32, coherence: bool) {
    if !coherence {
        block[i] += step;
        return;
    }
    let (sum, size) = (block[32 + 2 * i], block[33 + 2 * i]);
    let share = if size == 0.0 { 1.0 } else { sum.abs() / size };
    block[i] += step * share;
    block[32 + 2 * i] = sum + error;
    block[33 + 2 * i] = size + error.abs();
}
