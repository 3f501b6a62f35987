//! [`NodeArena`]: the nodes of a search tree in bounded memory, shared by threads.
//!
//! Indices are 32 bits wide. The arena is a list of chunks of 4,096 nodes, allocated as the tree
//! grows. The children of a node are contiguous in one chunk, so a node stores only the index of
//! its first child and their number.
//!
//! ```text
//! chunk 0                                              chunk 1
//! | root | children of the root | children of 7 | .. | children of 12 | .. |
//!   0      1 ..                   83 ..           ^     4096 ..
//!                                                 unused if the next block does not fit into the chunk
//! ```
//!
//! A node is 32 bytes, all atomics:
//!
//! ```text
//! stats        u64   visits << 32 | half wins    playouts through the node
//! amaf         u64   visits << 32 | half wins    playouts through the parent, first to play here
//! prior        u32   visits << 16 | half wins    virtual playouts from knowledge; constant
//! score        f32   mean score                  of the playouts through the node
//! first_child  u32   index, 0 (unexpanded) or 2^32 - 1 (a thread expands it)
//! child_count  u16
//! point        u16   index of the point, PASS or ILLEGAL
//! ```
//!
//! Visits and half wins share a word, so every load sees a consistent pair. A thread claims a node
//! for expansion by compare-and-swap (`UNEXPANDED` to `EXPANDING`), writes the children and
//! publishes them by storing `first_child` with `Release`; readers load it with `Acquire`.

use super::sync::{AtomicU16, AtomicU32, AtomicU64, OnceLock, Ordering, has_spare_memory};
use std::boxed::Box;
use std::vec::Vec;

/// Playouts, and the wins of the player who made the move, in halves: a win counts 2, a draw 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WinStats {
    pub(super) visits: u32,
    pub(super) half_wins: u32,
}

impl WinStats {
    const fn pack(self) -> u64 {
        (self.visits as u64) << 32 | self.half_wins as u64
    }

    const fn unpack(packed: u64) -> Self {
        Self { visits: (packed >> 32) as u32, half_wins: packed as u32 }
    }

    /// Returns the share of playouts won, from 0 to 1; NaN without visits.
    pub(super) fn win_rate(self) -> f32 {
        self.half_wins as f32 / (2.0 * self.visits as f32)
    }
}

/// A move and its statistics. Wins are counted for the player who makes the move. Missing values are
/// numbers instead of options, because a node is 32 bytes of atomics, half a cache line.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Playouts through the node.
    stats: AtomicU64,
    /// Playouts through the parent in which the player was the first of both to play on the point
    /// (RAVE).
    amaf: AtomicU64,
    /// Virtual playouts from Go knowledge: visits in the upper half, half wins in the lower.
    prior: AtomicU32,
    /// The bits of the mean score of the playouts, after komi, for the player who made the move.
    score: AtomicU32,
    /// The index of the first child, [`UNEXPANDED`] or [`EXPANDING`].
    first_child: AtomicU32,
    /// The number of children, and [`BY_NET`].
    child_count: AtomicU16,
    /// The index of the point, [`PASS`] or [`ILLEGAL`].
    point: AtomicU16,
}

/// `first_child` of a node without children. Node 0 is the root, which is never a child.
const UNEXPANDED: u32 = 0;
/// `first_child` of a node that a thread is expanding.
const EXPANDING: u32 = u32::MAX;
/// The bit of `child_count` which says that the net has given the children their priors.
const BY_NET: u16 = 1 << 15;
pub(super) const PASS: u16 = u16::MAX;
/// The `point` of a move that is illegal because it repeats a position.
const ILLEGAL: u16 = u16::MAX - 1;

impl Node {
    fn init(&self, new: NewChild) {
        self.point.store(new.point, Ordering::Relaxed);
        self.set_prior(new.prior);
    }

    pub(super) fn set_prior(&self, prior: WinStats) {
        self.prior.store(prior.visits << 16 | prior.half_wins, Ordering::Relaxed);
    }

