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

/// The most stages of a game with weights of their own: until the first 16384, until the first 32768,
/// and after it.
pub const MAX_STAGES: usize = 3;

/// Returns what belongs to the stage of a board: the last has all boards beyond it.
#[inline(always)]
pub(super) fn of_stage<T>(stages: &[T], board: Packed) -> &T {
    &stages[stage_of(stages.len(), board)]
}

/// Does the same.
#[inline(always)]
pub(super) fn of_stage_mut<T>(stages: &mut [T], board: Packed) -> &mut T {
    let stage = stage_of(stages.len(), board);
    &mut stages[stage]
}

#[inline(always)]
fn stage_of(stages: usize, board: Packed) -> usize {
    if stages == 1 {
        return 0;
    }
    let bits = board.bits();
    // Ranks 14 and 15 have their three top bits set.
    let from_14 = bits & bits << 1 & bits << 2 & 0x8888_8888_8888_8888;
    let from_15 = from_14 & bits << 3;
    (usize::from(from_14 != 0) + usize::from(from_15 != 0)).min(stages - 1)
}

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
