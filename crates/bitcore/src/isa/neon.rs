//! The token of aarch64: NEON. Every `unsafe` for aarch64 is here.
//!
//! A group of lanes takes two registers of 128 bits, the lower lanes first.
//!
//! # Safety
//!
//! This file is compiled only for targets that promise NEON, so every CPU that runs it has the instructions.
//! The macro `neon!` calls intrinsics without any other precondition, and only those: the ones in the list of
//! `intrinsics`, where the compiler proves it. An intrinsic that reads or writes through a pointer is refused
//! there; the two that are needed stand in functions of their own, with their preconditions.
#![allow(unsafe_code)]

use super::traits::{Bytes, Isa, LaneBytes, Lanes, Sealed, U16s, U32s, U64s};
use crate::level::{self, Level};
use core::arch::aarch64::{uint8x16_t, uint16x8_t, uint32x4_t, uint64x2_t, vld1q_u8, vst1q_u8};
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// The token of NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Neon(());

impl Neon {
    /// Returns the token of `level`, if that is this token's level: the only one beside the baseline.
    #[inline(always)]
    pub(super) fn of(level: Level) -> Option<Self> {
        (level != Level::PORTABLE).then_some(Self(()))
    }
}

/// The intrinsics that [`neon!`] takes.
mod intrinsics {
    use core::arch::aarch64::{int8x16_t, int16x8_t, int32x4_t, int64x2_t, uint8x16_t};
    use core::arch::aarch64::{uint16x4_t, uint16x8_t, uint32x2_t, uint32x4_t, uint64x2_t};

    listed! {
        pub(super) aarch64 "neon"
        (
            b: uint8x16_t, h: uint16x8_t, w: uint32x4_t, d: uint64x2_t,
            ib: int8x16_t, ih: int16x8_t, iw: int32x4_t, id: int64x2_t, hh: uint16x4_t, hw: uint32x2_t
        )
        vaddq_u8(b, b);
        vaddq_u16(h, h);
        vaddq_u32(w, w);
        vaddq_u64(d, d);
        vandq_u8(b, b);
        vandq_u16(h, h);
        vandq_u32(w, w);
        vandq_u64(d, d);
        vbicq_u8(b, b);
        vbicq_u16(h, h);
        vbicq_u32(w, w);
        vbicq_u64(d, d);
        vbslq_u8(b, b, b);
        vbslq_u16(h, h, h);
        vbslq_u32(w, w, w);
        vbslq_u64(d, d, d);
        vceqq_u8(b, b);
        vceqq_u16(h, h);
        vceqq_u32(w, w);
        vceqq_u64(d, d);
        vceqzq_u8(b);
        vcgtq_s16(ih, ih);
        vcgtq_s32(iw, iw);
        vcltq_u64(d, d);
        vcltzq_s8(ib);
        vcntq_u8(b);
        vcreate_u16(1);
        vdupq_n_s16(1);
        vdupq_n_s32(1);
        vdupq_n_s64(1);
        vdupq_n_u8(1);
        vdupq_n_u16(1);
        vdupq_n_u32(1);
        vdupq_n_u64(1);
        veorq_u8(b, b);
        veorq_u16(h, h);
        veorq_u32(w, w);
        veorq_u64(d, d);
        vextq_u16::<1>(h, h);
        vextq_u32::<1>(w, w);
        vget_low_u16(h);
        vget_low_u32(w);
        vgetq_lane_u32::<1>(w);
        vmaxq_u8(b, b);
        vmaxq_u16(h, h);
        vmaxvq_u32(w);
        vminq_u8(b, b);
        vminq_u16(h, h);
        vminq_u32(w, w);
        vmovl_high_u16(h);
        vmovl_u16(hh);
        vmull_high_u16(h, h);
        vmull_high_u32(w, w);
        vmull_u16(hh, hh);
        vmull_u32(hw, hw);
        vmulq_u32(w, w);
        vnegq_s32(iw);
        vnegq_s64(id);
        vorrq_u8(b, b);
        vorrq_u16(h, h);
        vorrq_u32(w, w);
        vorrq_u64(d, d);
        vpaddlq_u8(b);
        vpaddlq_u16(h);
        vpaddlq_u32(w);
        vpaddq_u8(b, b);
        vqtbl1q_u8(b, b);
        vreinterpretq_s16_u16(h);
        vreinterpretq_s32_u32(w);
        vreinterpretq_s64_u64(d);
        vreinterpretq_s8_u8(b);
        vreinterpretq_u16_u8(b);
        vreinterpretq_u16_u32(w);
        vreinterpretq_u16_u64(d);
        vreinterpretq_u32_u8(b);
        vreinterpretq_u32_u16(h);
        vreinterpretq_u32_u64(d);
        vreinterpretq_u64_u16(h);
        vreinterpretq_u64_u8(b);
        vreinterpretq_u8_u16(h);
        vreinterpretq_u8_u32(w);
        vreinterpretq_u8_u64(d);
        vrev64q_u32(w);
        vshlq_u16(h, ih);
        vshlq_u32(w, iw);
        vshlq_u64(d, id);
        vsubq_u8(b, b);
        vsubq_u16(h, h);
        vsubq_u32(w, w);
        vsubq_u64(d, d);
        vuzp1q_u32(w, w);
        vuzp2q_u16(h, h);
        vuzp2q_u32(w, w);
    }
}

