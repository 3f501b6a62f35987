//! The learner's weights, where a board's are, and how they change.

use super::tuples::MAX_RANK;
use crate::packed::Packed;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::{Isa, Lanes, U64s};

/// Values of a block: what two tuples hold for five shared ranks, 16 each, so two lines of cache.
pub(super) const BLOCK: usize = 32;
/// Blocks of a pair of tuples: five ranks of four bits.
const BLOCKS_PER_PAIR: usize = 1 << 20;
/// The blocks of the first and the third tuple, then those of the second and the fourth.
pub(super) const BLOCKS: usize = 2 * BLOCKS_PER_PAIR;

/// 768 MiB of address space, of which the system gives what is written to.
///
/// A move reads the values of up to four boards and changes those of one, so the values are kept dense; what only
/// changes need lies apart, the two sums of a weight side by side.
pub(super) struct TupleTables {
    values: AlignedFloats,
    /// Of each weight: the sum of its errors, and of their sizes.
    sums: AlignedFloats,
}

/// Zeros that begin at the beginning of a line of cache.
struct AlignedFloats {
    floats: Vec<f32>,
    start: usize,
}

impl AlignedFloats {
    fn zeros(length: usize) -> Self {
        // Zeros are what an allocator gives without touching them.
        let floats = vec![0.0; length + 31];
        // An address says nothing about any value: this is for speed alone.
        let start = floats.as_ptr().align_offset(128).min(31);
        Self { floats, start }
    }

    #[inline(always)]
    fn get(&self) -> &[f32] {
        &self.floats[self.start..]
    }

    #[inline(always)]
    fn get_mut(&mut self) -> &mut [f32] {
        &mut self.floats[self.start..]
    }
}

/// Where the 32 weights of one board are.
pub(super) type WeightIndices = [u32; 32];

/// Where the weights of four boards are: those of board i at `[_][i]`. Four for each image, in the order of the
/// first and third tuple, then the second and fourth.
pub(super) type WeightIndices4 = [[u64; 4]; 32];

/// Finds the weights of four boards at once, a board a lane.
#[inline(never)]
pub(super) fn find_weight_indices<S: Isa>(isa: S, boards: &[Packed; 4], indices: &mut WeightIndices4) {
    isa.enter(
        #[inline(always)]
        || find_weight_indices_with(isa, boards, indices),
    );
}

#[inline(always)]
fn find_weight_indices_with<S: Isa>(isa: S, boards: &[Packed; 4], indices: &mut WeightIndices4) {
    let mut bits = [0; 4];
    for (bits, board) in bits.iter_mut().zip(boards) {
        *bits = board.bits();
    }
    let image = clamp_ranks_with(isa, isa.u64x4(&bits));
    let mirrored = mirror_with(isa, image);
    let (low, high) = indices.split_at_mut(16);
    for (mut image, indices) in [(image, low), (mirrored, high)] {
        // The order of Packed::symmetries.
        for (k, indices) in indices.as_chunks_mut().0.iter_mut().enumerate() {
            if k > 0 {
                image = mirror_with(isa, transpose_with(isa, image));
            }
            image_indices_with(isa, image, indices);
        }
    }
}

/// Cuts the ranks to [`MAX_RANK`].
#[inline(always)]
fn clamp_ranks_with<S: Isa>(isa: S, bits: S::U64x4) -> S::U64x4 {
    const _: () = assert!(MAX_RANK == 13, "as 15 without its second bit");
    // Ranks 14 and 15 have their three top bits set.
    let above = bits.shr::<3>() & bits.shr::<2>() & bits.shr::<1>() & isa.splat_u64(0x1111_1111_1111_1111);
    // Those become 15, and 15 becomes 13.
    (bits | above) ^ above.shl::<1>()
}

#[inline(always)]
fn transpose_with<S: Isa>(isa: S, bits: S::U64x4) -> S::U64x4 {
    let swap = (bits ^ bits.shr::<12>()) & isa.splat_u64(0x0000_f0f0_0000_f0f0);
    let bits = bits ^ swap ^ swap.shl::<12>();
    let swap = (bits ^ bits.shr::<24>()) & isa.splat_u64(0x0000_0000_ff00_ff00);
    bits ^ swap ^ swap.shl::<24>()
}

#[inline(always)]
fn mirror_with<S: Isa>(isa: S, bits: S::U64x4) -> S::U64x4 {
    let inner = isa.splat_u64(0x00f0_00f0_00f0_00f0);
    let outer = isa.splat_u64(0x000f_000f_000f_000f);
    ((bits & outer).shl::<12>() | (bits & inner).shl::<4>())
        | ((bits.shr::<4>() & inner) | (bits.shr::<12>() & outer))
}

