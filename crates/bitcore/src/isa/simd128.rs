//! The token of wasm32: simd128. Every `unsafe` for wasm32 is here.
//!
//! A group of lanes takes two registers of 128 bits, the lower lanes first.
//!
//! # Safety
//!
//! This file is compiled only in builds with the target feature simd128. An engine without it refuses the
//! whole module, so the instructions need no further proof, and their intrinsics are safe functions. Those
//! that read or write memory aren't: the two that are needed stand in functions of their own, with their
//! preconditions.
#![allow(unsafe_code)]

use super::traits::{Bytes, Isa, LaneBytes, Lanes, Sealed, U16s, U32s, U64s};
use crate::level::{self, Level};
use core::arch::wasm32::{
    i8x16_add, i8x16_bitmask, i8x16_eq, i8x16_popcnt, i8x16_sub, i8x16_swizzle, i16x8_add, i16x8_eq,
    i16x8_gt, i16x8_shl, i16x8_shuffle, i16x8_sub, i32x4_add, i32x4_eq, i32x4_gt, i32x4_mul, i32x4_shl,
    i32x4_shuffle, i32x4_sub, i64x2_add, i64x2_eq, i64x2_shl, i64x2_sub, u8x16_max, u8x16_min, u8x16_splat,
    u16x8_extadd_pairwise_u8x16, u16x8_max, u16x8_min, u16x8_shr, u16x8_splat, u32x4_extadd_pairwise_u16x8,
    u32x4_extend_high_u16x8, u32x4_extend_low_u16x8, u32x4_extmul_high_u16x8, u32x4_extmul_low_u16x8,
    u32x4_extract_lane, u32x4_lt, u32x4_replace_lane, u32x4_shr, u32x4_splat, u32x4_trunc_sat_f32x4, u64x2,
    u64x2_extmul_high_u32x4, u64x2_extmul_low_u32x4, u64x2_extract_lane, u64x2_shr, u64x2_splat, v128,
    v128_and, v128_andnot, v128_any_true, v128_bitselect, v128_load, v128_not, v128_or, v128_store, v128_xor,
};
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// The token of simd128.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Simd128(());

impl Simd128 {
    /// Returns the token of `level`, if that is this token's level: the only one beside the baseline.
    #[inline(always)]
    pub(super) fn of(level: Level) -> Option<Self> {
        (level != Level::PORTABLE).then_some(Self(()))
    }
}

/// Calls a function for each of the two registers.
macro_rules! both {
    ($name:ident($a:expr)) => {{
        let a = $a;
        [$name(a[0]), $name(a[1])]
    }};
    ($name:ident($a:expr, $b:expr)) => {{
        let (a, b) = ($a, $b);
        [$name(a[0], b[0]), $name(a[1], b[1])]
    }};
}

impl Sealed for Simd128 {}

impl From<Simd128> for Level {
    #[inline(always)]
    fn from(_: Simd128) -> Self {
        Self::PROMISED
    }
}

/// Defines the token's methods that load lanes from memory, and those that copy one value to all lanes.
macro_rules! load_and_splat {
    ($($load:ident $splat:ident $lanes:ident [$lane:ident; $n:literal] $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $load(self, lanes: &[$lane; $n]) -> $lanes {
            $lanes(load(lanes))
        }
        #[inline(always)]
        fn $splat(self, lane: $lane) -> $lanes {
            $lanes([$intrinsic(lane); 2])
        }
    )*};
}

/// Defines the token's methods that take registers for those of other lanes.
macro_rules! bitcasts {
    ($($name:ident $from:ident => $to:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, lanes: $from) -> $to {
            $to(lanes.0)
        }
    )*};
}

