//! [`SmallNetwork`] and [`SmallLearner`]: tuples of five cells, whose weights fit in files of 2 MB.

use super::learn::CurvePoint;
use super::td::{BYTES_PER_WEIGHT, Td, Tuples};
use super::tuples::{MAX_RANK, Symmetries};
use crate::packed::Packed;
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped};
use bitcore::{Rng, dispatch};
use core::fmt;

/// The cells of a [`SmallNetwork`]'s tuples, numbered row-major: lines with a fifth cell, and
/// squares with one.
pub const SMALL_TUPLES: [[usize; 5]; 8] = [
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 5],
    [0, 1, 2, 4, 5],
    [0, 1, 2, 5, 6],
    [4, 5, 6, 7, 8],
    [4, 5, 6, 7, 9],
    [4, 5, 6, 8, 9],
    [4, 5, 6, 9, 10],
];

const TUPLES: usize = SMALL_TUPLES.len();
const RANKS: usize = MAX_RANK as usize + 1;
/// Weights per tuple. The index of a weight has the ranks of the cells, four bits each, lowest
/// first.
const SMALL_TABLE: usize = RANKS.pow(5);
pub(super) const SMALL_WEIGHTS: usize = TUPLES * SMALL_TABLE;

/// The most weights of a network other than 0.
const MOST_WEIGHTS: usize = 1_500_000;

/// The indices of a board's weights: for each tuple, one index per image of the board.
type Indices = [[u32; 8]; TUPLES];

#[inline(always)]
fn indices(after: Packed) -> Indices {
    let images = Symmetries::new(after).0;
    let mut indices = [[0; 8]; TUPLES];
    for (indices, cells) in indices.iter_mut().zip(SMALL_TUPLES) {
        for (index, image) in indices.iter_mut().zip(images) {
            for (i, cell) in cells.into_iter().enumerate() {
                *index |= ((image >> (4 * cell) & 15) as u32) << (4 * i);
            }
        }
    }
    indices
}

/// The weights of a [`SmallLearner`] that matter most, rounded to 12 bits: at most about 2 MB as a
/// file, and 16 MiB in memory.
///
/// ```
/// use g2048::{Packed, SmallLearner, SmallNetwork};
/// let mut learner = SmallLearner::new(1);
/// learner.learn_games(20);
/// let network = learner.network();
/// let mut file = Vec::new();
/// network.save(&mut |bytes| file.extend_from_slice(bytes));
/// let loaded = SmallNetwork::load(&file)?;
/// let board = Packed::start(&mut g2048::Rng::new(7));
/// assert!(loaded.value(board) > 0.0 && loaded.value(board) == network.value(board));
/// # Ok::<_, g2048::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct SmallNetwork {
    /// The value of one unit of a weight.
    pub(super) scale: f32,
    pub(super) weights: Vec<i16>,
}

impl SmallNetwork {
    /// Returns the network that comes with this crate, as the feature `builtin`.
    ///
    /// ```
    /// use g2048::expectimax::Limits;
    /// use g2048::{Expectimax, SmallNetwork};
    /// let network = SmallNetwork::builtin();
    /// let board = "2 4 8 2 \n . . . 2 \n . . . . \n . . . 2".parse()?;
    /// let choice = Expectimax::new(&network, Limits::depth(2)).search(&board).ok_or("a move")?;
    /// println!("{}, {:.0} points to come", choice.direction, choice.value);
    /// # assert!(choice.value > 50_000.0);
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    #[cfg(feature = "builtin")]
    #[allow(clippy::missing_panics_doc, reason = "the file is valid")]
    pub fn builtin() -> Self {
        Self::load(include_bytes!("builtin.net")).expect("a file saved by this crate")
    }

    /// Returns the value of an afterstate: the estimated remaining score, before the spawn.
    pub fn value(&self, after: Packed) -> f32 {
        let weights = &self.weights[..];
        // The sum of 64 weights of 16 bits fits in 32 bits.
        let sum = dispatch!(_isa [weights, after] => {
            let mut sum = 0;
            for (table, indices) in weights.as_chunks::<SMALL_TABLE>().0.iter().zip(indices(after)) {
                for index in indices {
                    sum += i32::from(table[index as usize % SMALL_TABLE]);
                }
            }
            sum
        });
        sum as f32 * self.scale
    }

    /// Returns the weight of a tuple of [`SMALL_TUPLES`] for the ranks in its five cells, in the
    /// tuple's order. Returns `None` if there is no such tuple or a rank exceeds [`MAX_RANK`].
    pub fn weight(&self, tuple: usize, ranks: [u8; 5]) -> Option<f32> {
        if tuple >= TUPLES || ranks.iter().any(|&rank| rank > MAX_RANK) {
            return None;
        }
        let index = ranks.iter().rev().fold(0, |index, &rank| index * RANKS + usize::from(rank));
        Some(f32::from(self.weights[tuple * SMALL_TABLE + index]) * self.scale)
    }
}

impl fmt::Debug for SmallNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmallNetwork").field("scale", &self.scale).finish_non_exhaustive()
    }
}

/// A learner for a [`SmallNetwork`]. It learns like a [`Learner`](crate::Learner) with default
/// settings and one more restart for each 32,768 games, one game after another, on one thread, and
/// takes 100 MB.
///
/// The seed and the number of games determine the result to the last bit, on every ISA level. A
/// small learner can't be saved.
///
/// ```
/// use g2048::SmallLearner;
/// let mut learner = SmallLearner::new(1);
/// learner.learn_games(20);
/// assert_eq!(learner.games(), 20);
/// ```
pub struct SmallLearner(pub(super) Td<SmallTuples>);

