//! The token of AVX2 + BMI1 + BMI2 + LZCNT + POPCNT. Every `unsafe` of the libraries is in this file.
//!
//! # Safety
//!
//! Whoever holds a value of these types runs on a CPU that has the instructions:
//!
//! - An [`X86V3`] is made only from an [`X86V3Detected`], and that only by [`Level::detect`], which saw all
//!   five features on the running CPU, or was compiled in a build that promises them.
//! - A lane type is made only from an `X86V3`, or from other lanes.
//!
//! The macro `v3!` calls intrinsics without any other precondition, and only those: the ones in the list of
//! `listed`, where the compiler proves it. An intrinsic that reads or writes through a pointer, such as a
//! load, a store or a gather, is refused there; the two that are needed stand in functions of their own, with
//! their preconditions.
#![allow(unsafe_code)]

use super::traits::{Bytes, Isa, Lanes, Sealed, U16s, U32s, U64s};
use crate::level::{self, Level, X86V3Detected};
use core::arch::x86_64::{__m128i, __m256i, _MM_HINT_T0, _mm256_loadu_si256, _mm256_storeu_si256};
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// The token of x86-64-v3's integer part: AVX2 + BMI1 + BMI2 + LZCNT + POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct X86V3(X86V3Detected);

impl Sealed for X86V3 {}

impl X86V3 {
    /// Returns the token, if this CPU has all five features.
    #[inline(always)]
    pub fn new() -> Option<Self> {
        Self::of(Level::detect())
    }

    /// Returns the token of `level`, if it is this token's level.
    #[inline(always)]
    pub(super) fn of(level: Level) -> Option<Self> {
        level.x86_v3_detected().map(Self)
    }
}

impl From<X86V3> for Level {
    #[inline(always)]
    fn from(isa: X86V3) -> Self {
        Self::from_x86_v3(isa.0)
    }
}

/// The intrinsics that [`v3!`] takes.
mod listed {
    use core::arch::x86_64::{__m128i, __m256i};

    /// Imports intrinsics, and proves that the token's features are their only precondition: a function that
    /// has these features calls each without `unsafe`. An intrinsic that reads or writes through a pointer is
    /// an `unsafe fn` even there, and doesn't compile here.
    macro_rules! listed {
        (($($argument:ident: $ty:ty),*) $($name:ident$(::<$n:literal>)?($($value:expr),*);)*) => {
            pub(super) use core::arch::x86_64::{$($name),*};

            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            #[allow(dead_code, reason = "that it compiles is the proof")]
            fn need_features_only($($argument: $ty),*) {
                $(let _ = $name$(::<$n>)?($($value),*);)*
            }
        };
    }
    listed! {
        (r: __m256i, h: __m128i)
        _mm_cvtsi64_si128(1);
        _mm_prefetch::<0>(core::ptr::null());
        _mm_set_epi64x(1, 1);
        _mm256_add_epi8(r, r);
        _mm256_add_epi16(r, r);
        _mm256_add_epi32(r, r);
        _mm256_add_epi64(r, r);
        _mm256_alignr_epi8::<1>(r, r);
        _mm256_and_si256(r, r);
        _mm256_andnot_si256(r, r);
        _mm256_blend_epi32::<1>(r, r);
        _mm256_blendv_epi8(r, r, r);
        _mm256_cmpeq_epi8(r, r);
        _mm256_cmpeq_epi16(r, r);
        _mm256_cmpeq_epi32(r, r);
        _mm256_cmpeq_epi64(r, r);
        _mm256_cmpgt_epi16(r, r);
        _mm256_cmpgt_epi32(r, r);
        _mm256_cvtepu16_epi32(h);
        _mm256_madd_epi16(r, r);
        _mm256_maddubs_epi16(r, r);
        _mm256_max_epu8(r, r);
        _mm256_max_epu16(r, r);
        _mm256_min_epu8(r, r);
        _mm256_min_epu16(r, r);
        _mm256_movemask_epi8(r);
        _mm256_mul_epu32(r, r);
        _mm256_mulhi_epu16(r, r);
        _mm256_mullo_epi32(r, r);
        _mm256_or_si256(r, r);
        _mm256_permute2x128_si256::<1>(r, r);
        _mm256_permute4x64_epi64::<1>(r);
        _mm256_sad_epu8(r, r);
        _mm256_set1_epi8(1);
        _mm256_set1_epi16(1);
        _mm256_set1_epi32(1);
        _mm256_set1_epi64x(1);
        _mm256_setr_epi8(
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
        );
        _mm256_setzero_si256();
        _mm256_shuffle_epi8(r, r);
        _mm256_shuffle_epi32::<1>(r);
        _mm256_sll_epi16(r, h);
        _mm256_sll_epi32(r, h);
        _mm256_sll_epi64(r, h);
        _mm256_slli_epi16::<1>(r);
        _mm256_slli_epi32::<1>(r);
        _mm256_slli_epi64::<1>(r);
        _mm256_sllv_epi32(r, r);
        _mm256_sllv_epi64(r, r);
        _mm256_srl_epi16(r, h);
        _mm256_srl_epi32(r, h);
        _mm256_srl_epi64(r, h);
        _mm256_srli_epi16::<1>(r);
        _mm256_srli_epi32::<1>(r);
        _mm256_srli_epi64::<1>(r);
        _mm256_srlv_epi32(r, r);
        _mm256_srlv_epi64(r, r);
        _mm256_sub_epi8(r, r);
        _mm256_sub_epi16(r, r);
        _mm256_sub_epi32(r, r);
        _mm256_sub_epi64(r, r);
        _mm256_testz_si256(r, r);
        _mm256_xor_si256(r, r);
        _pdep_u64(1, 1);
        _pext_u64(1, 1);
    }
}

