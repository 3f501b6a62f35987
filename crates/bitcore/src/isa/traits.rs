//! The traits of tokens and of their lanes: [`Isa`], [`Lanes`], [`Bytes`], [`U16s`], [`U32s`] and
//! [`U64s`].
#![allow(
    clippy::return_self_not_must_use,
    reason = "every method here is arithmetic; none has an effect to forget"
)]

use super::words;
use crate::level::Level;
use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

mod sealed {
    /// The supertrait that no other crate can implement, so adding methods to the traits isn't a
    /// breaking change.
    pub trait Sealed {}
}
pub(super) use sealed::Sealed;

/// The arrays that fill all lanes: 32 bytes of plain integers, without padding.
#[allow(dead_code, reason = "a machine without vector registers loads none")]
pub(super) trait LaneBytes: Copy {}
impl LaneBytes for [u8; 32] {}
impl LaneBytes for [u16; 16] {}
impl LaneBytes for [u32; 8] {}
impl LaneBytes for [u64; 4] {}

/// The trait of tokens: zero-sized proofs that this CPU has an instruction set.
///
/// Sealed. Each method returns the same result on every token.
pub trait Isa: Copy + Debug + Eq + Hash + Send + Sync + Into<Level> + Sealed + 'static {
    /// The level's name, such as `portable` or `x86-64-v3`.
    const NAME: &'static str;
    /// `true` if PEXT and PDEP are single, fast instructions. Otherwise a kernel should avoid them
    /// where it can.
    const FAST_PEXT: bool;
    /// `true` if [`Bytes::eq_bitmask`] and the like take a few instructions. Otherwise a kernel
    /// should use bit planes where it can.
    const FAST_BITMASK: bool;
    /// `true` if [`Bytes::count_ones`] is one instruction per register. Otherwise a kernel should
    /// count the ones of words.
    const FAST_COUNT_ONES: bool;
    /// `true` if 256 bits of lanes are one register. Otherwise a kernel with planes in many of them
    /// may do better without lanes.
    const WIDE_REGISTERS: bool;
    /// `true` if lanes are vector registers. Otherwise they are arrays, and a kernel should work on
    /// whole words where it can.
    const HAS_SIMD: bool;
    /// The token to compile code for that uses neither PEXT nor PDEP nor select. Tokens that only
    /// differ in these share it: `X86V3` for `X86V3SlowPext`, otherwise the token itself.
    type Shared: Isa;
    /// 32 lanes of 8 bits.
    type U8x32: Bytes;
    /// 16 lanes of 16 bits.
    type U16x16: U16s;
    /// 8 lanes of 32 bits.
    type U32x8: U32s;
    /// 4 lanes of 64 bits.
    type U64x4: U64s;

    /// Returns the token to compile code for that uses neither PEXT nor PDEP nor select.
    fn shared(self) -> Self::Shared;

    /// Calls `f` within a function compiled for this instruction set.
    ///
    /// [`dispatch!`](crate::dispatch) does this for every kernel. Call it again for a function that
    /// is too big to inline into its kernel.
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
    kernel_entries!(declare);

    /// Gathers the bits of `x` under `mask` into the low bits of the result:
    /// [`bits::pext`](crate::bits::pext).
    #[inline(always)]
    fn pext(self, x: u64, mask: u64) -> u64 {
        words::pext(x, mask)
    }
    /// Scatters the low bits of `x` to the positions of `mask`: [`bits::pdep`](crate::bits::pdep).
    #[inline(always)]
    fn pdep(self, x: u64, mask: u64) -> u64 {
        words::pdep(x, mask)
    }
    /// Returns the position of the `k`-th set bit of `x`, or 64:
    /// [`bits::select`](crate::bits::select).
    #[inline(always)]
    fn select(self, x: u64, k: u32) -> u32 {
        words::select(x, k)
    }

    /// Hints that the cache line at the start of `place` will be read soon. Does nothing on a token
    /// without such an instruction.
    #[inline(always)]
    fn prefetch<T>(self, _place: &T) {}

    /// Loads 32 lanes from memory.
    fn u8x32(self, lanes: &[u8; 32]) -> Self::U8x32;
    /// Copies one value to all 32 lanes.
    fn splat_u8(self, lane: u8) -> Self::U8x32;
    /// Loads 16 lanes from memory.
    fn u16x16(self, lanes: &[u16; 16]) -> Self::U16x16;
    /// Copies one value to all 16 lanes.
    fn splat_u16(self, lane: u16) -> Self::U16x16;
    /// Loads 8 lanes from memory.
    fn u32x8(self, lanes: &[u32; 8]) -> Self::U32x8;
    /// Copies one value to all 8 lanes.
    fn splat_u32(self, lane: u32) -> Self::U32x8;
    /// Zero-extends eight 16-bit fields to 32 bits; lane i is bits 16 i to 16 i + 15 (`vpmovzxwd`).
    fn widen_u16x8(self, fields: u128) -> Self::U32x8;
    /// Loads 4 lanes from memory.
    fn u64x4(self, lanes: &[u64; 4]) -> Self::U64x4;
    /// Copies one value to all 4 lanes.
    fn splat_u64(self, lane: u64) -> Self::U64x4;
    /// Rotates 64-bit lanes up by `N` places (1 to 3): lane i of the result is lane (i - `N`) mod 4
    /// (`vpermq`).
    #[inline(always)]
    fn rotate_lanes_u64<const N: i32>(self, lanes: Self::U64x4) -> Self::U64x4 {
        let [a, b, c, d] = lanes.to_array();
        match const { N } {
            1 => self.u64x4(&[d, a, b, c]),
            2 => self.u64x4(&[c, d, a, b]),
            3 => self.u64x4(&[b, c, d, a]),
            _ => unreachable!(),
        }
    }
    /// Returns the same 256 bits as bytes; byte 8 i is the lowest of lane i.
    fn bitcast_u64_u8(self, lanes: Self::U64x4) -> Self::U8x32;
    /// Returns the same 256 bits as 64-bit lanes; byte 8 i is the lowest of lane i.
    fn bitcast_u8_u64(self, lanes: Self::U8x32) -> Self::U64x4;
    /// Returns the same 256 bits as 16-bit lanes; lane 4 i is the lowest quarter of 64-bit lane i.
    fn bitcast_u64_u16(self, lanes: Self::U64x4) -> Self::U16x16;
    /// Returns the same 256 bits as 64-bit lanes; lane 4 i is the lowest quarter of 64-bit lane i.
    fn bitcast_u16_u64(self, lanes: Self::U16x16) -> Self::U64x4;
    /// Returns the same 256 bits as 32-bit lanes; lane 2 i is the lower half of 32-bit lane i.
    fn bitcast_u16_u32(self, lanes: Self::U16x16) -> Self::U32x8;
    /// Returns the same 256 bits as 16-bit lanes; lane 2 i is the lower half of 32-bit lane i.
    fn bitcast_u32_u16(self, lanes: Self::U32x8) -> Self::U16x16;
    /// Adds to each lane the products of four bytes: those of `bytes`, the same for all lanes and
    /// each at most 127, and those of `signed` at the lane's place, which are signed. Wraps
    /// (`vpmaddubsw`, `vpmaddwd` and `vpaddd`). With a larger byte the result differs between
    /// levels.
    fn add_dot4(self, sums: Self::U32x8, bytes: u32, signed: Self::U8x32) -> Self::U32x8;
}

