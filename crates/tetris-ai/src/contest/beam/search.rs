//! [`Beam`]: the state of a beam search and its public interface.

use super::layer::{LayerError, LayerExpander, Partitions};
use super::node::{BeamNode, PARTITIONS, partition_of};
use super::parent_links::ParentLinks;
use super::placement::{shortest_keys, unpack};
use super::tables::EvaluationTables;
use super::weights::BeamWeights;
use super::weights_text;
use super::widths::{MAX_WIDTH, Widths};
use crate::contest::board::Board;
use crate::contest::game::Game;
use crate::contest::record::Record;
use crate::contest::sequence::{PIECES, Sequence};
use crate::worker_pool::{Uncompared, with_worker_pool};
use bitcade_core::{Backoff, Stop, Stopped};
use std::sync::Arc;

/// The work requested from [`advance`](Beam::advance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdvanceSettings {
    /// The maximum number of pieces to place.
    pub pieces: usize,
    /// The beam width: the number of boards kept after each piece, at least one.
    pub width: usize,
}

impl Default for AdvanceSettings {
    /// Returns a width of 1,000 for all remaining pieces.
    fn default() -> Self {
        Self { pieces: PIECES, width: 1_000 }
    }
}

/// The budget of a search, in units of the caller's choice such as milliseconds. Initially 0. The
/// search ignores it; the text form stores it to let a resumed search continue with the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The amount used so far.
    pub spent: u64,
    /// The total amount.
    pub allowed: u64,
}

/// The outcome of [`advance`](Beam::advance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdvanceResult {
    /// The requested layers are complete.
    Done,
    /// All pieces are placed.
    Finished,
    /// The next piece has no placement on any board in the beam. Further calls change nothing.
    Lost,
    /// There is not enough memory for the next layer at this width. The search is left at the
    /// previous layer and can continue with a smaller width.
    OutOfMemory,
}

/// A beam search over a whole contest game: after each piece it keeps the best boards, up to the
/// width.
///
/// - The children of a board are all [`placements`](super::placements) of the next piece.
/// - The key of a board is its score plus its value by [`BeamWeights`].
/// - A board reached in several ways is kept once.
/// - Boards with the same number of cells, divided by 10, are at most six tenths of the beam. This
///   keeps both boards that have just cleared rows and boards that are about to.
/// - The order of boards is total: key, then hash; between two paths to one board with equal keys,
///   the first parent wins. So the result is the same for every number of threads and at every
///   [`Level`](bitcore::Level).
///
/// [`Beam::record`] is the best game so far. The text form (`Display`, `FromStr`) is a checkpoint
/// with everything needed to resume: the record in the first line, which makes the text a valid
/// record file, then the beam, its weights, and a [checksum](crate::contest::checksum) of all
/// lines. The weights' patterns are not saved: [`Patterns::FITTED`](super::Patterns::FITTED) is
/// built in; pass any others to [`Beam::parse_with`].
///
/// ```
/// use tetris_ai::contest::beam::{AdvanceResult, AdvanceSettings, Beam, BeamWeights};
/// use tetris_ai::contest::{Sequence, verify};
/// let mut beam = Beam::new(Sequence::contest(), 150, BeamWeights::FITTED);
/// let settings = AdvanceSettings { pieces: 100, width: 50 };
/// assert_eq!(beam.advance(settings), AdvanceResult::Done);
/// let mut beam = beam.to_string().parse::<Beam>()?.with_threads(2);
/// assert_eq!(beam.advance(settings), AdvanceResult::Finished);
/// let report = verify(&beam.record(), beam.sequence()).unwrap();
/// assert_eq!((report.score, report.pieces), (beam.score(), 150));
/// assert_eq!(beam.widths().to_string(), "50x150");
/// # Ok::<(), tetris_ai::contest::ParseCheckpointError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beam {
    pub(super) sequence: Sequence,
    /// The weights, and their tables for this sequence.
    tables: Arc<EvaluationTables>,
    pub(super) goal: usize,
    pub(super) partitions: Partitions,
    pub(super) links: ParentLinks,
    pub(super) widths: Widths,
    pub(super) generated: u64,
    pub(super) budget: Budget,
    threads: Uncompared<usize>,
    missing_threads: Uncompared<usize>,
    backoff: Uncompared<Backoff>,
}

impl Beam {
    /// Creates a search for a game of `pieces` pieces, at most [`PIECES`]. Weights are clamped to
    /// the ranges documented in [`BeamWeights`].
    pub fn new(sequence: Sequence, pieces: usize, weights: BeamWeights) -> Self {
        let weights = weights_text::clamp(weights);
        let mut partitions = vec![Vec::new(); PARTITIONS];
        let empty = BeamNode::new(&Board::new(), 0);
        partitions[partition_of(empty.hash)].push(empty);
        let goal = pieces.min(PIECES);
        Self {
            tables: Arc::new(EvaluationTables::new(&weights, &sequence.pieces()[..goal])),
            sequence,
            goal,
            partitions,
            links: ParentLinks::default(),
            widths: Widths::default(),
            generated: 0,
            budget: Budget::default(),
            threads: Uncompared(1),
            missing_threads: Uncompared::default(),
            backoff: Uncompared::default(),
        }
    }

