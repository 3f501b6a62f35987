//! [`Candidate`]: a child of a beam node, before its board is built.

use crate::columns::{COLUMNS, ROWS};

/// A child of a node, before its board is built: 24 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    /// The hash of the child's board: see [`hash`](super::node::hash).
    pub(super) hash: u64,
    /// The score plus the value of the board.
    pub(super) key: i32,
    /// The id of the parent in its layer: see [`node_id`](super::node::node_id).
    pub(super) parent: u32,
    /// The packed placement: see [`pack`](super::placement::pack).
    pub(super) placement: u16,
    /// The class: the number of filled cells, divided by 10.
    pub(super) class: u8,
}

pub(super) const CLASSES: usize = COLUMNS * ROWS / 10;

impl Candidate {
    /// Returns the sort key among candidates with different boards, greater is better: the key in
    /// the upper 32 bits, the upper half of the hash in the lower ones.
    #[inline(always)]
    pub(super) const fn rank(&self) -> u64 {
        ((self.key as u32 ^ 1 << 31) as u64) << 32 | self.hash >> 32
    }

    pub(super) const fn key_of(rank: u64) -> i32 {
        ((rank >> 32) as u32 ^ 1 << 31) as i32
    }
}