/// Calls an intrinsic of the list, whose only precondition is NEON. The arguments are evaluated outside of
/// the `unsafe` block.
macro_rules! neon {
    // SAFETY, of each: the target promises NEON. The intrinsic needs nothing else, as `intrinsics` proves.
    ($name:ident $(::<$n:tt>)?($a:expr)) => {{
        let a = $a;
        unsafe { intrinsics::$name$(::<$n>)?(a) }
    }};
    ($name:ident $(::<$n:tt>)?($a:expr, $b:expr)) => {{
        let (a, b) = ($a, $b);
        unsafe { intrinsics::$name$(::<$n>)?(a, b) }
    }};
    ($name:ident($a:expr, $b:expr, $c:expr)) => {{
        let (a, b, c) = ($a, $b, $c);
        unsafe { intrinsics::$name(a, b, c) }
    }};
}

/// Calls an intrinsic for each of the two registers.
macro_rules! both {
    ($name:ident($a:expr)) => {{
        let a = $a;
        [neon!($name(a[0])), neon!($name(a[1]))]
    }};
    ($name:ident($a:expr, $b:expr)) => {{
        let (a, b) = ($a, $b);
        [neon!($name(a[0], b[0])), neon!($name(a[1], b[1]))]
    }};
    ($name:ident($a:expr, $b:expr, $c:expr)) => {{
        let (a, b, c) = ($a, $b, $c);
        [neon!($name(a[0], b[0], c[0])), neon!($name(a[1], b[1], c[1]))]
    }};
}

impl Sealed for Neon {}

impl From<Neon> for Level {
    #[inline(always)]
    fn from(_: Neon) -> Self {
        Self::PROMISED
    }
}

/// Defines the token's methods that copy one value to all lanes.
macro_rules! splats {
    ($($name:ident $lanes:ident $lane:ident $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, lane: $lane) -> $lanes {
            $lanes([neon!($intrinsic(lane)); 2])
        }
    )*};
}

/// Defines the token's methods that take registers for those of other lanes.
macro_rules! bitcasts {
    ($($name:ident $from:ident => $to:ident: $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, lanes: $from) -> $to {
            $to(both!($intrinsic(lanes.0)))
        }
    )*};
}

impl Isa for Neon {
    const NAME: &'static str = level::NEON;
    const FAST_PEXT: bool = false;
    const FAST_BITMASK: bool = false;
    const WIDE_REGISTERS: bool = false;
    const HAS_SIMD: bool = true;
    type Shared = Self;
    type U8x32 = U8x32;
    type U16x16 = U16x16;
    type U32x8 = U32x8;
    type U64x4 = U64x4;

