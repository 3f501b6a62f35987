//! [`Network`]: 16-bit weights, for play.

use super::learn::Learner;
use super::tables::{
    Aligned, BLOCK, BLOCKS, WEIGHTS, WeightIndices4, any_nonzero, weight_indices_with,
};
use super::tuples::{MAX_RANK, Symmetries, TUPLES, rank_3, rank_6, shared_ranks};
use crate::packed::Packed;
use bitcore::{Isa, dispatch};
use core::fmt;

/// The weights of a [`Learner`], rounded to 16 bits: up to 128 MiB in a file and in memory.
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
pub struct Network {
    /// The value of one unit of a weight.
    pub(super) scale: f32,
    /// The weights in the order of a learner's. A block of them is one cache line.
    pub(super) weights: Aligned<i16, WEIGHTS>,
}

impl Network {
    /// Returns the value of an afterstate: the estimated remaining score, before the spawn.
    #[inline]
    pub fn value(&self, after: Packed) -> f32 {
        self.value_of_images(&Symmetries::new(after))
    }

    /// Writes the value of each afterstate, for as many as both slices have: the loads of one
    /// overlap with the arithmetic of the others.
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
        let n = afters.len().min(values.len());
        let mut afters = afters[..n].chunks(4);
        let mut values = values[..n].chunks_mut(4);
        let (Some(first), Some(mut to)) = (afters.next(), values.next()) else { return };
        let mut now = &mut [[0; 4]; 32];
        let mut other;
        find_indices(isa, first, now);
        self.fetch_weights(isa, now);
        if afters.len() > 0 {
            other = [[0; 4]; 32];
            let mut next = &mut other;
            for (afters, values) in afters.zip(values) {
                find_indices(isa, afters, next);
                // The weights of these boards arrive during the sums of the last ones.
                self.fetch_weights(isa, next);
                self.sum_weights(now, to);
                (now, next, to) = (next, now, values);
            }
        }
        self.sum_weights(now, to);
    }

    #[inline(always)]
    fn fetch_weights<S: Isa>(&self, isa: S, indices: &WeightIndices4) {
        for first_of_block in indices.iter().step_by(2) {
            for &index in first_of_block {
                isa.prefetch(&self.weights.get()[index as usize % WEIGHTS]);
            }
        }
    }

    #[inline(always)]
    fn sum_weights(&self, indices: &WeightIndices4, values: &mut [f32]) {
        let weights = self.weights.get();
        for (i, value) in values.iter_mut().enumerate() {
            // The sum of 32 weights of 16 bits fits in 32 bits.
            let sum: i32 =
                indices.iter().map(|at| i32::from(weights[at[i & 3] as usize % WEIGHTS])).sum();
            *value = sum as f32 * self.scale;
        }
    }

    #[inline(always)]
    fn value_of_images(&self, symmetries: &Symmetries) -> f32 {
        let (pair_0, pair_1) = self.weights.get().as_chunks::<BLOCK>().0.split_at(BLOCKS / 2);
        let mut sum = 0;
        for image in symmetries.0 {
            for (blocks, image) in [(pair_0, image), (pair_1, image >> 16)] {
                let block = &blocks[shared_ranks(image)];
                sum +=
                    i32::from(block[rank_3(image)]) + i32::from(block[BLOCK / 2 + rank_6(image)]);
            }
        }
        sum as f32 * self.scale
    }

    /// Returns the weight of a tuple of [`TUPLES`] for the ranks in its six cells, in the tuple's
    /// order. Returns `None` if there is no such tuple or a rank exceeds [`MAX_RANK`].
    pub fn weight(&self, tuple: usize, ranks: [u8; 6]) -> Option<f32> {
        if ranks.iter().any(|&rank| rank > MAX_RANK) {
            return None;
        }
        let cells = TUPLES.get(tuple)?;
        let row = 16 * (tuple % 2);
        let image = cells
            .iter()
            .zip(ranks)
            .fold(0, |image, (cell, rank)| image | u64::from(rank) << (4 * cell))
            >> row;
        let block = (tuple % 2 * (BLOCKS / 2) + shared_ranks(image)) * BLOCK;
        let at = if tuple < 2 { rank_3(image) } else { BLOCK / 2 + rank_6(image) };
        Some(f32::from(self.weights.get()[block + at]) * self.scale)
    }
}

impl Learner {
    /// Returns the current weights, scaled and rounded to 16 bits: the largest absolute value
    /// becomes 32767.
    pub fn network(&self) -> Network {
        // One maximum per position in a block first: independent maxima don't wait for each other.
        let mut maxima = [0f32; BLOCK];
        for (values, _) in self.tables.blocks() {
            for (largest, value) in maxima.iter_mut().zip(values) {
                *largest = largest.max(value.abs());
            }
        }
        let largest = maxima.into_iter().fold(0f32, f32::max);
        let scale = if largest > 0.0 { largest / 32767.0 } else { 1.0 };
        let mut weights = Aligned::zeros();
        for ((block, _), to) in
            self.tables.blocks().zip(weights.get_mut().as_chunks_mut::<BLOCK>().0)
        {
            // The system provides memory only for written pages.
            if any_nonzero(block) {
                // `as` truncates; adding a half first rounds.
                *to = block.map(|weight| (weight / scale + 0.5f32.copysign(weight)) as i16);
            }
        }
        Network { scale, weights }
    }
}

/// Computes the weight indices of up to four boards.
#[inline(always)]
fn find_indices<S: Isa>(isa: S, afters: &[Packed], indices: &mut WeightIndices4) {
    let mut boards = [Packed::EMPTY; 4];
    boards[..afters.len()].copy_from_slice(afters);
    weight_indices_with(isa, &boards, indices);
}

impl Clone for Network {
    fn clone(&self) -> Self {
        let mut weights = Aligned::zeros();
        weights.get_mut().copy_from_slice(self.weights.get());
        Self { scale: self.scale, weights }
    }
}

impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.scale == other.scale && self.weights.get() == other.weights.get()
    }
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
        values[16 + 15] = -5.0;
        let network = learner.network();
        assert_eq!(network.weights.get()[0], 6553);
        assert_eq!(network.weights.get()[16 + 15], -32767);
    }
}
