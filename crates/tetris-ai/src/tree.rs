//! The tree search of [`reference`](crate::reference) on columns of bits, on one thread or several.
//!
//! Every root is followed, below the roots the best [`branch_limit`] children of each board, depth first, and the best leaf
//! decides: the order of leaves is total, so that neither the level nor the number of threads changes the result.
//! With several threads each takes a task from its local queue, else from the common one, else from another thread; a task
//! near the root shares its children, one near the leaves is searched on the spot. The work is done when no task is
//! outstanding, in a queue or in a thread's hands.

use crate::columns::Columns;
use crate::contest::{PIECES, Piece, Sequence};
use crate::hard_drops::{DropList, HardDrop, hard_drops_on};
use bitcore::{Isa, Level, dispatch};
#[cfg(feature = "parallel")]
use crossbeam_deque::Worker;
#[cfg(feature = "parallel")]
use queue::WorkQueue;
use std::cmp::Reverse;
#[cfg(feature = "parallel")]
use std::thread;

#[cfg(feature = "parallel")]
mod queue;

/// The greatest depth: what a [`Leaf`]'s path has room for.
pub const MAX_DEPTH: usize = 15;

/// A board with this many levels below it is searched without a pause: some hundred leaves.
const MIN_SPLIT_PLIES: usize = 5;

/// How many levels below the roots are split_plies, at most: some ten thousand tasks.
#[cfg(feature = "parallel")]
const MAX_SPLIT_PLIES: usize = 3;

/// How many children of a board are followed, by the levels that are left below it: as many, but at least three.
pub const fn branch_limit(plies: usize) -> usize {
    if plies < 3 { 3 } else { plies }
}

/// How many pieces are placed at the leaves of a search that begins with piece `start` (from 0), `depth` pieces deep.
/// The 10,000th piece never scores, so only its own search sees it.
pub(crate) const fn horizon(start: usize, depth: usize) -> usize {
    let depth = if depth == 0 {
        1
    } else if depth > MAX_DEPTH {
        MAX_DEPTH
    } else {
        depth
    };
    if start + 1 >= PIECES {
        PIECES
    } else if start + depth < PIECES {
        start + depth
    } else {
        PIECES - 1
    }
}

/// The end of a path, in the order of preference: the greater is the better one.
///
/// The longer life first, so that a leaf of full depth beats every dead one; then the greater total; then the path
/// that comes first, compared rank by rank from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The pieces placed.
    pub ply: usize,
    /// The evaluations along the path, summed, the root's own included.
    pub total: i32,
    /// The rank of each child among its brothers, four bits each, the root's above them.
    path: u64,
}

impl Leaf {
    /// The leaf at the end of some ranks, the root's first.
    pub(crate) fn new(ply: usize, total: i32, ranks: &[usize]) -> Self {
        Self { ply, total, path: ranks.iter().fold(0, |path, &rank| path << 4 | rank as u64) }
    }

    /// The rank of the root that it descends from, in a search that began with piece `start`.
    fn root(self, start: usize) -> usize {
        (self.path >> (4 * (self.ply - start - 1))) as usize
    }
}

impl Ord for Leaf {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |leaf: &Self| (leaf.ply, leaf.total, Reverse(leaf.path));
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Leaf {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// What a search decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// Where the piece goes.
    pub drop: HardDrop,
    /// The board after it.
    pub board: Columns,
    /// The best leaf.
    pub leaf: Leaf,
    /// The number of leaves.
    pub leaves: u64,
}

/// A search was stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped")]
pub struct Stopped;

/// Asked now and then: whether to give up.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// How to search.
///
/// ```
/// use tetris_ai::{Columns, TreeSearch, contest::Sequence};
/// let search = TreeSearch { depth: 5, ..TreeSearch::default() };
/// let outcome = search.best(&Sequence::contest(), 0, &Columns::new(), &|| false)?.unwrap();
/// assert_eq!(outcome.leaves, 17 * 4 * 3 * 3 * 3);
/// # Ok::<(), tetris_ai::tree::Stopped>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSearch {
    /// How many pieces deep, 1..=[`MAX_DEPTH`]; what lies outside counts as the nearest.
    pub depth: usize,
    /// How many threads; without the feature `parallel` always one. The result doesn't depend on it.
    pub threads: usize,
}

