//! The traits of tokens and of their lanes: [`Isa`], [`Lanes`] and the lane types.
#![allow(
    clippy::return_self_not_must_use,
    reason = "every method here is arithmetic; none has an effect to forget"
)]

use crate::level::Level;
use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

mod sealed {
    /// Keeps the traits of [`super`] closed, so that they may grow.
    pub trait Sealed {}
}
pub(super) use sealed::Sealed;

/// A zero-sized proof that the CPU has an instruction set, and what can be done with it.
///
/// Sealed. Every method equals its definition in [`bits`](crate::bits) or in its own words, on every token.
pub trait Isa: Copy + Debug + Eq + Hash + Send + Sync + Into<Level> + Sealed + 'static {
    /// The level's name: `portable`, `x86-64-v3`.
    const NAME: &'static str;
    /// Whether PEXT and PDEP are single fast instructions. Where they are not, a kernel that can do without them should.
    const FAST_PEXT: bool;
    /// Whether lanes are vector registers. Where they are arrays in memory, a kernel that can do with whole words should.
    const HAS_SIMD: bool;
    /// 32 byte lanes.
    type U8x32: Bytes;
    /// 16 lanes of 16 bits.
    type U16x16: U16s;
    /// 8 lanes of 32 bits.
    type U32x8: U32s;
    /// 4 lanes of 64 bits.
    type U64x4: U64s;

    /// Calls `f` in a function compiled for this instruction set. [`dispatch!`](crate::dispatch) does it for you; a
    /// kernel too big to inline calls it again.
    fn enter<R>(self, f: impl FnOnce() -> R) -> R;
    kernel_entries!(declare);

    /// [`bits::pext`](crate::bits::pext).
    fn pext(self, x: u64, mask: u64) -> u64;
    /// [`bits::pdep`](crate::bits::pdep).
    fn pdep(self, x: u64, mask: u64) -> u64;
    /// [`bits::select`](crate::bits::select): the position of the `k`-th set bit, or 64.
    fn select(self, x: u64, k: u32) -> u32;

    /// Asks for the cache line where `place` begins, to be there when it is needed; no more than a hint, and nothing
    /// at all on a token without such an instruction.
    fn prefetch<T>(self, place: &T);

    /// 32 bytes from memory.
    fn u8x32(self, lanes: &[u8; 32]) -> Self::U8x32;
    /// One byte in all 32 lanes.
    fn splat_u8(self, lane: u8) -> Self::U8x32;
    /// 16 lanes from memory.
    fn u16x16(self, lanes: &[u16; 16]) -> Self::U16x16;
    /// One value in all 16 lanes.
    fn splat_u16(self, lane: u16) -> Self::U16x16;
    /// 8 lanes from memory.
    fn u32x8(self, lanes: &[u32; 8]) -> Self::U32x8;
    /// One value in all 8 lanes.
    fn splat_u32(self, lane: u32) -> Self::U32x8;
    /// Eight 16-bit fields, lowest first, widened to 32 bits each.
    fn widen_u16x8(self, fields: u128) -> Self::U32x8;
    /// 4 lanes from memory.
    fn u64x4(self, lanes: &[u64; 4]) -> Self::U64x4;
    /// One value in all 4 lanes.
    fn splat_u64(self, lane: u64) -> Self::U64x4;
    /// The same 256 bits as 32 bytes, the lowest byte of each lane first.
    fn bitcast_u64_u8(self, lanes: Self::U64x4) -> Self::U8x32;
    /// The same 256 bits as 4 lanes, the lowest byte of each first.
    fn bitcast_u8_u64(self, lanes: Self::U8x32) -> Self::U64x4;
    /// The same 256 bits as 16 lanes, the lowest quarter of each lane first.
    fn bitcast_u64_u16(self, lanes: Self::U64x4) -> Self::U16x16;
    /// The same 256 bits as 4 lanes, the lowest quarter of each first.
    fn bitcast_u16_u64(self, lanes: Self::U16x16) -> Self::U64x4;
    /// The same 256 bits as 8 lanes, the lower half of each first.
    fn bitcast_u16_u32(self, lanes: Self::U16x16) -> Self::U32x8;
    /// The same 256 bits as 16 lanes, the lower half of each lane first.
    fn bitcast_u32_u16(self, lanes: Self::U32x8) -> Self::U16x16;
}

/// What all lane types can do. `+` and `-` wrap in each lane.
///
/// Sealed. A *lane mask* has each lane all ones or all zeros.
pub trait Lanes:
    Copy
    + Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Sealed
{
    /// The lanes in memory order.
    type Array: Copy + Debug + PartialEq;

    /// The lanes in memory order.
    fn to_array(self) -> Self::Array;
    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;
    /// The lane mask of equal lanes.
    fn cmp_eq(self, other: Self) -> Self;
    /// For each bit: `yes` where `self` has a one, `no` elsewhere.
    fn bitselect(self, yes: Self, no: Self) -> Self;
    /// [`bitselect`](Self::bitselect) where `self` is a lane mask, often in one instruction. Which bits come from where is not
    /// specified if it isn't one.
    fn blend_lanes(self, yes: Self, no: Self) -> Self;
    /// Whether every bit is zero.
    fn is_zero(self) -> bool;
}

