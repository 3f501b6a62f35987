//! Match-3 as its article goes on: with its masks, but no loop over bits, and with its bytes and
//! the integer SIMD that it names at the end. For full boards of 8 x 8 and six colors, on which no
//! gap is a hole.

use crate::operation::{Against, Reference};
use match3::Board;
use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_slli_epi64, _mm256_srli_epi64, _mm256_storeu_si256,
};

/// The rows of two colors and their columns, eight bits each. Three times: six colors.
type Masks = [[u64; 4]; 3];

/// The rows, between two rows of bytes that equal no color.
type Bytes = [[u8; 8]; 12];

/// Counts swaps by masks and by bytes. The caller must have created an `X86V3`.
pub(crate) fn counts(boards: &[Board]) -> [Reference; 2] {
    let masks: Vec<Masks> = boards.iter().map(masks).collect();
    let bytes: Vec<Bytes> = boards.iter().map(bytes).collect();
    let reference =
        |call: Box<dyn Fn() -> u64>| Against::Prescribed.reference("board", boards.len(), call);
    // SAFETY: `X86V3` proves the features, here and below.
    let by_masks = reference(Box::new(move || unsafe { count_by_masks(&masks) }));
    // SAFETY: as above.
    let by_bytes = reference(Box::new(move || unsafe { count_by_bytes(&bytes) }));
    [by_masks, by_bytes]
}

fn masks(board: &Board) -> Masks {
    let own = |board: &Board, color| {
        let cells = board.cells().iter().enumerate();
        cells.fold(0, |own, (at, cell)| own | u64::from(cell.byte() == color) << at)
    };
    let columns = board.transposed();
    [1, 3, 5].map(|color| {
        let next = color + 1;
        [own(board, color), own(board, next), own(&columns, color), own(&columns, next)]
    })
}

fn bytes(board: &Board) -> Bytes {
    let mut bytes = [[0xff; 8]; 12];
    for (to, row) in bytes[2..].iter_mut().zip(board.rows()) {
        *to = std::array::from_fn(|x| row[x].byte());
    }
    bytes
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count_by_masks(boards: &[Masks]) -> u64 {
    let [a, b, c, d, e] = [0xfe, 0xfc, 0x3f, 0x7f, 0x3e]
        .map(|line: u8| _mm256_set1_epi64x(i64::from_le_bytes([line; 8])));
    let mut sum = 0;
    for board in boards {
        let [mut along, mut across] = [_mm256_setzero_si256(); 2];
        for own in board {
            // SAFETY: 32 readable bytes; the load is unaligned.
            let own = unsafe { _mm256_loadu_si256(own.as_ptr().cast()) };
            let xx = and(a, and(own, _mm256_slli_epi64::<1>(own)));
            let xox = and(b, and(own, _mm256_slli_epi64::<2>(own)));
            let up = _mm256_andnot_si256(own, and(a, _mm256_slli_epi64::<1>(xx)));
            let down = _mm256_andnot_si256(own, and(c, _mm256_srli_epi64::<2>(xx)));
            let gaps = or(or(up, down), _mm256_andnot_si256(own, _mm256_srli_epi64::<1>(xox)));
            along = or(along, and(and(d, up), _mm256_srli_epi64::<1>(own)));
            along = or(along, and(_mm256_srli_epi64::<1>(and(e, down)), own));
            across = or(across, and(_mm256_srli_epi64::<8>(gaps), own));
            across = or(across, and(gaps, _mm256_srli_epi64::<8>(own)));
        }
        let [along, across] = [along, across].map(|lanes| {
            let mut words = [0; 4];
            // SAFETY: 32 writable bytes; the store is unaligned.
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), lanes) };
            [words[0] | words[1], words[2] | words[3]]
        });
        let right = along[0] | transposed(across[1]);
        let down = across[0] | transposed(along[1]);
        sum += u64::from(right.count_ones() + down.count_ones());
    }
    sum
}

/// Takes each cell for the gap, and looks for the two patterns of three cells beside it, in its row
/// and column.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count_by_bytes(boards: &[Bytes]) -> u64 {
    let mut sum = 0;
    for board in boards {
        let [mut right, mut down, mut up] = [0; 3];
        for half in [0, 1] {
            let row = |y: usize| {
                let rows = &board[4 * half + y..][..4];
                // SAFETY: 32 readable bytes; the load is unaligned.
                unsafe { _mm256_loadu_si256(rows.as_ptr().cast()) }
            };
            let [u2, u, gap, d, d2] = [row(0), row(1), row(2), row(3), row(4)];
            let [l2, l] = [_mm256_slli_epi64::<16>(gap), _mm256_slli_epi64::<8>(gap)];
            let [r, r2] = [_mm256_srli_epi64::<8>(gap), _mm256_srli_epi64::<16>(gap)];
            let [ul, ur, dl, dr] = [equal(u, l), equal(u, r), equal(d, l), equal(d, r)];
            let [lr, ud] = [equal(l, r), equal(u, d)];
            // A pair that includes the left neighbor, only the right one, the upper one, only the
            // lower one.
            let left_pair = _mm256_andnot_si256(equal(gap, l), equal(l2, l));
            let right_pair = _mm256_andnot_si256(equal(gap, r), equal(r, r2));
            let upper_pair = _mm256_andnot_si256(equal(gap, u), equal(u2, u));
            let lower_pair = _mm256_andnot_si256(equal(gap, d), equal(d, d2));
            let with_left = or(left_pair, _mm256_andnot_si256(equal(gap, l), lr));
            let with_upper = or(upper_pair, _mm256_andnot_si256(equal(gap, u), ud));
            let from_right = or(and(left_pair, lr), or(and(with_upper, ur), and(lower_pair, dr)));
            let from_left = or(and(right_pair, lr), or(and(with_upper, ul), and(lower_pair, dl)));
            let from_below = or(and(upper_pair, ud), or(and(with_left, dl), and(right_pair, dr)));
            let from_above = or(and(lower_pair, ud), or(and(with_left, ul), and(right_pair, ur)));
            let bits =
                |flags| u64::from(_mm256_movemask_epi8(flags).cast_unsigned()) << (32 * half);
            right |= bits(or(from_right, _mm256_srli_epi64::<8>(from_left)));
            down |= bits(from_below);
            up |= bits(from_above);
        }
        sum += u64::from(right.count_ones() + (down | up >> 8).count_ones());
    }
    sum
}

#[target_feature(enable = "avx2")]
fn and(a: __m256i, b: __m256i) -> __m256i {
    _mm256_and_si256(a, b)
}

#[target_feature(enable = "avx2")]
fn or(a: __m256i, b: __m256i) -> __m256i {
    _mm256_or_si256(a, b)
}

#[target_feature(enable = "avx2")]
fn equal(a: __m256i, b: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(a, b)
}

/// Mirrors eight lines of eight bits along the diagonal.
fn transposed(word: u64) -> u64 {
    [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0xf0f0_f0f0)].into_iter().fold(
        word,
        |word, (shift, mask)| {
            let differ = (word ^ word >> shift) & mask;
            word ^ differ ^ differ << shift
        },
    )
}