    #[inline(always)]
    fn shared(self) -> Self {
        self
    }
    kernel_entries!(define call);
    #[inline(always)]
    fn u8x32(self, lanes: &[u8; 32]) -> U8x32 {
        U8x32(load(lanes))
    }
    #[inline(always)]
    fn u16x16(self, lanes: &[u16; 16]) -> U16x16 {
        U16x16(both!(vreinterpretq_u16_u8(load(lanes))))
    }
    #[inline(always)]
    fn u32x8(self, lanes: &[u32; 8]) -> U32x8 {
        U32x8(both!(vreinterpretq_u32_u8(load(lanes))))
    }
    #[inline(always)]
    fn u64x4(self, lanes: &[u64; 4]) -> U64x4 {
        U64x4(both!(vreinterpretq_u64_u8(load(lanes))))
    }
    splats! {
        splat_u8 U8x32 u8 vdupq_n_u8;
        splat_u16 U16x16 u16 vdupq_n_u16;
        splat_u32 U32x8 u32 vdupq_n_u32;
        splat_u64 U64x4 u64 vdupq_n_u64;
    }
    #[inline(always)]
    fn widen_u16x8(self, fields: u128) -> U32x8 {
        let (low, high) = (neon!(vcreate_u16(fields as u64)), neon!(vcreate_u16((fields >> 64) as u64)));
        U32x8([neon!(vmovl_u16(low)), neon!(vmovl_u16(high))])
    }
    bitcasts! {
        bitcast_u64_u8 U64x4 => U8x32: vreinterpretq_u8_u64;
        bitcast_u8_u64 U8x32 => U64x4: vreinterpretq_u64_u8;
        bitcast_u64_u16 U64x4 => U16x16: vreinterpretq_u16_u64;
        bitcast_u16_u64 U16x16 => U64x4: vreinterpretq_u64_u16;
        bitcast_u16_u32 U16x16 => U32x8: vreinterpretq_u32_u16;
        bitcast_u32_u16 U32x8 => U16x16: vreinterpretq_u16_u32;
    }
}

/// Loads two registers from memory.
#[inline(always)]
fn load<A: LaneBytes>(lanes: &A) -> [uint8x16_t; 2] {
    const { assert!(size_of::<A>() == 32) };
    let bytes: *const u8 = core::ptr::from_ref(lanes).cast();
    // SAFETY: 32 readable bytes, any alignment; the target promises NEON.
    unsafe { [vld1q_u8(bytes), vld1q_u8(bytes.add(16))] }
}

#[inline(always)]
fn store<A: LaneBytes>(registers: [uint8x16_t; 2], mut lanes: A) -> A {
    const { assert!(size_of::<A>() == 32) };
    let bytes: *mut u8 = core::ptr::from_mut(&mut lanes).cast();
    // SAFETY: 32 writable bytes, any alignment, every bit pattern valid; the target promises NEON.
    unsafe {
        vst1q_u8(bytes, registers[0]);
        vst1q_u8(bytes.add(16), registers[1]);
    }
    lanes
}

/// Defines methods of two groups, each by one intrinsic for a register.
macro_rules! lanewise {
    ($($name:ident $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self(both!($intrinsic(self.0, other.0)))
        }
    )*};
}

macro_rules! operators {
    ($name:ident: $($operator:ident $method:ident $intrinsic:ident;)*) => {$(
        impl $operator for $name {
            type Output = Self;
            lanewise! { $method $intrinsic; }
        }
    )*};
}

