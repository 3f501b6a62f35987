//! [`Pool`]: the nodes of a tree in memory that is bounded and that threads share.

use std::boxed::Box;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};
use std::vec::Vec;

/// Playouts, and the half games that the player who moved here won in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) games: u32,
    pub(super) halves: u32,
}

impl Tally {
    const fn packed(self) -> u64 {
        (self.games as u64) << 32 | self.halves as u64
    }

    const fn unpacked(packed: u64) -> Self {
        Self { games: (packed >> 32) as u32, halves: packed as u32 }
    }

    /// The share of games won; NaN without games.
    pub(super) fn rate(self) -> f32 {
        self.halves as f32 / (2.0 * self.games as f32)
    }
}

/// A move and what is known of it. All numbers are from the view of the player who makes it.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Playouts through it.
    tried: AtomicU64,
    /// Playouts of its parent in which its player was the first on its point.
    amaf: AtomicU64,
    /// Playouts that knowledge imagines: games in the upper half, halves in the lower.
    prior: AtomicU32,
    /// The first child, [`NONE`] or [`BUSY`].
    children: AtomicU32,
    count: AtomicU16,
    point: AtomicU16,
}

/// Not expanded. The root is node 0, so no child is.
const NONE: u32 = 0;
/// A thread is about to expand it.
const BUSY: u32 = u32::MAX;
/// The point of a pass.
pub(super) const PASS: u16 = u16::MAX;
/// The point of a move that turned out to be illegal.
const BANNED: u16 = u16::MAX - 1;

impl Node {
    fn set(&self, child: Child) {
        self.point.store(child.point, Ordering::Relaxed);
        self.prior.store(child.prior.games << 16 | child.prior.halves, Ordering::Relaxed);
    }

    /// The point, or [`PASS`].
    pub(super) fn point(&self) -> u16 {
        self.point.load(Ordering::Relaxed)
    }

    /// The point, or [`PASS`]; none of a move that is banned.
    pub(super) fn allowed(&self) -> Option<u16> {
        Some(self.point()).filter(|&point| point != BANNED)
    }

    pub(super) fn is_banned(&self) -> bool {
        self.allowed().is_none()
    }

    pub(super) fn ban(&self) {
        self.point.store(BANNED, Ordering::Relaxed);
    }

    pub(super) fn tried(&self) -> Tally {
        Tally::unpacked(self.tried.load(Ordering::Relaxed))
    }

    /// Counts playouts that are under way, lost until [`win`](Self::win) says otherwise: another thread will rather look
    /// elsewhere meanwhile.
    pub(super) fn begin(&self, games: u32) {
        self.tried.fetch_add(Tally { games, halves: 0 }.packed(), Ordering::Relaxed);
    }

    pub(super) fn win(&self, halves: u32) {
        self.tried.fetch_add(halves.into(), Ordering::Relaxed);
    }

    pub(super) fn amaf(&self) -> Tally {
        Tally::unpacked(self.amaf.load(Ordering::Relaxed))
    }

    /// Adds to what all moves as first tell. Of two threads at once one may be forgotten: it is a hint, and an exact sum
    /// would cost more than it is worth. Halves itself before it overflows.
    pub(super) fn add_amaf(&self, tally: Tally) {
        let mut sum = self.amaf();
        if sum.games > u32::MAX / 4 {
            sum = Tally { games: sum.games / 2, halves: sum.halves / 2 };
        }
        let sum = Tally { games: sum.games + tally.games, halves: sum.halves + tally.halves };
        self.amaf.store(sum.packed(), Ordering::Relaxed);
    }

    pub(super) fn prior(&self) -> Tally {
        let prior = self.prior.load(Ordering::Relaxed);
        Tally { games: prior >> 16, halves: prior & 0xffff }
    }

    /// Becomes a copy of another node, but for its children.
    fn copy(&self, other: &Self) {
        self.tried.store(other.tried.load(Ordering::Relaxed), Ordering::Relaxed);
        self.amaf.store(other.amaf.load(Ordering::Relaxed), Ordering::Relaxed);
        self.prior.store(other.prior.load(Ordering::Relaxed), Ordering::Relaxed);
        self.point.store(other.point(), Ordering::Relaxed);
    }
}

/// A move that is new in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// The point, or [`PASS`].
    pub(super) point: u16,
    pub(super) prior: Tally,
}

/// Nodes of a piece of memory. No node has as many children.
const CHUNK: usize = 4096;

/// A tree of at most so many nodes. Memory is taken in pieces as it grows.
#[derive(Debug)]
pub(super) struct Pool {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    next: AtomicU32,
    capacity: u32,
}

impl Pool {
    /// The root alone.
    pub(super) fn new(capacity: usize) -> Self {
        let capacity = capacity.clamp(1, (BUSY - 1) as usize);
        let chunks = (0..capacity.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect();
        let pool = Self { chunks, next: AtomicU32::new(1), capacity: capacity as u32 };
        pool.chunk(0);
        pool
    }

    fn chunk(&self, chunk: usize) -> &[Node] {
        self.chunks[chunk].get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect())
    }