impl Isa for Simd128 {
    const NAME: &'static str = level::SIMD128;
    const FAST_PEXT: bool = false;
    const FAST_BITMASK: bool = true;
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
    load_and_splat! {
        u8x32 splat_u8 U8x32 [u8; 32] u8x16_splat;
        u16x16 splat_u16 U16x16 [u16; 16] u16x8_splat;
        u32x8 splat_u32 U32x8 [u32; 8] u32x4_splat;
        u64x4 splat_u64 U64x4 [u64; 4] u64x2_splat;
    }
    #[inline(always)]
    fn widen_u16x8(self, fields: u128) -> U32x8 {
        let fields = u64x2(fields as u64, (fields >> 64) as u64);
        U32x8([u32x4_extend_low_u16x8(fields), u32x4_extend_high_u16x8(fields)])
    }
    bitcasts! {
        bitcast_u64_u8 U64x4 => U8x32;
        bitcast_u8_u64 U8x32 => U64x4;
        bitcast_u64_u16 U64x4 => U16x16;
        bitcast_u16_u64 U16x16 => U64x4;
        bitcast_u16_u32 U16x16 => U32x8;
        bitcast_u32_u16 U32x8 => U16x16;
    }
}

/// Loads two registers from memory.
#[inline(always)]
fn load<A: LaneBytes>(lanes: &A) -> [v128; 2] {
    const { assert!(size_of::<A>() == 32) };
    let registers: *const v128 = core::ptr::from_ref(lanes).cast();
    // SAFETY: 32 readable bytes, any alignment.
    unsafe { [v128_load(registers), v128_load(registers.add(1))] }
}

#[inline(always)]
fn store<A: LaneBytes>(registers: [v128; 2], mut lanes: A) -> A {
    const { assert!(size_of::<A>() == 32) };
    let to: *mut v128 = core::ptr::from_mut(&mut lanes).cast();
    // SAFETY: 32 writable bytes, any alignment, every bit pattern valid.
    unsafe {
        v128_store(to, registers[0]);
        v128_store(to.add(1), registers[1]);
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

macro_rules! lanes {
    ($(#[$doc:meta])* $name:ident [$lane:ident; $n:literal] $add:ident $sub:ident $eq:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name([v128; 2]);

        impl Sealed for $name {}

        operators! {
            $name:
            BitAnd bitand v128_and;
            BitOr bitor v128_or;
            BitXor bitxor v128_xor;
            Add add $add;
            Sub sub $sub;
        }
        impl Not for $name {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self(both!(v128_not(self.0)))
            }
        }
        impl Lanes for $name {
            type Array = [$lane; $n];

            lanewise! {
                and_not v128_andnot;
                cmp_eq $eq;
            }
            #[inline(always)]
            fn to_array(self) -> Self::Array {
                store(self.0, [0; $n])
            }
            #[inline(always)]
            fn bitselect(self, yes: Self, no: Self) -> Self {
                let ([a, b], [c, d]) = (yes.0, no.0);
                Self([v128_bitselect(a, c, self.0[0]), v128_bitselect(b, d, self.0[1])])
            }
            #[inline(always)]
            fn is_zero(self) -> bool {
                !v128_any_true(v128_or(self.0[0], self.0[1]))
            }
        }
    };
}
lanes!(
    /// 32 lanes of 8 bits in two registers.
    U8x32 [u8; 32] i8x16_add i8x16_sub i8x16_eq
);
lanes!(
    /// 16 lanes of 16 bits in two registers.
    U16x16 [u16; 16] i16x8_add i16x8_sub i16x8_eq
);
lanes!(
    /// 8 lanes of 32 bits in two registers.
    U32x8 [u32; 8] i32x4_add i32x4_sub i32x4_eq
);
lanes!(
    /// 4 lanes of 64 bits in two registers.
    U64x4 [u64; 4] i64x2_add i64x2_sub i64x2_eq
);

/// Defines the shifts, which all lanes wider than a byte have. The instructions take a count modulo the
/// lane's width.
macro_rules! shifts {
    ($bits:literal $left:ident $right:ident) => {
        #[inline(always)]
        fn shl<const N: i32>(self) -> Self {
            const { assert!(0 <= N && N < $bits) };
            Self([$left(self.0[0], N as u32), $left(self.0[1], N as u32)])
        }
        #[inline(always)]
        fn shr<const N: i32>(self) -> Self {
            const { assert!(0 <= N && N < $bits) };
            Self([$right(self.0[0], N as u32), $right(self.0[1], N as u32)])
        }
        #[inline(always)]
        fn shl_all(self, n: u32) -> Self {
            let shifted = Self([$left(self.0[0], n), $left(self.0[1], n)]);
            if n < $bits { shifted } else { Self([u8x16_splat(0); 2]) }
        }
        #[inline(always)]
        fn shr_all(self, n: u32) -> Self {
            let shifted = Self([$right(self.0[0], n), $right(self.0[1], n)]);
            if n < $bits { shifted } else { Self([u8x16_splat(0); 2]) }
        }
    };
}

impl Bytes for U8x32 {
    lanewise! {
        min u8x16_min;
        max u8x16_max;
    }
    #[inline(always)]
    fn zero_bitmask(self) -> u32 {
        self.eq_bitmask(Self([u8x16_splat(0); 2]))
    }
    #[inline(always)]
    fn eq_bitmask(self, other: Self) -> u32 {
        self.cmp_eq(other).movemask()
    }
    #[inline(always)]
    fn movemask(self) -> u32 {
        u32::from(i8x16_bitmask(self.0[0])) | u32::from(i8x16_bitmask(self.0[1])) << 16
    }
    #[inline(always)]
    fn shuffle(self, index: Self) -> Self {
        // The instruction gives 0 for every index beyond 15.
        let index = index & Self([u8x16_splat(0x8f); 2]);
        Self(both!(i8x16_swizzle(self.0, index.0)))
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self([self.0[1], self.0[0]])
    }
    #[inline(always)]
    fn slide_down_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        Self([u64x2_shr(self.0[0], 8 * N as u32), u64x2_shr(self.0[1], 8 * N as u32)])
    }
    #[inline(always)]
    fn slide_up_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        Self([i64x2_shl(self.0[0], 8 * N as u32), i64x2_shl(self.0[1], 8 * N as u32)])
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        Self(both!(i8x16_popcnt(self.0)))
    }
    #[inline(always)]
    fn sums_of_8(self) -> Self {
        let fours = U64x4(both!(u32x4_extadd_pairwise_u16x8(both!(u16x8_extadd_pairwise_u8x16(self.0)))));
        let low = U64x4([u64x2_splat(0xffff_ffff); 2]);
        Self(((fours & low) + fours.shr::<32>()).0)
    }
}

