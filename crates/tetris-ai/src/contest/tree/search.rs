//! [`TreeSearch`]: the best hard drop of a piece by a tree search several pieces deep, on one or more
//! threads.
//!
//! The search of [`reference`](crate::contest::reference) on columns of bits, depth first, with
//! forward pruning: all drops of the first piece (the roots), and below them only the best
//! [`branch_limit`] children of each board.
//!
//! ```text
//! stack = roots, the best on top
//! while the stack is not empty
//!     node = pop
//!     if the node is at the split of its task: append it to the tasks and continue
//!     drops = hard drops of the next piece, with their values      (no board is built)
//!     if there is none, or no next piece: record the node as a leaf
//!     if the next piece is the last:      record the best drop as a leaf, count the others
//!     else: push the best branch_limit(plies left) children, total = sum of the values on the path
//! best leaf = the greatest by (ply, total, earliest path)
//! ```
//!
//! The upper plies are searched first; the subtrees below them form a list of tasks. Each free
//! thread takes the next task. Tasks create no further tasks, so a thread that finds the list empty
//! is done, whereas the published program's workers left when every queue only *looked* empty.
//! docs/decisions.md compares work stealing.
//!
//! The order of leaves is total, so the best leaf is the same for every number of threads and at
//! every level.

use super::children::{Child, DropList, HardDrop, children};
use crate::columns::Columns;
use crate::contest::depth::MAX_DEPTH;
use crate::contest::piece::OrientedPiece;
use crate::contest::sequence::{PIECES, Sequence};
use crate::stop::SharedStop;
use crate::worker_pool::{Uncompared, lock, with_worker_pool};
use bitcade_core::{Backoff, Stop, Stopped};
use bitcore::{Isa, dispatch};
use std::cmp::Reverse;
use std::sync::Mutex;

/// The least number of plies below a node for polling `stop` and for splitting the tree. A smaller
/// subtree has about a hundred leaves.
const MIN_SPLIT_PLIES: usize = 5;

/// The maximum number of plies between the roots and the task nodes: thousands of tasks, tens of
/// thousands at great depth.
const MAX_SPLIT_PLIES: usize = 3;

/// Returns the number of children that the search follows from a board with `plies` plies left
/// below it: `plies`, but at least 3.
pub const fn branch_limit(plies: usize) -> usize {
    if plies < 3 { 3 } else { plies }
}

/// Returns the number of pieces placed at the leaves of a search that starts with piece `start`
/// (from 0) and is `depth` pieces deep. The 10,000th piece never scores, so only the search for
/// that piece places it.
pub(crate) fn horizon(start: usize, depth: usize) -> usize {
    if start + 1 >= PIECES { PIECES } else { (start + depth.clamp(1, MAX_DEPTH)).min(PIECES - 1) }
}

/// The end of a path. Greater leaves are better.
///
/// Leaves are ordered by ply, which ranks every leaf of full depth above every dead end; then by
/// total; then in favor of the earlier path, comparing ranks from the root down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Leaf {
    /// The number of pieces placed.
    pub ply: usize,
    /// The sum of the values along the path, including the root.
    pub total: i32,
    /// The rank of each node of the path among its siblings, four bits each, with the root in the
    /// highest bits.
    path: Reverse<u64>,
}

impl Leaf {
    /// The root's rank comes first.
    pub(crate) fn new(ply: usize, total: i32, ranks: &[usize]) -> Self {
        Self {
            ply,
            total,
            path: Reverse(ranks.iter().fold(0, |path, &rank| path << 4 | rank as u64)),
        }
    }