/// The operations of all lane types. `+` and `-` wrap in each lane; `&`, `|`, `^` and `!` work bit
/// by bit.
///
/// Sealed. In a *lane mask* each lane is all ones or all zeros. A *bitmask* is an integer with one
/// bit per lane, bit 0 for lane 0. Names in parentheses are AVX2 instructions that do the whole
/// operation.
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
    /// An array of the lanes, lane 0 first.
    type Array: Copy + Debug + PartialEq;

    /// Stores the lanes as an array, lane 0 first.
    fn to_array(self) -> Self::Array;
    /// Returns `self & !other` (`vpandn`).
    fn and_not(self, other: Self) -> Self;
    /// Returns the lane mask of the lanes where `self` equals `other` (`vpcmpeq`).
    fn cmp_eq(self, other: Self) -> Self;
    /// Selects each bit from `yes` where `self` is one, and from `no` where it is zero.
    fn bitselect(self, yes: Self, no: Self) -> Self;
    /// Selects each lane from `yes` where the lane mask `self` is all ones, and from `no` where it
    /// is all zeros (`vpblendvb`). If `self` isn't a lane mask, the result mixes both in a way that
    /// differs between levels.
    #[inline(always)]
    fn blend_lanes(self, yes: Self, no: Self) -> Self {
        self.bitselect(yes, no)
    }
    /// Returns `true` if every bit is zero (`vptest`).
    fn is_zero(self) -> bool;
}

