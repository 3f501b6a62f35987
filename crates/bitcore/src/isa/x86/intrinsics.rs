//! The x86-64 intrinsics used by the tokens and their lanes, and the only calls to them.
//!
//! # Safety
//!
//! The macros `v3!` and `v4_or!` only call intrinsics that have no precondition besides the token's
//! features: the ones listed in `avx2` and `avx512`, where the compiler proves it. An intrinsic
//! that reads or writes through a pointer, such as a load, a store or a gather, is rejected there;
//! the two we need have their own functions, with their preconditions.
#![allow(unsafe_code)]

use crate::isa::traits::LaneBytes;
use core::arch::x86_64::{__m128i, __m256i, _mm256_loadu_si256, _mm256_storeu_si256};

/// Imports the intrinsics of a module, and proves that the features are their only precondition: a
/// function with these features calls each without `unsafe`. An intrinsic that reads or writes
/// through a pointer is an `unsafe fn` even there, and doesn't compile here.
macro_rules! listed {
    (
        $features:literal ($($argument:ident: $ty:ty),*)
        $($name:ident$(::<$n:literal>)?($($value:expr),*);)*
    ) => {
        pub(in crate::isa::x86) use core::arch::x86_64::{$($name),*};

        #[target_feature(enable = $features)]
        #[allow(dead_code, clippy::too_many_arguments, reason = "that it compiles is the proof")]
        fn need_features_only($($argument: $ty),*) {
            $(let _ = $name$(::<$n>)?($($value),*);)*
        }
    };
}

/// Intrinsics accepted by [`v3!`].
pub(super) mod avx2 {
    use core::arch::x86_64::{__m128i, __m256i};

    listed! {
        "avx2,bmi1,bmi2,lzcnt,popcnt"
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

/// Calls an intrinsic of the list; its only precondition is the token's features. The arguments are
/// evaluated outside of the `unsafe` block.
macro_rules! v3 {
    // SAFETY, for each arm: the caller has a token or lanes made from one, so `Level::best`
    // detected the features. The intrinsic needs nothing else, as `avx2` proves.
    ($name:ident()) => {
        unsafe { avx2::$name() }
    };
    ($name:ident $(::<$n:tt>)?($a:expr)) => {{
        let a = $a;
        unsafe { avx2::$name$(::<$n>)?(a) }
    }};
    ($name:ident $(::<$n:tt>)?($a:expr, $b:expr)) => {{
        let a = $a;
        let b = $b;
        unsafe { avx2::$name$(::<$n>)?(a, b) }
    }};
    ($name:ident($a:expr, $b:expr, $c:expr)) => {{
        let a = $a;
        let b = $b;
        let c = $c;
        unsafe { avx2::$name(a, b, c) }
    }};
    ($name:ident($($byte:literal),*)) => {
        unsafe { avx2::$name($($byte),*) }
    };
}

/// Intrinsics accepted by [`v4_or!`].
pub(super) mod avx512 {
    use core::arch::x86_64::__m256i;

    listed! {
        "avx512bw,avx512vl,avx512vbmi,avx512bitalg,avx512vpopcntdq,avx512vnni"
        (r: __m256i)
        _mm256_dpbusd_epi32(r, r, r);
        _mm256_popcnt_epi8(r);
        _mm256_popcnt_epi16(r);
        _mm256_popcnt_epi32(r);
        _mm256_ternarylogic_epi64::<1>(r, r, r);
        _mm256_testn_epi8_mask(r, r);
    }
}

/// Calls an AVX-512 intrinsic if the token `$token` has it, and computes `$other` if not.
macro_rules! v4_or {
    ($token:ty: $name:ident $(::<$n:literal>)?($($register:ident.0),*) else $other:expr) => {
        if <$token as X86>::AVX512 {
            // SAFETY: lanes of a token are only made from that token, so `Level::best` detected the
            // features. The intrinsic needs nothing else, as `avx512` proves.
            unsafe { avx512::$name$(::<$n>)?($($register.0),*) }
        } else {
            $other
        }
    };
}

/// Loads a register from memory. Only methods of the token call this, which proves the features.
#[inline(always)]
pub(super) fn load<A: LaneBytes>(lanes: &A) -> __m256i {
    const { assert!(size_of::<A>() == 32) };
    // SAFETY: 32 readable bytes, any alignment; the features as above.
    unsafe { _mm256_loadu_si256(core::ptr::from_ref(lanes).cast()) }
}

/// Stores a register in `lanes`. Only methods of lanes call this, which proves the features.
#[inline(always)]
pub(super) fn store<A: LaneBytes>(register: __m256i, mut lanes: A) -> A {
    const { assert!(size_of::<A>() == 32) };
    // SAFETY: 32 writable bytes, any alignment, every bit pattern valid; the features as above.
    unsafe { _mm256_storeu_si256(core::ptr::from_mut(&mut lanes).cast(), register) };
    lanes
}

/// Stores a flag per byte, `true` unless the byte is 0. Only methods of lanes call this, which
/// proves the features.
#[inline(always)]
pub(super) fn store_flags(register: __m256i, flags: &mut [bool; 32]) {
    let bits = v3!(_mm256_min_epu8(register, v3!(_mm256_set1_epi8(1))));
    // SAFETY: 32 writable bytes, any alignment; each byte is 0 or 1, a valid `bool`; the features
    // as above.
    unsafe { _mm256_storeu_si256(core::ptr::from_mut(flags).cast(), bits) };
}

/// Returns a shift count for `_mm256_sll_epi32` and the like, which give 0 for counts of the lane
/// width or more.
#[inline(always)]
pub(super) fn load_count(n: u32) -> __m128i {
    v3!(_mm_cvtsi64_si128(i64::from(n)))
}
