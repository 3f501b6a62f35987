//! The token that every machine has: plain Rust, which the compiler vectorises for the baseline as far as it can.
//!
//! Its PEXT and PDEP take the same time for every mask (Hacker's Delight, 7-4 and 7-5) and its select is a
//! broadword search (Vigna, "Broadword implementation of rank/select queries", 2008). The loop over the mask's bits
//! in [`bits`](crate::bits) lost: clearing full lines from ten random columns took six times as long with it.

use super::{Bytes, Isa, Lanes, Sealed, U16s, U32s, U64s};
use crate::bits::{gather_flags, select as select_by_bits, zero_bytes};
use core::array::from_fn;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// The token of the baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Portable;

/// 256 bits as `N` lanes of `T` in memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Group<T, const N: usize>([T; N]);

impl Sealed for Portable {}
impl<T, const N: usize> Sealed for Group<T, N> {}

/// The baseline's instructions are always there.
macro_rules! call {
    ($call:expr) => {
        $call
    };
}

impl Isa for Portable {
    const NAME: &'static str = "portable";
    const FAST_PEXT: bool = false;
    const REAL_LANES: bool = false;
    type U8x32 = Group<u8, 32>;
    type U16x16 = Group<u16, 16>;
    type U32x8 = Group<u32, 8>;
    type U64x4 = Group<u64, 4>;

    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
    entries!(define call);
    #[inline(always)]
    fn pext(self, x: u64, mask: u64) -> u64 {
        pext(x, mask)
    }
    #[inline(always)]
    fn pdep(self, x: u64, mask: u64) -> u64 {
        pdep(x, mask)
    }
    #[inline(always)]
    fn select(self, x: u64, k: u32) -> u32 {
        select(x, k)
    }
    #[inline(always)]
    fn prefetch<T>(self, _place: &T) {}
    #[inline(always)]
    fn u8x32(self, lanes: &[u8; 32]) -> Self::U8x32 {
        Group(*lanes)
    }
    #[inline(always)]
    fn splat_u8(self, lane: u8) -> Self::U8x32 {
        Group([lane; 32])
    }
    #[inline(always)]
    fn u16x16(self, lanes: &[u16; 16]) -> Self::U16x16 {
        Group(*lanes)
    }
    #[inline(always)]
    fn splat_u16(self, lane: u16) -> Self::U16x16 {
        Group([lane; 16])
    }
    #[inline(always)]
    fn u32x8(self, lanes: &[u32; 8]) -> Self::U32x8 {
        Group(*lanes)
    }
    #[inline(always)]
    fn splat_u32(self, lane: u32) -> Self::U32x8 {
        Group([lane; 8])
    }
    #[inline(always)]
    fn widen_u16x8(self, fields: u128) -> Self::U32x8 {
        Group(from_fn(|i| u32::from((fields >> (16 * i)) as u16)))
    }
    #[inline(always)]
    fn u64x4(self, lanes: &[u64; 4]) -> Self::U64x4 {
        Group(*lanes)
    }
    #[inline(always)]
    fn splat_u64(self, lane: u64) -> Self::U64x4 {
        Group([lane; 4])
    }
    #[inline(always)]
    fn u64s_as_bytes(self, lanes: Self::U64x4) -> Self::U8x32 {
        Group::from_words(lanes.0)
    }
    #[inline(always)]
    fn bytes_as_u64s(self, lanes: Self::U8x32) -> Self::U64x4 {
        Group(lanes.words())
    }
    #[inline(always)]
    fn u64s_as_u16s(self, lanes: Self::U64x4) -> Self::U16x16 {
        let mut quarters = [0; 16];
        for (quarters, word) in quarters.as_chunks_mut::<4>().0.iter_mut().zip(lanes.0) {
            *quarters = [word as u16, (word >> 16) as u16, (word >> 32) as u16, (word >> 48) as u16];
        }
        Group(quarters)
    }
    #[inline(always)]
    fn u16s_as_u64s(self, lanes: Self::U16x16) -> Self::U64x4 {
        let mut words = [0; 4];
        for (word, quarters) in words.iter_mut().zip(lanes.0.as_chunks::<4>().0) {
            let [a, b, c, d] = quarters.map(u64::from);
            *word = a | b << 16 | c << 32 | d << 48;
        }
        Group(words)
    }
    #[inline(always)]
    fn u16s_as_u32s(self, lanes: Self::U16x16) -> Self::U32x8 {
        let mut words = [0; 8];
        for (word, halves) in words.iter_mut().zip(lanes.0.as_chunks::<2>().0) {
            *word = u32::from(halves[0]) | u32::from(halves[1]) << 16;
        }
        Group(words)
    }
    #[inline(always)]
    fn u32s_as_u16s(self, lanes: Self::U32x8) -> Self::U16x16 {
        let mut halves = [0; 16];
        for (halves, word) in halves.as_chunks_mut::<2>().0.iter_mut().zip(lanes.0) {
            *halves = [word as u16, (word >> 16) as u16];
        }
        Group(halves)
    }
}