/// Takes eight lanes of `$low` and `$high`, from lane `N` of `$low` on.
macro_rules! eight_from {
    ($low:expr, $high:expr, $n:expr) => {
        match $n {
            0 => $low,
            1 => i16x8_shuffle::<1, 2, 3, 4, 5, 6, 7, 8>($low, $high),
            2 => i16x8_shuffle::<2, 3, 4, 5, 6, 7, 8, 9>($low, $high),
            3 => i16x8_shuffle::<3, 4, 5, 6, 7, 8, 9, 10>($low, $high),
            4 => i16x8_shuffle::<4, 5, 6, 7, 8, 9, 10, 11>($low, $high),
            5 => i16x8_shuffle::<5, 6, 7, 8, 9, 10, 11, 12>($low, $high),
            6 => i16x8_shuffle::<6, 7, 8, 9, 10, 11, 12, 13>($low, $high),
            7 => i16x8_shuffle::<7, 8, 9, 10, 11, 12, 13, 14>($low, $high),
            _ => $high,
        }
    };
}

impl U16s for U16x16 {
    shifts!(16 i16x8_shl u16x8_shr);
    lanewise! {
        min u16x8_min;
        max u16x8_max;
        cmp_gt_signed i16x8_gt;
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        let low = both!(u32x4_extmul_low_u16x8(self.0, other.0));
        let high = both!(u32x4_extmul_high_u16x8(self.0, other.0));
        Self([
            i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low[0], high[0]),
            i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low[1], high[1]),
        ])
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        Self(both!(u16x8_extadd_pairwise_u8x16(both!(i8x16_popcnt(self.0)))))
    }
    #[inline(always)]
    fn slide_down<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let ([low, high], zero) = (self.0, u16x8_splat(0));
        Self([eight_from!(low, high, N), eight_from!(high, zero, N)])
    }
    #[inline(always)]
    fn slide_up<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let ([low, high], zero) = (self.0, u16x8_splat(0));
        Self([eight_from!(zero, low, 8 - N), eight_from!(low, high, 8 - N)])
    }
}

