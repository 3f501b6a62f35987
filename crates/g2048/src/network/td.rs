//! The learner behind [`SmallLearner`](crate::SmallLearner) and
//! [`TupleLearner`](crate::TupleLearner): one game after another, learned backward.

use super::learn::{CurvePoint, SHORTEST};
use super::settings::LearnerSettings;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped};
use bitcore::{Rng, dispatch};

/// A kind of boards, and the weights that their values are made of.
pub(super) trait Tuples {
    type Board: Copy;
    /// The indices of a board's weights.
    type Indices;

    /// The most moves that are learned at a time. A longer game is learned in parts: the last
    /// afterstate of a part then moves toward the value of the best next move instead of 0.
    const MOST_MOVES: usize;

    fn indices(&self) -> Self::Indices;
    fn start(&self, rng: &mut Rng) -> Self::Board;
    fn spawn(board: &mut Self::Board, rng: &mut Rng);
    /// Returns the four slides: afterstate, gain, and whether the move is legal.
    fn slides(board: Self::Board) -> [(Self::Board, u64, bool); 4];
    fn max_rank(board: Self::Board) -> u8;
    fn find(&self, after: Self::Board, indices: &mut Self::Indices);
    fn value(weights: &[f32], indices: &Self::Indices) -> f32;
    /// Moves a board's value toward a target, with the step of each weight scaled by its coherence.
    fn update(weights: &mut [f32], sums: &mut [[f32; 2]], indices: &Self::Indices, target: f32);
}

/// Of a learner, of the network made from it, and of the choice of the weights that stay.
pub(super) const BYTES_PER_WEIGHT: u64 = 4 + 8 + 2 + 4;

pub(super) struct Td<T: Tuples> {
    pub(super) tuples: T,
    pub(super) weights: Vec<f32>,
    /// For each weight, the sum of its errors and the sum of their absolute values.
    pub(super) sums: Vec<[f32; 2]>,
    next: Rng,
    pub(super) moves: u64,
    pub(super) games: u64,
    pub(super) curve: Vec<CurvePoint>,
    point: CurvePoint,
}

impl<T: Tuples> Td<T> {
    pub(super) fn new(tuples: T, weights: usize, seed: u64) -> Self {
        Self {
            tuples,
            weights: vec![0.0; weights],
            sums: vec![[0.0; 2]; weights],
            next: Rng::new(seed),
            moves: 0,
            games: 0,
            curve: Vec::new(),
            point: CurvePoint::default(),
        }
    }

    /// Learns from a number of games, unless `stop` ends it, which is asked before each game and
    /// each further part of one.
    pub(super) fn learn_games(&mut self, games: u64, stop: Stop<'_>) -> Result<(), Stopped> {
        let end = self.games.saturating_add(games);
        while self.games < end {
            if stop() {
                return Err(Stopped);
            }
            let this = &mut *self;
            dispatch!(_isa [this, stop] => this.learn_game(stop))?;
        }
        Ok(())
    }

    /// Plays a game and learns from it, then from its restarts.
    #[inline(always)]
    fn learn_game(&mut self, stop: Stop<'_>) -> Result<(), Stopped> {
        // More restarts learn less: 95,788 points after 78 M moves on 4x4, not 106,237 after 85 M.
        let settings = LearnerSettings { games_per_restart: 1 << 15, ..LearnerSettings::default() };
        let mut rng = self.next.copy_and_jump();
        let mut board = self.tuples.start(&mut rng);
        let mut indices = self.tuples.indices();
        let mut moves = Vec::new();
        for restarts in 0.. {
            let mut score = 0;
            let mut count = 0;
            // The position before each part.
            let mut parts = vec![board];
            loop {
                moves.clear();
                let mut next = None;
                while let Some((after, gain, value)) = self.best_slide(board, &mut indices) {
                    if moves.len() == T::MOST_MOVES {
                        next = Some(value);
                        break;
                    }
                    moves.push((after, gain));
                    score += gain;
                    board = after;
                    T::spawn(&mut board, &mut rng);
                }
                self.moves += moves.len() as u64;
                count += moves.len() as u64;
                if next.is_none() && restarts == 0 {
                    self.count(score, count, T::max_rank(board));
                }
                let mut target = next.unwrap_or(0.0);
                for &(after, gain) in moves.iter().rev() {
                    self.tuples.find(after, &mut indices);
                    T::update(&mut self.weights, &mut self.sums, &indices, target);
                    let value = T::value(&self.weights, &indices);
                    target =
                        gain as f32 + settings.lambda * target + (1.0 - settings.lambda) * value;
                }
                if next.is_none() {
                    break;
                }
                if stop() {
                    return Err(Stopped);
                }
                parts.push(board);
            }
            if count < SHORTEST as u64 || restarts >= settings.restarts(self.games) {
                break;
            }
            if parts.len() == 1 {
                board = moves[moves.len() / 2].0;
                T::spawn(&mut board, &mut rng);
            } else {
                board = parts[parts.len() / 2];
            }
        }
        Ok(())
    }

    fn count(&mut self, score: u64, moves: u64, max_rank: u8) {
        self.games += 1;
        self.point.score += score;
        self.point.moves += moves;
        self.point.reached_2048 += u64::from(max_rank >= 11);
        if self.games.is_multiple_of(CurvePoint::GAMES) {
            self.curve.push(core::mem::take(&mut self.point));
        }
    }

    /// Returns the best slide's afterstate and gain, and the sum of the gain and the value.
    #[inline(always)]
    fn best_slide(
        &self,
        board: T::Board,
        indices: &mut T::Indices,
    ) -> Option<(T::Board, u64, f32)> {
        let mut best = f32::NEG_INFINITY;
        let mut chosen = None;
        for (after, gain, is_legal) in T::slides(board) {
            if is_legal {
                self.tuples.find(after, indices);
                let value = gain as f32 + T::value(&self.weights, indices);
                if value > best {
                    (best, chosen) = (value, Some((after, gain, value)));
                }
            }
        }
        chosen
    }
}
