//! [`GainSums`]: the gains of 32 sliding boards, lane by lane.
//!
//! A byte shuffle looks up 32 ranks in a table in a register. The tables contain a quarter of each
//! tile, split into two bytes:
//!
//! ```text
//! rank                 0   1   2   3   4  ..   10   11   12
//! tile / 4             0   0   1   2   4  ..  256  512 1024
//! QUARTERS[0], low     0   0   1   2   4  ..    0    0    0
//! QUARTERS[1], high    0   0   0   0   0  ..    1    2    4
//! ```
//!
//! Low bytes are summed in 16-bit lanes, high bytes in 8-bit lanes. Tiles above the table are added
//! one by one.

use bitcore::{Bytes, Isa, Lanes, SetBits, U16s};

pub(crate) trait MergeSink<S: Isa> {
    /// `false` if [`add`](Self::add) does nothing.
    const ADDS: bool = true;
    /// Adds merged tiles, given by rank, with 0 in the lanes without one.
    fn add(&mut self, isa: S, merged: S::U8x32);
}

impl<S: Isa> MergeSink<S> for () {
    const ADDS: bool = false;

    #[inline(always)]
    fn add(&mut self, _: S, _: S::U8x32) {}
}

#[inline(always)]
fn add_tiles(gains: &mut [u64; 32], ranks: [u8; 32], lanes: u32) {
    for lane in SetBits(lanes.into()) {
        gains[lane as usize] += 1 << ranks[lane as usize];
    }
}

#[derive(Clone, Copy)]
pub(super) struct GainSums<S: Isa> {
    /// The sums of the low bytes of the even lanes' tiles.
    even: S::U16x16,
    /// The sums of the low bytes of the odd lanes' tiles.
    odd: S::U16x16,
    /// The sums of the high bytes.
    high: S::U8x32,
    /// The sums of the larger tiles.
    large: [u64; 32],
}

impl<S: Isa> GainSums<S> {
    /// The largest rank in the tables. A slide merges at most 32 pairs, so the quarters of these
    /// tiles sum to at most 32 * 2^10, which fits in 16 bits.
    const MAX_TABLE_RANK: u8 = 12;

    #[inline(always)]
    pub(super) fn new(isa: S) -> Self {
        let zero = isa.bitcast_u64_u16(isa.splat_u64(0));
        Self { even: zero, odd: zero, high: isa.splat_u8(0), large: [0; 32] }
    }

    #[cold]
    fn add_large(gains: &mut [u64; 32], ranks: [u8; 32]) {
        let large = |lane: &usize| ranks[*lane] > Self::MAX_TABLE_RANK;
        add_tiles(gains, ranks, (0..32).filter(large).fold(0, |lanes, lane| lanes | 1 << lane));
    }

    #[inline(always)]
    pub(super) fn sums(self, isa: S) -> [u64; 32] {
        let high = isa.bitcast_u64_u16(isa.bitcast_u8_u64(self.high));
        let even = (self.even + high.shl::<8>()).to_array();
        let odd = (self.odd + high.shr::<8>().shl::<8>()).to_array();
        let mut sums = self.large;
        for (k, pair) in sums.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            pair[0] += 4 * u64::from(even[k]);
            pair[1] += 4 * u64::from(odd[k]);
        }
        sums
    }
}

/// Returns a shuffle table: one byte of tile / 4 for each rank below 16, repeated in both halves of
/// the register.
const fn quarters(byte: usize) -> [u8; 32] {
    let mut table = [0; 32];
    let mut i = 0;
    while i < 32 {
        if i % 16 >= 2 {
            table[i] = (1u16 << (i % 16 - 2)).to_le_bytes()[byte];
        }
        i += 1;
    }
    table
}

impl<S: Isa> MergeSink<S> for GainSums<S> {
    #[inline(always)]
    fn add(&mut self, isa: S, mut merged: S::U8x32) {
        const QUARTERS: [[u8; 32]; 2] = [quarters(0), quarters(1)];
        // Without vector registers, a shuffle is slower than adding tile by tile.
        if !S::HAS_SIMD {
            add_tiles(&mut self.large, merged.to_array(), !merged.zero_bitmask());
            return;
        }
        let small = merged.min(isa.splat_u8(Self::MAX_TABLE_RANK));
        let has_large = !(merged ^ small).is_zero();
        if has_large {
            Self::add_large(&mut self.large, merged.to_array());
            merged = merged & merged.cmp_eq(small);
        }
        let low = isa.bitcast_u64_u16(isa.bitcast_u8_u64(isa.u8x32(&QUARTERS[0]).shuffle(merged)));
        self.even = self.even + low.shl::<8>().shr::<8>();
        self.odd = self.odd + low.shr::<8>();
        self.high = self.high + isa.u8x32(&QUARTERS[1]).shuffle(merged);
    }
}