    pub(super) fn point(&self) -> u16 {
        self.point.load(Ordering::Relaxed)
    }

    /// Returns the index of the point or [`PASS`], or `None` if the move is illegal.
    pub(super) fn legal_point(&self) -> Option<u16> {
        Some(self.point()).filter(|&point| point != ILLEGAL)
    }

    pub(super) fn is_illegal(&self) -> bool {
        self.legal_point().is_none()
    }

    pub(super) fn mark_illegal(&self) {
        self.point.store(ILLEGAL, Ordering::Relaxed);
    }

    pub(super) fn stats(&self) -> WinStats {
        WinStats::unpack(self.stats.load(Ordering::Relaxed))
    }

    /// Counts running playouts as lost until [`add_wins`](Self::add_wins) adds their wins, to steer
    /// other threads to other nodes.
    pub(super) fn add_virtual_loss(&self, playouts: u32) {
        self.stats.fetch_add(WinStats { visits: playouts, half_wins: 0 }.pack(), Ordering::Relaxed);
    }

    /// Adds the wins of playouts already counted by [`add_virtual_loss`](Self::add_virtual_loss).
    pub(super) fn add_wins(&self, half_wins: u32) {
        self.stats.fetch_add(half_wins.into(), Ordering::Relaxed);
    }

    /// Returns the mean score of the playouts, for the player who made the move.
    pub(super) fn score(&self) -> f32 {
        f32::from_bits(self.score.load(Ordering::Relaxed))
    }

    /// Adds the sum of the scores of `playouts` playouts already counted by
    /// [`add_virtual_loss`](Self::add_virtual_loss). If two threads add simultaneously, one
    /// addition may be lost, as with [`add_amaf`](Self::add_amaf): the score steers nothing.
    pub(super) fn add_scores(&self, sum: f32, playouts: u32) {
        let mean = self.score();
        let visits = self.stats().visits;
        let mean = mean + (sum - playouts as f32 * mean) / visits as f32;
        self.score.store(mean.to_bits(), Ordering::Relaxed);
    }

    pub(super) fn amaf(&self) -> WinStats {
        WinStats::unpack(self.amaf.load(Ordering::Relaxed))
    }

    /// Adds AMAF statistics. If two threads add simultaneously, one addition may be lost: AMAF is a
    /// heuristic, and an exact sum costs more than it gains. Both numbers are halved before they
    /// overflow.
    pub(super) fn add_amaf(&self, stats: WinStats) {
        let mut sum = self.amaf();
        if sum.visits > u32::MAX / 4 {
            sum = WinStats { visits: sum.visits / 2, half_wins: sum.half_wins / 2 };
        }
        let sum = WinStats {
            visits: sum.visits + stats.visits,
            half_wins: sum.half_wins + stats.half_wins,
        };
        self.amaf.store(sum.pack(), Ordering::Relaxed);
    }

    pub(super) fn prior(&self) -> WinStats {
        let prior = self.prior.load(Ordering::Relaxed);
        WinStats { visits: prior >> 16, half_wins: prior & 0xffff }
    }

    fn child_count(&self) -> usize {
        usize::from(self.child_count.load(Ordering::Relaxed) & !BY_NET)
    }

    fn is_by_net(&self) -> bool {
        self.child_count.load(Ordering::Relaxed) & BY_NET > 0
    }

    /// Returns `true` to one caller: it has to give the children the priors of the net.
    pub(super) fn begin_net(&self) -> bool {
        !self.is_by_net() && self.child_count.fetch_or(BY_NET, Ordering::Relaxed) & BY_NET == 0
    }