impl<T: Copy, const N: usize> Group<T, N> {
    #[inline(always)]
    fn map(mut self, f: impl Fn(T) -> T) -> Self {
        // A loop: `array::map` and `from_fn` are calls that the compiler doesn't always inline.
        for lane in &mut self.0 {
            *lane = f(*lane);
        }
        self
    }
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(T, T) -> T) -> Self {
        for (lane, other) in self.0.iter_mut().zip(other.0) {
            *lane = f(*lane, other);
        }
        self
    }
}

macro_rules! lanes {
    ($lane:ty, $n:literal) => {
        impl BitAnd for Group<$lane, $n> {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                self.zip(other, |a, b| a & b)
            }
        }
        impl BitOr for Group<$lane, $n> {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                self.zip(other, |a, b| a | b)
            }
        }
        impl BitXor for Group<$lane, $n> {
            type Output = Self;
            #[inline(always)]
            fn bitxor(self, other: Self) -> Self {
                self.zip(other, |a, b| a ^ b)
            }
        }
        impl Not for Group<$lane, $n> {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                self.map(|a| !a)
            }
        }
        impl Add for Group<$lane, $n> {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.zip(other, <$lane>::wrapping_add)
            }
        }
        impl Sub for Group<$lane, $n> {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.zip(other, <$lane>::wrapping_sub)
            }
        }
        impl Lanes for Group<$lane, $n> {
            type Array = [$lane; $n];

            #[inline(always)]
            fn to_array(self) -> Self::Array {
                self.0
            }
            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                self.zip(other, |a, b| a & !b)
            }
            #[inline(always)]
            fn lanes_eq(self, other: Self) -> Self {
                self.zip(other, |a, b| if a == b { <$lane>::MAX } else { 0 })
            }
            #[inline(always)]
            fn blend(self, yes: Self, no: Self) -> Self {
                (self & yes) | no.and_not(self)
            }
            #[inline(always)]
            fn blend_lanes(self, yes: Self, no: Self) -> Self {
                self.blend(yes, no)
            }
            #[inline(always)]
            fn is_zero(self) -> bool {
                self.0.iter().fold(0, |all, &a| all | a) == 0
            }
        }
    };
}
lanes!(u8, 32);
lanes!(u16, 16);
lanes!(u32, 8);
lanes!(u64, 4);

impl Group<u8, 32> {
    /// Four little-endian words, eight lanes each.
    #[inline(always)]
    fn words(self) -> [u64; 4] {
        let (chunks, _) = self.0.as_chunks::<8>();
        let mut words = [0; 4];
        for (word, chunk) in words.iter_mut().zip(chunks) {
            *word = u64::from_le_bytes(*chunk);
        }
        words
    }
    #[inline(always)]
    fn from_words(words: [u64; 4]) -> Self {
        let mut lanes = [0; 32];
        for (chunk, word) in lanes.as_chunks_mut::<8>().0.iter_mut().zip(words) {
            *chunk = word.to_le_bytes();
        }
        Self(lanes)
    }
    /// Gathers one flag (0x80) a byte from each word.
    #[inline(always)]
    fn gather(self, flags: impl Fn(u64) -> u64) -> u32 {
        let mut mask = 0;
        for (i, word) in self.words().into_iter().enumerate() {
            mask |= u32::from(gather_flags(flags(word))) << (8 * i);
        }
        mask
    }
    /// Each group of eight lanes as a word, through `f`.
    #[inline(always)]
    fn map_words(self, f: impl Fn(u64) -> u64) -> Self {
        let mut words = self.words();
        for word in &mut words {
            *word = f(*word);
        }
        Self::from_words(words)
    }
}

