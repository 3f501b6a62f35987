//! [`LayerExpander`]: one layer of the beam after the other, on all threads of a pool.
//!
//! A layer is the set of boards kept after one piece. The next layer is made in phases:
//!
//! ```text
//! sample     = the first 1/16 of the chunks of the layer (none of a layer below 512 boards)
//! thresholds = for each class, the key that the best of the sample reach, with a margin
//! expand       each node of the layer: for each reachable placement of the piece
//!                  key   = score + value of the child       (from tables; the child is not built)
//!                  class = filled cells / 10
//!                  if key >= thresholds[class]: push (hash, key, parent, placement, class)
//!                      to the partition of the hash
//! dedup        each partition: of candidates with equal hashes the best key, of equal keys the first;
//!              count keys in a histogram per class
//! cutoff     = from the histograms: per class the best 6/10 of the width, of all these the best `width`
//! if a candidate below the thresholds could have been kept: expand and dedup again without thresholds
//! build        each partition: the board of each candidate above the cutoff, and its parent link
//! ```
//!
//! The layer lies in memory as 16 vectors, one per partition, chosen by the hash:
//!
//! ```text
//! layer                      expansions (one per chunk)       dedup tables       next layer
//! partition 0  [chunk|chunk]   chunk 0: [p0][p1]..[p15]   p0 of all chunks -> partition 0
//! partition 1  [chunk|chunk]   chunk 1: [p0][p1]..[p15]   p1 of all chunks -> partition 1
//!  ..                           ..                            ..
//! partition 15 [chunk]         chunk n: [p0][p1]..[p15]   p15 of all chunks -> partition 15
//! ```
//!
//! A task is a chunk of 16 to 128 nodes (expand) or a partition (dedup, build). Threads take the tasks of a
//! phase from a counter, and the next phase begins when all are done. A task writes only to its own expansion
//! or partition, and reads its input in the order of chunks. So neither the thread that takes a task nor the
//! time matters, and the layer is the same for every number of threads. The thresholds only save work: a
//! selection is accepted if [`Selection::is_exact`] proves that no candidate below them belongs to it.

use super::candidate::Candidate;
use super::evaluation::Evaluation;
use super::expansion::Expansion;
use super::movegen::MOVE_TABLES;
use super::node::{BeamNode, PARTITIONS, node_id, partition_and_index};
use super::parent_links::ParentLink;
use super::placement::Placement;
use super::selection::{Cutoff, DedupTable, Selection, Thresholds, class_limit};
use super::tables::EvaluationTables;
use crate::contest::Piece;
use crate::sync::{AtomicBool, AtomicUsize, Mutex, MutexGuard, Ordering, RwLock, RwLockReadGuard};
use crate::tree::Stop;
use crate::worker_pool::WorkerPool;
use std::collections::TryReserveError;
use std::ops::Range;
use std::sync::PoisonError;

const MAX_CHUNK_LEN: usize = 128;

/// Returns the number of nodes of a chunk of a layer: few enough for many threads to end a phase at nearly
/// the same time. It has no influence on the result.
fn chunk_len(boards: usize) -> usize {
    (boards / 256).clamp(16, MAX_CHUNK_LEN)
}

/// The number of boards from which on a layer is sampled first.
const MIN_SAMPLED: usize = 512;

pub(super) type Partitions = Vec<Vec<BeamNode>>;

/// A partition and a range of its nodes.
type Chunk = (usize, Range<usize>);

/// The work that the threads share at one time.
enum Phase {
    /// Each chunk: evaluates the children. The first chunk writes to expansion `first_expansion`.
    Expand { chunks: Vec<Chunk>, first_expansion: usize, thresholds: Thresholds },
    /// Each partition: collects the candidates of the first `expansions` expansions, each board once.
    Deduplicate { expansions: usize, thresholds: Thresholds, base: i32 },
    /// Each partition: builds the boards above the cutoff.
    Build { cutoff: Cutoff },
}

/// The nodes of one partition of the next layer and their parent links.
type BuiltPartition = (Vec<BeamNode>, Vec<ParentLink>);

