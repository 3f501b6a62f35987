//! [`Network`]: 16-bit weights, for play.

use super::learn::Learner;
use super::tables::{self, for_each_image_with};
use super::tuples::{MAX_RANK, Symmetries, TUPLES, rank_3, rank_6, shared_ranks};
use crate::packed::Packed;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::{Isa, Lanes, U64s, dispatch};
use core::fmt;

const RANKS: usize = MAX_RANK as usize + 1;
/// Blocks per pair of tuples: one for each combination of the five shared ranks.
const BLOCKS_PER_PAIR: usize = RANKS.pow(5);
/// Weights per block: one per sixth rank of each of two tuples, for the same five shared ranks. A block is 56
/// bytes, in one or two cache lines.
const BLOCK: usize = 2 * RANKS;
pub(super) const WEIGHTS: usize = 2 * BLOCKS_PER_PAIR * BLOCK;

/// The weights of a [`Learner`], rounded to 16 bits: 57.4 MiB.
///
/// ```
/// use g2048::network::LearnerSettings;
/// use g2048::{Learner, Network, Packed};
/// let mut learner = Learner::new(LearnerSettings::default(), 1)?;
/// learner.learn(5_000);
/// let network = learner.network();
/// let mut file = Vec::new();
/// network.save(&mut |bytes| file.extend_from_slice(bytes));
/// let loaded = Network::load(&file).unwrap();
/// let board = Packed::start(&mut g2048::Rng::new(7));
/// assert!(loaded.value(board) > 0.0 && loaded.value(board) == network.value(board));
/// # Ok::<_, g2048::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Network {
    /// The value of one unit of a weight.
    pub(super) scale: f32,
    pub(super) weights: Vec<i16>,
}

/// Reads five ranks of four bits each as the digits of a base-14 number.
#[inline(always)]
const fn base_14(ranks: usize) -> usize {
    // Joins pairs of ranks into bytes below 196, then the bytes into the number.
    let pairs = ranks - 2 * (ranks >> 4 & 0x0f0f);
    (pairs & 255) + 196 * (pairs >> 8 & 255) + 196 * 196 * (pairs >> 16)
}

/// Returns the indices of one image's weights, for tuples 0, 2, 1 and 3.
#[inline(always)]
fn image_indices_with<S: Isa>(isa: S, image: S::U64x4) -> [[u64; 4]; 4] {
    let (sixth, second) = (isa.splat_u64(15), isa.splat_u64(RANKS as u64));
    let block = first_of_block_with(isa, image);
    let pair = isa.splat_u64((BLOCKS_PER_PAIR * BLOCK) as u64);
    let lower = pair + first_of_block_with(isa, image.shr::<16>());
    [
        (block + (image.shr::<12>() & sixth)).to_array(),
        (block + second + (image.shr::<24>() & sixth)).to_array(),
        (lower + (image.shr::<28>() & sixth)).to_array(),
        (lower + second + (image.shr::<40>() & sixth)).to_array(),
    ]
}

/// Returns [`base_14`] of the [`shared_ranks`], times the length of a block.
#[inline(always)]
fn first_of_block_with<S: Isa>(isa: S, image: S::U64x4) -> S::U64x4 {
    let ranks = (image & isa.splat_u64(0xfff)) | (image.shr::<4>() & isa.splat_u64(0xff000));
    let pairs = ranks - (ranks.shr::<4>() & isa.splat_u64(0x0f0f)).shl::<1>();
    let [low, middle, high] = [1, 196, 196 * 196].map(|digits| isa.splat_u64(digits * BLOCK as u64));
    let byte = isa.splat_u64(255);
    let low = (pairs & byte).mul_u32(low) + (pairs.shr::<8>() & byte).mul_u32(middle);
    low + pairs.shr::<16>().mul_u32(high)
}

impl Network {
    /// Returns the value of an afterstate: the estimated remaining score, before the spawn.
    #[inline]
    pub fn value(&self, after: Packed) -> f32 {
        self.value_of_images(&Symmetries::new(after))
    }

    /// Writes the value of each afterstate, for as many as both slices have: the loads of one overlap with the
    /// arithmetic of the others.
    ///
    /// ```
    /// use g2048::network::LearnerSettings;
    /// use g2048::{Learner, Packed};
    /// let mut learner = Learner::new(LearnerSettings::default(), 1)?;
    /// learner.learn(1_000);
    /// let network = learner.network();
    /// let afters = [1, 2, 3, 4, 5].map(Packed::from_bits);
    /// let mut values = [0.0; 5];
    /// network.values(&afters, &mut values);
    /// assert_eq!(values, afters.map(|after| network.value(after)));
    /// # Ok::<_, g2048::Error>(())
    /// ```
    pub fn values(&self, afters: &[Packed], values: &mut [f32]) {
        dispatch!(isa [network = self, afters, values] => network.values_with(isa, afters, values));
    }