impl Bytes for Group<u8, 32> {
    #[inline(always)]
    fn zero_mask(self) -> u32 {
        self.gather(zero_bytes)
    }
    #[inline(always)]
    fn eq_mask(self, other: Self) -> u32 {
        (self ^ other).zero_mask()
    }
    #[inline(always)]
    fn top_bits(self) -> u32 {
        self.gather(|word| word & 0x8080_8080_8080_8080)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, Ord::min)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, Ord::max)
    }
    #[inline(always)]
    fn shuffle(self, index: Self) -> Self {
        Self(from_fn(|i| {
            let at = index.0[i];
            if at & 0x80 == 0 { self.0[(i & 16) | usize::from(at & 15)] } else { 0 }
        }))
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self(from_fn(|i| self.0[i ^ 16]))
    }
    #[inline(always)]
    fn group_down<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        self.map_words(|word| word >> (8 * N))
    }
    #[inline(always)]
    fn group_up<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        self.map_words(|word| word << (8 * N))
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        self.map_words(byte_counts)
    }
    #[inline(always)]
    fn group_sums(self) -> Self {
        self.map_words(|word| {
            // Pairs first: eight bytes of 255 need more than eight bits.
            let pairs = (word & 0x00ff_00ff_00ff_00ff) + ((word >> 8) & 0x00ff_00ff_00ff_00ff);
            pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48
        })
    }
}

impl U16s for Group<u16, 16> {
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 16) };
        self.map(|a| a << N)
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 16) };
        self.map(|a| a >> N)
    }
    #[inline(always)]
    fn shl_all(self, n: u32) -> Self {
        self.map(|a| a.unbounded_shl(n))
    }
    #[inline(always)]
    fn shr_all(self, n: u32) -> Self {
        self.map(|a| a.unbounded_shr(n))
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        self.zip(other, |a, b| ((u32::from(a) * u32::from(b)) >> 16) as u16)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, Ord::min)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, Ord::max)
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        self.map(|a| a.count_ones() as u16)
    }
    #[inline(always)]
    fn signed_gt(self, other: Self) -> Self {
        self.zip(other, |a, b| if a.cast_signed() > b.cast_signed() { u16::MAX } else { 0 })
    }
    #[inline(always)]
    fn lanes_down<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let mut lanes = [0; 16];
        lanes[..16 - N as usize].copy_from_slice(&self.0[N as usize..]);
        Self(lanes)
    }
    #[inline(always)]
    fn lanes_up<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let mut lanes = [0; 16];
        lanes[N as usize..].copy_from_slice(&self.0[..16 - N as usize]);
        Self(lanes)
    }
}

impl U32s for Group<u32, 8> {
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 32) };
        self.map(|a| a << N)
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 32) };
        self.map(|a| a >> N)
    }
    #[inline(always)]
    fn shl_all(self, n: u32) -> Self {
        self.map(|a| a.unbounded_shl(n))
    }
    #[inline(always)]
    fn shr_all(self, n: u32) -> Self {
        self.map(|a| a.unbounded_shr(n))
    }
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        self.zip(counts, u32::unbounded_shl)
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        self.zip(counts, u32::unbounded_shr)
    }
    #[inline(always)]
    fn wrapping_mul(self, other: Self) -> Self {
        self.zip(other, u32::wrapping_mul)
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        self.zip(other, |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32)
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        self.map(u32::count_ones)
    }
    #[inline(always)]
    fn signed_gt(self, other: Self) -> Self {
        self.zip(other, |a, b| if a.cast_signed() > b.cast_signed() { u32::MAX } else { 0 })
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self(from_fn(|i| self.0[i ^ 4]))
    }
    #[inline(always)]
    fn swap_pairs(self) -> Self {
        Self(from_fn(|i| self.0[i ^ 2]))
    }
    #[inline(always)]
    fn swap_neighbours(self) -> Self {
        Self(from_fn(|i| self.0[i ^ 1]))
    }
}