/// The state that the threads share.
pub(super) struct LayerExpander<'a> {
    tables: &'a EvaluationTables,
    pieces: &'a [Piece],
    partitions: RwLock<Partitions>,
    evaluation: RwLock<(Evaluation<'a>, Piece)>,
    phase: RwLock<Phase>,
    next_task: AtomicUsize,
    expansions: RwLock<Vec<Mutex<Expansion>>>,
    dedup_tables: Vec<Mutex<DedupTable>>,
    built: Vec<Mutex<BuiltPartition>>,
    /// The number of threads, which allocate at the same time.
    threads: usize,
    /// The number of tasks that could not be done for want of memory.
    unfinished_tasks: AtomicUsize,
    stop: Stop<'a>,
    stopped: AtomicBool,
}

/// The reason why a layer could not be made. Nothing has changed.
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

/// The memory in bytes that must be free after each large allocation: the small ones and those of the caller,
/// for example when it saves the state, must not fail.
const SPARE_BYTES: usize = 8 << 20;

/// The most memory in bytes that the candidates of [`MAX_CHUNK_LEN`] nodes take, with the room that vectors
/// keep and what they hold twice while they grow: 100 placements per node are more than any board has.
const CHUNK_BYTES: usize = 3 * MAX_CHUNK_LEN * 100 * size_of::<Candidate>();

/// Checks that this memory can be had, beyond the spare.
fn check_memory(bytes: usize) -> Result<(), TryReserveError> {
    Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(SPARE_BYTES))
}

/// The links of a layer that has been made, and the work that it took.
pub(super) struct FinishedLayer {
    /// The parent link of each node, partition after partition.
    pub(super) links: Vec<ParentLink>,
    /// The number of placements evaluated.
    pub(super) generated: u64,
}

// A thread that panics ends the whole search, so a poisoned lock is never read afterwards.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>, value: T) {
    *lock.write().unwrap_or_else(PoisonError::into_inner) = value;
}

impl<'a> LayerExpander<'a> {
    pub(super) fn new(
        tables: &'a EvaluationTables,
        pieces: &'a [Piece],
        partitions: Partitions,
        threads: usize,
        stop: Stop<'a>,
    ) -> Self {
        Self {
            tables,
            pieces,
            partitions: RwLock::new(partitions),
            evaluation: RwLock::new((tables.after(0), pieces[0])),
            phase: RwLock::new(Phase::Build { cutoff: Cutoff::default() }),
            next_task: AtomicUsize::new(0),
            expansions: RwLock::default(),
            dedup_tables: (0..PARTITIONS).map(|_| Mutex::default()).collect(),
            built: (0..PARTITIONS).map(|_| Mutex::default()).collect(),
            threads,
            unfinished_tasks: 0.into(),
            stop,
            stopped: AtomicBool::new(false),
        }
    }