    #[inline(always)]
    fn values_with<S: Isa>(&self, isa: S, afters: &[Packed], values: &mut [f32]) {
        let mut indices = [[[0; 4]; 4]; 8];
        for (afters, values) in afters.chunks(4).zip(values.chunks_mut(4)) {
            let mut boards = [Packed::EMPTY; 4];
            boards[..afters.len()].copy_from_slice(afters);
            for_each_image_with(
                isa,
                &boards,
                #[inline(always)]
                |k, image| indices[k] = image_indices_with(isa, image),
            );
            for (i, (_, value)) in afters.iter().zip(values).enumerate() {
                let indices = indices.as_flattened().iter();
                let sum: i32 = indices.map(|at| i32::from(self.weights[at[i % 4] as usize])).sum();
                *value = sum as f32 * self.scale;
            }
        }
    }

    #[inline(always)]
    fn value_of_images(&self, symmetries: &Symmetries) -> f32 {
        let (pair_0, pair_1) = self.weights.as_chunks::<BLOCK>().0.split_at(BLOCKS_PER_PAIR);
        // The sum of 32 weights of 16 bits fits in 32 bits.
        let mut sum = 0;
        for image in symmetries.0 {
            for (blocks, image) in [(pair_0, image), (pair_1, image >> 16)] {
                let block = &blocks[base_14(shared_ranks(image))];
                sum += i32::from(block[rank_3(image)]) + i32::from(block[RANKS + rank_6(image)]);
            }
        }
        sum as f32 * self.scale
    }

    /// Returns the weight of a tuple of [`TUPLES`] for the ranks in its six cells, in the tuple's order.
    /// Returns `None` if there is no such tuple or a rank exceeds [`MAX_RANK`].
    pub fn weight(&self, tuple: usize, ranks: [u8; 6]) -> Option<f32> {
        if ranks.iter().any(|&rank| rank > MAX_RANK) {
            return None;
        }
        let cells = TUPLES.get(tuple)?;
        let row = 16 * (tuple % 2);
        let image =
            cells.iter().zip(ranks).fold(0, |image, (cell, rank)| image | u64::from(rank) << (4 * cell))
                >> row;
        let block = (tuple % 2 * BLOCKS_PER_PAIR + base_14(shared_ranks(image))) * BLOCK;
        let at = if tuple < 2 { rank_3(image) } else { RANKS + rank_6(image) };
        Some(f32::from(self.weights[block + at]) * self.scale)
    }
}

impl Learner {
    /// Returns the current weights, scaled and rounded to 16 bits: the largest absolute value becomes 32767.
    pub fn network(&self) -> Network {
        // One maximum per position in a block first: independent maxima don't wait for each other.
        let mut maxima = [0f32; tables::BLOCK];
        for (values, _) in self.tables.blocks() {
            for (largest, value) in maxima.iter_mut().zip(values) {
                *largest = largest.max(value.abs());
            }
        }
        let largest = maxima.into_iter().fold(0f32, f32::max);
        let scale = if largest > 0.0 { largest / 32767.0 } else { 1.0 };
        let mut weights = vec![0; WEIGHTS];
        for (i, (block, _)) in self.tables.blocks().enumerate() {
            let Some(at) = network_block(i) else { continue };
            let to = &mut weights.as_chunks_mut::<BLOCK>().0[at];
            for (from, to) in block.as_chunks::<16>().0.iter().zip(to.as_chunks_mut::<RANKS>().0) {
                for (weight, to) in from.iter().zip(to) {
                    // `as` truncates; adding a half first rounds.
                    *to = (weight / scale + 0.5f32.copysign(*weight)) as i16;
                }
            }
        }
        Network { scale, weights }
    }
}

/// Converts the index of a learner's block to a [`Network`] block. Returns `None` if a rank exceeds
/// [`MAX_RANK`].
fn network_block(block: usize) -> Option<usize> {
    let (pair, ranks) = (block >> 20, block & 0xfffff);
    let known = (0..5).all(|digit| ranks >> (4 * digit) & 15 < RANKS);
    known.then(|| pair * BLOCKS_PER_PAIR + base_14(ranks))
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("scale", &self.scale).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::LearnerSettings;

    #[test]
    fn the_largest_weight_sets_the_scale_wherever_it_is() {
        let mut learner = Learner::new(LearnerSettings::default(), 1).unwrap();
        let (values, _) = learner.tables.block_mut(0);
        values[0] = 1.0;
        // The second tuple of the block, at its highest rank.
        values[16 + RANKS - 1] = -5.0;
        let network = learner.network();
        assert_eq!((network.weights[0], network.weights[2 * RANKS - 1]), (6553, -32767));
    }
}
