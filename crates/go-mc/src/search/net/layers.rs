//! [`Layers`]: the layers of a [net](super::Net), in exact integers.

use super::planes::{CLASSES, OWN_CLASSES, Planes, padding};
use bitcore::{Isa, Lanes, U16s, dispatch};
use std::vec::Vec;

/// The channels of a layer.
pub(super) const CHANNELS: usize = 16;
pub(super) const TAPS: usize = 9;
/// The convolutions after the first layer.
pub(super) const CONVOLUTIONS: usize = 2;
/// Activations are from 0 to this: then no sum of two products leaves 16 bits.
pub(super) const MAX_ACTIVATION: u8 = 127;
/// The bits that are dropped from the sums of the first layer and of the others.
pub(super) const FIRST_SHIFT: i32 = 4;
pub(super) const SHIFT: u32 = 6;
/// The bits that are dropped from the score of a stone.
const SCORE_SHIFT: u32 = 4;
/// The bits by which the mean activations, from which the score of a pass is made, are finer.
const MEAN_SHIFT: u32 = 4;
/// The points of which the sums are in registers at the same time.
const BLOCK: usize = 5;

/// The activations of a point.
pub(super) type Channels = [u8; CHANNELS];

/// The weights as numbers of the file, each group in its order there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weights {
    /// The bias, then each neighbor's classes, then those of the point itself; by channel.
    pub(super) first: Vec<i16>,
    /// The bias, then each neighbor's channels; by output channel.
    pub(super) convolutions: [Vec<i16>; CONVOLUTIONS],
    /// The weights of the last layer's channels in the score of a stone, and of their means in that
    /// of a pass.
    pub(super) scores: Vec<i16>,
}

/// The rows of [`Weights::first`] and of each of [`Weights::convolutions`].
pub(super) const FIRST_ROWS: usize = 1 + TAPS * CLASSES + OWN_CLASSES;
pub(super) const CONVOLUTION_ROWS: usize = 1 + TAPS * CHANNELS;

/// The weights as the kernel reads them.
pub(super) struct Layers {
    bias: [u16; CHANNELS],
    /// By neighbor and class.
    seen: Vec<[[u16; CHANNELS]; SEEN_ROWS]>,
    own: Vec<[u16; CHANNELS]>,
    convolutions: [Convolution; CONVOLUTIONS],
    scores: [[i16; CHANNELS]; 2],
}

/// A power of two, so that an index needs no check.
const SEEN_ROWS: usize = 64;

struct Convolution {
    bias: [u32; CHANNELS],
    /// By neighbor and group of four inputs: for each output, the weights of the four inputs.
    weights: [[[[u8; 32]; 2]; CHANNELS / 4]; TAPS],
    /// By neighbor and input: the weights of the outputs, for a machine without vectors.
    rows: Vec<[[f32; CHANNELS]; CHANNELS]>,
}

/// The activations of all layers, padded as in [`Planes`].
pub(super) struct Activations {
    pub(super) layers: [Vec<Channels>; CONVOLUTIONS + 1],
}

impl Layers {
    pub(super) fn new(weights: &Weights) -> Self {
        let rows = |weights: &[i16]| -> Vec<[u16; CHANNELS]> {
            let (rows, _) = weights.as_chunks::<CHANNELS>();
            rows.iter().map(|row| row.map(i16::cast_unsigned)).collect()
        };
        let first = rows(&weights.first);
        let (seen, own) = first[1..].split_at(TAPS * CLASSES);
        let seen = seen.chunks(CLASSES).map(|rows| {
            let mut all = [[0; CHANNELS]; SEEN_ROWS];
            all[..CLASSES].copy_from_slice(rows);
            all
        });
        let mut own = own.to_vec();
        own.resize(256, [0; CHANNELS]);
        let (scores, _) = weights.scores.as_chunks::<CHANNELS>();
        Self {
            bias: first[0],
            seen: seen.collect(),
            own,
            convolutions: core::array::from_fn(|at| Convolution::new(&weights.convolutions[at])),
            scores: [scores[0], scores[1]],
        }
    }

    /// Returns the activations of a position.
    pub(super) fn activations(&self, planes: &Planes) -> Activations {
        let points = planes.seen.len() + BLOCK;
        let mut layers = [(); CONVOLUTIONS + 1].map(|()| std::vec![[0; CHANNELS]; points]);
        let to = &mut layers;
        dispatch!(isa + v4 [layers = self, planes, to] => {
            let [first, others @ ..] = to;
            layers.first_layer(isa, planes, first);
            let mut from = first;
            for (convolution, to) in layers.convolutions.iter().zip(others) {
                convolution.layer(isa, planes.side, from, to);
                from = to;
            }
        });
        Activations { layers }
    }

    #[inline(always)]
    fn first_layer<S: Isa>(&self, isa: S, planes: &Planes, to: &mut [Channels]) {
        let side = planes.side;
        let zero = isa.splat_u16(0);
        let most = isa.splat_u16(MAX_ACTIVATION.into());
        for y in 0..side {
            for x in 0..side {
                let index = y * (side + 1) + x;
                let mut sum = isa.u16x16(&self.bias);
                for own in planes.own[index] {
                    sum = sum + isa.u16x16(&self.own[usize::from(own)]);
                }
                for (tap, rows) in self.seen.iter().enumerate() {
                    let [a, b] = planes.seen[neighbor(side, index, tap)].map(usize::from);
                    sum = sum + isa.u16x16(&rows[a % SEEN_ROWS]);
                    sum = sum + isa.u16x16(&rows[b % SEEN_ROWS]);
                }
                let positive = sum & sum.cmp_gt_signed(zero);
                let activations = positive.shr::<FIRST_SHIFT>().min(most).to_array();
                to[padding(side) + index] = activations.map(|activation| activation as u8);
            }
        }
    }

