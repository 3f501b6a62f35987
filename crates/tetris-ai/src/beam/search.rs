//! [`Beam`]: the whole game at once, the best boards after each piece.

use super::layer::{LayerExpander, Partitions};
use super::node::{BeamNode, PARTITIONS, partition_of};
use super::parent_links::ParentLinks;
use super::tables::EvaluationTables;
use super::weights::BeamWeights;
use super::widths::{MAX_WIDTH, Widths};
use crate::contest::{Board, Game, PIECES, Record, Sequence};
use crate::tree::Stop;
use crate::worker_pool::with_worker_pool;
use bitcore::Level;
use std::sync::Arc;

/// How an [`advance`](Beam::advance) ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// The layers asked for are built.
    Done,
    /// All pieces are placed.
    Finished,
    /// The next piece has no place on any board of the beam. Nothing changes any more.
    Lost,
    /// The search was stopped, between two layers.
    Stopped,
}

/// A beam search over a whole game of the contest, layer by layer: after each piece the best boards that the beam before
/// it leads to.
///
/// - A piece goes wherever single legal presses bring it and it rests on something ([`placements`](super::placements)).
/// - A board is as good as its score and what [`BeamWeights`] make of it, evaluated from the rows that the piece changes.
/// - A board that can be reached in several ways is kept once, and boards with the same tens of cells are at most six
///   tenths of the beam: so there are always some that have just cleared rows, and some that are about to.
/// - The order of boards is total: key, hash, parent. The result is the same for any number of threads and at every
///   level.
///
/// At any time the best game so far is a record ([`Beam::record`]), and the text form holds all that is needed to go on:
/// the record, which is a valid one up to its line end, then the beam.
///
/// ```
/// use tetris_ai::{BeamWeights, beam::{Advance, Beam}, contest::{Sequence, verify}};
/// let mut beam = Beam::new(Sequence::contest(), 150, BeamWeights::FITTED);
/// assert_eq!(beam.advance(100, 50, 1, &|| false), Advance::Done);
/// let mut beam: Beam = beam.to_string().parse()?;
/// assert_eq!(beam.advance(100, 50, 2, &|| false), Advance::Finished);
/// let report = verify(&beam.record(), beam.sequence()).unwrap();
/// assert_eq!((report.score, report.pieces), (beam.score(), 150));
/// assert_eq!(beam.widths().to_string(), "50x150");
/// # Ok::<(), tetris_ai::beam::ParseBeamError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beam {
    pub(super) sequence: Sequence,
    /// The weights, and what they make of this sequence.
    tables: Arc<EvaluationTables>,
    /// How many pieces are to be placed.
    pub(super) goal: usize,
    pub(super) partitions: Partitions,
    pub(super) links: ParentLinks,
    pub(super) widths: Widths,
    pub(super) generated: u64,
    pub(super) spent: u64,
    pub(super) allowed: u64,
}

impl Beam {
    /// Before the first of `pieces` pieces; of more than [`PIECES`], these.
    pub fn new(sequence: Sequence, pieces: usize, weights: BeamWeights) -> Self {
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
            spent: 0,
            allowed: 0,
        }
    }

    /// Places up to `pieces` more pieces, and keeps the best `width` boards (at least one) after each. Asks `stop`
    /// before each.
    pub fn advance(&mut self, pieces: usize, width: usize, threads: usize, stop: Stop) -> Advance {
        self.advance_on(Level::detect(), pieces, width, threads, stop)
    }

    /// [`advance`](Self::advance) with an instruction set; the same at every one.
    pub fn advance_on(
        &mut self,
        level: Level,
        pieces: usize,
        width: usize,
        threads: usize,
        stop: Stop,
    ) -> Advance {
        let end = self.goal.min(self.pieces() + pieces);
        if self.pieces() >= end {
            return if self.pieces() >= self.goal { Advance::Finished } else { Advance::Done };
        }
        let width = width.clamp(1, MAX_WIDTH);
        let known = &self.sequence.pieces()[..self.goal];
        let expander = LayerExpander::new(level, &self.tables, known, std::mem::take(&mut self.partitions));
        let mut margin_percent = 200;
        let mut ended = None;
        with_worker_pool(threads, &|| expander.run_tasks(), |pool| {
            while self.links.len() < end && ended.is_none() {
                if stop() {
                    ended = Some(Advance::Stopped);
                } else if let Some(done) =
                    expander.expand_layer(pool, self.links.len(), width, &mut margin_percent)
                {
                    self.links.push(done.links);
                    self.widths.push(1, width);
                    self.generated += done.generated;
                } else {
                    ended = Some(Advance::Lost);
                }
            }
        });
        self.partitions = expander.into_partitions();
        ended.unwrap_or(if self.pieces() == self.goal { Advance::Finished } else { Advance::Done })
    }

    /// The number of pieces placed.
    pub fn pieces(&self) -> usize {
        self.links.len()
    }
    /// How many pieces are to be placed.
    pub fn goal(&self) -> usize {
        self.goal
    }
    /// The best score so far.
    pub fn score(&self) -> u64 {
        self.best().1.score.into()
    }
    /// The board with the best score so far.
    pub fn board(&self) -> Board {
        self.best().1.board()
    }
    /// The sequence.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }
    /// The weights.
    pub fn weights(&self) -> &BeamWeights {
        &self.tables.weights
    }
    /// The widths so far: the budget of work that repeats the search.
    pub fn widths(&self) -> &Widths {
        &self.widths
    }
    /// The placements evaluated so far.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// What the caller has noted with [`spend`](Self::spend); 0 at the beginning.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Notes how much of a budget is used, in units of the caller's, to be read again after a resume.
    pub fn spend(&mut self, spent: u64) {
        self.spent = spent;
    }

    /// What the caller has set with [`allow`](Self::allow); 0 at the beginning.
    pub fn allowed(&self) -> u64 {
        self.allowed
    }

    /// Notes the whole budget, in the units of [`spend`](Self::spend), so that a resumed search keeps to it.
    pub fn allow(&mut self, allowed: u64) {
        self.allowed = allowed;
    }

    /// Forgets all boards without descendants, as it is done now and then anyway: before a copy or a text is built.
    pub fn compact(&mut self) {
        self.links.compact();
    }

    /// The game that leads to the best score so far.
    pub fn record(&self) -> Record {
        let mut game = Game::new(&self.sequence);
        let mut record = Record::new();
        for (placement, piece) in self.links.placements(self.best().0).into_iter().zip(self.sequence.pieces())
        {
            // What the search reached can be reached.
            let Some(turn) = placement.and_then(|placement| placement.keys(game.board(), *piece)) else {
                break;
            };
            game.play(&turn);
            record.push(turn);
        }
        record
    }

    /// The first of the boards with the best score, and its number in the layer.
    fn best(&self) -> (usize, &BeamNode) {
        let nodes = self.partitions.iter().flatten().enumerate();
        let best = nodes.min_by_key(|(_, node)| std::cmp::Reverse(node.score));
        best.unwrap_or_else(|| unreachable!("a beam is never empty"))
    }
}
