//! The weights of a [`Learner`](super::Learner): their layout, lookup and update.
//!
//! # Index of a weight
//!
//! ```text
//!   25   24            5     4     3      0
//! +------+--------------+--------+---------+
//! | pair | shared ranks | second |  sixth  |
//! +------+--------------+--------+---------+
//! ```
//!
//! Pair 0 is tuples 0 and 2, pair 1 is tuples 1 and 3. `shared ranks` is five ranks of four bits,
//! `second` selects the second tuple of the pair, and `sixth` is the rank of the tuple's sixth
//! cell. The 32 weights with the same shared ranks form a *block* of two cache lines.

use crate::packed::Packed;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::{Isa, Lanes, U64s};
#[cfg(feature = "parallel")]
use {
    core::sync::atomic::{AtomicU32, Ordering},
    zerocopy::{FromBytes, IntoBytes},
};

/// Weights per block: 16 for each of two tuples, in two cache lines.
pub(super) const BLOCK: usize = 32;
/// Blocks per pair of tuples: five ranks of four bits each.
const BLOCKS_PER_PAIR: usize = 1 << 20;
pub(super) const BLOCKS: usize = 2 * BLOCKS_PER_PAIR;
/// A power of two: indices modulo this number need no checks of their bounds, a branch each.
pub(super) const WEIGHTS: usize = BLOCKS * BLOCK;

/// The weights and their error sums: 768 MiB of address space. The system provides memory only for
/// written pages.
///
/// A move reads the weights of up to four boards but updates only one. The weights are therefore
/// dense, and the error sums, which only updates need, are stored separately.
pub(super) struct TupleTables {
    values: Aligned<f32, WEIGHTS>,
    /// For each weight, the sum of its errors, then the sum of their absolute values.
    sums: Aligned<f32, { 2 * WEIGHTS }>,
}

/// `N` numbers, initially 0, aligned to cache lines.
pub(super) struct Aligned<T, const N: usize> {
    numbers: Vec<T>,
    start: usize,
}

impl<T: Copy + Default, const N: usize> Aligned<T, N> {
    /// Numbers in two cache lines, less one.
    const SPARE: usize = 128 / size_of::<T>() - 1;

    pub(super) fn zeros() -> Self {
        // The allocator provides zeroed pages without writing to them.
        let numbers = vec![T::default(); N + Self::SPARE];
        // The alignment affects speed only, not results.
        let start = numbers.as_ptr().align_offset(128).min(Self::SPARE);
        Self { numbers, start }
    }

    #[inline(always)]
    pub(super) fn get(&self) -> &[T; N] {
        let numbers = self.numbers[self.start..].first_chunk();
        numbers.expect("more numbers than N by those to spare")
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self) -> &mut [T; N] {
        let numbers = self.numbers[self.start..].first_chunk_mut();
        numbers.expect("more numbers than N by those to spare")
    }
}

/// Returns `true` if any bit is set, including the sign of -0.0.
pub(super) fn any_nonzero(numbers: &[f32]) -> bool {
    // No early exit, which lets the compiler vectorize the loop.
    numbers.iter().fold(0, |all, number| all | number.to_bits()) != 0
}

pub(super) type WeightIndices = [u32; 32];

/// The weight indices of four boards, with board i at `[_][i]`: four per image, for tuples 0, 2, 1
/// and 3.
pub(super) type WeightIndices4 = [[u64; 4]; 32];

#[inline(never)]
pub(super) fn find_weight_indices<S: Isa>(
    isa: S,
    boards: &[Packed; 4],
    indices: &mut WeightIndices4,
) {
    isa.enter(
        #[inline(always)]
        || weight_indices_with(isa, boards, indices),
    );
}

/// Does the same as part of its caller.
#[inline(always)]
pub(super) fn weight_indices_with<S: Isa>(
    isa: S,
    boards: &[Packed; 4],
    indices: &mut WeightIndices4,
) {
    let (images, _) = indices.as_chunks_mut();
    for_each_image_with(
        isa,
        boards,
        #[inline(always)]
        |k, image| image_indices_with(isa, image, &mut images[k]),
    );
}

