//! Hand-written `#[target_feature]` functions: here the twins of kernels behind `dispatch!`, whose
//! time is the limit for dispatched kernels; in [`match3`] and [`tetris`] the articles' algorithms
//! with the instructions that they name.
#![allow(unsafe_code)]

pub(crate) mod match3;
pub(crate) mod tetris;

use crate::bitcore_ops::{
    COUNT, byte_compares, columns, fold_columns, fold_masks, line_clears, rows, selects, words,
};
use crate::operation::{Against, Operation};
use std::arch::x86_64::{
    _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_setzero_si256,
    _mm256_srli_epi64, _mm256_xor_si256, _pdep_u64, _pext_u32,
};

/// The caller must have created an `X86V3`.
pub(crate) fn operations() -> Vec<Operation> {
    let words = words();
    let boards = columns();
    let halves = rows();
    let by_hand = |unit, call: Box<dyn Fn() -> u64>| Against::Hand.reference(unit, COUNT, call);
    // SAFETY: `X86V3` proves the features, here and below.
    let select = by_hand("word", Box::new(move || unsafe { select(words) }));
    // SAFETY: as above.
    let line_clear =
        by_hand("board of 10 columns", Box::new(move || unsafe { line_clear(boards) }));
    // SAFETY: as above.
    let byte_compare = by_hand("32 bytes", Box::new(move || unsafe { byte_compare(halves) }));
    vec![
        select.kernel("bitcore select", move || selects(words)),
        line_clear.kernel("bitcore line clear", move || line_clears(boards)),
        byte_compare.kernel("bitcore byte compare", move || byte_compares(halves)),
    ]
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn select(words: &[(u64, u32)]) -> u64 {
    words
        .iter()
        .map(|&(word, k)| u64::from(_pdep_u64(1u64.unbounded_shl(k), word).trailing_zeros()))
        .sum()
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn line_clear(boards: &[[u32; 10]]) -> u64 {
    boards.iter().fold(0, |sum, columns| {
        let full = columns.iter().fold(u32::MAX, |full, &column| full & column);
        sum.wrapping_add(fold_columns(columns.map(|column| _pext_u32(column, !full))))
    })
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn byte_compare(boards: &[[u8; 32]]) -> u64 {
    let equal_to_shifted = |rows: &[u8; 32]| {
        // SAFETY: 32 readable bytes; the load is unaligned.
        let lanes = unsafe { _mm256_loadu_si256(rows.as_ptr().cast()) };
        let zero = _mm256_setzero_si256();
        let next = _mm256_cmpeq_epi8(_mm256_xor_si256(lanes, _mm256_srli_epi64::<8>(lanes)), zero);
        let but_one =
            _mm256_cmpeq_epi8(_mm256_xor_si256(lanes, _mm256_srli_epi64::<16>(lanes)), zero);
        let next = _mm256_movemask_epi8(next);
        let but_one = _mm256_movemask_epi8(but_one);
        fold_masks(next.cast_unsigned() & 0x7f7f_7f7f, but_one.cast_unsigned() & 0x3f3f_3f3f)
    };
    boards.iter().map(equal_to_shifted).sum()
}
