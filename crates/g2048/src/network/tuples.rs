//! The tuples: their cells, and the ranks that index their tables.

use crate::packed::Packed;

/// The cells of the tuples, numbered row-major.
///
/// Tuples 0 and 2 share five cells, and so do tuples 1 and 3, one row below. For the same five
/// ranks, the weights of such a pair are adjacent in memory, so two lookups touch one or two cache
/// lines.
pub const TUPLES: [[usize; 6]; 4] =
    [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9], [0, 1, 2, 4, 5, 6], [4, 5, 6, 8, 9, 10]];

/// The largest rank of the tables, 32768: larger tiles count as 32768s.
pub const MAX_RANK: u8 = 15;

/// The eight images of a board.
#[derive(Clone, Copy, Default)]
pub(super) struct Symmetries(pub(super) [u64; 8]);

impl Symmetries {
    #[inline(always)]
    pub(super) fn new(board: Packed) -> Self {
        Self(board.symmetries().map(Packed::bits))
    }
}

/// Returns the five ranks shared by tuples 0 and 2, in cells 0 1 2 4 5, four bits each. For tuples
/// 1 and 3, shift the image right by 16 bits first, which moves row 1 to row 0.
#[inline(always)]
pub(super) const fn shared_ranks(image: u64) -> usize {
    ((image & 0xfff) | (image >> 4 & 0xff000)) as usize
}

/// Returns the rank of cell 3, the sixth cell of tuple 0. For tuple 1, shift the image right by 16
/// bits first.
#[inline(always)]
pub(super) const fn rank_3(image: u64) -> usize {
    (image >> 12 & 15) as usize
}

/// Returns the rank of cell 6, the sixth cell of tuple 2. For tuple 3, shift the image right by 16
/// bits first.
#[inline(always)]
pub(super) const fn rank_6(image: u64) -> usize {
    (image >> 24 & 15) as usize
}
