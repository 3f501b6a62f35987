//! Kernels written by hand as `#[target_feature]` functions, with the same work as kernels behind
//! `dispatch!`. Their time is the limit that dispatched kernels should reach.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use bitcore::{Level, X86V3};
#[cfg(target_arch = "x86_64")]
use headline::bitcore_ops as ops;

/// One kernel in both forms, over the same workload and with the same result.
pub struct KernelPair {
    /// The name of the headline operation.
    pub name: &'static str,
    /// The kernel entered through `dispatch!`, once per call.
    pub dispatched: Box<dyn FnMut() -> u64>,
    /// The hand-written function.
    pub by_hand: Box<dyn FnMut() -> u64>,
}

/// Returns the kernels in both forms, or nothing if the CPU lacks the features.
#[cfg(target_arch = "x86_64")]
pub fn kernel_pairs() -> Vec<KernelPair> {
    if X86V3::new().is_none() {
        return Vec::new();
    }
    let level = Level::detect();
    let (words, columns, rows) = (ops::words(), ops::columns(), ops::rows());
    let (words2, columns2, rows2) = (words.clone(), columns.clone(), rows.clone());
    vec![
        KernelPair {
            name: "bitcore select",
            dispatched: Box::new(move || ops::selects_on(level, &words)),
            // SAFETY: `X86V3::new` found the features.
            by_hand: Box::new(move || unsafe { by_hand::select(&words2) }),
        },
        KernelPair {
            name: "bitcore line clear",
            dispatched: Box::new(move || ops::line_clears_on(level, &columns)),
            // SAFETY: as above.
            by_hand: Box::new(move || unsafe { by_hand::line_clear(&columns2) }),
        },
        KernelPair {
            name: "bitcore byte compare",
            dispatched: Box::new(move || ops::byte_compares_on(level, &rows)),
            // SAFETY: as above.
            by_hand: Box::new(move || unsafe { by_hand::byte_compare(&rows2) }),
        },
    ]
}

/// Returns the kernels in both forms, or nothing if the CPU lacks the features.
#[cfg(not(target_arch = "x86_64"))]
pub const fn kernel_pairs() -> Vec<KernelPair> {
    Vec::new()
}

#[cfg(target_arch = "x86_64")]
mod by_hand {
    use super::ops;
    use std::arch::x86_64::{
        _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_setzero_si256, _mm256_srli_epi64,
        _mm256_xor_si256, _pdep_u64, _pext_u32,
    };

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn select(words: &[(u64, u32)]) -> u64 {
        words
            .iter()
            .map(|&(word, k)| u64::from(_pdep_u64(1u64.unbounded_shl(k), word).trailing_zeros()))
            .sum()
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn line_clear(boards: &[[u32; 10]]) -> u64 {
        boards.iter().fold(0, |sum, columns| {
            let full = columns.iter().fold(u32::MAX, |full, &column| full & column);
            sum.wrapping_add(ops::fold_columns(columns.map(|column| _pext_u32(column, !full))))
        })
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn byte_compare(boards: &[[u8; 32]]) -> u64 {
        boards
            .iter()
            .map(|rows| {
                // SAFETY: 32 readable bytes; the load is unaligned.
                let lanes = unsafe { _mm256_loadu_si256(rows.as_ptr().cast()) };
                let zero = _mm256_setzero_si256();
                let next = _mm256_cmpeq_epi8(_mm256_xor_si256(lanes, _mm256_srli_epi64::<8>(lanes)), zero);
                let but_one =
                    _mm256_cmpeq_epi8(_mm256_xor_si256(lanes, _mm256_srli_epi64::<16>(lanes)), zero);
                let (next, but_one) = (_mm256_movemask_epi8(next), _mm256_movemask_epi8(but_one));
                ops::fold_masks(next.cast_unsigned() & 0x7f7f_7f7f, but_one.cast_unsigned() & 0x3f3f_3f3f)
            })
            .sum()
    }
}