    pub(super) fn into_partitions(self) -> Partitions {
        self.partitions.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does tasks of the phase until none is left or memory is short. Every thread of the pool runs this.
    pub(super) fn run_tasks(&self) {
        let phase = read(&self.phase);
        let evaluation = read(&self.evaluation);
        loop {
            let number = self.next_task.fetch_add(1, Ordering::Relaxed);
            let done = match &*phase {
                // A layer whose boards are being built is nearly done.
                Phase::Expand { .. } | Phase::Deduplicate { .. } if self.stops() => Ok(false),
                Phase::Expand { chunks, first_expansion, thresholds } => match chunks.get(number) {
                    Some(chunk) => self.expand(&evaluation, chunk, first_expansion + number, thresholds),
                    None => Ok(false),
                },
                _ if number >= PARTITIONS => Ok(false),
                Phase::Deduplicate { expansions, thresholds, base } => {
                    self.deduplicate(number, *expansions, thresholds, *base)
                }
                Phase::Build { cutoff } => self.build(&evaluation, number, cutoff),
            };
            match done {
                Ok(true) => {}
                Ok(false) => return,
                Err(_) => {
                    self.unfinished_tasks.fetch_add(1, Ordering::Relaxed);
                    // No thread takes another task.
                    self.next_task.store(usize::MAX / 2, Ordering::Relaxed);
                    return;
                }
            }
        }
    }

    /// Asks `stop`, and remembers its `true`.
    fn stops(&self) -> bool {
        if (self.stop)() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.stopped.load(Ordering::Relaxed)
    }

    fn expand(
        &self,
        evaluation: &(Evaluation, Piece),
        chunk: &Chunk,
        expansion: usize,
        thresholds: &Thresholds,
    ) -> Result<bool, TryReserveError> {
        // The candidates are not counted before, so the kernel can't reserve their memory. One check for all
        // threads: they share what is left. It holds for as many small chunks as one of the largest has
        // nodes.
        let (partition, range) = chunk;
        if expansion.is_multiple_of((MAX_CHUNK_LEN / range.len().max(1)).max(1)) {
            check_memory(CHUNK_BYTES * self.threads.min(8))?;
        }
        let (evaluation, piece) = evaluation;
        let partitions = read(&self.partitions);
        let nodes = &partitions[*partition][range.clone()];
        let first = node_id(*partition, range.start);
        let expansions = read(&self.expansions);
        lock(&expansions[expansion]).expand(evaluation, *piece, nodes, first, thresholds);
        Ok(true)
    }

    fn deduplicate(
        &self,
        partition: usize,
        expansions: usize,
        thresholds: &Thresholds,
        base: i32,
    ) -> Result<bool, TryReserveError> {
        let all = read(&self.expansions);
        let mut dedup_table = lock(&self.dedup_tables[partition]);
        dedup_table.clear();
        for expansion in &all[..expansions] {
            dedup_table.add(&lock(expansion).partitions[partition], thresholds)?;
        }
        dedup_table.deduplicate(base)?;
        check_memory(0)?;
        Ok(true)
    }

    fn build(
        &self,
        evaluation: &(Evaluation, Piece),
        partition: usize,
        cutoff: &Cutoff,
    ) -> Result<bool, TryReserveError> {
        let (evaluation, piece) = evaluation;
        let moves = &MOVE_TABLES[piece.shape() as usize];
        let partitions = read(&self.partitions);
        let starts = starts(&partitions);
        let dedup_table = lock(&self.dedup_tables[partition]);
        let (nodes, links) = &mut *lock(&self.built[partition]);
        nodes.clear();
        links.clear();
        let kept = dedup_table.unique.iter().filter(|candidate| cutoff.keeps(candidate)).count();
        nodes.try_reserve(kept)?;
        links.try_reserve(kept)?;
        check_memory(0)?;
        for candidate in dedup_table.unique.iter().filter(|candidate| cutoff.keeps(candidate)) {
            let (partition, index) = partition_and_index(candidate.parent);
            let Some(placement) = Placement::unpack(candidate.placement) else { continue };
            nodes.push(partitions[partition][index].child(
                moves,
                placement,
                evaluation.scores,
                candidate.hash,
            ));
            links.push(ParentLink {
                parent: starts[partition] + index as u32,
                placement: candidate.placement,
            });
        }
        Ok(true)
    }

    fn run(&self, pool: &WorkerPool, phase: Phase) -> Result<(), LayerError> {
        write(&self.phase, phase);
        self.next_task.store(0, Ordering::Relaxed);
        pool.run();
        if self.unfinished_tasks.load(Ordering::Relaxed) > 0 {
            Err(LayerError::OutOfMemory)
        } else if self.stopped.load(Ordering::Relaxed) {
            Err(LayerError::Stopped)
        } else {
            Ok(())
        }
    }

    /// Places piece `piece` (from 0) on every board and keeps the best `width` boards.
    ///
    /// `margin_percent` scales the number of candidates that the thresholds are meant to admit, in
    /// hundredths. It adapts from layer to layer and has no influence on the boards kept.
    pub(super) fn expand_layer(
        &self,
        pool: &WorkerPool,
        piece: usize,
        width: usize,
        margin_percent: &mut usize,
    ) -> Result<FinishedLayer, LayerError> {
        write(&self.evaluation, (self.tables.after(piece), self.pieces[piece]));
        let chunks = chunks(&read(&self.partitions));
        let boards = read(&self.partitions).iter().map(Vec::len).sum::<usize>();
        let all = chunks.len();
        // The links of this layer, those of a compaction, and the text of a state.
        check_memory(boards.max(width.min(40 * boards)).saturating_mul(4 * size_of::<ParentLink>()))?;
        {
            let mut expansions = self.expansions.write().unwrap_or_else(PoisonError::into_inner);
            let missing = all.saturating_sub(expansions.len());
            expansions.try_reserve(missing)?;
            check_memory(0)?;
            expansions.extend((0..missing).map(|_| Mutex::default()));
        }
        // Partitions depend on hashes only, so the first ones are a fair sample.
        let sampled = if boards < MIN_SAMPLED { 0 } else { all.div_ceil(PARTITIONS) };
        let sample = chunks[..sampled].iter().map(|(_, range)| range.len()).sum::<usize>();
        let none = Thresholds::default();
        self.run(
            pool,
            Phase::Expand { chunks: chunks[..sampled].to_vec(), first_expansion: 0, thresholds: none },
        )?;
        let scaled = |limit: usize| {
            (limit as u64 * *margin_percent as u64 * sample as u64 / (100 * boards as u64)) as usize
        };
        // The sample's keys are copied to find their thresholds.
        check_memory(
            self.with_expansions(sampled, |sample| {
                sample.iter().map(|expansion| expansion.candidates().count()).sum::<usize>()
            }) * 4
                * size_of::<i32>(),
        )?;
        let from_sample = |sample: &[&Expansion]| {
            let candidates = sample.iter().flat_map(|expansion| expansion.candidates());
            Thresholds::from_sample(candidates, scaled(width), scaled(class_limit(width)))
        };
        let thresholds = self.with_expansions(sampled, from_sample);
        self.run(
            pool,
            Phase::Expand { chunks: chunks[sampled..].to_vec(), first_expansion: sampled, thresholds },
        )?;
        let mut selection = self.select(pool, all, width, &thresholds)?;
        // At least 150: duplicates count in the sample, but not in the selection.
        *margin_percent = (*margin_percent * 127 / 128).max(150);
        if !selection.is_exact(&thresholds, width) {
            self.run(pool, Phase::Expand { chunks, first_expansion: 0, thresholds: none })?;
            selection = self.select(pool, all, width, &none)?;
            *margin_percent = (*margin_percent * 5 / 4).min(1000);
        }
        if selection.boards == 0 {
            return Err(LayerError::Lost);
        }
        self.run(pool, Phase::Build { cutoff: selection.cutoff })?;
        let mut links = Vec::new();
        links.try_reserve_exact(selection.boards)?;
        check_memory(0)?;
        let generated = self
            .with_expansions(all, |expansions| expansions.iter().map(|expansion| expansion.generated).sum());
        self.replace_layer(&mut links);
        Ok(FinishedLayer { links, generated })
    }

    fn with_expansions<R>(&self, count: usize, body: impl FnOnce(&[&Expansion]) -> R) -> R {
        let expansions = read(&self.expansions);
        let guards: Vec<_> = expansions[..count].iter().map(lock).collect();
        body(&guards.iter().map(|guard| &**guard).collect::<Vec<_>>())
    }

    fn select(
        &self,
        pool: &WorkerPool,
        expansions: usize,
        width: usize,
        thresholds: &Thresholds,
    ) -> Result<Selection, LayerError> {
        let base = thresholds.lowest().unwrap_or_else(|| {
            let best = |expansions: &[&Expansion]| {
                expansions.iter().filter_map(|expansion| expansion.best_key()).max()
            };
            self.with_expansions(expansions, best).map_or(0, |best| best.saturating_sub(1000))
        });
        self.run(pool, Phase::Deduplicate { expansions, thresholds: *thresholds, base })?;
        let guards: Vec<_> = self.dedup_tables.iter().map(lock).collect();
        // The ranks of two buckets are copied to find the limits.
        let candidates = guards.iter().map(|table| table.unique.len()).sum::<usize>();
        check_memory(candidates * 2 * size_of::<[u64; 3]>())?;
        Ok(Cutoff::find(&guards.iter().map(|guard| &**guard).collect::<Vec<_>>(), width, base))
    }

    /// Makes the built partitions the layer and appends their links to `links`.
    fn replace_layer(&self, links: &mut Vec<ParentLink>) {
        let mut partitions = self.partitions.write().unwrap_or_else(PoisonError::into_inner);
        for (partition, built) in partitions.iter_mut().zip(&self.built) {
            let (nodes, from) = &mut *lock(built);
            std::mem::swap(partition, nodes);
            links.extend_from_slice(from);
        }
    }
}

/// Returns the number of nodes before each partition.
pub(super) fn starts(partitions: &Partitions) -> [u32; PARTITIONS] {
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