/// Calls an intrinsic of the list, whose only precondition are the token's features. The arguments are
/// evaluated outside of the `unsafe` block.
macro_rules! v3 {
    // SAFETY, of each: the caller holds a token or lanes made from one, so `Level::detect` saw the features.
    // The intrinsic needs nothing else, as `listed` proves.
    ($name:ident()) => {
        unsafe { listed::$name() }
    };
    ($name:ident $(::<$n:tt>)?($a:expr)) => {{
        let a = $a;
        unsafe { listed::$name$(::<$n>)?(a) }
    }};
    ($name:ident $(::<$n:tt>)?($a:expr, $b:expr)) => {{
        let (a, b) = ($a, $b);
        unsafe { listed::$name$(::<$n>)?(a, b) }
    }};
    ($name:ident($a:expr, $b:expr, $c:expr)) => {{
        let (a, b, c) = ($a, $b, $c);
        unsafe { listed::$name(a, b, c) }
    }};
    ($name:ident($($byte:literal),*)) => {
        unsafe { listed::$name($($byte),*) }
    };
}

/// Calls a safe function that has the token's features and no other precondition.
macro_rules! enter {
    ($entry:ident($($argument:ident),*)) => {
        // SAFETY: the caller holds a token, so `Level::detect` saw the features. The functions are in this
        // module, and not `unsafe`.
        unsafe { $entry($($argument),*) }
    };
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
            $lanes(v3!($intrinsic(lane.cast_signed())))
        }
    )*};
}

/// Defines the token's methods that take a register for one of other lanes.
macro_rules! bitcasts {
    ($($name:ident $from:ident => $to:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, lanes: $from) -> $to {
            $to(lanes.0)
        }
    )*};
}