/// Defines a lane type. `$bytes` and `$words` are the intrinsics that take a register for bytes and for words
/// of 32 bits, `$back` the one that takes bytes for these lanes.
macro_rules! lanes {
    (
        $(#[$doc:meta])* $name:ident [$lane:ident; $n:literal] $register:ident: $and:ident $or:ident $xor:ident
        $clear:ident $add:ident $sub:ident $eq:ident $select:ident $splat:ident
        bytes: |$a:ident| $bytes:expr, words: |$b:ident| $words:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name([$register; 2]);

        impl Sealed for $name {}

        operators! {
            $name:
            BitAnd bitand $and;
            BitOr bitor $or;
            BitXor bitxor $xor;
            Add add $add;
            Sub sub $sub;
        }
        impl Not for $name {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                self ^ Self([neon!($splat($lane::MAX)); 2])
            }
        }
        impl Lanes for $name {
            type Array = [$lane; $n];

            lanewise! {
                and_not $clear;
                cmp_eq $eq;
            }
            #[inline(always)]
            fn to_array(self) -> Self::Array {
                let $a = self.0;
                store($bytes, [0; $n])
            }
            #[inline(always)]
            fn bitselect(self, yes: Self, no: Self) -> Self {
                Self(both!($select(self.0, yes.0, no.0)))
            }
            #[inline(always)]
            fn is_zero(self) -> bool {
                let $b = neon!($or(self.0[0], self.0[1]));
                neon!(vmaxvq_u32($words)) == 0
            }
        }
    };
}
lanes!(
    /// 32 lanes of 8 bits in two registers.
    U8x32 [u8; 32] uint8x16_t: vandq_u8 vorrq_u8 veorq_u8 vbicq_u8 vaddq_u8 vsubq_u8 vceqq_u8 vbslq_u8 vdupq_n_u8
    bytes: |a| a, words: |a| neon!(vreinterpretq_u32_u8(a))
);
lanes!(
    /// 16 lanes of 16 bits in two registers.
    U16x16 [u16; 16] uint16x8_t: vandq_u16 vorrq_u16 veorq_u16 vbicq_u16 vaddq_u16 vsubq_u16 vceqq_u16 vbslq_u16
    vdupq_n_u16
    bytes: |a| both!(vreinterpretq_u8_u16(a)), words: |a| neon!(vreinterpretq_u32_u16(a))
);
lanes!(
    /// 8 lanes of 32 bits in two registers.
    U32x8 [u32; 8] uint32x4_t: vandq_u32 vorrq_u32 veorq_u32 vbicq_u32 vaddq_u32 vsubq_u32 vceqq_u32 vbslq_u32
    vdupq_n_u32
    bytes: |a| both!(vreinterpretq_u8_u32(a)), words: |a| a
);
lanes!(
    /// 4 lanes of 64 bits in two registers.
    U64x4 [u64; 4] uint64x2_t: vandq_u64 vorrq_u64 veorq_u64 vbicq_u64 vaddq_u64 vsubq_u64 vceqq_u64 vbslq_u64
    vdupq_n_u64
    bytes: |a| both!(vreinterpretq_u8_u64(a)), words: |a| neon!(vreinterpretq_u32_u64(a))
);

/// Defines the shifts, which all lanes wider than a byte have. The instruction shifts each lane by a signed
/// count of its own, to the right where that is negative, and gives 0 beyond the lane's width.
macro_rules! shifts {
    ($bits:literal $signed:ident $shift:ident $splat:ident) => {
        #[inline(always)]
        fn shl<const N: i32>(self) -> Self {
            const { assert!(0 <= N && N < $bits) };
            self.shl_all(N as u32)
        }
        #[inline(always)]
        fn shr<const N: i32>(self) -> Self {
            const { assert!(0 <= N && N < $bits) };
            self.shr_all(N as u32)
        }
        #[inline(always)]
        fn shl_all(self, n: u32) -> Self {
            Self(both!($shift(self.0, [neon!($splat(n.min($bits) as $signed)); 2])))
        }
        #[inline(always)]
        fn shr_all(self, n: u32) -> Self {
            Self(both!($shift(self.0, [neon!($splat(-(n.min($bits) as $signed))); 2])))
        }
    };
}