    /// Returns the rank of the leaf's root in a search that starts with piece `start`.
    fn root(self, start: usize) -> usize {
        (self.path.0 >> (4 * (self.ply - start - 1))) as usize
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchResult {
    /// The best drop of the first piece.
    pub drop: HardDrop,
    /// The board after the drop.
    pub board: Columns,
    /// The best leaf.
    pub leaf: Leaf,
    /// The number of leaves visited.
    pub leaves: u64,
    pub(crate) missing_threads: Uncompared<usize>,
}

/// A tree search with its settings.
///
/// ```
/// use tetris_ai::{Columns, contest::{Sequence, tree::TreeSearch}};
/// let search = TreeSearch { depth: 5, ..TreeSearch::default() };
/// let result = search.best(&Sequence::contest(), 0, &Columns::new()).unwrap();
/// assert_eq!(result.leaves, 17 * 4 * 3 * 3 * 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSearch {
    /// The depth in pieces, clamped to 1..=[`MAX_DEPTH`].
    pub depth: usize,
    /// The number of threads, limited to the [useful](bitcade_core::useful_threads) number and to
    /// what the system can start; always one without the feature `parallel`. It does not affect the
    /// result.
    pub threads: usize,
}

impl Default for TreeSearch {
    /// Returns a search of depth 8 on one thread.
    fn default() -> Self {
        Self { depth: 8, threads: 1 }
    }
}

impl TreeSearch {
    /// Returns the best drop of piece `start` (from 0) of a sequence on a board, or `None` if the
    /// piece has no drop or the sequence has no such piece.
    pub fn best(&self, sequence: &Sequence, start: usize, board: &Columns) -> Option<SearchResult> {
        self.best_until(sequence, start, board, &|| false).ok().flatten()
    }

    /// Does the same, unless `stop` ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`.
    pub fn best_until(
        &self,
        sequence: &Sequence,
        start: usize,
        board: &Columns,
        stop: Stop<'_>,
    ) -> Result<Option<SearchResult>, Stopped> {
        if start >= PIECES {
            return Ok(None);
        }
        let pieces = &sequence.pieces()[..horizon(start, self.depth)];
        let roots = children(board, pieces[start]);
        let (stats, missing_threads) = self.search(pieces, start, &roots, stop)?;
        Ok(stats.best.map(|leaf| {
            let Child { drop, board, .. } = roots[leaf.root(start)];
            SearchResult { drop, board, leaf, leaves: stats.leaves, missing_threads }
        }))
    }

