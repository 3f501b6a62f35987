//! PEXT, PDEP and select of words for CPUs without the instructions.
//!
//! # PEXT and PDEP
//!
//! PEXT moves each bit under the mask down by the number of zeros of the mask below it. We do this
//! for all bits in parallel, one step per binary digit of these distances:
//!
//! ```text
//! position       7 6 5 4 3 2 1 0
//! mask           1 0 1 1 0 0 1 0
//! x & mask       d . c b . . a .
//! zeros below    4 . 3 3 . . 1 .
//! move by 1      d . . c b . . a    bits whose distance has digit 0: 3, 3, 1
//! move by 2      d . . . . c b a    bits whose distance has digit 1: 3, 3
//! move by 4      . . . . d c b a    bits whose distance has digit 2: 4
//! ```
//!
//! PDEP undoes the same steps in reverse order. The digits depend only on the mask
//! ([`zeros_below`]), so a loop over words under one mask computes them once. docs/decisions.md
//! lists slower algorithms.

pub(super) const ONES: u64 = 0x0101_0101_0101_0101;

/// Returns the number of set bits of each byte.
#[inline(always)]
pub(super) const fn byte_counts(x: u64) -> u64 {
    let mut sums = x - ((x >> 1) & 0x5555_5555_5555_5555);
    sums = (sums & 0x3333_3333_3333_3333) + ((sums >> 2) & 0x3333_3333_3333_3333);
    (sums + (sums >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

/// Returns the distance that PEXT moves the bit at each position: the number of zeros of `mask`
/// below it. Bit p of word i is binary digit i (place value 2^i) of the distance of position p.
///
/// Digit 0 is the parity of the zeros below, and every second zero carries into the next place,
/// whose digit is the parity of the carries below (Zach Wegner, "Zach's Peppy
/// Parallel-Prefix-Popcountin' PEXT/PDEP Polyfill", 2020, after the compress operation of Hacker's
/// Delight, 7-4).
#[inline(always)]
const fn zeros_below(mask: u64) -> [u64; 6] {
    let mut carries = !mask;
    let mut digits = [0; 6];
    let mut i = 0;
    while i < 5 {
        let mut parity = carries << 1;
        let mut by = 1;
        while by < 64 {
            parity ^= parity << by;
            by *= 2;
        }
        digits[i] = parity;
        carries &= parity;
        i += 1;
    }
    // Only the 32nd and 64th zeros are left, and no position is above the 64th: the digit is set in
    // all positions above the 32nd.
    digits[5] = (carries << 1).wrapping_neg();
    digits
}

/// Moves the bits of `word` under `moving` down by `N` places. Their destinations must be free.
#[inline(always)]
const fn move_down<const N: u32>(word: u64, moving: u64) -> u64 {
    let moving = word & moving;
    (word ^ moving) | (moving >> N)
}

/// Gives each position under `moved` the bit `N` places below it. The other positions keep their
/// bits.
#[inline(always)]
const fn take_from_below<const N: u32>(word: u64, moved: u64) -> u64 {
    word ^ ((word ^ (word << N)) & moved)
}

/// Moves the bits under `mask` down by their distances, one binary digit of the distance at a time,
/// the lowest first.
///
/// The digits of [`zeros_below`] are indexed by where each bit started, yet they are also right for
/// a bit on its way: before step i, a bit of distance n has moved down by n % 2^i, past at most
/// that many zeros. So the position it has reached has a distance of at least n - n % 2^i, and
/// digit i of both distances is equal.
#[inline(always)]
pub(super) const fn pext(x: u64, mask: u64) -> u64 {
    let [ones, twos, fours, eights, sixteens, thirty_twos] = zeros_below(mask);
    let word = move_down::<1>(x & mask, ones);
    let word = move_down::<2>(word, twos);
    let word = move_down::<4>(word, fours);
    let word = move_down::<8>(word, eights);
    let word = move_down::<16>(word, sixteens);
    move_down::<32>(word, thirty_twos)
}

/// Reverses the steps of [`pext`], the highest digit first. A position that no bit reaches may
/// contain garbage until `mask` clears it at the end.
#[inline(always)]
pub(super) const fn pdep(x: u64, mask: u64) -> u64 {
    let [ones, twos, fours, eights, sixteens, thirty_twos] = zeros_below(mask);
    let word = take_from_below::<32>(x, thirty_twos);
    let word = take_from_below::<16>(word, sixteens);
    let word = take_from_below::<8>(word, eights);
    let word = take_from_below::<4>(word, fours);
    let word = take_from_below::<2>(word, twos);
    take_from_below::<1>(word, ones) & mask
}

/// Returns the position of the `k`-th set bit, or 64: finds the byte, then looks up the position
/// within it.
///
/// Byte i of `counts` is the number of set bits of bytes 0 to i. The byte we want is the first
/// whose count exceeds `k`; one addition compares all eight (Gog and Petri, "Optimized succinct
/// data structures for massive data", 2014).
#[inline(always)]
pub(super) fn select(x: u64, k: u32) -> u32 {
    let counts = byte_counts(x).wrapping_mul(ONES);
    if k >= (counts >> 56) as u32 {
        return 64;
    }
    // Counts are at most 64, so no sum carries into the next byte.
    let beyond = (counts + u64::from(127 - k) * ONES) & (ONES << 7);
    let byte = beyond.trailing_zeros() - 7;
    let rank = k - (((counts << 8) >> byte) & 255) as u32;
    byte + u32::from(POSITIONS[(x >> byte) as usize & 255][rank as usize & 7])
}

/// The positions of the set bits of each byte, the lowest first; 0 where there is none.
static POSITIONS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bits = byte as u32;
        let mut rank = 0;
        while bits != 0 {
            table[byte][rank] = bits.trailing_zeros() as u8;
            bits &= bits - 1;
            rank += 1;
        }
        byte += 1;
    }
    table
};