/// 32 lanes of 8 bits.
pub trait Bytes: Lanes<Array = [u8; 32]> {
    /// Returns the bitmask of the lanes that are zero.
    fn zero_bitmask(self) -> u32;
    /// Returns the bitmask of the lanes where `self` equals `other`.
    fn eq_bitmask(self, other: Self) -> u32;
    /// Returns the bitmask of the lanes with their top bit set (`vpmovmskb`).
    fn movemask(self) -> u32;
    /// Returns the lanewise unsigned minimum (`vpminub`).
    fn min(self, other: Self) -> Self;
    /// Returns the lanewise unsigned maximum (`vpmaxub`).
    fn max(self, other: Self) -> Self;
    /// Looks up lanes in two tables of 16 bytes, one per half (`vpshufb`): lane i becomes
    /// `self[i / 16 * 16 + index[i] % 16]`, or 0 if the top bit of `index[i]` is set.
    fn shuffle(self, index: Self) -> Self;
    /// Swaps the halves: lanes 16 to 31, then lanes 0 to 15 (`vperm2i128`).
    fn swap_halves(self) -> Self;
    /// Moves lanes down by `N` places (0 to 7) within each group of 8: lane i becomes lane i + `N`
    /// of its group, or 0 if the group has no such lane (`vpsrlq`).
    fn slide_down_in_8<const N: i32>(self) -> Self;
    /// Moves lanes up by `N` places (0 to 7) within each group of 8: lane i becomes lane i - `N` of
    /// its group, or 0 if the group has no such lane (`vpsllq`).
    fn slide_up_in_8<const N: i32>(self) -> Self;
    /// Returns the number of set bits of each lane.
    fn count_ones(self) -> Self;
    /// Adds the lanes of each group of 8; lanes 8 i to 8 i + 7 become the sum of group i as a
    /// little-endian 64-bit word (`vpsadbw`).
    fn sums_of_8(self) -> Self;
    /// Writes a flag per lane: `true` unless the lane is 0.
    #[inline(always)]
    fn write_flags(self, flags: &mut [bool; 32]) {
        for (flag, lane) in flags.iter_mut().zip(self.to_array()) {
            *flag = lane != 0;
        }
    }
}