/// The indices of one image: shared cells 0 1 2 4 5, a row below for the second pair of tuples; sixth cells 3 and 6,
/// a row below 7 and 10.
#[inline(always)]
fn image_indices_with<S: Isa>(isa: S, image: S::U64x4, indices: &mut [[u64; 4]; 4]) {
    let (upper, lower) = (isa.splat_u64(0xfff << 5), isa.splat_u64(0xff000 << 5));
    let (sixth, second, half) =
        (isa.splat_u64(15), isa.splat_u64(16), isa.splat_u64((BLOCKS_PER_PAIR * BLOCK) as u64));
    let block = (image.shl::<5>() & upper) | (image.shl::<1>() & lower);
    indices[0] = (block | (image.shr::<12>() & sixth)).to_array();
    indices[1] = (block | second | (image.shr::<24>() & sixth)).to_array();
    let block = half | (image.shr::<11>() & upper) | (image.shr::<15>() & lower);
    indices[2] = (block | (image.shr::<28>() & sixth)).to_array();
    indices[3] = (block | second | (image.shr::<40>() & sixth)).to_array();
}

impl TupleTables {
    pub(super) fn new() -> Self {
        Self { values: AlignedFloats::zeros(BLOCKS * BLOCK), sums: AlignedFloats::zeros(2 * BLOCKS * BLOCK) }
    }

    /// Values and sums, block by block.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (&[f32; BLOCK], &[f32; 2 * BLOCK])> {
        let (values, sums) = (self.values.get().as_chunks().0, self.sums.get().as_chunks().0);
        values[..BLOCKS].iter().zip(&sums[..BLOCKS])
    }

    /// The values and the sums of a block.
    pub(super) fn block_mut(&mut self, i: usize) -> (&mut [f32; BLOCK], &mut [f32; 2 * BLOCK]) {
        (&mut self.values.get_mut().as_chunks_mut().0[i], &mut self.sums.get_mut().as_chunks_mut().0[i])
    }

    /// Asks for what [`value_of`](Self::value_of) reads.
    #[inline(always)]
    pub(super) fn prefetch_values_with<S: Isa>(&self, isa: S, indices: &WeightIndices4, board: usize) {
        let values = self.values.get();
        for index in indices {
            isa.prefetch(&values[index[board & 3] as usize]);
        }
    }

    /// Asks for what else [`update`](Self::update) needs.
    #[inline(always)]
    pub(super) fn prefetch_sums_with<S: Isa>(&self, isa: S, indices: &WeightIndices) {
        let sums = self.sums.get();
        for &index in indices {
            isa.prefetch(&sums[2 * index as usize]);
        }
    }

    /// The value of a board. The order of the additions is part of what "the same learner" means.
    #[inline(always)]
    pub(super) fn value(&self, indices: &WeightIndices) -> f32 {
        let values = self.values.get();
        // Four sums, since one would wait for itself 32 times.
        let mut sums = [0.0; 4];
        for four in indices.as_chunks::<4>().0 {
            for (sum, &index) in sums.iter_mut().zip(four) {
                *sum += values[index as usize];
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// [`value`](Self::value) of one of four boards.
    #[inline(always)]
    pub(super) fn value_of(&self, indices: &WeightIndices4, board: usize) -> f32 {
        let values = self.values.get();
        let mut sums = [0.0; 4];
        for four in indices.as_chunks::<4>().0 {
            for (sum, index) in sums.iter_mut().zip(four) {
                *sum += values[index[board & 3] as usize];
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// Moves the board's value toward a target, `rate` of the way.
    ///
    /// With coherence each weight's step is shorter where errors of both signs canceled out: by |sum| / sum of sizes.
    #[inline(always)]
    pub(super) fn update(
        &mut self,
        indices: &WeightIndices,
        target: f32,
        learning_rate: f32,
        coherence: bool,
    ) {
        let error = target - self.value(indices);
        let step = learning_rate / 32.0 * error;
        let values = self.values.get_mut();
        if !coherence {
            for &index in indices {
                values[index as usize] += step;
            }
            return;
        }
        let sums = self.sums.get_mut().as_chunks_mut::<2>().0;
        for &index in indices {
            let [error_sum, error_size] = &mut sums[index as usize];
            let share = if *error_size == 0.0 { 1.0 } else { error_sum.abs() / *error_size };
            values[index as usize] += step * share;
            *error_sum += error;
            *error_size += error.abs();
        }
    }
}
