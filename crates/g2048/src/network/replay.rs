//! [`Transcript`]: games played with a network, from which a learner learns later.

use super::learn::{Learner, LearnerSettings};
use super::quantized::Network;
use super::tables::{TupleTables, WeightIndices, Weights, find_weight_indices};
use crate::packed::{Packed, PackedSlide};
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped};
use bitcore::{Isa, Rng, dispatch};

/// The moves of a finished game: after each move, the position before the spawn, and the move's
/// gain.
pub type Transcript = Vec<(Packed, u32)>;

/// The number of interleaved games: the memory accesses of one overlap with those of the others.
const LANES: usize = 8;

struct Lane {
    rng: Rng,
    board: Packed,
    moves: Transcript,
}

impl Lane {
    fn start(next: &mut Rng) -> Self {
        let mut rng = next.copy_and_jump();
        let board = Packed::start(&mut rng);
        Self { rng, board, moves: Vec::new() }
    }
}

impl Network {
    /// Plays games by choosing the slide with the largest gain plus value of its afterstate.
    /// Returns their transcripts in the order in which the games ended.
    ///
    /// ```
    /// use g2048::Learner;
    /// use g2048::network::LearnerSettings;
    /// let mut learner = Learner::new(LearnerSettings::default(), 1)?;
    /// for seed in 0..10 {
    ///     for transcript in learner.network().self_play(20, seed) {
    ///         learner.replay(&transcript);
    ///     }
    /// }
    /// assert_eq!(learner.games(), 200);
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    ///
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn self_play(&self, games: u64, seed: u64) -> Vec<Transcript> {
        self.self_play_until(games, seed, &|| false).expect("nothing stops it")
    }

    /// Plays the same games, unless `stop` ends them: it is asked once per move of all games in
    /// progress.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`.
    pub fn self_play_until(
        &self,
        games: u64,
        seed: u64,
        stop: Stop<'_>,
    ) -> Result<Vec<Transcript>, Stopped> {
        let mut next = Rng::new(seed);
        let mut left = games;
        let mut finished = Vec::new();
        let mut lanes = Vec::new();
        while left > 0 && lanes.len() < LANES {
            lanes.push(Lane::start(&mut next));
            left -= 1;
        }
        // The afterstates of all lanes' legal slides.
        let mut afters = Vec::with_capacity(4 * LANES);
        let mut values = [0.0; 4 * LANES];
        while !lanes.is_empty() {
            if stop() {
                return Err(Stopped);
            }
            let mut slides =
                [[PackedSlide { board: Packed::EMPTY, gain: 0, changed: false }; 4]; LANES];
            afters.clear();
            for (slides, lane) in slides.iter_mut().zip(&lanes) {
                *slides = lane.board.slides_clamped();
                afters.extend(slides.iter().filter(|slide| slide.changed).map(|slide| slide.board));
            }
            self.values(&afters, &mut values);
            let mut slides = slides.iter();
            let mut values = values.iter();
            lanes.retain_mut(|lane| {
                let mut best = f32::NEG_INFINITY;
                let mut chosen = None;
                let legal = slides.next().into_iter().flatten().filter(|slide| slide.changed);
                for (slide, value) in legal.zip(&mut values) {
                    if slide.gain as f32 + value > best {
                        (best, chosen) = (slide.gain as f32 + value, Some(slide));
                    }
                }
                if let Some(slide) = chosen {
                    lane.moves.push((slide.board, slide.gain));
                    lane.board = slide.board;
                    lane.board.spawn(&mut lane.rng);
                    return true;
                }
                finished.push(core::mem::take(&mut lane.moves));
                let another = left > 0;
                if another {
                    *lane = Lane::start(&mut next);
                    left -= 1;
                }
                another
            });
        }
        Ok(finished)
    }
}

impl Learner {
    /// Learns from a finished game, from its end to its start: each afterstate's target then
    /// contains what the rest of the game has just taught. The game may come from an earlier state
    /// of the network.
    ///
    /// Games in progress, and the count of rounds, remain. See [`Network::self_play`] for an
    /// example.
    pub fn replay(&mut self, transcript: &[(Packed, u32)]) {
        let settings = self.settings;
        let tables = &mut self.tables;
        dispatch!(isa [settings, tables, transcript] => replay_with(isa, settings, tables, transcript));
        self.moves += transcript.len() as u64;
        let score = transcript.iter().map(|&(_, gain)| u64::from(gain)).sum();
        let max_rank = transcript.last().map_or(0, |(board, _)| board.max_rank());
        self.count(score, transcript.len() as u64, max_rank);
    }
}

/// Computes the weight indices of the last four of some moves, last move first, and prefetches
/// their weights.
#[inline(always)]
fn prepare_with<S: Isa>(
    isa: S,
    tables: &TupleTables,
    moves: Option<&&[(Packed, u32)]>,
    prepared: &mut [WeightIndices; 4],
) {
    let Some(moves) = moves else { return };
    let mut boards = [Packed::EMPTY; 4];
    for (to, &(board, _)) in boards.iter_mut().zip(moves.iter().rev()) {
        *to = board;
    }
    let mut indices = [[0; 4]; 32];
    find_weight_indices(isa, &boards, &mut indices);
    for (i, four) in indices.into_iter().enumerate() {
        for (prepared, index) in prepared.iter_mut().zip(four) {
            prepared[i] = index as u32;
        }
    }
    for indices in &*prepared {
        tables.prefetch_with(isa, indices);
    }
}

#[inline(always)]
fn replay_with<S: Isa>(
    isa: S,
    settings: LearnerSettings,
    tables: &mut TupleTables,
    transcript: &[(Packed, u32)],
) {
    let mut now = &mut [[0; 32]; 4];
    let mut next = &mut [[0; 32]; 4];
    let mut later = None;
    let mut gain = 0;
    let mut chunks = transcript.rchunks(4).peekable();
    prepare_with(isa, tables, chunks.peek(), next);
    while let Some(moves) = chunks.next() {
        (now, next) = (next, now);
        // The weights of the next four moves arrive during the updates of these.
        prepare_with(isa, tables, chunks.peek(), next);
        for (&indices, &(_, own_gain)) in now.iter().zip(moves.iter().rev()) {
            let target = later.map_or(0.0, |later| gain as f32 + tables.value(&later));
            tables.update(&indices, target, settings.learning_rate, settings.coherence);
            (later, gain) = (Some(indices), own_gain);
        }
    }
}
