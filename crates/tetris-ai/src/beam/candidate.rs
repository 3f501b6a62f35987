//! [`Candidate`]: a child of a board of the beam, before it is built.

use crate::contest::{COLUMNS, ROWS};

/// A child of a node, before it is built.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    /// Of its board.
    pub(super) hash: u64,
    /// The score and what the board is worth.
    pub(super) key: i32,
    /// See [`Place`].
    pub(super) parent: u32,
    /// See [`Placement::pack`].
    pub(super) placement: u16,
    /// The filled cells, in tens.
    pub(super) class: u8,
}

/// The classes of candidates: tens of cells.
pub(super) const CLASSES: usize = COLUMNS * ROWS / 10;

impl Candidate {
    /// What decides between two candidates with different boards: the greater one is the better one.
    #[inline(always)]
    pub(super) const fn rank(&self) -> u64 {
        ((self.key as u32 ^ 1 << 31) as u64) << 32 | self.hash >> 32
    }

    /// The key in a rank.
    pub(super) const fn key_of(rank: u64) -> i32 {
        ((rank >> 32) as u32 ^ 1 << 31) as i32
    }
}