    /// Sets the number of threads, by value: see [`set_threads`](Self::set_threads).
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.set_threads(threads);
        self
    }

    /// Sets the number of threads, initially one. It does not affect the result and is neither
    /// compared nor saved. If the system can't start that many, the search runs without
    /// [`missing_threads`](Self::missing_threads) of them.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads.0 = threads;
    }

    /// Places more pieces and keeps the best boards after each. If memory runs out, the search ends
    /// with the last complete layer.
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn advance(&mut self, settings: AdvanceSettings) -> AdvanceResult {
        self.advance_until(settings, &|| false).expect("nothing stops it")
    }

    /// Does the same, unless `stop` ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The search is left at the last complete layer, and
    /// the next call goes on from there.
    pub fn advance_until(
        &mut self,
        settings: AdvanceSettings,
        stop: Stop<'_>,
    ) -> Result<AdvanceResult, Stopped> {
        let AdvanceSettings { pieces, width } = settings;
        let threads = self.threads.0;
        let end = self.goal.min(self.pieces().saturating_add(pieces));
        let done = if end == self.goal { AdvanceResult::Finished } else { AdvanceResult::Done };
        if self.pieces() >= end {
            return Ok(done);
        }
        let width = width.clamp(1, MAX_WIDTH);
        let known = &self.sequence.pieces()[..self.goal];
        let partitions = std::mem::take(&mut self.partitions);
        let expander = LayerExpander::new(&self.tables, known, partitions, threads, stop);
        let mut margin_percent = 200;
        self.missing_threads.0 = 0;
        let mut backoff = self.backoff.0;
        let result = with_worker_pool(threads, &mut backoff, &|| expander.run_tasks(), |pool| {
            while self.links.len() < end {
                if stop() {
                    return Err(Stopped);
                }
                let layer =
                    expander.expand_layer(pool, self.links.len(), width, &mut margin_percent);
                self.missing_threads.0 = pool.missing();
                match layer {
                    Ok(layer) => {
                        self.links.push(layer.links);
                        self.widths.push(Some(1), width);
                        self.generated = self.generated.saturating_add(layer.generated);
                    }
                    Err(LayerError::Lost) => return Ok(AdvanceResult::Lost),
                    Err(LayerError::OutOfMemory) => return Ok(AdvanceResult::OutOfMemory),
                    Err(LayerError::Stopped) => return Err(Stopped),
                }
            }
            Ok(done)
        });
        self.backoff.0 = backoff;
        self.partitions = expander.into_partitions();
        result
    }

    /// Returns the number of pieces placed.
    pub fn pieces(&self) -> usize {
        self.links.len()
    }
    /// Returns the total number of pieces to place.
    pub fn goal(&self) -> usize {
        self.goal
    }
    /// Returns the best score so far.
    pub fn score(&self) -> u64 {
        self.best().1.score.into()
    }
    /// Returns the board with the best score so far.
    pub fn board(&self) -> Board {
        self.best().1.board()
    }
    /// Returns the sequence.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }
    /// Returns the weights.
    pub fn weights(&self) -> &BeamWeights {
        &self.tables.weights
    }
    /// Returns the widths so far: the work budget that reproduces the search.
    pub fn widths(&self) -> &Widths {
        &self.widths
    }
    /// Returns the budget.
    pub fn budget(&self) -> Budget {
        self.budget
    }
    /// Changes the budget.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }
    /// Returns the number of placements evaluated so far.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// Returns the number of threads that the system could not start for the last
    /// [`advance`](Self::advance), which ran on the others.
    pub fn missing_threads(&self) -> usize {
        self.missing_threads.0
    }

    /// Removes all parent links without descendants in the beam. The search does this once every 64
    /// layers; call it before cloning or saving the beam to keep the result small.
    pub fn compact(&mut self) {
        self.links.compact();
    }

    /// Returns the game that leads to the best score so far.
    pub fn record(&self) -> Record {
        let mut game = Game::new(&self.sequence);
        let mut record = Record::new();
        for (placement, piece) in
            self.links.placements(self.best().0).into_iter().zip(self.sequence.pieces())
        {
            // Always `Some`: the search reached the placement by legal presses.
            let place = unpack(placement, piece.kind());
            let Some(keys) = place.and_then(|place| shortest_keys(game.board(), *piece, place))
            else {
                break;
            };
            game.play(&keys);
            record.push(keys);
        }
        record
    }

    /// Returns the first board with the best score, with its number in the layer.
    fn best(&self) -> (usize, &BeamNode) {
        let nodes = self.partitions.iter().flatten().enumerate();
        let best = nodes.min_by_key(|(_, node)| std::cmp::Reverse(node.score));
        best.unwrap_or_else(|| unreachable!("a beam is never empty"))
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    /// Phases of little work start no thread.
    #[test]
    fn a_narrow_beam_runs_on_one_thread() {
        for (width, missing) in [(50, 0), (700, 7)] {
            let mut beam = Beam::new(Sequence::contest(), 20, BeamWeights::FITTED).with_threads(8);
            let settings = AdvanceSettings { pieces: 20, width };
            let ended = testkit::thread_limit::with(0, || beam.advance(settings));
            assert_eq!(ended, AdvanceResult::Finished);
            assert_eq!(beam.missing_threads(), missing, "width {width}");
        }
    }
}