impl Isa for X86V3 {
    const NAME: &'static str = level::X86_V3;
    const FAST_PEXT: bool = true;
    const HAS_SIMD: bool = true;
    type U8x32 = U8x32;
    type U16x16 = U16x16;
    type U32x8 = U32x8;
    type U64x4 = U64x4;

    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        #[inline]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inside<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        enter!(inside(f))
    }
    kernel_entries!(define #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")] enter);
    #[inline(always)]
    fn pext(self, x: u64, mask: u64) -> u64 {
        v3!(_pext_u64(x, mask))
    }
    #[inline(always)]
    fn pdep(self, x: u64, mask: u64) -> u64 {
        v3!(_pdep_u64(x, mask))
    }
    #[inline(always)]
    fn select(self, x: u64, k: u32) -> u32 {
        self.pdep(1u64.unbounded_shl(k), x).trailing_zeros()
    }
    #[inline(always)]
    fn prefetch<T>(self, place: &T) {
        v3!(_mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(place).cast()));
    }
    load_and_splat! {
        u8x32 splat_u8 U8x32 [u8; 32] _mm256_set1_epi8;
        u16x16 splat_u16 U16x16 [u16; 16] _mm256_set1_epi16;
        u32x8 splat_u32 U32x8 [u32; 8] _mm256_set1_epi32;
        u64x4 splat_u64 U64x4 [u64; 4] _mm256_set1_epi64x;
    }
    #[inline(always)]
    fn rotate_lanes_u64<const N: i32>(self, lanes: U64x4) -> U64x4 {
        U64x4(match const { N } {
            1 => v3!(_mm256_permute4x64_epi64::<0b10_01_00_11>(lanes.0)),
            2 => v3!(_mm256_permute4x64_epi64::<0b01_00_11_10>(lanes.0)),
            3 => v3!(_mm256_permute4x64_epi64::<0b00_11_10_01>(lanes.0)),
            _ => unreachable!(),
        })
    }
    #[inline(always)]
    fn widen_u16x8(self, fields: u128) -> U32x8 {
        let (high, low) = ((fields >> 64) as i64, fields as i64);
        U32x8(v3!(_mm256_cvtepu16_epi32(v3!(_mm_set_epi64x(high, low)))))
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

/// The arrays of lanes that fill a register: 32 bytes of plain integers, without padding.
trait LaneBytes: Copy {}
impl LaneBytes for [u8; 32] {}
impl LaneBytes for [u16; 16] {}
impl LaneBytes for [u32; 8] {}
impl LaneBytes for [u64; 4] {}

/// Loads a register from memory. Called only by methods of the token, which prove the features.
#[inline(always)]
fn load<A: LaneBytes>(lanes: &A) -> __m256i {
    const { assert!(size_of::<A>() == 32) };
    // SAFETY: 32 readable bytes, any alignment; the features as above.
    unsafe { _mm256_loadu_si256(core::ptr::from_ref(lanes).cast()) }
}

/// Stores a register in `lanes`. Called only by methods of lanes, which prove the features.
#[inline(always)]
fn store<A: LaneBytes>(register: __m256i, mut lanes: A) -> A {
    const { assert!(size_of::<A>() == 32) };
    // SAFETY: 32 writable bytes, any alignment, every bit pattern valid; the features as above.
    unsafe { _mm256_storeu_si256(core::ptr::from_mut(&mut lanes).cast(), register) };
    lanes
}

/// Returns a shift count for `_mm256_sll_epi32` and the like. They give 0 for counts beyond the lane's width.
#[inline(always)]
fn count(n: u32) -> __m128i {
    v3!(_mm_cvtsi64_si128(i64::from(n)))
}

/// Defines methods of two registers, each by one intrinsic.
macro_rules! lanewise {
    ($($name:ident $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self(v3!($intrinsic(self.0, other.0)))
        }
    )*};
}

