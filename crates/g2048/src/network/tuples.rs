//! The tuples: the cells that they name, and the ranks that index their tables.

use crate::packed::Packed;

/// The cells of the tuples, numbered row-major.
///
/// Tuples 0 and 2 share five cells, and so do tuples 1 and 3, one row below. The weights of these pairs for
/// the same five ranks are stored side by side, so that two lookups touch one or two cache lines.
pub const TUPLES: [[usize; 6]; 4] =
    [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9], [0, 1, 2, 4, 5, 6], [4, 5, 6, 8, 9, 10]];

/// The largest rank that the tables distinguish; larger ranks are clamped to it.
pub const MAX_RANK: u8 = 13;

/// The eight images of a board, with ranks clamped to [`MAX_RANK`].
#[derive(Clone, Copy, Default)]
pub(super) struct Symmetries(pub(super) [u64; 8]);

impl Symmetries {
    #[inline(always)]
    pub(super) fn new(board: Packed) -> Self {
        let bits = board.bits();
        // Ranks 14 and 15 have their three top bits set.
        let large = (bits >> 3 & bits >> 2 & bits >> 1) & 0x1111_1111_1111_1111;
        let cut = (bits & !(large * 15)) | (large * u64::from(MAX_RANK));
        Self(Packed::from_bits(cut).symmetries().map(Packed::bits))
    }
}

/// Returns the five ranks that tuples 0 and 2 share, those of cells 0 1 2 4 5, four bits each. If the image
/// is shifted right by 16 bits, so that row 1 is in the place of row 0, these are the ranks that tuples 1 and
/// 3 share.
#[inline(always)]
pub(super) const fn shared_ranks(image: u64) -> usize {
    ((image & 0xfff) | (image >> 4 & 0xff000)) as usize
}

/// Returns the rank of cell 3, the sixth cell of tuple 0. If the image is shifted right by 16 bits, this is
/// the sixth cell of tuple 1.
#[inline(always)]
pub(super) const fn rank_3(image: u64) -> usize {
    (image >> 12 & 15) as usize
}

/// Returns the rank of cell 6, the sixth cell of tuple 2. If the image is shifted right by 16 bits, this is
/// the sixth cell of tuple 3.
#[inline(always)]
pub(super) const fn rank_6(image: u64) -> usize {
    (image >> 24 & 15) as usize
}
