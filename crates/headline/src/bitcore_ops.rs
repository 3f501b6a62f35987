//! The core's own operations, against the bit-by-bit definitions.

use crate::{Against, Operation};
use bitcore::{Bytes, Isa, Level, Rng, bits, dispatch};

const COUNT: usize = 1024;

pub(crate) fn operations() -> Vec<Operation> {
    vec![select(), line_clear(), byte_compare()]
}

/// Random words, and for each the number of one of its set bits.
pub fn words() -> Vec<(u64, u32)> {
    let mut rng = Rng::new(1);
    (0..COUNT)
        .map(|_| {
            let word = rng.next_u64();
            (word, rng.below(word.count_ones()))
        })
        .collect()
}

/// The kernel of `bitcore select`: positions of k-th set bits.
#[inline(always)]
pub fn select_with<S: Isa>(isa: S, words: &[(u64, u32)]) -> u64 {
    words.iter().map(|&(word, k)| u64::from(isa.select(word, k))).sum()
}

fn select() -> Operation {
    let (words, again) = (words(), words());
    Operation {
        name: "bitcore select",
        unit: "word",
        units: COUNT as u64,
        against: Against::Naive,
        reference: Box::new(move || words.iter().map(|&(word, k)| u64::from(bits::select(word, k))).sum()),
        kernel: Box::new(move |level| dispatch!(level, isa => select_with(isa, &again))),
    }
}

/// Ten columns of 32 rows with zero to four full rows.
pub fn columns() -> Vec<[u32; 10]> {
    let mut rng = Rng::new(2);
    (0..COUNT)
        .map(|_| {
            let full = (0..rng.below(5)).fold(0, |full, _| full | 1 << rng.below(20));
            core::array::from_fn(|_| rng.next_u64() as u32 & 0xf_ffff | full)
        })
        .collect()
}

/// The kernel of `bitcore line clear`: drops the rows that are full in all columns.
#[inline(always)]
pub fn line_clear_with<S: Isa>(isa: S, columns: &[u32; 10]) -> [u32; 10] {
    let full = columns.iter().fold(u32::MAX, |full, &column| full & column);
    columns.map(|column| isa.pext(u64::from(column), u64::from(!full)) as u32)
}

/// Folds ten columns, order and all.
pub fn fold_columns(columns: [u32; 10]) -> u64 {
    columns.iter().fold(0, |fold, &column| fold ^ u64::from(column))
}

fn line_clear() -> Operation {
    let (boards, again) = (columns(), columns());
    Operation {
        name: "bitcore line clear",
        unit: "board of 10 columns",
        units: COUNT as u64,
        against: Against::Naive,
        reference: Box::new(move || {
            let clear = |columns: &[u32; 10]| {
                let full = columns.iter().fold(u32::MAX, |full, &column| full & column);
                columns.map(|column| bits::pext(u64::from(column), u64::from(!full)) as u32)
            };
            boards.iter().map(|columns| fold_columns(clear(columns))).fold(0, u64::wrapping_add)
        }),
        kernel: Box::new(move |level: Level| {
            dispatch!(level, isa => {
                again.iter().map(|columns| fold_columns(line_clear_with(isa, columns))).fold(0, u64::wrapping_add)
            })
        }),
    }
}

/// Half boards of four rows of eight bytes.
pub fn rows() -> Vec<[u8; 32]> {
    let mut rng = Rng::new(3);
    (0..COUNT).map(|_| core::array::from_fn(|_| 1 + rng.below(6) as u8)).collect()
}

/// The kernel of `bitcore byte compare`: in each row, the positions whose neighbour, and whose neighbour but one, is
/// equal.
#[inline(always)]
pub fn byte_compare_with<S: Isa>(isa: S, rows: &[u8; 32]) -> (u32, u32) {
    let lanes = isa.u8x32(rows);
    let next = (lanes ^ lanes.group_down::<1>()).zero_mask();
    let next_but_one = (lanes ^ lanes.group_down::<2>()).zero_mask();
    (next & 0x7f7f_7f7f, next_but_one & 0x3f3f_3f3f)
}

/// Folds two masks.
pub fn fold_masks((next, next_but_one): (u32, u32)) -> u64 {
    u64::from(next.count_ones() + next_but_one.count_ones())
}

fn byte_compare() -> Operation {
    let (boards, again) = (rows(), rows());
    Operation {
        name: "bitcore byte compare",
        unit: "32 bytes",
        units: COUNT as u64,
        against: Against::Naive,
        reference: Box::new(move || {
            let compare = |rows: &[u8; 32]| {
                let equal = |k: usize| {
                    (0..32).filter(|i| i % 8 + k < 8 && rows[*i] == rows[i + k]).fold(0u32, |m, i| m | 1 << i)
                };
                (equal(1), equal(2))
            };
            boards.iter().map(|rows| fold_masks(compare(rows))).sum()
        }),
        kernel: Box::new(
            move |level: Level| dispatch!(level, isa => again.iter().map(|rows| fold_masks(byte_compare_with(isa, rows))).sum()),
        ),
    }
}