/// Defines the shifts, which all lanes wider than a byte have: by a constant, and by a count at run time.
macro_rules! shifts {
    ($bits:literal $left:ident $right:ident $left_all:ident $right_all:ident) => {
        #[inline(always)]
        fn shl<const N: i32>(self) -> Self {
            const { assert!(0 <= N && N < $bits) };
            Self(v3!($left::<N>(self.0)))
        }
        #[inline(always)]
        fn shr<const N: i32>(self) -> Self {
            const { assert!(0 <= N && N < $bits) };
            Self(v3!($right::<N>(self.0)))
        }
        #[inline(always)]
        fn shl_all(self, n: u32) -> Self {
            Self(v3!($left_all(self.0, count(n))))
        }
        #[inline(always)]
        fn shr_all(self, n: u32) -> Self {
            Self(v3!($right_all(self.0, count(n))))
        }
    };
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
        pub struct $name(__m256i);

        impl Sealed for $name {}

        operators! {
            $name:
            BitAnd bitand _mm256_and_si256;
            BitOr bitor _mm256_or_si256;
            BitXor bitxor _mm256_xor_si256;
            Add add $add;
            Sub sub $sub;
        }
        impl Not for $name {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self(v3!(_mm256_xor_si256(self.0, v3!(_mm256_set1_epi8(-1)))))
            }
        }
        impl Lanes for $name {
            type Array = [$lane; $n];

            lanewise! { cmp_eq $eq; }
            #[inline(always)]
            fn to_array(self) -> Self::Array {
                store(self.0, [0; $n])
            }
            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                Self(v3!(_mm256_andnot_si256(other.0, self.0)))
            }
            #[inline(always)]
            fn bitselect(self, yes: Self, no: Self) -> Self {
                (self & yes) | no.and_not(self)
            }
            #[inline(always)]
            fn blend_lanes(self, yes: Self, no: Self) -> Self {
                Self(v3!(_mm256_blendv_epi8(no.0, yes.0, self.0)))
            }
            #[inline(always)]
            fn is_zero(self) -> bool {
                v3!(_mm256_testz_si256(self.0, self.0)) == 1
            }
        }
    };
}
lanes!(
    /// 32 lanes of 8 bits in one register.
    U8x32 [u8; 32] _mm256_add_epi8 _mm256_sub_epi8 _mm256_cmpeq_epi8
);
lanes!(
    /// 16 lanes of 16 bits in one register.
    U16x16 [u16; 16] _mm256_add_epi16 _mm256_sub_epi16 _mm256_cmpeq_epi16
);
lanes!(
    /// 8 lanes of 32 bits in one register.
    U32x8 [u32; 8] _mm256_add_epi32 _mm256_sub_epi32 _mm256_cmpeq_epi32
);
lanes!(
    /// 4 lanes of 64 bits in one register.
    U64x4 [u64; 4] _mm256_add_epi64 _mm256_sub_epi64 _mm256_cmpeq_epi64
);

/// Shifts by `8 * N` bits. Stable Rust can't compute a const argument from `N`.
macro_rules! shift_by_bytes {
    ($shift:ident, $register:expr, $n:ident) => {
        match $n {
            0 => $register,
            1 => v3!($shift::<8>($register)),
            2 => v3!($shift::<16>($register)),
            3 => v3!($shift::<24>($register)),
            4 => v3!($shift::<32>($register)),
            5 => v3!($shift::<40>($register)),
            6 => v3!($shift::<48>($register)),
            _ => v3!($shift::<56>($register)),
        }
    };
}

impl Bytes for U8x32 {
    lanewise! {
        min _mm256_min_epu8;
        max _mm256_max_epu8;
        shuffle _mm256_shuffle_epi8;
    }
    #[inline(always)]
    fn zero_bitmask(self) -> u32 {
        self.eq_bitmask(Self(v3!(_mm256_setzero_si256())))
    }
    #[inline(always)]
    fn eq_bitmask(self, other: Self) -> u32 {
        self.cmp_eq(other).movemask()
    }
    #[inline(always)]
    fn movemask(self) -> u32 {
        v3!(_mm256_movemask_epi8(self.0)).cast_unsigned()
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self(v3!(_mm256_permute2x128_si256::<0x01>(self.0, self.0)))
    }
    #[inline(always)]
    fn slide_down_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        Self(shift_by_bytes!(_mm256_srli_epi64, self.0, N))
    }
    #[inline(always)]
    fn slide_up_in_8<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        Self(shift_by_bytes!(_mm256_slli_epi64, self.0, N))
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        // A table has the count of each nibble.
        let table = v3!(_mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4
        ));
        let nibble = v3!(_mm256_set1_epi8(15));
        let low = v3!(_mm256_shuffle_epi8(table, v3!(_mm256_and_si256(self.0, nibble))));
        let upper = v3!(_mm256_srli_epi64::<4>(self.0));
        let high = v3!(_mm256_shuffle_epi8(table, v3!(_mm256_and_si256(upper, nibble))));
        Self(v3!(_mm256_add_epi8(low, high)))
    }
    #[inline(always)]
    fn sums_of_8(self) -> Self {
        Self(v3!(_mm256_sad_epu8(self.0, v3!(_mm256_setzero_si256()))))
    }
}

