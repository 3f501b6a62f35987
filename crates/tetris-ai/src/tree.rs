//! The tree search of [`reference`](crate::reference) on columns of bits, on one thread or several.
//!
//! Every root is followed, below the roots the best [`width`] children of each board, depth first, and the best leaf
//! decides: the order of leaves is total, so that neither the level nor the number of threads changes the result.
//! With several threads each takes a task from its own queue, else from the common one, else from another thread; a task
//! near the root shares its children, one near the leaves is searched on the spot. The work is done when no task is
//! outstanding, in a queue or in a thread's hands.

use crate::columns::Columns;
use crate::contest::{PIECES, Piece, Sequence};
use crate::placements::{Drops, Placement, placements_on};
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
const GRAIN: usize = 5;

/// How many levels below the roots are shared, at most: some ten thousand tasks.
#[cfg(feature = "parallel")]
const SHARED_LEVELS: usize = 3;

/// How many children of a board are followed, by the levels that are left below it: as many, but at least three.
pub const fn width(levels: usize) -> usize {
    if levels < 3 { 3 } else { levels }
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
    pub level: usize,
    /// The evaluations along the path, summed, the root's own included.
    pub total: i32,
    /// The rank of each child among its brothers, four bits each, the root's above them.
    path: u64,
}

impl Leaf {
    /// The leaf at the end of some ranks, the root's first.
    pub(crate) fn new(level: usize, total: i32, ranks: &[usize]) -> Self {
        Self { level, total, path: ranks.iter().fold(0, |path, &rank| path << 4 | rank as u64) }
    }

    /// The rank of the root that it descends from, in a search that began with piece `start`.
    fn root(self, start: usize) -> usize {
        (self.path >> (4 * (self.level - start - 1))) as usize
    }
}

impl Ord for Leaf {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |leaf: &Self| (leaf.level, leaf.total, Reverse(leaf.path));
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
pub struct Outcome {
    /// Where the piece goes.
    pub placement: Placement,
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
/// # Ok::<(), tetris_ai::Stopped>(())
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
    ) -> Result<Option<Outcome>, Stopped> {
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
    ) -> Result<Option<Outcome>, Stopped> {
        if start >= PIECES {
            return Ok(None);
        }
        let pieces = &sequence.pieces()[..horizon(start, self.depth)];
        let roots = placements_on(level, board, pieces[start]);
        let nodes = roots.iter().enumerate().map(|(rank, root)| Node {
            board: root.board,
            total: root.evaluated,
            level: start as u32 + 1,
            path: rank as u64,
        });
        let tally = self.search(level, pieces, nodes.rev().collect(), stop)?;
        Ok(tally.best.map(|leaf| {
            let root = &roots[leaf.root(start)];
            Outcome { placement: root.placement, board: root.board, leaf, leaves: tally.leaves }
        }))
    }

    /// The leaves under some nodes, the last node first.
    fn search(
        &self,
        level: Level,
        pieces: &[Piece],
        mut stack: Vec<Node>,
        stop: Stop,
    ) -> Result<Tally, Stopped> {
        #[cfg(feature = "parallel")]
        if self.threads > 1 && stack.first().is_some_and(|node| node.levels_left(pieces) > GRAIN) {
            return self.search_together(level, pieces, stack, stop);
        }
        let mut tally = Tally::default();
        dig_on(level, pieces, &mut stack, &mut tally, None, stop)?;
        Ok(tally)
    }

    /// [`search`](Self::search) on several threads.
    #[cfg(feature = "parallel")]
    fn search_together(
        &self,
        level: Level,
        pieces: &[Piece],
        roots: Vec<Node>,
        stop: Stop,
    ) -> Result<Tally, Stopped> {
        // Only the upper levels are shared: the queues are searched breadth first, and hold a whole level at once.
        let root_levels = roots.first().map_or(0, |root| root.levels_left(pieces));
        let shared = GRAIN.max(root_levels.saturating_sub(SHARED_LEVELS));
        let own: Vec<_> = (0..self.threads).map(|_| Worker::new_fifo()).collect();
        let queue = WorkQueue::new(&own, roots.into_iter().rev());
        let work = |own: Worker<Node>| {
            let mut tally = Tally::default();
            let mut stack = Vec::new();
            let stop = || queue.is_stopped() || stop();
            queue.run(&own, |task, children| {
                let below = task.levels_left(pieces) - 1;
                let edge = (below >= shared).then_some((below, children));
                stack.push(task);
                if dig_on(level, pieces, &mut stack, &mut tally, edge, &stop).is_err() {
                    queue.stop();
                }
            });
            tally
        };
        let tally = thread::scope(|scope| {
            let workers: Vec<_> = own.into_iter().map(|own| scope.spawn(|| work(own))).collect();
            let tallies = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            tallies.fold(Tally::default(), Tally::and)
        });
        if queue.is_stopped() { Err(Stopped) } else { Ok(tally) }
    }
}