impl U64s for Group<u64, 4> {
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 64) };
        self.map(|a| a << N)
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 64) };
        self.map(|a| a >> N)
    }
    #[inline(always)]
    fn shl_all(self, n: u32) -> Self {
        self.map(|a| a.unbounded_shl(n))
    }
    #[inline(always)]
    fn shr_all(self, n: u32) -> Self {
        self.map(|a| a.unbounded_shr(n))
    }
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        self.zip(counts, |a, n| if n < 64 { a << n } else { 0 })
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        self.zip(counts, |a, n| if n < 64 { a >> n } else { 0 })
    }
    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        self.zip(other, |a, b| u64::from(a as u32) * u64::from(b as u32))
    }
}

/// The number of set bits of each byte.
#[inline(always)]
const fn byte_counts(x: u64) -> u64 {
    let mut sums = x - ((x >> 1) & 0x5555_5555_5555_5555);
    sums = (sums & 0x3333_3333_3333_3333) + ((sums >> 2) & 0x3333_3333_3333_3333);
    (sums + (sums >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

/// The bits that move by 1, 2, 4, 8, 16 and 32 places when `mask` is compressed.
#[inline(always)]
const fn moves(mask: u64) -> [u64; 6] {
    let (mut left, mut zeros_below, mut moves, mut i) = (mask, !mask << 1, [0; 6], 0);
    while i < 6 {
        // Prefix parity: whether an odd number of zeros lies below.
        let mut odd = zeros_below ^ (zeros_below << 1);
        odd ^= odd << 2;
        odd ^= odd << 4;
        odd ^= odd << 8;
        odd ^= odd << 16;
        odd ^= odd << 32;
        moves[i] = odd & left;
        left = (left ^ moves[i]) | (moves[i] >> (1 << i));
        zeros_below &= !odd;
        i += 1;
    }
    moves
}

#[inline(always)]
const fn pext(x: u64, mask: u64) -> u64 {
    let (moves, mut x, mut i) = (moves(mask), x & mask, 0);
    while i < 6 {
        let moved = x & moves[i];
        x = (x ^ moved) | (moved >> (1 << i));
        i += 1;
    }
    x
}

#[inline(always)]
const fn pdep(mut x: u64, mask: u64) -> u64 {
    let (moves, mut i) = (moves(mask), 6);
    while i > 0 {
        i -= 1;
        x = (x & !moves[i]) | ((x << (1 << i)) & moves[i]);
    }
    x & mask
}

#[inline(always)]
const fn select(x: u64, k: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Byte i: set bits in the bytes 0..=i.
    let sums = byte_counts(x).wrapping_mul(ONES);
    if k >= (sums >> 56) as u32 {
        return 64;
    }
    // One flag in each byte whose running count is at most k: the bytes to skip.
    let k = k as u64;
    let skip = ((((k * ONES) | (ONES << 7)) - sums) >> 7) & ONES;
    let at = 8 * (skip.wrapping_mul(ONES) >> 56) as u32;
    let before = ((sums << 8) >> at) & 0xff;
    at + IN_BYTE[(k - before) as usize][((x >> at) & 0xff) as usize] as u32
}

/// `IN_BYTE[k][byte]`: the position of the k-th set bit of a byte.
static IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut k = 0;
        while k < 8 {
            table[k][byte] = select_by_bits(byte as u64, k as u32) as u8;
            k += 1;
        }
        byte += 1;
    }
    table
};