/// Calls `each` for the images of four boards, in the order of [`Packed::symmetries`], with their
/// number.
#[inline(always)]
pub(super) fn for_each_image_with<S: Isa>(
    isa: S,
    boards: &[Packed; 4],
    mut each: impl FnMut(usize, S::U64x4),
) {
    let image = isa.u64x4(&boards.map(Packed::bits));
    for (first, mut image) in [(0, image), (4, mirror_with(isa, image))] {
        for k in first..first + 4 {
            if k > first {
                image = mirror_with(isa, transpose_with(isa, image));
            }
            each(k, image);
        }
    }
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

/// Computes the indices of one image, for tuples 0, 2, 1 and 3.
#[inline(always)]
fn image_indices_with<S: Isa>(isa: S, image: S::U64x4, indices: &mut [[u64; 4]; 4]) {
    let upper = isa.splat_u64(0xfff << 5);
    let lower = isa.splat_u64(0xff000 << 5);
    let sixth = isa.splat_u64(15);
    let second = isa.splat_u64(16);
    let pair = isa.splat_u64((BLOCKS_PER_PAIR * BLOCK) as u64);
    let block = (image.shl::<5>() & upper) | (image.shl::<1>() & lower);
    indices[0] = (block | (image.shr::<12>() & sixth)).to_array();
    indices[1] = (block | second | (image.shr::<24>() & sixth)).to_array();
    let block = pair | (image.shr::<11>() & upper) | (image.shr::<15>() & lower);
    indices[2] = (block | (image.shr::<28>() & sixth)).to_array();
    indices[3] = (block | second | (image.shr::<40>() & sixth)).to_array();
}

impl TupleTables {
    pub(super) fn new() -> Self {
        Self { values: Aligned::zeros(), sums: Aligned::zeros() }
    }

    pub(super) fn blocks(&self) -> impl Iterator<Item = (&[f32; BLOCK], &[f32; 2 * BLOCK])> {
        let values = self.values.get().as_chunks().0;
        let sums = self.sums.get().as_chunks().0;
        values.iter().zip(sums)
    }

    pub(super) fn block_mut(&mut self, i: usize) -> (&mut [f32; BLOCK], &mut [f32; 2 * BLOCK]) {
        (
            &mut self.values.get_mut().as_chunks_mut().0[i],
            &mut self.sums.get_mut().as_chunks_mut().0[i],
        )
    }

    /// All weights, and all error sums.
    pub(super) fn numbers_mut(&mut self) -> (&mut [f32], &mut [f32]) {
        (self.values.get_mut(), self.sums.get_mut())
    }

    #[cfg(feature = "parallel")]
    pub(super) fn share(&mut self) -> Option<SharedTables<'_>> {
        // Never `None`: both types have four bytes and the same alignment.
        let values = <[AtomicU32]>::mut_from_bytes(self.values.get_mut().as_mut_bytes()).ok()?;
        let sums = <[AtomicU32]>::mut_from_bytes(self.sums.get_mut().as_mut_bytes()).ok()?;
        Some(SharedTables { values: values.first_chunk()?, sums: sums.first_chunk()? })
    }
}

pub(super) trait Weights {
    fn prefetch_values_with<S: Isa>(&self, isa: S, indices: &WeightIndices4, board: usize);

    /// Prefetches the error sums that [`update`](Self::update) needs.
    fn prefetch_sums_with<S: Isa>(&self, isa: S, indices: &WeightIndices);

    /// Returns the value of one of four boards. The order of additions is fixed, which makes
    /// results reproducible to the last bit.
    fn value_of(&self, indices: &WeightIndices4, board: usize) -> f32;

    /// Returns the value of a board, with the same order of additions.
    fn value(&self, indices: &WeightIndices) -> f32;

    /// Moves a board's value toward a target by `learning_rate` times the error.
    ///
    /// With coherence, each weight's step is scaled by |sum of errors| / sum of |errors|, which is
    /// smaller where errors of both signs have canceled.
    fn update(&mut self, indices: &WeightIndices, target: f32, learning_rate: f32, coherence: bool);
}

impl Weights for TupleTables {
    #[inline(always)]
    fn prefetch_values_with<S: Isa>(&self, isa: S, indices: &WeightIndices4, board: usize) {
        let values = self.values.get();
        for index in indices {
            isa.prefetch(&values[index[board & 3] as usize % WEIGHTS]);
        }
    }

    #[inline(always)]
    fn prefetch_sums_with<S: Isa>(&self, isa: S, indices: &WeightIndices) {
        let sums = self.sums.get();
        for &index in indices {
            isa.prefetch(&sums[2 * index as usize % (2 * WEIGHTS)]);
        }
    }