    /// Returns the score of a stone, in sixty-fourths of a power of two.
    pub(super) fn stone_score(&self, activations: &Channels) -> i32 {
        dot(activations.map(i32::from), &self.scores[0]) >> SCORE_SHIFT
    }

    /// Returns the score of a pass.
    pub(super) fn pass_score(&self, side: usize, activations: &[Channels]) -> i32 {
        let means = means(side, activations);
        dot(means, &self.scores[1]) >> (SCORE_SHIFT + MEAN_SHIFT)
    }
}

/// Returns the mean activations of a layer, finer by [`MEAN_SHIFT`] bits.
pub(super) fn means(side: usize, activations: &[Channels]) -> [i32; CHANNELS] {
    let mut sums = [0; CHANNELS];
    // Points off the board are 0.
    for point in activations {
        for (sum, &activation) in sums.iter_mut().zip(point) {
            *sum += i32::from(activation);
        }
    }
    sums.map(|sum| (sum << MEAN_SHIFT) / (side * side) as i32)
}

fn dot(activations: [i32; CHANNELS], weights: &[i16; CHANNELS]) -> i32 {
    activations.iter().zip(weights).map(|(a, &b)| a * i32::from(b)).sum()
}

/// Returns the padded index of one of the nine points around a point, row by row.
#[inline(always)]
pub(super) const fn neighbor(side: usize, index: usize, tap: usize) -> usize {
    index + tap / 3 * (side + 1) + tap % 3
}

/// Returns the activation of a sum.
#[inline(always)]
fn activation(sum: i32) -> u8 {
    (sum.max(0) >> SHIFT).min(MAX_ACTIVATION.into()) as u8
}

impl Convolution {
    fn new(weights: &[i16]) -> Self {
        let (rows, _) = weights.as_chunks::<CHANNELS>();
        let byte = |tap: usize, group: usize, half: usize, byte: usize| {
            let [output, input] = [half * 8 + byte / 4, group * 4 + byte % 4];
            rows[1 + tap * CHANNELS + input][output] as u8
        };
        Self {
            bias: rows[0].map(|bias| i32::from(bias).cast_unsigned()),
            weights: core::array::from_fn(|tap| {
                core::array::from_fn(|group| {
                    [0, 1].map(|half| core::array::from_fn(|at| byte(tap, group, half, at)))
                })
            }),
            rows: rows[1..]
                .as_chunks()
                .0
                .iter()
                .map(|tap| tap.map(|row| row.map(f32::from)))
                .collect(),
        }
    }

    #[inline(always)]
    fn layer<S: Isa>(&self, isa: S, side: usize, from: &[Channels], to: &mut [Channels]) {
        let points = side * (side + 1);
        if S::HAS_SIMD {
            self.vector_sums(isa, side, from, to);
        } else {
            self.plain_sums(side, from, to);
        }
        for y in 0..side {
            to[padding(side) + y * (side + 1) + side] = [0; CHANNELS];
        }
        to[padding(side) + points..].fill([0; CHANNELS]);
    }

    /// Sums floats, of which the baseline's vectors multiply four at once, unlike integers. They are
    /// whole and far below 2^24, so the sums are exact.
    #[inline(always)]
    fn plain_sums(&self, side: usize, from: &[Channels], to: &mut [Channels]) {
        let bias = self.bias.map(|bias| bias.cast_signed() as f32);
        for index in 0..side * (side + 1) {
            let mut sums = bias;
            for (tap, rows) in self.rows.iter().enumerate() {
                let channels = from[neighbor(side, index, tap)].map(f32::from);
                for (channel, row) in channels.iter().zip(rows) {
                    for (sum, weight) in sums.iter_mut().zip(row) {
                        *sum += channel * weight;
                    }
                }
            }
            to[padding(side) + index] = sums.map(|sum| activation(sum as i32));
        }
    }

    #[inline(always)]
    fn vector_sums<S: Isa>(&self, isa: S, side: usize, from: &[Channels], to: &mut [Channels]) {
        let (low, high) = self.bias.split_at(8);
        let bias = [low, high].map(|bias| isa.u32x8(bias.try_into().expect("eight")));
        let points = side * (side + 1);
        for start in (0..points).step_by(BLOCK) {
            let mut sums = [bias; BLOCK];
            for (tap, groups) in self.weights.iter().enumerate() {
                let around = &from[neighbor(side, start, tap)..][..BLOCK];
                for (group, halves) in groups.iter().enumerate() {
                    let weights = [isa.u8x32(&halves[0]), isa.u8x32(&halves[1])];
                    for (sums, channels) in sums.iter_mut().zip(around) {
                        let (fours, _) = channels.as_chunks::<4>();
                        let four = u32::from_le_bytes(fours[group]);
                        for (sum, weights) in sums.iter_mut().zip(weights) {
                            *sum = isa.add_dot4(*sum, four, weights);
                        }
                    }
                }
            }
            let to = &mut to[padding(side) + start..][..BLOCK];
            for (to, sums) in to.iter_mut().zip(sums) {
                let sums = sums.map(Lanes::to_array);
                for (to, sum) in to.iter_mut().zip(sums.as_flattened()) {
                    *to = activation(sum.cast_signed());
                }
            }
        }
    }
}
