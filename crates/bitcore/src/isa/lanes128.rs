//! The token and the lanes of an architecture with 128-bit registers: NEON or simd128.
//!
//! A group of lanes takes two registers, the lower lanes first. `registers` is the architecture's
//! file, `neon.rs` or `simd128.rs`. Both define the same functions under the same names, in one
//! module per lane width. Most implement the method of the same name for one register. The others:
//!
//! - `bitmask(low, high)` requires lanes of all ones or all zeros, `movemask(low, high)` doesn't.
//! - `lookup(table, index)` returns `table[index[i]]` in lane i, or 0 for an index beyond 15.
//! - `add_pairs(a)` adds neighboring lanes to lanes of twice the width.
//! - `extract(low, high, n)` takes eight lanes of the two registers, starting at lane n of `low`.
//! - `dot4(a, b)` adds the products of each four lanes, those of `a` at most 127, those of `b` signed.
//! - `widen(low, high)` zero-extends the four lanes of each word to 32 bits.
#![allow(unsafe_code)]

use super::registers::{self, Register, Token, u8s, u16s, u32s, u64s};
use super::traits::{Bytes, Isa, LaneBytes, Lanes, Sealed, U16s, U32s, U64s};
use crate::level::Level;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// Calls a register function for each of the two registers.
macro_rules! both {
    ($function:path, $($group:expr),*) => {
        [$function($($group[0]),*), $function($($group[1]),*)]
    };
}

impl Token {
    /// Returns the token if `level` is its level, the only one above the baseline.
    #[inline(always)]
    pub(super) fn of(level: Level) -> Option<Self> {
        (level != Level::PORTABLE).then_some(Self(()))
    }
}

impl Sealed for Token {}

impl From<Token> for Level {
    #[inline(always)]
    fn from(_: Token) -> Self {
        Self::PROMISED
    }
}

/// Defines the token's loads and splats.
macro_rules! load_and_splat {
    ($($load:ident $splat:ident $lanes:ident [$lane:ident; $n:literal] $module:ident;)*) => {$(
        #[inline(always)]
        fn $load(self, lanes: &[$lane; $n]) -> $lanes {
            $lanes(load(lanes))
        }
        #[inline(always)]
        fn $splat(self, lane: $lane) -> $lanes {
            $lanes([$module::splat(lane); 2])
        }
    )*};
}

/// Defines the token's bitcasts, which reinterpret registers.
macro_rules! bitcasts {
    ($($name:ident $from:ident => $to:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, lanes: $from) -> $to {
            $to(lanes.0)
        }
    )*};
}

impl Isa for Token {
    const NAME: &'static str = registers::NAME;
    const FAST_PEXT: bool = false;
    const FAST_BITMASK: bool = registers::FAST_BITMASK;
    const FAST_COUNT_ONES: bool = true;
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
        u8x32 splat_u8 U8x32 [u8; 32] u8s;
        u16x16 splat_u16 U16x16 [u16; 16] u16s;
        u32x8 splat_u32 U32x8 [u32; 8] u32s;
        u64x4 splat_u64 U64x4 [u64; 4] u64s;
    }
    #[inline(always)]
    fn widen_u16x8(self, fields: u128) -> U32x8 {
        U32x8(u16s::widen(fields as u64, (fields >> 64) as u64))
    }
    bitcasts! {
        bitcast_u64_u8 U64x4 => U8x32;
        bitcast_u8_u64 U8x32 => U64x4;
        bitcast_u64_u16 U64x4 => U16x16;
        bitcast_u16_u64 U16x16 => U64x4;
        bitcast_u16_u32 U16x16 => U32x8;
        bitcast_u32_u16 U32x8 => U16x16;
    }
    #[inline(always)]
    fn add_dot4(self, sums: U32x8, bytes: u32, signed: U8x32) -> U32x8 {
        let bytes = u32s::splat(bytes);
        let products = signed.0.map(|signed| u8s::dot4(bytes, signed));
        sums + U32x8(products)
    }
}

#[inline(always)]
fn load<A: LaneBytes>(lanes: &A) -> [Register; 2] {
    const { assert!(size_of::<A>() == size_of::<[Register; 2]>()) };
    let registers: *const Register = core::ptr::from_ref(lanes).cast();
    // SAFETY: two readable registers, as asserted; any alignment, every bit pattern valid.
    unsafe { [registers.read_unaligned(), registers.add(1).read_unaligned()] }
}

#[inline(always)]
fn store<A: LaneBytes>(registers: [Register; 2], mut lanes: A) -> A {
    const { assert!(size_of::<A>() == size_of::<[Register; 2]>()) };
    let to: *mut Register = core::ptr::from_mut(&mut lanes).cast();
    // SAFETY: two writable registers, as asserted; any alignment, every bit pattern valid.
    unsafe {
        to.write_unaligned(registers[0]);
        to.add(1).write_unaligned(registers[1]);
    }
    lanes
}

/// Defines methods by the register functions of the same names.
macro_rules! lanewise {
    ($module:ident: $($name:ident($self:ident $(, $other:ident)?);)*) => {$(
        #[inline(always)]
        fn $name($self $(, $other: Self)?) -> Self {
            Self(both!($module::$name, $self.0 $(, $other.0)?))
        }
    )*};
}