/// 16 lanes of 16 bits. Constant shift counts are below 16.
pub trait U16s: Lanes<Array = [u16; 16]> {
    /// Shifts each lane left by `N` bits (`vpsllw`).
    fn shl<const N: i32>(self) -> Self;
    /// Shifts each lane right by `N` bits (`vpsrlw`).
    fn shr<const N: i32>(self) -> Self;
    /// Shifts each lane left by `n` bits; 0 if `n` is 16 or more (`vpsllw`).
    fn shl_all(self, n: u32) -> Self;
    /// Shifts each lane right by `n` bits; 0 if `n` is 16 or more (`vpsrlw`).
    fn shr_all(self, n: u32) -> Self;
    /// Returns the high 16 bits of each product, unsigned: `(a * b) >> 16` (`vpmulhuw`).
    fn mul_high(self, other: Self) -> Self;
    /// Returns the lanewise unsigned minimum (`vpminuw`).
    fn min(self, other: Self) -> Self;
    /// Returns the lanewise unsigned maximum (`vpmaxuw`).
    fn max(self, other: Self) -> Self;
    /// Returns the number of set bits of each lane.
    fn count_ones(self) -> Self;
    /// Returns the lane mask of the lanes where `self` is greater than `other`, both signed
    /// (`vpcmpgtw`).
    fn cmp_gt_signed(self, other: Self) -> Self;
    /// Moves lanes down by `N` places (0 to 7): lane i becomes lane i + `N`, or 0 if there is none.
    fn slide_down<const N: i32>(self) -> Self;
    /// Moves lanes up by `N` places (0 to 7): lane i becomes lane i - `N`, or 0 if there is none.
    fn slide_up<const N: i32>(self) -> Self;
}

/// 8 lanes of 32 bits. Constant shift counts are below 32.
pub trait U32s: Lanes<Array = [u32; 8]> {
    /// Shifts each lane left by `N` bits (`vpslld`).
    fn shl<const N: i32>(self) -> Self;
    /// Shifts each lane right by `N` bits (`vpsrld`).
    fn shr<const N: i32>(self) -> Self;
    /// Shifts each lane left by `n` bits; 0 if `n` is 32 or more (`vpslld`).
    fn shl_all(self, n: u32) -> Self;
    /// Shifts each lane right by `n` bits; 0 if `n` is 32 or more (`vpsrld`).
    fn shr_all(self, n: u32) -> Self;
    /// Shifts each lane left by its own count; 0 if the count is 32 or more (`vpsllvd`).
    fn shl_each(self, counts: Self) -> Self;
    /// Shifts each lane right by its own count; 0 if the count is 32 or more (`vpsrlvd`).
    fn shr_each(self, counts: Self) -> Self;
    /// Returns the low 32 bits of each product (`vpmulld`).
    fn wrapping_mul(self, other: Self) -> Self;
    /// Returns the high 32 bits of each product, unsigned: `(a * b) >> 32`.
    fn mul_high(self, other: Self) -> Self;
    /// Returns the number of set bits of each lane.
    fn count_ones(self) -> Self;
    /// Returns the lane mask of the lanes where `self` is greater than `other`, both signed
    /// (`vpcmpgtd`).
    fn cmp_gt_signed(self, other: Self) -> Self;
    /// Returns lanes 4 5 6 7 0 1 2 3 (`vperm2i128`).
    fn swap_halves(self) -> Self;
    /// Returns lanes 2 3 0 1 6 7 4 5 (`vpshufd`).
    fn swap_pairs(self) -> Self;
    /// Returns lanes 1 0 3 2 5 4 7 6 (`vpshufd`).
    fn swap_neighbors(self) -> Self;
}

/// 4 lanes of 64 bits. Constant shift counts are below 64.
pub trait U64s: Lanes<Array = [u64; 4]> {
    /// Shifts each lane left by `N` bits (`vpsllq`).
    fn shl<const N: i32>(self) -> Self;
    /// Shifts each lane right by `N` bits (`vpsrlq`).
    fn shr<const N: i32>(self) -> Self;
    /// Shifts each lane left by `n` bits; 0 if `n` is 64 or more (`vpsllq`).
    fn shl_all(self, n: u32) -> Self;
    /// Shifts each lane right by `n` bits; 0 if `n` is 64 or more (`vpsrlq`).
    fn shr_all(self, n: u32) -> Self;
    /// Shifts each lane left by its own count; 0 if the count is 64 or more (`vpsllvq`).
    fn shl_each(self, counts: Self) -> Self;
    /// Shifts each lane right by its own count; 0 if the count is 64 or more (`vpsrlvq`).
    fn shr_each(self, counts: Self) -> Self;
    /// Multiplies the low 32 bits of the lanes to 64-bit products (`vpmuludq`).
    fn mul_u32(self, other: Self) -> Self;
}