    /// Copies the move and its statistics from another node, without its children.
    fn copy_from(&self, other: &Self) {
        self.stats.store(other.stats.load(Ordering::Relaxed), Ordering::Relaxed);
        self.amaf.store(other.amaf.load(Ordering::Relaxed), Ordering::Relaxed);
        self.prior.store(other.prior.load(Ordering::Relaxed), Ordering::Relaxed);
        self.score.store(other.score.load(Ordering::Relaxed), Ordering::Relaxed);
        self.point.store(other.point(), Ordering::Relaxed);
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NewChild {
    /// The index of the point, or [`PASS`].
    pub(super) point: u16,
    pub(super) prior: WinStats,
}

/// Nodes per chunk; only a few in the loom models. No node has that many children.
const CHUNK: usize = if cfg!(all(loom, test)) { 8 } else { 4096 };

/// A tree of at most `capacity` nodes; node 0 is the root. Memory grows chunk by chunk; if an
/// allocation fails, the tree is full.
#[derive(Debug)]
pub(super) struct NodeArena {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    end: AtomicU32,
    capacity: u32,
}

impl NodeArena {
    pub(super) fn new(capacity: usize) -> Self {
        let capacity = capacity.clamp(1, (EXPANDING - 1) as usize);
        let chunks = (0..capacity.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect();
        let arena = Self { chunks, end: AtomicU32::new(1), capacity: capacity as u32 };
        arena.chunk(0);
        arena
    }

    fn chunk(&self, chunk: usize) -> &[Node] {
        self.chunks[chunk].get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect())
    }

    pub(super) fn node(&self, index: u32) -> &Node {
        &self.chunk(index as usize / CHUNK)[index as usize % CHUNK]
    }

    /// Returns the number of nodes in use, including the unused ends of chunks.
    pub(super) fn len(&self) -> usize {
        self.end.load(Ordering::Relaxed) as usize
    }

    /// Returns the index of the first child and the children, or `None` if the node is not
    /// expanded.
    pub(super) fn children(&self, index: u32) -> Option<(u32, &[Node])> {
        let node = self.node(index);
        let first = node.first_child.load(Ordering::Acquire);
        if first == UNEXPANDED || first == EXPANDING {
            return None;
        }
        let start = first as usize % CHUNK;
        let count = node.child_count();
        Some((first, &self.chunk(first as usize / CHUNK)[start..start + count]))
    }

    /// Expands a node with the children returned by `new_children`. Does nothing if the node is
    /// expanded, if another thread is expanding it, or if the children do not fit.
    pub(super) fn expand(&self, index: u32, new_children: impl FnOnce() -> Vec<NewChild>) {
        let node = self.node(index);
        let claimed = node.first_child.compare_exchange(
            UNEXPANDED,
            EXPANDING,
            Ordering::Acquire,
            Ordering::Relaxed,
        );
        if claimed.is_err() {
            return;
        }
        let mut published = UNEXPANDED;
        if !self.is_full() {
            let children = new_children();
            if let Some(first) = self.allocate(children.len()) {
                for (at, child) in (first..).zip(&children) {
                    self.node(at).init(*child);
                }
                node.child_count.store(children.len() as u16, Ordering::Relaxed);
                published = first;
            }
        }
        node.first_child.store(published, Ordering::Release);
    }

    /// Returns whether no node is free, to avoid generating children that cannot fit.
    fn is_full(&self) -> bool {
        self.end.load(Ordering::Relaxed) >= self.capacity
    }

    /// Allocates `count` contiguous nodes in one chunk. Returns the index of the first; `None` if
    /// they don't fit.
    fn allocate(&self, count: usize) -> Option<u32> {
        let start = |end: u32| {
            let used = end as usize % CHUNK;
            let skipped = if used + count > CHUNK { CHUNK - used } else { 0 };
            end as usize + skipped
        };
        let new_end = |end| {
            let end = start(end) + count;
            (end <= self.capacity as usize).then_some(end as u32)
        };
        let before = self.end.fetch_update(Ordering::Relaxed, Ordering::Relaxed, new_end).ok()?;
        let first = start(before);
        self.has_chunk(first / CHUNK).then_some(first as u32)
    }

    /// Allocates a chunk if missing; `false` if that fails or would leave too little memory for
    /// everything else.
    fn has_chunk(&self, chunk: usize) -> bool {
        if self.chunks[chunk].get().is_some() {
            return true;
        }
        let mut nodes = Vec::new();
        if !has_spare_memory() || nodes.try_reserve_exact(CHUNK).is_err() {
            return false;
        }
        nodes.extend((0..CHUNK).map(|_| Node::default()));
        // Another thread may have set it first.
        let _ = self.chunks[chunk].set(nodes.into_boxed_slice());
        true
    }

    pub(super) fn subtree(&self, root: u32) -> Self {
        let new = Self::new(self.capacity as usize);
        new.node(0).copy_from(self.node(root));
        let mut open = std::vec![(root, 0)];
        while let Some((from, to)) = open.pop() {
            let Some((first, children)) = self.children(from) else { continue };
            // The subtree is smaller than the tree, but the unused ends of chunks may differ.
            let Some(start) = new.allocate(children.len()) else { continue };
            for (at, child) in (start..).zip(children) {
                new.node(at).copy_from(child);
            }
            let by_net = if self.node(from).is_by_net() { BY_NET } else { 0 };
            new.node(to).child_count.store(children.len() as u16 | by_net, Ordering::Relaxed);
            new.node(to).first_child.store(start, Ordering::Release);
            open.extend((first..).zip(start..).take(children.len()));
        }
        new
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn children(count: u16) -> Vec<NewChild> {
        (0..count)
            .map(|point| NewChild {
                point,
                prior: WinStats { visits: 10, half_wins: point.into() },
            })
            .collect()
    }

    #[test]
    fn blocks_stay_within_chunks_and_capacity() {
        let arena = NodeArena::new(2 * CHUNK);
        arena.expand(0, || children(4000));
        let (first, block) = arena.children(0).unwrap();
        assert_eq!(first, 1);
        assert_eq!(block.len(), 4000);
        assert_eq!(arena.len(), 4001);
        arena.expand(1, || children(100));
        assert_eq!(arena.children(1).unwrap().0 as usize, CHUNK);
        arena.expand(2, || children(3997));
        assert!(arena.children(2).is_none());
        arena.expand(2, || children(3996));
        assert_eq!(arena.children(2).unwrap().1.len(), 3996);
        assert_eq!(arena.len(), 2 * CHUNK);
        arena.expand(3, || unreachable!("it is full"));
        assert!(arena.children(3).is_none());
        let point = arena.children(2).unwrap().1[17].point();
        assert_eq!(point, 17);
        assert_eq!(block[20].prior().half_wins, 20);
    }

    #[test]
    fn a_subtree_keeps_its_nodes_and_statistics() {
        let arena = NodeArena::new(1000);
        arena.expand(0, || children(3));
        arena.expand(2, || children(5));
        arena.expand(5, || children(2));
        arena.node(2).add_virtual_loss(16);
        arena.node(2).add_wins(9);
        arena.node(2).add_scores(-40.0, 16);
        arena.node(5).add_amaf(WinStats { visits: 4, half_wins: 3 });
        arena.node(6).mark_illegal();
        assert!(arena.node(2).begin_net() && !arena.node(2).begin_net());
        let below = arena.subtree(2);
        assert_eq!(below.len(), 8);
        assert_eq!(below.node(0).stats(), WinStats { visits: 16, half_wins: 9 });
        assert_eq!(below.node(0).score().to_bits(), (-2.5f32).to_bits());
        let (first, block) = below.children(0).unwrap();
        assert_eq!(block.len(), 5);
        assert_eq!(block[1].amaf(), WinStats { visits: 4, half_wins: 3 });
        assert!(block[2].is_illegal());
        assert_eq!(below.children(first + 1).unwrap().1.len(), 2);
        assert!(!below.node(0).begin_net() && below.node(first + 1).begin_net());
        assert!(below.children(first).is_none());
    }
}
