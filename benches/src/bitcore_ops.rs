//! bitcore's own operations, compared with their bit-by-bit definitions.

use crate::operation::{Operation, naive, workload};
use bitcore::{Bytes, Isa, Rng, bits, dispatch};

/// Items of each workload.
pub(crate) const COUNT: usize = 1024;

pub(crate) fn operations() -> Vec<Operation> {
    let words = words();
    let boards = columns();
    let halves = rows();
    let line_clear = move || {
        let clear = |columns: &[u32; 10]| {
            let full = columns.iter().fold(u32::MAX, |full, &column| full & column);
            columns.map(|column| bits::pext(u64::from(column), u64::from(!full)) as u32)
        };
        boards.iter().map(|columns| fold_columns(clear(columns))).fold(0, u64::wrapping_add)
    };
    let byte_compare = move || {
        let equal = |rows: &[u8; 32], k: usize| {
            (0..32)
                .filter(|i| i % 8 + k < 8 && rows[*i] == rows[i + k])
                .fold(0u32, |m, i| m | 1 << i)
        };
        halves.iter().map(|rows| fold_masks(equal(rows, 1), equal(rows, 2))).sum()
    };
    let select = move || words.iter().map(|&(word, k)| u64::from(bits::select(word, k))).sum();
    vec![
        naive("word", COUNT, select).kernel("bitcore select", move || selects(words)),
        naive("board of 10 columns", COUNT, line_clear)
            .kernel("bitcore line clear", move || line_clears(boards)),
        naive("32 bytes", COUNT, byte_compare)
            .kernel("bitcore byte compare", move || byte_compares(halves)),
    ]
}

/// Returns random words, each with the index of one of its set bits.
pub(crate) fn words() -> &'static [(u64, u32)] {
    let mut rng = Rng::new(1);
    workload((0..COUNT).map(|_| {
        let word = rng.next_u64();
        (word, rng.below(word.count_ones()))
    }))
}

/// Returns the sum of the positions of k-th set bits.
pub(crate) fn selects(words: &[(u64, u32)]) -> u64 {
    dispatch!(isa + slow_pext [words] => selects_with(isa, words))
}

#[inline(always)]
fn selects_with<S: Isa>(isa: S, words: &[(u64, u32)]) -> u64 {
    let mut sum = 0;
    for &(word, k) in words {
        sum += u64::from(isa.select(word, k));
    }
    sum
}

/// Returns boards of ten 20-row columns, with zero to four full rows.
pub(crate) fn columns() -> &'static [[u32; 10]] {
    let mut rng = Rng::new(2);
    workload((0..COUNT).map(|_| {
        let full = (0..rng.below(5)).fold(0, |full, _| full | 1 << rng.below(20));
        core::array::from_fn(|_| rng.next_u64() as u32 & 0xf_ffff | full)
    }))
}

#[inline(always)]
pub(crate) fn fold_columns(columns: [u32; 10]) -> u64 {
    columns.iter().fold(0, |fold, &column| fold * 3 + u64::from(column))
}

pub(crate) fn line_clears(boards: &[[u32; 10]]) -> u64 {
    dispatch!(isa + slow_pext [boards] => line_clears_with(isa, boards))
}

#[inline(always)]
fn line_clears_with<S: Isa>(isa: S, boards: &[[u32; 10]]) -> u64 {
    let mut sum = 0u64;
    for columns in boards {
        let full = columns.iter().fold(u32::MAX, |full, &column| full & column);
        let mut cleared = *columns;
        for column in &mut cleared {
            *column = isa.pext(u64::from(*column), u64::from(!full)) as u32;
        }
        sum = sum.wrapping_add(fold_columns(cleared));
    }
    sum
}

/// Returns half boards: four rows of eight bytes.
pub(crate) fn rows() -> &'static [[u8; 32]] {
    let mut rng = Rng::new(3);
    workload((0..COUNT).map(|_| core::array::from_fn(|_| 1 + rng.below(6) as u8)))
}

#[inline(always)]
pub(crate) fn fold_masks(next: u32, next_but_one: u32) -> u64 {
    u64::from(next.count_ones() + next_but_one.count_ones())
}

/// Counts the bytes equal to their next neighbor in the row, and the bytes equal to the one after
/// it.
pub(crate) fn byte_compares(boards: &[[u8; 32]]) -> u64 {
    dispatch!(isa [boards] => byte_compares_with(isa, boards))
}

#[inline(always)]
fn byte_compares_with<S: Isa>(isa: S, boards: &[[u8; 32]]) -> u64 {
    let mut sum = 0;
    for rows in boards {
        let lanes = isa.u8x32(rows);
        let next = (lanes ^ lanes.slide_down_in_8::<1>()).zero_bitmask();
        let next_but_one = (lanes ^ lanes.slide_down_in_8::<2>()).zero_bitmask();
        sum += fold_masks(next & 0x7f7f_7f7f, next_but_one & 0x3f3f_3f3f);
    }
    sum
}
