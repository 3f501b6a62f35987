//! [`LayerExpander`]: expands the beam layer by layer, on all threads of a pool.
//!
//! A layer is the set of boards kept after one piece. The next layer is built in phases:
//!
//! ```text
//! sample     = the first 1/16 of the layer's chunks (empty for a layer below 512 boards)
//! thresholds = for each class, the cutoff key estimated from the sample, with a margin
//! expand       each node of the layer: for each reachable placement of the piece
//!                  key   = score + value of the child       (from tables; the board is not built)
//!                  class = filled cells / 10
//!                  if key >= thresholds[class]: push (hash, key, parent, placement, class)
//!                      to the partition of the hash
//! dedup        each partition: among candidates with equal hashes keep the best key, on ties the first;
//!              count keys in a histogram per class
//! cutoff     = from the histograms: the best 6/10 of the width per class, of all these the best `width`
//! if a candidate below the thresholds could have been kept: expand and dedup again without thresholds
//! build        each partition: the board and the parent link of each candidate above the cutoff
//! ```
//!
//! In memory, the layer is 16 vectors, one per partition, chosen by the hash:
//!
//! ```text
//! layer                      expansions (one per chunk)       dedup tables       next layer
//! partition 0  [chunk|chunk]   chunk 0: [p0][p1]..[p15]   p0 of all chunks -> partition 0
//! partition 1  [chunk|chunk]   chunk 1: [p0][p1]..[p15]   p1 of all chunks -> partition 1
//!  ..                           ..                            ..
//! partition 15 [chunk]         chunk n: [p0][p1]..[p15]   p15 of all chunks -> partition 15
//! ```
//!
//! A task is a chunk of 16 to 128 nodes (expand) or a partition (dedup, build). Threads take the
//! tasks of a phase from a counter; the next phase starts when all are done. The caller runs short
//! phases alone. A task writes only to its own expansion or partition and reads its input in chunk
//! order, so neither scheduling nor timing affects the result: the layer is the same for every
//! number of threads. The thresholds only save work: a selection is accepted if
//! [`Selection::is_exact`] proves that no candidate below them belongs to it.

use super::candidate::Candidate;
use super::evaluation::Evaluation;
use super::expansion::Expansion;
use super::movegen::MOVE_TABLES;
use super::node::{BeamNode, PARTITIONS, node_id, partition_and_index};
use super::parent_links::ParentLink;
use super::placement::unpack;
use super::selection::{Cutoff, DedupTable, Selection, Thresholds, class_limit};
use super::tables::EvaluationTables;
use crate::contest::piece::OrientedPiece;
use crate::stop::SharedStop;
use crate::worker_pool::{WorkerPool, lock};
use bitcade_core::{Stop, Stopped};
use std::collections::TryReserveError;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

const MAX_CHUNK_LEN: usize = 128;

/// Small enough for many threads to finish a phase at nearly the same time. Does not affect the
/// result.
fn chunk_len(boards: usize) -> usize {
    (boards / 256).clamp(16, MAX_CHUNK_LEN)
}

/// The minimum number of boards for sampling.
const MIN_SAMPLED: usize = 512;

pub(super) type Partitions = Vec<Vec<BeamNode>>;

/// A partition and a range of its nodes.
type Chunk = (usize, Range<usize>);

enum Phase {
    /// Evaluates the children of each chunk.
    Expand { thresholds: Thresholds },
    /// Collects each partition's candidates from all chunks, each board once.
    Deduplicate { thresholds: Thresholds, base: i32 },
    /// Builds each partition's boards above the cutoff.
    Build { cutoff: Cutoff },
}

impl Phase {
    /// The least number of boards in a phase that other threads share: about 30 microseconds of
    /// work, in which a second thread saves ten.
    const fn min_shared(&self) -> usize {
        match self {
            Self::Expand { .. } => 64,
            Self::Deduplicate { .. } => 256,
            Self::Build { .. } => 512,
        }
    }
}

type BuiltPartition = (Vec<BeamNode>, Vec<ParentLink>);

/// A value that one task writes, in cache lines of its own: threads that write neighbors in one
/// vector would otherwise take the lines with the vectors' lengths from each other at every push.
/// The alignment is two lines because processors fetch lines in pairs.
#[derive(Default)]
#[repr(align(128))]
struct Output<T>(Mutex<T>);

impl<T> Output<T> {
    fn lock(&self) -> MutexGuard<'_, T> {
        lock(&self.0)
    }
}