pub(super) struct SmallTuples;

impl Tuples for SmallTuples {
    type Board = Packed;
    type Indices = Indices;

    const MOST_MOVES: usize = usize::MAX;

    #[inline(always)]
    fn indices(&self) -> Indices {
        [[0; 8]; TUPLES]
    }

    #[inline(always)]
    fn start(&self, rng: &mut Rng) -> Packed {
        Packed::start(rng)
    }

    #[inline(always)]
    fn spawn(board: &mut Packed, rng: &mut Rng) {
        board.spawn(rng);
    }

    #[inline(always)]
    fn slides(board: Packed) -> [(Packed, u64, bool); 4] {
        board.slides_clamped().map(|slide| (slide.board, u64::from(slide.gain), slide.changed))
    }

    #[inline(always)]
    fn max_rank(board: Packed) -> u8 {
        board.max_rank()
    }

    #[inline(always)]
    fn find(&self, after: Packed, found: &mut Indices) {
        *found = indices(after);
    }

    #[inline(always)]
    fn value(weights: &[f32], indices: &Indices) -> f32 {
        value(weights, indices)
    }

    #[inline(always)]
    fn update(weights: &mut [f32], sums: &mut [[f32; 2]], indices: &Indices, target: f32) {
        update(weights, sums, indices, target);
    }
}

impl SmallLearner {
    /// Returns the most memory that a learner takes, and the network made from it, in bytes.
    pub const fn memory() -> u64 {
        BYTES_PER_WEIGHT * SMALL_WEIGHTS as u64
    }

    /// Returns a learner with all weights 0.
    pub fn new(seed: u64) -> Self {
        Self(Td::new(SmallTuples, SMALL_WEIGHTS, seed))
    }

    /// Returns the number of moves played.
    pub const fn moves(&self) -> u64 {
        self.0.moves
    }

    /// Returns the number of finished games.
    pub const fn games(&self) -> u64 {
        self.0.games
    }

    /// Returns the learning curve: one point per [`CurvePoint::GAMES`] games.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.0.curve
    }

    /// Plays a number of games and learns from them.
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn learn_games(&mut self, games: u64) {
        self.learn_games_until(games, &|| false).expect("nothing stops it");
    }

    /// Does the same, unless `stop` ends it, which is asked before each game.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The games before are [counted](Self::games).
    pub fn learn_games_until(&mut self, games: u64, stop: Stop<'_>) -> Result<(), Stopped> {
        self.0.learn_games(games, stop)
    }

    /// Returns the current weights, scaled and rounded to 12 bits: the largest absolute value
    /// becomes 2047. Of more than 1.5 million weights, those with the largest sums of errors' sizes
    /// stay, and the others become 0: few games have met them.
    pub fn network(&self) -> SmallNetwork {
        let Td { weights, sums, .. } = &self.0;
        let largest = weights.iter().fold(0f32, |largest, weight| largest.max(weight.abs()));
        let scale = if largest > 0.0 { largest / 2047.0 } else { 1.0 };
        let least = self.least_size();
        let rounded = |(weight, [_, size]): (&f32, &[f32; 2])| {
            // `as` truncates; adding a half first rounds.
            let weight = (weight / scale + 0.5f32.copysign(*weight)) as i16;
            if *size > least { weight } else { 0 }
        };
        let weights = weights.iter().zip(sums).map(rounded).collect();
        SmallNetwork { scale, weights }
    }

    /// Returns the sum of errors' sizes above which a weight is one of the [`MOST_WEIGHTS`].
    fn least_size(&self) -> f32 {
        let sizes = self.0.sums.iter().map(|[_, size]| *size).filter(|&size| size > 0.0);
        let mut sizes: Vec<f32> = sizes.collect();
        match sizes.len().checked_sub(MOST_WEIGHTS + 1) {
            Some(left_out) => *sizes.select_nth_unstable_by(left_out, f32::total_cmp).1,
            None => 0.0,
        }
    }
}

/// Returns the value of a board. The order of additions is fixed: eight sums, one per image.
#[inline(always)]
fn value(weights: &[f32], indices: &Indices) -> f32 {
    let mut sums = [0.0; 8];
    for (table, indices) in weights.as_chunks::<SMALL_TABLE>().0.iter().zip(indices) {
        for (sum, &index) in sums.iter_mut().zip(indices) {
            *sum += table[index as usize % SMALL_TABLE];
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// Moves a board's value toward a target, with the step of each weight scaled by its coherence.
#[inline(always)]
fn update(weights: &mut [f32], sums: &mut [[f32; 2]], indices: &Indices, target: f32) {
    let error = target - value(weights, indices);
    let step = error / (8 * TUPLES) as f32;
    let tables = weights
        .as_chunks_mut::<SMALL_TABLE>()
        .0
        .iter_mut()
        .zip(sums.as_chunks_mut::<SMALL_TABLE>().0);
    for ((weights, sums), indices) in tables.zip(indices) {
        for &index in indices {
            let [error_sum, error_size] = &mut sums[index as usize % SMALL_TABLE];
            let share = if *error_size == 0.0 { 1.0 } else { error_sum.abs() / *error_size };
            weights[index as usize % SMALL_TABLE] += step * share;
            *error_sum += error;
            *error_size += error.abs();
        }
    }
}

impl fmt::Debug for SmallLearner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("SmallLearner");
        debug.field("moves", &self.moves()).field("games", &self.games()).finish_non_exhaustive()
    }
}