    pub(super) fn node(&self, index: u32) -> &Node {
        &self.chunk(index as usize / CHUNK)[index as usize % CHUNK]
    }

    /// The number of places in use, those too that no children fitted into.
    pub(super) fn len(&self) -> usize {
        self.next.load(Ordering::Relaxed) as usize
    }

    /// The index of the first child, and the children; none before a node is expanded.
    pub(super) fn children(&self, index: u32) -> Option<(u32, &[Node])> {
        let node = self.node(index);
        let first = node.children.load(Ordering::Acquire);
        if first == NONE || first == BUSY {
            return None;
        }
        let (place, count) = (first as usize % CHUNK, usize::from(node.count.load(Ordering::Relaxed)));
        Some((first, &self.chunk(first as usize / CHUNK)[place..place + count]))
    }

    /// Gives a node the children that `list` names. Does nothing if it has some or gets them at the moment, or if the
    /// tree is full.
    pub(super) fn expand(&self, index: u32, list: impl FnOnce() -> Vec<Child>) {
        let node = self.node(index);
        if node.children.compare_exchange(NONE, BUSY, Ordering::Acquire, Ordering::Relaxed).is_err() {
            return;
        }
        let mut published = NONE;
        if !self.is_full() {
            let list = list();
            if let Some(first) = self.take(list.len()) {
                for (at, child) in (first..).zip(&list) {
                    self.node(at).set(*child);
                }
                node.count.store(list.len() as u16, Ordering::Relaxed);
                published = first;
            }
        }
        node.children.store(published, Ordering::Release);
    }

    /// Whether not even one more node fits: spares the work of naming children.
    fn is_full(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.capacity
    }

    /// Takes places in a row, all in one piece of memory. None if they don't fit.
    fn take(&self, count: usize) -> Option<u32> {
        let place = |next: u32| {
            let used = next as usize % CHUNK;
            let skipped = if used + count > CHUNK { CHUNK - used } else { 0 };
            next as usize + skipped
        };
        let end = |next| {
            let end = place(next) + count;
            (end <= self.capacity as usize).then_some(end as u32)
        };
        let before = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, end).ok()?;
        Some(place(before) as u32)
    }

    /// The tree below a node, as a tree of its own.
    pub(super) fn subtree(&self, root: u32) -> Self {
        let new = Self::new(self.capacity as usize);
        new.node(0).copy(self.node(root));
        let mut open = std::vec![(root, 0)];
        while let Some((from, to)) = open.pop() {
            let Some((first, children)) = self.children(from) else { continue };
            // It fits where a larger tree did, but for the ends of pieces that now may fall elsewhere.
            let Some(place) = new.take(children.len()) else { continue };
            for (at, child) in (place..).zip(children) {
                new.node(at).copy(child);
            }
            new.node(to).count.store(children.len() as u16, Ordering::Relaxed);
            new.node(to).children.store(place, Ordering::Release);
            open.extend((first..).zip(place..).take(children.len()));
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn children(count: u16) -> Vec<Child> {
        (0..count).map(|point| Child { point, prior: Tally { games: 10, halves: point.into() } }).collect()
    }

    #[test]
    fn blocks_never_straddle_and_never_overflow() {
        let pool = Pool::new(2 * CHUNK);
        pool.expand(0, || children(4000));
        let (first, block) = pool.children(0).unwrap();
        assert_eq!((first, block.len(), pool.len()), (1, 4000, 4001));
        pool.expand(1, || children(100));
        assert_eq!(pool.children(1).unwrap().0 as usize, CHUNK);
        pool.expand(2, || children(3997));
        assert!(pool.children(2).is_none());
        pool.expand(2, || children(3996));
        assert_eq!((pool.children(2).unwrap().1.len(), pool.len()), (3996, 2 * CHUNK));
        pool.expand(3, || unreachable!("it is full"));
        assert!(pool.children(3).is_none());
        let point = pool.children(2).unwrap().1[17].point();
        assert_eq!((point, block[20].prior().halves), (17, 20));
    }

    #[test]
    fn a_subtree_keeps_what_is_below_it() {
        let pool = Pool::new(1000);
        pool.expand(0, || children(3));
        pool.expand(2, || children(5));
        pool.expand(5, || children(2));
        pool.node(2).begin(16);
        pool.node(2).win(9);
        pool.node(5).add_amaf(Tally { games: 4, halves: 3 });
        pool.node(6).ban();
        let below = pool.subtree(2);
        assert_eq!((below.len(), below.node(0).tried()), (8, Tally { games: 16, halves: 9 }));
        let (first, block) = below.children(0).unwrap();
        assert_eq!(
            (block.len(), block[1].amaf(), block[2].is_banned()),
            (5, Tally { games: 4, halves: 3 }, true)
        );
        assert_eq!(below.children(first + 1).unwrap().1.len(), 2);
        assert!(below.children(first).is_none());
    }
}