/// The input of a phase. Only the caller changes it, between phases.
struct Shared<'a> {
    partitions: Partitions,
    evaluation: Evaluation<'a>,
    piece: OrientedPiece,
    phase: Phase,
    chunks: Vec<Chunk>,
    /// One per chunk, plus spare ones from larger layers.
    expansions: Vec<Output<Expansion>>,
    dedup_tables: Vec<Output<DedupTable>>,
    built: Vec<Output<BuiltPartition>>,
}

impl Shared<'_> {
    fn expansions(&self) -> impl Iterator<Item = MutexGuard<'_, Expansion>> {
        self.expansions[..self.chunks.len()].iter().map(Output::lock)
    }
}

#[derive(Default)]
struct Tasks {
    left: Range<usize>,
    failed: Option<LayerError>,
}

pub(super) struct LayerExpander<'a> {
    tables: &'a EvaluationTables,
    pieces: &'a [OrientedPiece],
    shared: RwLock<Shared<'a>>,
    tasks: Mutex<Tasks>,
    /// The number of threads that may allocate at the same time.
    threads: usize,
    stop: SharedStop<'a>,
}

/// No layer was built, and nothing has changed.
#[derive(Clone, Copy)]
pub(super) enum LayerError {
    /// No board has a placement for the piece.
    Lost,
    OutOfMemory,
    Stopped,
}

impl From<TryReserveError> for LayerError {
    fn from(_: TryReserveError) -> Self {
        Self::OutOfMemory
    }
}

impl From<Stopped> for LayerError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The memory in bytes that must be free after each large allocation, because small allocations,
/// and the caller's (for example to save the state), must not fail.
const SPARE_BYTES: usize = 8 << 20;

/// An upper bound on the memory, in bytes, for the candidates of [`MAX_CHUNK_LEN`] nodes, including
/// the spare capacity of vectors and the old buffer that exists while they grow. No board has 100
/// placements.
const CHUNK_BYTES: usize = 3 * MAX_CHUNK_LEN * 100 * size_of::<Candidate>();

fn check_memory(bytes: usize) -> Result<(), TryReserveError> {
    Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(SPARE_BYTES))
}

pub(super) struct FinishedLayer {
    /// The parent link of each node, partition by partition.
    pub(super) links: Vec<ParentLink>,
    /// The number of placements evaluated.
    pub(super) generated: u64,
}

impl<'a> LayerExpander<'a> {
    pub(super) fn new(
        tables: &'a EvaluationTables,
        pieces: &'a [OrientedPiece],
        partitions: Partitions,
        threads: usize,
        stop: Stop<'a>,
    ) -> Self {
        let shared = Shared {
            partitions,
            evaluation: tables.after(0),
            piece: pieces[0],
            phase: Phase::Expand { thresholds: Thresholds::default() },
            chunks: Vec::new(),
            expansions: Vec::new(),
            dedup_tables: (0..PARTITIONS).map(|_| Output::default()).collect(),
            built: (0..PARTITIONS).map(|_| Output::default()).collect(),
        };
        Self {
            tables,
            pieces,
            shared: RwLock::new(shared),
            tasks: Mutex::default(),
            threads,
            stop: SharedStop::new(stop),
        }
    }

    pub(super) fn into_partitions(self) -> Partitions {
        self.shared.into_inner().unwrap_or_else(PoisonError::into_inner).partitions
    }

    /// Every thread of the pool calls this.
    pub(super) fn run_tasks(&self) {
        let shared = self.read();
        let next_task = || lock(&self.tasks).left.next();
        while let Some(task) = next_task() {
            if let Err(error) = self.run_task(&shared, task) {
                // Drops all tasks not taken yet.
                *lock(&self.tasks) = Tasks { left: 0..0, failed: Some(error) };
            }
        }
    }

    fn run_task(&self, shared: &Shared, task: usize) -> Result<(), LayerError> {
        match &shared.phase {
            Phase::Expand { thresholds } => {
                self.stop.ask()?;
                self.expand(shared, task, thresholds)?;
            }
            Phase::Deduplicate { thresholds, base } => {
                self.stop.ask()?;
                deduplicate(shared, task, thresholds, *base)?;
            }
            // Not stopped: a layer in its build phase is nearly done.
            Phase::Build { cutoff } => build(shared, task, cutoff)?,
        }
        Ok(())
    }