impl Default for TreeSearch {
    /// Eight pieces deep on one thread.
    fn default() -> Self {
        Self { depth: 8, threads: 1 }
    }
}

impl TreeSearch {
    /// The best placement of piece `start` (from 0) of a sequence on a board; `None` if it has none, or if there is no
    /// such piece.
    ///
    /// # Errors
    ///
    /// [`Stopped`], as soon as `stop` says so.
    pub fn best(
        &self,
        sequence: &Sequence,
        start: usize,
        board: &Columns,
        stop: Stop,
    ) -> Result<Option<SearchResult>, Stopped> {
        self.best_on(Level::detect(), sequence, start, board, stop)
    }

    /// [`best`](Self::best) with an instruction set; the same at every one.
    ///
    /// # Errors
    ///
    /// [`Stopped`], as soon as `stop` says so.
    pub fn best_on(
        &self,
        level: Level,
        sequence: &Sequence,
        start: usize,
        board: &Columns,
        stop: Stop,
    ) -> Result<Option<SearchResult>, Stopped> {
        if start >= PIECES {
            return Ok(None);
        }
        let pieces = &sequence.pieces()[..horizon(start, self.depth)];
        let roots = hard_drops_on(level, board, pieces[start]);
        let nodes = roots.iter().enumerate().map(|(rank, root)| TreeNode {
            board: root.board,
            total: root.value,
            ply: start as u32 + 1,
            path: rank as u64,
        });
        let stats = self.search(level, pieces, nodes.rev().collect(), stop)?;
        Ok(stats.best.map(|leaf| {
            let root = &roots[leaf.root(start)];
            SearchResult { drop: root.drop, board: root.board, leaf, leaves: stats.leaves }
        }))
    }

    /// The leaves under some nodes, the last node first.
    fn search(
        &self,
        level: Level,
        pieces: &[Piece],
        mut stack: Vec<TreeNode>,
        stop: Stop,
    ) -> Result<SearchStats, Stopped> {
        #[cfg(feature = "parallel")]
        if self.threads > 1 && stack.first().is_some_and(|node| node.plies_left(pieces) > MIN_SPLIT_PLIES) {
            return self.search_parallel(level, pieces, stack, stop);
        }
        let mut stats = SearchStats::default();
        depth_first_on(level, pieces, &mut stack, &mut stats, None, stop)?;
        Ok(stats)
    }

    /// [`search`](Self::search) on several threads.
    #[cfg(feature = "parallel")]
    fn search_parallel(
        &self,
        level: Level,
        pieces: &[Piece],
        roots: Vec<TreeNode>,
        stop: Stop,
    ) -> Result<SearchStats, Stopped> {
        // Only the upper levels are split_plies: the queues are searched breadth first, and hold a whole level at once.
        let root_plies = roots.first().map_or(0, |root| root.plies_left(pieces));
        let split_plies = MIN_SPLIT_PLIES.max(root_plies.saturating_sub(MAX_SPLIT_PLIES));
        let local: Vec<_> = (0..self.threads).map(|_| Worker::new_fifo()).collect();
        let queue = WorkQueue::new(&local, roots.into_iter().rev());
        let work = |local: Worker<TreeNode>| {
            let mut stats = SearchStats::default();
            let mut stack = Vec::new();
            let stop = || queue.is_stopped() || stop();
            queue.run(&local, |task, children| {
                let below = task.plies_left(pieces) - 1;
                let split = (below >= split_plies).then_some((below, children));
                stack.push(task);
                if depth_first_on(level, pieces, &mut stack, &mut stats, split, &stop).is_err() {
                    queue.stop();
                }
            });
            stats
        };
        let stats = thread::scope(|scope| {
            let workers: Vec<_> = local.into_iter().map(|local| scope.spawn(|| work(local))).collect();
            let all_stats = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            all_stats.fold(SearchStats::default(), SearchStats::merge)
        });
        if queue.is_stopped() { Err(Stopped) } else { Ok(stats) }
    }
}