impl U32x8 {
    /// Returns 2 to the power of each lane, or 0 where that is 32 or more.
    #[inline(always)]
    fn powers_of_2(self) -> Self {
        let (bias, width) = (Self([u32x4_splat(127); 2]), [u32x4_splat(32); 2]);
        // The exponent of a floating-point number, converted to an integer.
        let powers = both!(u32x4_trunc_sat_f32x4((self + bias).shl::<23>().0));
        Self(powers) & Self(both!(u32x4_lt(self.0, width)))
    }
}

/// Returns the lanes of `a`, each shifted to the right by its lane of `counts`.
#[inline(always)]
fn shr_each_of_4(a: v128, counts: v128) -> v128 {
    macro_rules! lane {
        ($n:literal) => {
            u32x4_extract_lane::<$n>(a).unbounded_shr(u32x4_extract_lane::<$n>(counts))
        };
    }
    let shifted = u32x4_replace_lane::<1>(u32x4_splat(lane!(0)), lane!(1));
    u32x4_replace_lane::<3>(u32x4_replace_lane::<2>(shifted, lane!(2)), lane!(3))
}

impl U32s for U32x8 {
    shifts!(32 i32x4_shl u32x4_shr);
    lanewise! {
        wrapping_mul i32x4_mul;
        cmp_gt_signed i32x4_gt;
    }
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        self.wrapping_mul(counts.powers_of_2())
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        Self(both!(shr_each_of_4(self.0, counts.0)))
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        let low = both!(u64x2_extmul_low_u32x4(self.0, other.0));
        let high = both!(u64x2_extmul_high_u32x4(self.0, other.0));
        Self([i32x4_shuffle::<1, 3, 5, 7>(low[0], high[0]), i32x4_shuffle::<1, 3, 5, 7>(low[1], high[1])])
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        let pairs = both!(u16x8_extadd_pairwise_u8x16(both!(i8x16_popcnt(self.0))));
        Self(both!(u32x4_extadd_pairwise_u16x8(pairs)))
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self([self.0[1], self.0[0]])
    }
    #[inline(always)]
    fn swap_pairs(self) -> Self {
        let [a, b] = self.0;
        Self([i32x4_shuffle::<2, 3, 0, 1>(a, a), i32x4_shuffle::<2, 3, 0, 1>(b, b)])
    }
    #[inline(always)]
    fn swap_neighbors(self) -> Self {
        let [a, b] = self.0;
        Self([i32x4_shuffle::<1, 0, 3, 2>(a, a), i32x4_shuffle::<1, 0, 3, 2>(b, b)])
    }
}

/// Shifts a word to the left; 0 if the count is 64 or more.
#[inline(always)]
const fn shl_word(a: u64, n: u64) -> u64 {
    if n < 64 { a << n } else { 0 }
}

/// Shifts a word to the right; 0 if the count is 64 or more.
#[inline(always)]
const fn shr_word(a: u64, n: u64) -> u64 {
    if n < 64 { a >> n } else { 0 }
}

/// Calls a function of two words for each pair of lanes. No instruction shifts lanes by counts of their own.
macro_rules! each_word {
    ($function:ident($a:expr, $b:expr)) => {{
        let (a, b) = ($a, $b);
        u64x2(
            $function(u64x2_extract_lane::<0>(a), u64x2_extract_lane::<0>(b)),
            $function(u64x2_extract_lane::<1>(a), u64x2_extract_lane::<1>(b)),
        )
    }};
}

impl U64s for U64x4 {
    shifts!(64 i64x2_shl u64x2_shr);
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        Self([each_word!(shl_word(self.0[0], counts.0[0])), each_word!(shl_word(self.0[1], counts.0[1]))])
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        Self([each_word!(shr_word(self.0[0], counts.0[0])), each_word!(shr_word(self.0[1], counts.0[1]))])
    }
    #[inline(always)]
    fn mul_u32(self, other: Self) -> Self {
        let a = i32x4_shuffle::<0, 2, 4, 6>(self.0[0], self.0[1]);
        let b = i32x4_shuffle::<0, 2, 4, 6>(other.0[0], other.0[1]);
        Self([u64x2_extmul_low_u32x4(a, b), u64x2_extmul_high_u32x4(a, b)])
    }
}