    #[inline(always)]
    fn value_of(&self, indices: &WeightIndices4, board: usize) -> f32 {
        let values = self.values.get();
        let mut sums = [0.0; 4];
        for four in indices.as_chunks::<4>().0 {
            for (sum, index) in sums.iter_mut().zip(four) {
                *sum += values[index[board & 3] as usize % WEIGHTS];
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    #[inline(always)]
    fn value(&self, indices: &WeightIndices) -> f32 {
        let values = self.values.get();
        // Four sums shorten the dependency chain of 32 additions.
        let mut sums = [0.0; 4];
        for four in indices.as_chunks::<4>().0 {
            for (sum, &index) in sums.iter_mut().zip(four) {
                *sum += values[index as usize % WEIGHTS];
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    #[inline(always)]
    fn update(
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
                values[index as usize % WEIGHTS] += step;
            }
            return;
        }
        let sums = self.sums.get_mut();
        for &index in indices {
            let at = 2 * index as usize % (2 * WEIGHTS);
            let error_sum = sums[at];
            let error_size = sums[at + 1];
            let share = if error_size == 0.0 { 1.0 } else { error_sum.abs() / error_size };
            values[index as usize % WEIGHTS] += step * share;
            sums[at] = error_sum + error;
            sums[at + 1] = error_size + error.abs();
        }
    }
}

/// The weights and error sums as atomics that several threads read and write without
/// synchronization: an addition may overwrite a concurrent one. On one thread the results equal the
/// results of [`TupleTables`].
#[cfg(feature = "parallel")]
#[derive(Clone)]
pub(super) struct SharedTables<'a> {
    values: &'a [AtomicU32; WEIGHTS],
    sums: &'a [AtomicU32; 2 * WEIGHTS],
}

#[cfg(feature = "parallel")]
#[inline(always)]
fn load(cell: &AtomicU32) -> f32 {
    f32::from_bits(cell.load(Ordering::Relaxed))
}

#[cfg(feature = "parallel")]
#[inline(always)]
fn store(cell: &AtomicU32, number: f32) {
    cell.store(number.to_bits(), Ordering::Relaxed);
}

#[cfg(feature = "parallel")]
impl Weights for SharedTables<'_> {
    #[inline(always)]
    fn prefetch_values_with<S: Isa>(&self, isa: S, indices: &WeightIndices4, board: usize) {
        for index in indices {
            isa.prefetch(&self.values[index[board & 3] as usize % WEIGHTS]);
        }
    }

    #[inline(always)]
    fn prefetch_sums_with<S: Isa>(&self, isa: S, indices: &WeightIndices) {
        for &index in indices {
            isa.prefetch(&self.sums[2 * index as usize % (2 * WEIGHTS)]);
        }
    }

    #[inline(always)]
    fn value_of(&self, indices: &WeightIndices4, board: usize) -> f32 {
        let mut sums = [0.0; 4];
        for four in indices.as_chunks::<4>().0 {
            for (sum, index) in sums.iter_mut().zip(four) {
                *sum += load(&self.values[index[board & 3] as usize % WEIGHTS]);
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    #[inline(always)]
    fn value(&self, indices: &WeightIndices) -> f32 {
        let mut sums = [0.0; 4];
        for four in indices.as_chunks::<4>().0 {
            for (sum, &index) in sums.iter_mut().zip(four) {
                *sum += load(&self.values[index as usize % WEIGHTS]);
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    #[inline(always)]
    fn update(
        &mut self,
        indices: &WeightIndices,
        target: f32,
        learning_rate: f32,
        coherence: bool,
    ) {
        let error = target - self.value(indices);
        let step = learning_rate / 32.0 * error;
        for &index in indices {
            let weight = &self.values[index as usize % WEIGHTS];
            let mut share = 1.0;
            if coherence {
                let at = 2 * index as usize % (2 * WEIGHTS);
                let error_sum = &self.sums[at];
                let error_size = &self.sums[at + 1];
                let sum = load(error_sum);
                let size = load(error_size);
                if size != 0.0 {
                    share = sum.abs() / size;
                }
                store(error_sum, sum + error);
                store(error_size, size + error.abs());
            }
            store(weight, load(weight) + step * share);
        }
    }
}