    fn expand(
        &self,
        shared: &Shared,
        chunk: usize,
        thresholds: &Thresholds,
    ) -> Result<(), TryReserveError> {
        let (partition, range) = &shared.chunks[chunk];
        // The number of candidates isn't known in advance, so the kernel can't reserve their
        // memory. One check covers all threads, which share the remaining memory, and as many small
        // chunks as together have the nodes of a chunk of maximum size.
        if chunk.is_multiple_of((MAX_CHUNK_LEN / range.len().max(1)).max(1)) {
            check_memory(CHUNK_BYTES * self.threads.min(8))?;
        }
        let nodes = &shared.partitions[*partition][range.clone()];
        let first = node_id(*partition, range.start);
        let mut expansion = shared.expansions[chunk].lock();
        expansion.expand(&shared.evaluation, shared.piece, nodes, first, thresholds);
        Ok(())
    }

    fn read(&self) -> RwLockReadGuard<'_, Shared<'a>> {
        self.shared.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Shared<'a>> {
        self.shared.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(
        &self,
        pool: &mut WorkerPool,
        phase: Phase,
        tasks: Range<usize>,
    ) -> Result<(), LayerError> {
        let mut guard = self.write();
        let shared = &mut *guard;
        let chunks = match phase {
            Phase::Expand { .. } => &shared.chunks[tasks.clone()],
            Phase::Deduplicate { .. } | Phase::Build { .. } => &shared.chunks[..],
        };
        let is_shared = nodes(chunks) >= phase.min_shared();
        shared.phase = phase;
        drop(guard);
        *lock(&self.tasks) = Tasks { left: tasks, failed: None };
        if is_shared {
            pool.run();
        } else {
            pool.run_alone();
        }
        lock(&self.tasks).failed.map_or(Ok(()), Err)
    }

    /// Places piece `piece` (from 0) on every board and keeps the best `width` children.
    ///
    /// `margin_percent` scales the number of candidates that the thresholds should admit, in
    /// hundredths. It adapts from layer to layer and does not affect the boards kept.
    pub(super) fn expand_layer(
        &self,
        pool: &mut WorkerPool,
        piece: usize,
        width: usize,
        margin_percent: &mut usize,
    ) -> Result<FinishedLayer, LayerError> {
        let (chunks, sampled) = self.prepare(piece, width)?;
        let none = Thresholds::default();
        self.run(pool, Phase::Expand { thresholds: none }, 0..sampled)?;
        let thresholds = self.thresholds(sampled, width, *margin_percent)?;
        self.run(pool, Phase::Expand { thresholds }, sampled..chunks)?;
        let mut selection = self.select(pool, width, thresholds)?;
        // At least 150: the sample counts duplicates, the selection does not.
        *margin_percent = (*margin_percent * 127 / 128).max(150);
        if !selection.is_exact(&thresholds, width) {
            self.run(pool, Phase::Expand { thresholds: none }, 0..chunks)?;
            selection = self.select(pool, width, none)?;
            *margin_percent = (*margin_percent * 5 / 4).min(1000);
        }
        if selection.boards == 0 {
            return Err(LayerError::Lost);
        }
        self.run(pool, Phase::Build { cutoff: selection.cutoff }, 0..PARTITIONS)?;
        Ok(self.replace_layer(selection.boards)?)
    }

    /// Returns the number of chunks and the number of sampled chunks.
    fn prepare(&self, piece: usize, width: usize) -> Result<(usize, usize), TryReserveError> {
        let shared = &mut *self.write();
        (shared.evaluation, shared.piece) = (self.tables.after(piece), self.pieces[piece]);
        shared.chunks = chunks(&shared.partitions);
        let (chunks, boards) = (shared.chunks.len(), nodes(&shared.chunks));
        // For the links of this layer, for a compaction, and for the text form.
        check_memory(
            boards.max(width.min(40 * boards)).saturating_mul(4 * size_of::<ParentLink>()),
        )?;
        shared.expansions.try_reserve(chunks.saturating_sub(shared.expansions.len()))?;
        check_memory(0)?;
        if shared.expansions.len() < chunks {
            shared.expansions.resize_with(chunks, Output::default);
        }
        // Partitions depend only on hashes, so the first ones are a fair sample.
        Ok((chunks, if boards < MIN_SAMPLED { 0 } else { chunks.div_ceil(PARTITIONS) }))
    }

    /// Estimates the thresholds from the sample: the first `sampled` chunks, already expanded.
    fn thresholds(
        &self,
        sampled: usize,
        width: usize,
        margin_percent: usize,
    ) -> Result<Thresholds, TryReserveError> {
        let shared = self.read();
        let sample = nodes(&shared.chunks[..sampled]) as u64;
        let boards = nodes(&shared.chunks) as u64;
        let scaled = |limit: usize| {
            (limit as u64 * margin_percent as u64 * sample / (100 * boards)) as usize
        };
        let expansions: Vec<_> = shared.expansions().take(sampled).collect();
        let candidates = || expansions.iter().flat_map(|expansion| expansion.candidates());
        // The sample's keys are copied to find their thresholds.
        check_memory(candidates().count() * 4 * size_of::<i32>())?;
        Ok(Thresholds::from_sample(candidates(), scaled(width), scaled(class_limit(width))))
    }

    fn select(
        &self,
        pool: &mut WorkerPool,
        width: usize,
        thresholds: Thresholds,
    ) -> Result<Selection, LayerError> {
        let base = thresholds.lowest().unwrap_or_else(|| {
            let best = self.read().expansions().filter_map(|expansion| expansion.best_key()).max();
            best.map_or(0, |best| best.saturating_sub(1000))
        });
        self.run(pool, Phase::Deduplicate { thresholds, base }, 0..PARTITIONS)?;
        let shared = self.read();
        let tables: Vec<_> = shared.dedup_tables.iter().map(Output::lock).collect();
        // The ranks in two buckets are copied to find the limits.
        let candidates = tables.iter().map(|table| table.unique.len()).sum::<usize>();
        check_memory(candidates * 2 * size_of::<[u64; 3]>())?;
        Ok(Cutoff::find(&tables, width, base))
    }

    fn replace_layer(&self, boards: usize) -> Result<FinishedLayer, TryReserveError> {
        let shared = &mut *self.write();
        let mut links = Vec::new();
        links.try_reserve_exact(boards)?;
        check_memory(0)?;
        for (partition, built) in shared.partitions.iter_mut().zip(&shared.built) {
            let (nodes, from) = &mut *built.lock();
            std::mem::swap(partition, nodes);
            links.extend_from_slice(from);
        }
        let generated = shared.expansions().map(|expansion| expansion.generated).sum();
        Ok(FinishedLayer { links, generated })
    }
}

fn deduplicate(
    shared: &Shared,
    partition: usize,
    thresholds: &Thresholds,
    base: i32,
) -> Result<(), TryReserveError> {
    let mut table = shared.dedup_tables[partition].lock();
    table.clear();
    for expansion in shared.expansions() {
        table.add(&expansion.partitions[partition], thresholds)?;
    }
    table.deduplicate(base)?;
    check_memory(0)
}

fn build(shared: &Shared, partition: usize, cutoff: &Cutoff) -> Result<(), TryReserveError> {
    let moves = &MOVE_TABLES[shared.piece.kind() as usize];
    let starts = starts(&shared.partitions);
    let table = shared.dedup_tables[partition].lock();
    let kept = || table.unique.iter().filter(|candidate| cutoff.keeps(candidate));
    let (nodes, links) = &mut *shared.built[partition].lock();
    nodes.clear();
    links.clear();
    let count = kept().count();
    nodes.try_reserve(count)?;
    links.try_reserve(count)?;
    check_memory(0)?;
    for &Candidate { parent, placement, hash, .. } in kept() {
        let (partition, index) = partition_and_index(parent);
        let Some(place) = unpack(placement, moves.kind) else { continue };
        let scores = shared.evaluation.scores;
        nodes.push(shared.partitions[partition][index].child(moves, place, scores, hash));
        links.push(ParentLink { parent: starts[partition] + index as u32, placement });
    }
    Ok(())
}

/// Returns the total length of the partitions before each partition.
fn starts(partitions: &Partitions) -> [u32; PARTITIONS] {
    let mut starts = [0; PARTITIONS];
    for partition in 1..PARTITIONS {
        starts[partition] = starts[partition - 1] + partitions[partition - 1].len() as u32;
    }
    starts
}

fn chunks(partitions: &Partitions) -> Vec<Chunk> {
    let most = chunk_len(partitions.iter().map(Vec::len).sum());
    let chunks = |(partition, nodes): (usize, &Vec<BeamNode>)| {
        let len = nodes.len();
        (0..len).step_by(most).map(move |start| (partition, start..len.min(start + most)))
    };
    partitions.iter().enumerate().flat_map(chunks).collect()
}

fn nodes(chunks: &[Chunk]) -> usize {
    chunks.iter().map(|(_, range)| range.len()).sum()
}
