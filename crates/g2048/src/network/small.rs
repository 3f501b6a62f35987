//! [`SmallNetwork`] and [`SmallLearner`]: tuples of five cells, whose weights fit in files of 2 MB.

use super::backward::Transcript;
use super::learn::{CurvePoint, SHORTEST};
use super::settings::LearnerSettings;
use super::tuples::{MAX_RANK, Symmetries};
use crate::direction::Direction;
use crate::packed::{Packed, PackedSlide};
use alloc::vec;
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
/// settings, but one game after another, on one thread, and takes 100 MB.
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
pub struct SmallLearner {
    weights: Vec<f32>,
    /// For each weight, the sum of its errors and the sum of their absolute values.
    sums: Vec<[f32; 2]>,
    next: Rng,
    moves: u64,
    games: u64,
    curve: Vec<CurvePoint>,
    point: CurvePoint,
}

impl SmallLearner {
    /// Returns a learner with all weights 0.
    pub fn new(seed: u64) -> Self {
        Self {
            weights: vec![0.0; SMALL_WEIGHTS],
            sums: vec![[0.0; 2]; SMALL_WEIGHTS],
            next: Rng::new(seed),
            moves: 0,
            games: 0,
            curve: Vec::new(),
            point: CurvePoint::default(),
        }
    }

    /// Returns the number of moves played.
    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the number of finished games.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns the learning curve: one point per [`CurvePoint::GAMES`] games.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
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
        let end = self.games.saturating_add(games);
        while self.games < end {
            if stop() {
                return Err(Stopped);
            }
            let this = &mut *self;
            dispatch!(_isa [this] => this.learn_game());
        }
        Ok(())
    }

    /// Plays a game and learns from it, then from its restarts.
    #[inline(always)]
    fn learn_game(&mut self) {
        let settings = LearnerSettings::default();
        let mut rng = self.next.copy_and_jump();
        let mut board = Packed::start(&mut rng);
        let mut moves = Transcript::new();
        for restarts in 0.. {
            while let Some(slide) = self.best_slide(board) {
                moves.push((slide.board, slide.gain));
                board = slide.board;
                board.spawn(&mut rng);
            }
            self.moves += moves.len() as u64;
            if restarts == 0 {
                self.games += 1;
                self.point.score += moves.iter().map(|&(_, gain)| u64::from(gain)).sum::<u64>();
                self.point.moves += moves.len() as u64;
                self.point.reached_2048 += u64::from(board.max_rank() >= 11);
                if self.games.is_multiple_of(CurvePoint::GAMES) {
                    self.curve.push(core::mem::take(&mut self.point));
                }
            }
            let mut target = 0.0;
            for &(after, gain) in moves.iter().rev() {
                let indices = indices(after);
                update(&mut self.weights, &mut self.sums, &indices, target);
                let value = value(&self.weights, &indices);
                target = gain as f32 + settings.lambda * target + (1.0 - settings.lambda) * value;
            }
            if moves.len() < SHORTEST || restarts >= settings.restarts(self.games) {
                break;
            }
            board = moves[moves.len() / 2].0;
            board.spawn(&mut rng);
            moves.clear();
        }
    }

    #[inline(always)]
    fn best_slide(&self, board: Packed) -> Option<PackedSlide> {
        let mut best = f32::NEG_INFINITY;
        let mut chosen = None;
        for direction in Direction::ALL {
            let slide = board.slide_clamped(direction);
            if slide.changed {
                let value = slide.gain as f32 + value(&self.weights, &indices(slide.board));
                if value > best {
                    (best, chosen) = (value, Some(slide));
                }
            }
        }
        chosen
    }

    /// Returns the current weights, scaled and rounded to 12 bits: the largest absolute value
    /// becomes 2047. Of more than 1.5 million weights, those with the largest sums of errors' sizes
    /// stay, and the others become 0: few games have met them.
    pub fn network(&self) -> SmallNetwork {
        let largest = self.weights.iter().fold(0f32, |largest, weight| largest.max(weight.abs()));
        let scale = if largest > 0.0 { largest / 2047.0 } else { 1.0 };
        let least = self.least_size();
        let rounded = |(weight, [_, size]): (&f32, &[f32; 2])| {
            // `as` truncates; adding a half first rounds.
            let weight = (weight / scale + 0.5f32.copysign(*weight)) as i16;
            if *size > least { weight } else { 0 }
        };
        let weights = self.weights.iter().zip(&self.sums).map(rounded).collect();
        SmallNetwork { scale, weights }
    }

    /// Returns the sum of errors' sizes above which a weight is one of the [`MOST_WEIGHTS`].
    fn least_size(&self) -> f32 {
        let sizes = self.sums.iter().map(|[_, size]| *size).filter(|&size| size > 0.0);
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
        debug.field("moves", &self.moves).field("games", &self.games).finish_non_exhaustive()
    }
}