/// A board of the tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    board: Columns,
    /// The evaluations on the way to it, summed.
    total: i32,
    /// The pieces placed.
    level: u32,
    /// See [`Leaf`].
    path: u64,
}

impl Node {
    #[inline(always)]
    fn levels_left(&self, pieces: &[Piece]) -> usize {
        pieces.len() - self.level as usize
    }
}

/// The leaves seen so far.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    best: Option<Leaf>,
    leaves: u64,
}

impl Tally {
    /// Counts some leaves, of which this one is the best.
    #[inline(always)]
    fn visit(&mut self, leaves: usize, leaf: Leaf) {
        self.leaves += leaves as u64;
        self.best = self.best.max(Some(leaf));
    }

    /// Both together.
    #[cfg(feature = "parallel")]
    fn and(self, other: Self) -> Self {
        Self { best: self.best.max(other.best), leaves: self.leaves + other.leaves }
    }
}

/// A number of levels, and the boards that have so many below them.
type Edge<'a> = Option<(usize, &'a mut Vec<Node>)>;

/// Searches what is on the stack and everything below it, down to the edge.
fn dig_on(
    level: Level,
    pieces: &[Piece],
    stack: &mut Vec<Node>,
    tally: &mut Tally,
    edge: Edge,
    stop: Stop,
) -> Result<(), Stopped> {
    dispatch!(level, isa [pieces, stack, tally, edge, stop] => dig(isa, pieces, stack, tally, edge, stop))
}

#[inline(always)]
fn dig<S: Isa>(
    isa: S,
    pieces: &[Piece],
    stack: &mut Vec<Node>,
    tally: &mut Tally,
    mut edge: Edge,
    stop: Stop,
) -> Result<(), Stopped> {
    let mut drops = Drops::NONE;
    while let Some(node) = stack.pop() {
        let left = node.levels_left(pieces);
        if left >= GRAIN {
            if stop() {
                return Err(Stopped);
            }
            if let Some((_, nodes)) = edge.as_mut().filter(|(levels, _)| *levels == left) {
                nodes.push(node);
                continue;
            }
        }
        expand(isa, pieces, &node, tally, stack, &mut drops);
    }
    Ok(())
}

/// Puts the children of a node that are followed on the stack, the best one last, or visits it as a leaf.
#[inline(always)]
fn expand<S: Isa>(
    isa: S,
    pieces: &[Piece],
    node: &Node,
    tally: &mut Tally,
    stack: &mut Vec<Node>,
    drops: &mut Drops,
) {
    let level = node.level as usize;
    let leaf = Leaf { level, total: node.total, path: node.path };
    let Some(&piece) = pieces.get(level) else { return tally.visit(1, leaf) };
    drops.fill(isa, &node.board, piece);
    let width = width(node.levels_left(pieces));
    if level + 1 == pieces.len() {
        // The children are leaves, and of brothers the best one is the best leaf: no board has to be made.
        match drops.as_slice().iter().map(|drop| drop.evaluated).max() {
            Some(best) => {
                let leaf = Leaf { level: level + 1, total: node.total + best, path: node.path << 4 };
                tally.visit(width.min(drops.as_slice().len()), leaf);
            }
            None => tally.visit(1, leaf),
        }
        return;
    }
    if drops.as_slice().is_empty() {
        tally.visit(1, leaf);
    }
    for (rank, drop) in drops.best(isa, width).enumerate().rev() {
        stack.push(Node {
            board: drop.child(isa, &node.board, piece),
            total: node.total + drop.evaluated,
            level: node.level + 1,
            path: node.path << 4 | rank as u64,
        });
    }
}
