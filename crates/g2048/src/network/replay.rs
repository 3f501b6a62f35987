//! Games played with a network, from which a learner learns later.

use super::backward::{Transcript, learn_backward_with};
use super::learn::Learner;
use super::quantized::Network;
use crate::packed::{Packed, PackedSlide};
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped};
use bitcore::{Rng, dispatch};

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
    /// Learns from a finished game as from its own, without restarts. The game may come from an
    /// earlier state of the network.
    ///
    /// Games in progress, and the count of rounds, remain. See [`Network::self_play`] for an
    /// example.
    pub fn replay(&mut self, transcript: &[(Packed, u32)]) {
        let settings = self.settings;
        let tables = &mut self.tables;
        dispatch!(isa [settings, tables, transcript] => learn_backward_with(isa, settings, tables, transcript));
        self.moves += transcript.len() as u64;
        let score = transcript.iter().map(|&(_, gain)| u64::from(gain)).sum();
        let max_rank = transcript.last().map_or(0, |(board, _)| board.max_rank());
        self.count(score, transcript.len() as u64, max_rank);
    }
}
