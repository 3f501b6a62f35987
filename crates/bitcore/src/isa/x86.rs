//! The tokens of x86-64: AVX2 with a fast or a slow PEXT, and AVX-512. Every `unsafe` for x86-64 is here.
//!
//! # Safety
//!
//! Whoever holds a value of these types runs on a CPU that has the instructions:
//!
//! - A token is made only from an [`X86V3Detected`] or an [`X86V4Detected`], and these only by
//!   [`Level::detect`], which saw all features on the running CPU, or was compiled in a build that promises
//!   them.
//! - A lane type is made only from a token, which it names, or from other lanes of that token.
//!
//! The macros `v3!` and `v4!` call intrinsics without any other precondition, and only those: the ones in the
//! lists of `avx2` and `avx512`, where the compiler proves it. An intrinsic that reads or writes through a
//! pointer, such as a load, a store or a gather, is refused there; the two that are needed stand in functions
//! of their own, with their preconditions.
#![allow(unsafe_code)]

use super::portable;
use super::traits::{Isa, Sealed};
use crate::level::{self, Level, X86V3Detected, X86V4Detected};
use core::arch::x86_64::{__m128i, __m256i, _MM_HINT_T0, _mm256_loadu_si256, _mm256_storeu_si256};
use core::fmt::Debug;
use core::hash::Hash;

/// The token of x86-64-v3's integer part: AVX2 + BMI1 + BMI2 + LZCNT + POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct X86V3(X86V3Detected);

/// The token of the same instructions without PEXT and PDEP, for CPUs where these are slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct X86V3SlowPext(X86V3Detected);

/// The token of x86-64-v3 and AVX-512 F, BW, CD, DQ, VL, VBMI, VBMI2, BITALG and VPOPCNTDQ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct X86V4(X86V4Detected);

/// The trait of the three tokens, for their lanes.
pub trait X86: Isa {
    /// `true` if the token proves AVX-512.
    const AVX512: bool;
}

impl X86V3 {
    /// Returns the token, if this CPU has all five features.
    #[inline(always)]
    pub fn new() -> Option<Self> {
        Self::of(Level::detect())
    }

    /// Returns the token of `level`, if that has all of the token's instructions.
    #[inline(always)]
    pub(super) fn of(level: Level) -> Option<Self> {
        level.x86_v3_detected().map(Self)
    }
}

impl X86V3SlowPext {
    /// Returns the token of `level`, if it is this token's level.
    #[inline(always)]
    pub(super) fn of(level: Level) -> Option<Self> {
        level.x86_v3_slow_pext_detected().map(Self)
    }
}

impl X86V4 {
    /// Returns the token of `level`, if it is this token's level.
    #[inline(always)]
    pub(super) fn of(level: Level) -> Option<Self> {
        level.x86_v4_detected().map(Self)
    }
}

/// The intrinsics that [`v3!`] takes.
mod avx2 {
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
    // The intrinsic needs nothing else, as `avx2` proves.
    ($name:ident()) => {
        unsafe { avx2::$name() }
    };
    ($name:ident $(::<$n:tt>)?($a:expr)) => {{
        let a = $a;
        unsafe { avx2::$name$(::<$n>)?(a) }
    }};
    ($name:ident $(::<$n:tt>)?($a:expr, $b:expr)) => {{
        let (a, b) = ($a, $b);
        unsafe { avx2::$name$(::<$n>)?(a, b) }
    }};
    ($name:ident($a:expr, $b:expr, $c:expr)) => {{
        let (a, b, c) = ($a, $b, $c);
        unsafe { avx2::$name(a, b, c) }
    }};
    ($name:ident($($byte:literal),*)) => {
        unsafe { avx2::$name($($byte),*) }
    };
}

/// The intrinsics that [`v4!`] takes.
mod avx512 {
    use core::arch::x86_64::__m256i;

    /// Does the same as the macro in `avx2`, for the features of x86-64-v4.
    macro_rules! listed {
        (($($argument:ident: $ty:ty),*) $($name:ident$(::<$n:literal>)?($($value:expr),*);)*) => {
            pub(super) use core::arch::x86_64::{$($name),*};

            #[target_feature(enable = "avx512bw,avx512vl,avx512vbmi,avx512bitalg,avx512vpopcntdq")]
            #[allow(dead_code, reason = "that it compiles is the proof")]
            fn need_features_only($($argument: $ty),*) {
                $(let _ = $name$(::<$n>)?($($value),*);)*
            }
        };
    }
    listed! {
        (r: __m256i)
        _mm256_popcnt_epi8(r);
        _mm256_popcnt_epi16(r);
        _mm256_popcnt_epi32(r);
        _mm256_ternarylogic_epi64::<1>(r, r, r);
        _mm256_testn_epi8_mask(r, r);
    }
}