    /// Also returns the number of threads that the system could not start.
    fn search(
        &self,
        pieces: &[OrientedPiece],
        start: usize,
        roots: &[Child],
        stop: Stop<'_>,
    ) -> Result<(SearchStats, Uncompared<usize>), Stopped> {
        let node = |(rank, root): (usize, &Child)| TreeNode {
            board: root.board,
            total: root.value,
            ply: start as u32 + 1,
            path: rank as u64,
        };
        let mut stack: Vec<_> = roots.iter().enumerate().map(node).rev().collect();
        let root_plies = pieces.len() - start - 1;
        let split_plies = MIN_SPLIT_PLIES.max(root_plies.saturating_sub(MAX_SPLIT_PLIES));
        let threads = if root_plies > MIN_SPLIT_PLIES { self.threads } else { 1 };

        let stop = SharedStop::new(stop);
        let mut stats = SearchStats::default();
        let mut tasks = Vec::new();
        depth_first(pieces, &mut stack, &mut stats, Some((split_plies, &mut tasks)), &stop)?;
        let tasks = Mutex::new(tasks.into_iter());
        let total = Mutex::new(stats);
        let next_task = || lock(&tasks).next();
        let work = || {
            let mut stack = Vec::new();
            let mut stats = SearchStats::default();
            while let Some(task) = next_task() {
                stack.push(task);
                if depth_first(pieces, &mut stack, &mut stats, None, &stop).is_err() {
                    return;
                }
            }
            lock(&total).add(stats);
        };
        let missing_threads = with_worker_pool(threads, &mut Backoff::default(), &work, |pool| {
            pool.run();
            Uncompared(pool.missing())
        });
        stop.check()?;
        let stats = *lock(&total);
        Ok((stats, missing_threads))
    }
}

#[derive(Clone, Copy, Debug)]
struct TreeNode {
    board: Columns,
    /// The sum of the values along the path.
    total: i32,
    /// The number of pieces placed.
    ply: u32,
    /// See [`Leaf`].
    path: u64,
}

impl TreeNode {
    #[inline(always)]
    fn plies_left(&self, pieces: &[OrientedPiece]) -> usize {
        pieces.len() - self.ply as usize
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct SearchStats {
    best: Option<Leaf>,
    leaves: u64,
}

impl SearchStats {
    #[inline(always)]
    fn record(&mut self, leaves: usize, leaf: Leaf) {
        self.leaves += leaves as u64;
        self.best = self.best.max(Some(leaf));
    }

    fn add(&mut self, other: Self) {
        *self = Self { best: self.best.max(other.best), leaves: self.leaves + other.leaves };
    }
}

/// Where the tree is split: a number of plies, and the nodes found with that many plies left below
/// them.
type Split<'a> = Option<(usize, &'a mut Vec<TreeNode>)>;

/// Searches the subtrees of all nodes on the stack, down to the split.
fn depth_first(
    pieces: &[OrientedPiece],
    stack: &mut Vec<TreeNode>,
    stats: &mut SearchStats,
    split: Split,
    stop: &SharedStop,
) -> Result<(), Stopped> {
    dispatch!(isa [pieces, stack, stats, split, stop] => depth_first_with(isa, pieces, stack, stats, split, stop))
}

#[inline(always)]
fn depth_first_with<S: Isa>(
    isa: S,
    pieces: &[OrientedPiece],
    stack: &mut Vec<TreeNode>,
    stats: &mut SearchStats,
    mut split: Split,
    stop: &SharedStop,
) -> Result<(), Stopped> {
    let mut drops = DropList::NONE;
    while let Some(node) = stack.pop() {
        let left = node.plies_left(pieces);
        if left >= MIN_SPLIT_PLIES {
            stop.ask()?;
            if let Some((_, nodes)) = split.as_mut().filter(|(plies, _)| *plies == left) {
                nodes.push(node);
                continue;
            }
        }
        expand(isa, pieces, &node, stats, stack, &mut drops);
    }
    Ok(())
}

/// Pushes the best children of a node onto the stack, the best one last, or records the node as a
/// leaf.
#[inline(always)]
fn expand<S: Isa>(
    isa: S,
    pieces: &[OrientedPiece],
    node: &TreeNode,
    stats: &mut SearchStats,
    stack: &mut Vec<TreeNode>,
    drops: &mut DropList,
) {
    let ply = node.ply as usize;
    let leaf = Leaf { ply, total: node.total, path: Reverse(node.path) };
    let Some(&piece) = pieces.get(ply) else { return stats.record(1, leaf) };
    drops.fill(isa, &node.board, piece);
    let limit = branch_limit(node.plies_left(pieces));
    if ply + 1 == pieces.len() {
        // The children are leaves, and the best sibling is the best leaf: no board has to be built.
        match drops.as_slice().iter().map(|drop| drop.value).max() {
            Some(best) => {
                let leaf =
                    Leaf { ply: ply + 1, total: node.total + best, path: Reverse(node.path << 4) };
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

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    #[test]
    fn a_search_goes_on_with_the_threads_that_start() {
        let sequence = Sequence::contest();
        let board = Columns::new();
        let best = |threads| {
            let found = TreeSearch { depth: 7, threads }.best(&sequence, 0, &board).unwrap();
            (found, found.missing_threads.0)
        };
        let (alone, none) = best(1);
        assert_eq!(none, 0);
        for (limit, missing) in [(0, 7), (3, 4), (100, 0)] {
            let found = testkit::thread_limit::with(limit, || best(8));
            assert_eq!(found, (alone, missing), "{limit} can start");
        }
    }
}