macro_rules! operators {
    ($name:ident $module:ident: $($operator:ident $method:ident $function:ident;)*) => {$(
        impl $operator for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(both!($module::$function, self.0, other.0))
            }
        }
    )*};
}

macro_rules! lanes {
    ($($(#[$doc:meta])* $name:ident [$lane:ident; $n:literal] $module:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name([Register; 2]);

        impl Sealed for $name {}

        operators! {
            $name $module:
            BitAnd bitand and;
            BitOr bitor or;
            BitXor bitxor xor;
            Add add add;
            Sub sub sub;
        }
        impl Not for $name {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                self ^ Self([$module::splat($lane::MAX); 2])
            }
        }
        impl Lanes for $name {
            type Array = [$lane; $n];

            lanewise! {
                $module:
                and_not(self, other);
                cmp_eq(self, other);
            }
            #[inline(always)]
            fn to_array(self) -> Self::Array {
                store(self.0, [0; $n])
            }
            #[inline(always)]
            fn bitselect(self, yes: Self, no: Self) -> Self {
                Self(both!($module::bitselect, yes.0, no.0, self.0))
            }
            #[inline(always)]
            fn is_zero(self) -> bool {
                registers::is_zero($module::or(self.0[0], self.0[1]))
            }
        }
    )*};
}
lanes! {
    /// 32 lanes of 8 bits in two registers.
    U8x32 [u8; 32] u8s;
    /// 16 lanes of 16 bits in two registers.
    U16x16 [u16; 16] u16s;
    /// 8 lanes of 32 bits in two registers.
    U32x8 [u32; 8] u32s;
    /// 4 lanes of 64 bits in two registers.
    U64x4 [u64; 4] u64s;
}

/// Defines the shifts of lanes wider than a byte.
macro_rules! shifts {
    ($bits:literal $module:ident) => {
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
            Self($module::shl_all(self.0, n))
        }
        #[inline(always)]
        fn shr_all(self, n: u32) -> Self {
            Self($module::shr_all(self.0, n))
        }
    };
}

impl Bytes for U8x32 {
    lanewise! {
        u8s:
        min(self, other);
        max(self, other);
        count_ones(self);
    }
    #[inline(always)]
    fn zero_bitmask(self) -> u32 {
        self.eq_bitmask(Self([u8s::splat(0); 2]))
    }
    #[inline(always)]
    fn eq_bitmask(self, other: Self) -> u32 {
        let equal = self.cmp_eq(other);
        u8s::bitmask(equal.0[0], equal.0[1])
    }
    #[inline(always)]
    fn movemask(self) -> u32 {
        u8s::movemask(self.0[0], self.0[1])
    }
    #[inline(always)]
    fn shuffle(self, index: Self) -> Self {
        // The instruction gives 0 for every index beyond 15.
        let index = index & Self([u8s::splat(0x8f); 2]);
        Self(both!(u8s::lookup, self.0, index.0))
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self([self.0[1], self.0[0]])
    }
    #[inline(always)]
    fn slide_down_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        Self(u64s::shr_all(self.0, 8 * N as u32))
    }
    #[inline(always)]
    fn slide_up_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        Self(u64s::shl_all(self.0, 8 * N as u32))
    }
    #[inline(always)]
    fn sums_of_8(self) -> Self {
        let pairs = both!(u8s::add_pairs, self.0);
        let fours = both!(u16s::add_pairs, pairs);
        Self(both!(u32s::add_pairs, fours))
    }
}

impl U16s for U16x16 {
    shifts!(16 u16s);
    lanewise! {
        u16s:
        mul_high(self, other);
        min(self, other);
        max(self, other);
        cmp_gt_signed(self, other);
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        let bytes = both!(u8s::count_ones, self.0);
        Self(both!(u8s::add_pairs, bytes))
    }
    #[inline(always)]
    fn slide_down<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let [low, high] = self.0;
        let zero = u16s::splat(0);
        Self([u16s::extract(low, high, N), u16s::extract(high, zero, N)])
    }
    #[inline(always)]
    fn slide_up<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        let [low, high] = self.0;
        let zero = u16s::splat(0);
        Self([u16s::extract(zero, low, 8 - N), u16s::extract(low, high, 8 - N)])
    }
}

impl U32s for U32x8 {
    shifts!(32 u32s);
    lanewise! {
        u32s:
        shl_each(self, counts);
        shr_each(self, counts);
        wrapping_mul(self, other);
        mul_high(self, other);
        cmp_gt_signed(self, other);
        swap_pairs(self);
        swap_neighbors(self);
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        let bytes = both!(u8s::count_ones, self.0);
        let pairs = both!(u8s::add_pairs, bytes);
        Self(both!(u16s::add_pairs, pairs))
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self([self.0[1], self.0[0]])
    }
}

impl U64s for U64x4 {
    shifts!(64 u64s);
    lanewise! {
        u64s:
        shl_each(self, counts);
        shr_each(self, counts);
    }
    #[inline(always)]
    fn mul_u32(self, other: Self) -> Self {
        Self(u64s::mul_u32(self.0, other.0))
    }
}
