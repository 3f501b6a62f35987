//! The tuples: which cells they name, and how a board shows them.

use crate::packed::Packed;

/// The cells of the tuples, row by row from 0.
///
/// The first and the third share five cells, and so do the second and the fourth, one row below: what the tables of
/// such a pair hold for the same five ranks lies side by side, so two look-ups cost one visit to memory.
pub const TUPLES: [[usize; 6]; 4] =
    [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9], [0, 1, 2, 4, 5, 6], [4, 5, 6, 8, 9, 10]];

/// The largest rank that the tables tell from others.
pub const MAX_RANK: u8 = 13;

/// The eight images of a board, its ranks cut to [`MAX_RANK`].
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

/// The ranks that the first and the third tuple share, cells 0 1 2 4 5; of a board shifted down a row, those that
/// the others share.
#[inline(always)]
pub(super) const fn shared_ranks(image: u64) -> usize {
    ((image & 0xfff) | (image >> 4 & 0xff000)) as usize
}

/// The first tuple's sixth rank, cell 3; shifted down a row, the second's.
#[inline(always)]
pub(super) const fn rank_3(image: u64) -> usize {
    (image >> 12 & 15) as usize
}

/// The third tuple's sixth rank, cell 6; shifted down a row, the fourth's.
#[inline(always)]
pub(super) const fn rank_6(image: u64) -> usize {
    (image >> 24 & 15) as usize
}