/// Takes 16 bytes of `$low` and `$high`, `2 * N` bytes up, in each half of the register. Stable Rust can't
/// compute a const argument from `N`.
macro_rules! align_by_lanes {
    ($high:expr, $low:expr, $n:ident, $($lanes:literal => $bytes:literal)*) => {
        match $n {
            $($lanes => v3!(_mm256_alignr_epi8::<$bytes>($high, $low)),)*
            _ => unreachable!(),
        }
    };
}

impl U16s for U16x16 {
    shifts!(16 _mm256_slli_epi16 _mm256_srli_epi16 _mm256_sll_epi16 _mm256_srl_epi16);
    lanewise! {
        mul_high _mm256_mulhi_epu16;
        min _mm256_min_epu16;
        max _mm256_max_epu16;
        cmp_gt_signed _mm256_cmpgt_epi16;
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        let bytes = U8x32(self.0).count_ones().0;
        Self(v3!(_mm256_maddubs_epi16(bytes, v3!(_mm256_set1_epi8(1)))))
    }
    #[inline(always)]
    fn slide_down<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        // The upper half, then zeros.
        let next = v3!(_mm256_permute2x128_si256::<0x81>(self.0, self.0));
        Self(align_by_lanes!(next, self.0, N, 0 => 0 1 => 2 2 => 4 3 => 6 4 => 8 5 => 10 6 => 12 7 => 14))
    }
    #[inline(always)]
    fn slide_up<const N: i32>(self) -> Self {
        const { assert!(0 <= N && N < 8) };
        // Zeros, then the lower half.
        let before = v3!(_mm256_permute2x128_si256::<0x08>(self.0, self.0));
        Self(align_by_lanes!(self.0, before, N, 0 => 16 1 => 14 2 => 12 3 => 10 4 => 8 5 => 6 6 => 4 7 => 2))
    }
}

impl U32s for U32x8 {
    shifts!(32 _mm256_slli_epi32 _mm256_srli_epi32 _mm256_sll_epi32 _mm256_srl_epi32);
    lanewise! {
        shl_each _mm256_sllv_epi32;
        shr_each _mm256_srlv_epi32;
        wrapping_mul _mm256_mullo_epi32;
        cmp_gt_signed _mm256_cmpgt_epi32;
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        let even = v3!(_mm256_srli_epi64::<32>(v3!(_mm256_mul_epu32(self.0, other.0))));
        let (high, other_high) =
            (v3!(_mm256_srli_epi64::<32>(self.0)), v3!(_mm256_srli_epi64::<32>(other.0)));
        let odd = v3!(_mm256_mul_epu32(high, other_high));
        Self(v3!(_mm256_blend_epi32::<0b1010_1010>(even, odd)))
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        // The counts of bytes, then of pairs of them, then of pairs of pairs.
        let bytes = U8x32(self.0).count_ones().0;
        let ones = v3!(_mm256_set1_epi8(1));
        let pairs = v3!(_mm256_maddubs_epi16(bytes, ones));
        Self(v3!(_mm256_madd_epi16(pairs, v3!(_mm256_set1_epi16(1)))))
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self(v3!(_mm256_permute2x128_si256::<0x01>(self.0, self.0)))
    }
    #[inline(always)]
    fn swap_pairs(self) -> Self {
        Self(v3!(_mm256_shuffle_epi32::<0b01_00_11_10>(self.0)))
    }
    #[inline(always)]
    fn swap_neighbors(self) -> Self {
        Self(v3!(_mm256_shuffle_epi32::<0b10_11_00_01>(self.0)))
    }
}

impl U64s for U64x4 {
    shifts!(64 _mm256_slli_epi64 _mm256_srli_epi64 _mm256_sll_epi64 _mm256_srl_epi64);
    lanewise! {
        shl_each _mm256_sllv_epi64;
        shr_each _mm256_srlv_epi64;
        mul_u32 _mm256_mul_epu32;
    }
}