/// Returns the bitmask of two registers whose bytes are all ones or all zeros each: a bit of its own for each
/// byte of eight, added up.
#[inline(always)]
fn bitmask(lanes: [uint8x16_t; 2]) -> u32 {
    let weights = neon!(vreinterpretq_u8_u64(neon!(vdupq_n_u64(0x8040_2010_0804_0201))));
    let pairs = neon!(vpaddq_u8(neon!(vandq_u8(lanes[0], weights)), neon!(vandq_u8(lanes[1], weights))));
    let fours = neon!(vpaddq_u8(pairs, pairs));
    let eights = neon!(vpaddq_u8(fours, fours));
    neon!(vgetq_lane_u32::<0>(neon!(vreinterpretq_u32_u8(eights))))
}

impl Bytes for U8x32 {
    lanewise! {
        min vminq_u8;
        max vmaxq_u8;
    }
    #[inline(always)]
    fn zero_bitmask(self) -> u32 {
        bitmask(both!(vceqzq_u8(self.0)))
    }
    #[inline(always)]
    fn eq_bitmask(self, other: Self) -> u32 {
        bitmask(self.cmp_eq(other).0)
    }
    #[inline(always)]
    fn movemask(self) -> u32 {
        bitmask(both!(vcltzq_s8(both!(vreinterpretq_s8_u8(self.0)))))
    }
    #[inline(always)]
    fn shuffle(self, index: Self) -> Self {
        // The instruction gives 0 for every index beyond 15.
        let index = index & Self([neon!(vdupq_n_u8(0x8f)); 2]);
        Self(both!(vqtbl1q_u8(self.0, index.0)))
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self([self.0[1], self.0[0]])
    }
    #[inline(always)]
    fn slide_down_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let words = U64x4(both!(vreinterpretq_u64_u8(self.0)));
        Self(both!(vreinterpretq_u8_u64(words.shr_all(8 * N as u32).0)))
    }
    #[inline(always)]
    fn slide_up_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let words = U64x4(both!(vreinterpretq_u64_u8(self.0)));
        Self(both!(vreinterpretq_u8_u64(words.shl_all(8 * N as u32).0)))
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        Self(both!(vcntq_u8(self.0)))
    }
    #[inline(always)]
    fn sums_of_8(self) -> Self {
        let sums = both!(vpaddlq_u32(both!(vpaddlq_u16(both!(vpaddlq_u8(self.0))))));
        Self(both!(vreinterpretq_u8_u64(sums)))
    }
}

/// Takes `N` lanes of the end of `$low`, then the others of `$high`. Stable Rust can't compute the const
/// argument from `N`.
macro_rules! move_up {
    ($low:expr, $high:expr, $n:ident, $($lanes:literal => $from:literal)*) => {
        match $n {
            0 => $high,
            $($lanes => neon!(vextq_u16::<$from>($low, $high)),)*
            _ => unreachable!(),
        }
    };
}

impl U16s for U16x16 {
    shifts!(16 i16 vshlq_u16 vdupq_n_s16);
    lanewise! {
        min vminq_u16;
        max vmaxq_u16;
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        let low = both!(vmull_u16(both!(vget_low_u16(self.0)), both!(vget_low_u16(other.0))));
        let high = both!(vmull_high_u16(self.0, other.0));
        Self(both!(vuzp2q_u16(both!(vreinterpretq_u16_u32(low)), both!(vreinterpretq_u16_u32(high)))))
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        Self(both!(vpaddlq_u8(both!(vcntq_u8(both!(vreinterpretq_u8_u16(self.0)))))))
    }
    #[inline(always)]
    fn cmp_gt_signed(self, other: Self) -> Self {
        Self(both!(vcgtq_s16(both!(vreinterpretq_s16_u16(self.0)), both!(vreinterpretq_s16_u16(other.0)))))
    }
    #[inline(always)]
    fn slide_down<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let [low, high] = self.0;
        let zero = neon!(vdupq_n_u16(0));
        Self([neon!(vextq_u16::<N>(low, high)), neon!(vextq_u16::<N>(high, zero))])
    }
    #[inline(always)]
    fn slide_up<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let [low, high] = self.0;
        let zero = neon!(vdupq_n_u16(0));
        Self([
            move_up!(zero, low, N, 1 => 7 2 => 6 3 => 5 4 => 4 5 => 3 6 => 2 7 => 1),
            move_up!(low, high, N, 1 => 7 2 => 6 3 => 5 4 => 4 5 => 3 6 => 2 7 => 1),
        ])
    }
}