/// Calls an intrinsic of AVX-512 if the token `$token` has it, and computes `$other` if not.
macro_rules! v4_or {
    ($token:ty: $name:ident $(::<$n:literal>)?($($register:ident.0),*) else $other:expr) => {
        if <$token>::AVX512 {
            // SAFETY: lanes of a token are made only by who holds it, so `Level::detect` saw the features. The
            // intrinsic needs nothing else, as `avx512` proves.
            unsafe { avx512::$name$(::<$n>)?($($register.0),*) }
        } else {
            $other
        }
    };
}

mod lanes;
use lanes::{U8x32, U16x16, U32x8, U64x4};

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
        fn $load(self, lanes: &[$lane; $n]) -> $lanes<Self> {
            $lanes::new(load(lanes))
        }
        #[inline(always)]
        fn $splat(self, lane: $lane) -> $lanes<Self> {
            $lanes::new(v3!($intrinsic(lane.cast_signed())))
        }
    )*};
}

/// Defines the token's methods that take a register for one of other lanes.
macro_rules! bitcasts {
    ($($name:ident $from:ident => $to:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, lanes: $from<Self>) -> $to<Self> {
            $to::new(lanes.0)
        }
    )*};
}

/// Defines a token: its level, features and constants, and its PEXT, PDEP and select.
macro_rules! token {
    (
        $token:ident: $name:expr, $level:ident, $features:literal, fast_pext: $fast_pext:literal,
        avx512: $avx512:literal; $($scalar:item)*
    ) => {
        impl Sealed for $token {}

        impl X86 for $token {
            const AVX512: bool = $avx512;
        }

        impl From<$token> for Level {
            #[inline(always)]
            fn from(isa: $token) -> Self {
                Self::$level(isa.0)
            }
        }

        impl Isa for $token {
            const NAME: &'static str = $name;
            const FAST_PEXT: bool = $fast_pext;
            const FAST_BITMASK: bool = true;
            const HAS_SIMD: bool = true;
            type U8x32 = U8x32<Self>;
            type U16x16 = U16x16<Self>;
            type U32x8 = U32x8<Self>;
            type U64x4 = U64x4<Self>;

            #[inline(always)]
            fn enter<R>(self, f: impl FnOnce() -> R) -> R {
                #[inline]
                #[target_feature(enable = $features)]
                fn inside<R>(f: impl FnOnce() -> R) -> R {
                    f()
                }
                enter!(inside(f))
            }
            kernel_entries!(define #[target_feature(enable = $features)] enter);
            $(#[inline(always)] $scalar)*
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
            fn widen_u16x8(self, fields: u128) -> U32x8<Self> {
                let (high, low) = ((fields >> 64) as i64, fields as i64);
                U32x8::new(v3!(_mm256_cvtepu16_epi32(v3!(_mm_set_epi64x(high, low)))))
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
    };
}

/// Defines the methods by BMI2.
macro_rules! bmi2 {
    ($token:ident: $($rest:tt)*) => {
        token! {
            $token: $($rest)*
            fn pext(self, x: u64, mask: u64) -> u64 {
                v3!(_pext_u64(x, mask))
            }
            fn pdep(self, x: u64, mask: u64) -> u64 {
                v3!(_pdep_u64(x, mask))
            }
            fn select(self, x: u64, k: u32) -> u32 {
                self.pdep(1u64.unbounded_shl(k), x).trailing_zeros()
            }
        }
    };
}

bmi2! { X86V3: level::X86_V3, from_x86_v3, "avx2,bmi1,bmi2,lzcnt,popcnt", fast_pext: true, avx512: false; }
bmi2! {
    X86V4: level::X86_V4, from_x86_v4,
    "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq",
    fast_pext: true, avx512: true;
}
token! {
    X86V3SlowPext: level::X86_V3_SLOW_PEXT, from_x86_v3_slow_pext, "avx2,bmi1,bmi2,lzcnt,popcnt",
    fast_pext: false, avx512: false;
    fn pext(self, x: u64, mask: u64) -> u64 {
        portable::pext(x, mask)
    }
    fn pdep(self, x: u64, mask: u64) -> u64 {
        portable::pdep(x, mask)
    }
    fn select(self, x: u64, k: u32) -> u32 {
        portable::select(x, k)
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
fn load_count(n: u32) -> __m128i {
    v3!(_mm_cvtsi64_si128(i64::from(n)))
}