/// 32 byte lanes.
pub trait Bytes: Lanes<Array = [u8; 32]> {
    /// Bit i = lane i is zero.
    fn zero_bitmask(self) -> u32;
    /// Bit i = lane i equals that of `other`.
    fn eq_bitmask(self, other: Self) -> u32;
    /// Bit i = the top bit of lane i.
    fn movemask(self) -> u32;
    /// The smaller of the two, lane by lane, unsigned.
    fn min(self, other: Self) -> Self;
    /// The larger of the two, lane by lane, unsigned.
    fn max(self, other: Self) -> Self;
    /// A table of 16 bytes in each half: lane i becomes `self[16 * (i / 16) + index[i] % 16]`, or 0 where `index[i]`
    /// has its top bit set.
    fn shuffle(self, index: Self) -> Self;
    /// Lanes 16 to 31, then 0 to 15.
    fn swap_halves(self) -> Self;
    /// In each group of 8 lanes: lane i becomes lane i + `N`, zero from above. `N` is 0..=7.
    fn slide_down_in_8<const N: i32>(self) -> Self;
    /// In each group of 8 lanes: lane i becomes lane i - `N`, zero from below. `N` is 0..=7.
    fn slide_up_in_8<const N: i32>(self) -> Self;
    /// The number of set bits of each lane.
    fn count_ones(self) -> Self;
    /// In each group of 8 lanes: their sum, as one little-endian word of 64 bits.
    fn sums_of_8(self) -> Self;
}

/// 16 lanes of 16 bits. Constant shift counts are below 16.
pub trait U16s: Lanes<Array = [u16; 16]> {
    /// Each lane `<< N`.
    fn shl<const N: i32>(self) -> Self;
    /// Each lane `>> N`.
    fn shr<const N: i32>(self) -> Self;
    /// Each lane `<< n`; 0 if `n` is 16 or more.
    fn shl_all(self, n: u32) -> Self;
    /// Each lane `>> n`; 0 if `n` is 16 or more.
    fn shr_all(self, n: u32) -> Self;
    /// The high 16 bits of the product, lane by lane: `(a * b) >> 16`.
    fn mul_high(self, other: Self) -> Self;
    /// The smaller of the two, lane by lane, unsigned.
    fn min(self, other: Self) -> Self;
    /// The larger of the two, lane by lane, unsigned.
    fn max(self, other: Self) -> Self;
    /// The number of set bits of each lane.
    fn count_ones(self) -> Self;
    /// The lane mask of lanes greater than those of `other`, both taken as signed numbers.
    fn cmp_gt_signed(self, other: Self) -> Self;
    /// Lane i becomes lane i + `N`, zero from above. `N` is 0..=7.
    fn slide_down<const N: i32>(self) -> Self;
    /// Lane i becomes lane i - `N`, zero from below. `N` is 0..=7.
    fn slide_up<const N: i32>(self) -> Self;
}

/// 8 lanes of 32 bits. Constant shift counts are below 32.
pub trait U32s: Lanes<Array = [u32; 8]> {
    /// Each lane `<< N`.
    fn shl<const N: i32>(self) -> Self;
    /// Each lane `>> N`.
    fn shr<const N: i32>(self) -> Self;
    /// Each lane `<< n`; 0 if `n` is 32 or more.
    fn shl_all(self, n: u32) -> Self;
    /// Each lane `>> n`; 0 if `n` is 32 or more.
    fn shr_all(self, n: u32) -> Self;
    /// Each lane shifted left by its own count; 0 where that is 32 or more.
    fn shl_each(self, counts: Self) -> Self;
    /// Each lane shifted right by its own count; 0 where that is 32 or more.
    fn shr_each(self, counts: Self) -> Self;
    /// The product, lane by lane, less what doesn't fit into 32 bits.
    fn wrapping_mul(self, other: Self) -> Self;
    /// The high 32 bits of the product, lane by lane: `(a * b) >> 32`.
    fn mul_high(self, other: Self) -> Self;
    /// The number of set bits of each lane.
    fn count_ones(self) -> Self;
    /// The lane mask of lanes greater than those of `other`, both taken as signed numbers.
    fn cmp_gt_signed(self, other: Self) -> Self;
    /// Lanes 4 5 6 7 0 1 2 3.
    fn swap_halves(self) -> Self;
    /// Lanes 2 3 0 1 6 7 4 5.
    fn swap_pairs(self) -> Self;
    /// Lanes 1 0 3 2 5 4 7 6.
    fn swap_neighbors(self) -> Self;
}

/// 4 lanes of 64 bits. Constant shift counts are below 64.
pub trait U64s: Lanes<Array = [u64; 4]> {
    /// Each lane `<< N`.
    fn shl<const N: i32>(self) -> Self;
    /// Each lane `>> N`.
    fn shr<const N: i32>(self) -> Self;
    /// Each lane `<< n`; 0 if `n` is 64 or more.
    fn shl_all(self, n: u32) -> Self;
    /// Each lane `>> n`; 0 if `n` is 64 or more.
    fn shr_all(self, n: u32) -> Self;
    /// Each lane shifted left by its own count; 0 where that is 64 or more.
    fn shl_each(self, counts: Self) -> Self;
    /// Each lane shifted right by its own count; 0 where that is 64 or more.
    fn shr_each(self, counts: Self) -> Self;
    /// The product of the low halves, lane by lane: 32 bits by 32 bits, 64 bits wide.
    fn mul_u32(self, other: Self) -> Self;
}