impl U32s for U32x8 {
    shifts!(32 i32 vshlq_u32 vdupq_n_s32);
    lanewise! {
        wrapping_mul vmulq_u32;
    }
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        // The instruction takes the lowest byte of a count.
        let counts = both!(vminq_u32(counts.0, Self([neon!(vdupq_n_u32(32)); 2]).0));
        Self(both!(vshlq_u32(self.0, both!(vreinterpretq_s32_u32(counts)))))
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        let counts = both!(vminq_u32(counts.0, Self([neon!(vdupq_n_u32(32)); 2]).0));
        Self(both!(vshlq_u32(self.0, both!(vnegq_s32(both!(vreinterpretq_s32_u32(counts)))))))
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        let low = both!(vmull_u32(both!(vget_low_u32(self.0)), both!(vget_low_u32(other.0))));
        let high = both!(vmull_high_u32(self.0, other.0));
        Self(both!(vuzp2q_u32(both!(vreinterpretq_u32_u64(low)), both!(vreinterpretq_u32_u64(high)))))
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        let bytes = both!(vcntq_u8(both!(vreinterpretq_u8_u32(self.0))));
        Self(both!(vpaddlq_u16(both!(vpaddlq_u8(bytes)))))
    }
    #[inline(always)]
    fn cmp_gt_signed(self, other: Self) -> Self {
        Self(both!(vcgtq_s32(both!(vreinterpretq_s32_u32(self.0)), both!(vreinterpretq_s32_u32(other.0)))))
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self([self.0[1], self.0[0]])
    }
    #[inline(always)]
    fn swap_pairs(self) -> Self {
        let [low, high] = self.0;
        Self([neon!(vextq_u32::<2>(low, low)), neon!(vextq_u32::<2>(high, high))])
    }
    #[inline(always)]
    fn swap_neighbors(self) -> Self {
        Self(both!(vrev64q_u32(self.0)))
    }
}

impl U64x4 {
    #[inline(always)]
    fn low_halves(self) -> uint32x4_t {
        let halves = both!(vreinterpretq_u32_u64(self.0));
        neon!(vuzp1q_u32(halves[0], halves[1]))
    }
    /// Clears the lanes whose count is 64 or more. The shift takes the lowest byte of a count alone.
    #[inline(always)]
    fn below_64(self, counts: Self) -> Self {
        let width = [neon!(vdupq_n_u64(64)); 2];
        self & Self(both!(vcltq_u64(counts.0, width)))
    }
}

impl U64s for U64x4 {
    shifts!(64 i64 vshlq_u64 vdupq_n_s64);
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        Self(both!(vshlq_u64(self.0, both!(vreinterpretq_s64_u64(counts.0))))).below_64(counts)
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        let negative = both!(vnegq_s64(both!(vreinterpretq_s64_u64(counts.0))));
        Self(both!(vshlq_u64(self.0, negative))).below_64(counts)
    }
    #[inline(always)]
    fn mul_u32(self, other: Self) -> Self {
        let (a, b) = (self.low_halves(), other.low_halves());
        let low = neon!(vmull_u32(neon!(vget_low_u32(a)), neon!(vget_low_u32(b))));
        Self([low, neon!(vmull_high_u32(a, b))])
    }
}