/// A board of the tree.
#[derive(Clone, Copy, Debug)]
struct TreeNode {
    board: Columns,
    /// The evaluations on the way to it, summed.
    total: i32,
    /// The pieces placed.
    ply: u32,
    /// See [`Leaf`].
    path: u64,
}

impl TreeNode {
    #[inline(always)]
    fn plies_left(&self, pieces: &[Piece]) -> usize {
        pieces.len() - self.ply as usize
    }
}

/// The leaves seen so far.
#[derive(Clone, Copy, Debug, Default)]
struct SearchStats {
    best: Option<Leaf>,
    leaves: u64,
}

impl SearchStats {
    /// Counts some leaves, of which this one is the best.
    #[inline(always)]
    fn record(&mut self, leaves: usize, leaf: Leaf) {
        self.leaves += leaves as u64;
        self.best = self.best.max(Some(leaf));
    }

    /// Both together.
    #[cfg(feature = "parallel")]
    fn merge(self, other: Self) -> Self {
        Self { best: self.best.max(other.best), leaves: self.leaves + other.leaves }
    }
}

/// A number of levels, and the boards that have so many below them.
type Split<'a> = Option<(usize, &'a mut Vec<TreeNode>)>;

/// Searches what is on the stack and everything below it, down to the split.
fn depth_first_on(
    level: Level,
    pieces: &[Piece],
    stack: &mut Vec<TreeNode>,
    stats: &mut SearchStats,
    split: Split,
    stop: Stop,
) -> Result<(), Stopped> {
    dispatch!(level, isa [pieces, stack, stats, split, stop] => depth_first(isa, pieces, stack, stats, split, stop))
}

#[inline(always)]
fn depth_first<S: Isa>(
    isa: S,
    pieces: &[Piece],
    stack: &mut Vec<TreeNode>,
    stats: &mut SearchStats,
    mut split: Split,
    stop: Stop,
) -> Result<(), Stopped> {
    let mut drops = DropList::NONE;
    while let Some(node) = stack.pop() {
        let left = node.plies_left(pieces);
        if left >= MIN_SPLIT_PLIES {
            if stop() {
                return Err(Stopped);
            }
            if let Some((_, nodes)) = split.as_mut().filter(|(plies, _)| *plies == left) {
                nodes.push(node);
                continue;
            }
        }
        expand(isa, pieces, &node, stats, stack, &mut drops);
    }
    Ok(())
}

/// Puts the children of a node that are followed on the stack, the best one last, or visits it as a leaf.
#[inline(always)]
fn expand<S: Isa>(
    isa: S,
    pieces: &[Piece],
    node: &TreeNode,
    stats: &mut SearchStats,
    stack: &mut Vec<TreeNode>,
    drops: &mut DropList,
) {
    let ply = node.ply as usize;
    let leaf = Leaf { ply, total: node.total, path: node.path };
    let Some(&piece) = pieces.get(ply) else { return stats.record(1, leaf) };
    drops.fill(isa, &node.board, piece);
    let limit = branch_limit(node.plies_left(pieces));
    if ply + 1 == pieces.len() {
        // The children are leaves, and of brothers the best one is the best leaf: no board has to be made.
        match drops.as_slice().iter().map(|drop| drop.value).max() {
            Some(best) => {
                let leaf = Leaf { ply: ply + 1, total: node.total + best, path: node.path << 4 };
                stats.record(limit.min(drops.as_slice().len()), leaf);
            }
            None => stats.record(1, leaf),
        }
        return;
    }
    if drops.as_slice().is_empty() {
        stats.record(1, leaf);
    }
    for (rank, drop) in drops.best(isa, limit).enumerate().rev() {
        stack.push(TreeNode {
            board: drop.child(isa, &node.board, piece),
            total: node.total + drop.value,
            ply: node.ply + 1,
            path: node.path << 4 | rank as u64,
        });
    }
}
