//! The tokens of x86-64: AVX2 with a fast or a slow PEXT, and AVX-512.
//!
//! # Safety
//!
//! A value of one of these types proves that the CPU has its instructions:
//!
//! - A token is only made from an [`X86V3Detected`] or an [`X86V4Detected`], and these only by
//!   [`Level::best`], which detected all features on the running CPU, or was compiled in a build
//!   that enables them.
//! - A lane type is only made from a token, which is its type parameter, or from other lanes of
//!   that token.
#![allow(unsafe_code)]

use super::traits::{Isa, Sealed};
use crate::level::{self, Level, X86V3Detected, X86V4Detected};
use core::arch::x86_64::_MM_HINT_T0;
use core::fmt::Debug;
use core::hash::Hash;
use intrinsics::{avx2, avx512, load};
use lanes::{U8x32, U16x16, U32x8, U64x4, X86};

#[macro_use]
mod intrinsics;
mod lanes;

/// The token of x86-64-v3's integer part: AVX2 + BMI1 + BMI2 + LZCNT + POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct X86V3(X86V3Detected);

/// The token of the same instructions without PEXT and PDEP, for CPUs where these are slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct X86V3SlowPext(X86V3Detected);

/// The token of x86-64-v3 and AVX-512 F, BW, CD, DQ, VL, VBMI, VBMI2, BITALG, VPOPCNTDQ and VNNI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct X86V4(X86V4Detected);

impl X86V3 {
    /// Returns the token if this CPU has all five features.
    #[inline(always)]
    pub fn new() -> Option<Self> {
        Self::of(Level::best())
    }

    /// Returns the token of `level` if the level has all of the token's instructions.
    #[inline(always)]
    pub(super) fn of(level: Level) -> Option<Self> {
        level.x86_v3_detected().map(Self)
    }
}

impl X86V3SlowPext {
    /// Returns the token if `level` is this token's level.
    #[inline(always)]
    pub(super) fn of(level: Level) -> Option<Self> {
        level.x86_v3_slow_pext_detected().map(Self)
    }
}

impl X86V4 {
    /// Returns the token if `level` is this token's level.
    #[inline(always)]
    pub(super) fn of(level: Level) -> Option<Self> {
        level.x86_v4_detected().map(Self)
    }
}

/// Calls a safe function with no precondition besides the token's features.
macro_rules! enter {
    ($entry:ident($($argument:ident),*)) => {
        // SAFETY: the caller has a token, so `Level::best` detected the features. The functions are
        // in this module and aren't `unsafe`.
        unsafe { $entry($($argument),*) }
    };
}

/// Defines the token's loads and splats.
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

/// Defines the token's bitcasts, which reinterpret a register.
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
        avx512: $avx512:literal, shared: $shared:ident; $($scalar:item)*
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
            const FAST_COUNT_ONES: bool = $avx512;
            const WIDE_REGISTERS: bool = true;
            const HAS_SIMD: bool = true;
            type Shared = $shared;
            type U8x32 = U8x32<Self>;
            type U16x16 = U16x16<Self>;
            type U32x8 = U32x8<Self>;
            type U64x4 = U64x4<Self>;

            #[inline(always)]
            fn shared(self) -> $shared {
                $shared(self.0)
            }
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
                let high = (fields >> 64) as i64;
                let low = fields as i64;
                U32x8::new(v3!(_mm256_cvtepu16_epi32(v3!(_mm_set_epi64x(high, low)))))
            }
            #[inline(always)]
            fn rotate_lanes_u64<const N: i32>(self, lanes: U64x4<Self>) -> U64x4<Self> {
                U64x4::new(match const { N } {
                    1 => v3!(_mm256_permute4x64_epi64::<0b10_01_00_11>(lanes.0)),
                    2 => v3!(_mm256_permute4x64_epi64::<0b01_00_11_10>(lanes.0)),
                    3 => v3!(_mm256_permute4x64_epi64::<0b00_11_10_01>(lanes.0)),
                    _ => unreachable!(),
                })
            }
            #[inline(always)]
            fn add_dot4(self, sums: U32x8<Self>, bytes: u32, signed: U8x32<Self>) -> U32x8<Self> {
                let bytes = U8x32::<Self>::new(v3!(_mm256_set1_epi32(bytes.cast_signed())));
                U32x8::new(v4_or!(Self: _mm256_dpbusd_epi32(sums.0, bytes.0, signed.0) else {
                    let pairs = v3!(_mm256_maddubs_epi16(bytes.0, signed.0));
                    let fours = v3!(_mm256_madd_epi16(pairs, v3!(_mm256_set1_epi16(1))));
                    v3!(_mm256_add_epi32(sums.0, fours))
                }))
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

/// Defines a token with BMI2's PEXT and PDEP.
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

bmi2! {
    X86V3: level::X86_V3, from_x86_v3, "avx2,bmi1,bmi2,lzcnt,popcnt", fast_pext: true, avx512: false, shared: X86V3;
}
bmi2! {
    X86V4: level::X86_V4, from_x86_v4,
    "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,\
     avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,avx512vnni",
    fast_pext: true, avx512: true, shared: X86V4;
}
token! {
    X86V3SlowPext: level::X86_V3_SLOW_PEXT, from_x86_v3_slow_pext, "avx2,bmi1,bmi2,lzcnt,popcnt",
    fast_pext: false, avx512: false, shared: X86V3;
}
