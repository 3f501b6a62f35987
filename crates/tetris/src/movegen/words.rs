//! Blocks in plain `u64` words: [`PackedBlock`] and [`ColumnWords`].
//!
//! ```text
//! PackedBlock     bits 48..64   32..48   16..32    0..16
//! word 0          column 3      2        1         0           sixteen bits each, bit 0 = row 15
//! word 1          column 7      6        5         4
//! word 2          zero          zero     9         8
//!
//! ColumnWords     ten words, one per column, bit 0 = row 63
//! ```

use super::bitboard::RowBlock;
use crate::board::WIDTH;
use bitcore::Portable;

/// Sixteen rows in three words of four columns.
#[derive(Clone, Copy)]
pub(crate) struct PackedBlock([u64; 3]);

/// The lowest bit of each column of a word: the top row.
const EACH: u64 = 0x0001_0001_0001_0001;
/// The highest bit of each column of a word: the bottom row.
const BOTTOMS: u64 = 0x8000_8000_8000_8000;

/// Shifts by a constant below 64 without an overflow check. In thousands of places, the checks
/// would cost compile time.
#[inline(always)]
const fn shl(word: u64, n: u32) -> u64 {
    word.wrapping_shl(n)
}
#[inline(always)]
const fn shr(word: u64, n: u32) -> u64 {
    word.wrapping_shr(n)
}

/// Packs sixteen rows of four columns, from `base` up, into a word: the first column in the highest
/// bits, the bottom row in each column's lowest bit. Reversing the bits of the word gives the order
/// of a [`PackedBlock`].
#[inline(always)]
fn packed(columns: [u64; 4], base: u32) -> u64 {
    let [a, b, c, d] = columns;
    let rows = 0xFFFF;
    (a >> base & rows) << 48
        | (b >> base & rows) << 32
        | (c >> base & rows) << 16
        | d >> base & rows
}

/// Adds column by column. The top bits are added without carry, to keep carries inside their
/// columns.
#[inline(always)]
fn sums(a: u64, b: u64) -> u64 {
    (a & !BOTTOMS).wrapping_add(b & !BOTTOMS) ^ ((a ^ b) & BOTTOMS)
}

impl RowBlock for PackedBlock {
    type Token = Portable;
    type Words = [u64; 3];
    const ROWS: u32 = 16;
    const INLINE_ROTATIONS: bool = false;
    const INLINE_STEPS: bool = true;

    #[inline(always)]
    fn splat(_: Portable, rows: u64) -> Self {
        let word = EACH.wrapping_mul(rows & 0xFFFF);
        Self([word, word, word & 0xFFFF_FFFF])
    }
    #[inline(always)]
    fn load(_: Portable, columns: &[u64; WIDTH], base: u32) -> Self {
        let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9] = *columns;
        Self([
            packed([c0, c1, c2, c3], base).reverse_bits(),
            packed([c4, c5, c6, c7], base).reverse_bits(),
            packed([c8, c9, 0, 0], base).reverse_bits(),
        ])
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        let [a, b, c] = self.0;
        let [d, e, f] = other.0;
        Self([a & d, b & e, c & f])
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        let [a, b, c] = self.0;
        let [d, e, f] = other.0;
        Self([a | d, b | e, c | f])
    }
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        let [a, b, c] = self.0;
        let [d, e, f] = other.0;
        Self([a & !d, b & !e, c & !f])
    }
    #[inline(always)]
    fn wrapping_add_columns(self, other: Self) -> Self {
        let [a, b, c] = self.0;
        let [d, e, f] = other.0;
        Self([sums(a, d), sums(b, e), sums(c, f)])
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }
    #[inline(always)]
    fn right<const COLUMNS: i32>(self) -> Self {
        let (n, rest) = const { (16 * COLUMNS as u32, 64 - 16 * COLUMNS as u32) };
        let [a, b, c] = self.0;
        Self([shl(a, n), shl(b, n) | shr(a, rest), shl(c, n) | shr(b, rest)])
    }
    #[inline(always)]
    fn left<const COLUMNS: i32>(self) -> Self {
        let (n, rest) = const { (16 * COLUMNS as u32, 64 - 16 * COLUMNS as u32) };
        let [a, b, c] = self.0;
        Self([shr(a, n) | shl(b, rest), shr(b, n) | shl(c, rest), shr(c, n)])
    }
    #[inline(always)]
    fn up<const ROWS: i32>(self) -> Self {
        let stay = const { EACH * (0xFFFF >> ROWS) };
        let [a, b, c] = self.0;
        let n = const { ROWS as u32 };
        Self([shr(a, n) & stay, shr(b, n) & stay, shr(c, n) & stay])
    }
    #[inline(always)]
    fn down<const ROWS: i32>(self) -> Self {
        let stay = const { EACH * (0xFFFF << ROWS & 0xFFFF) };
        let [a, b, c] = self.0;
        let n = const { ROWS as u32 };
        Self([shl(a, n) & stay, shl(b, n) & stay, shl(c, n) & stay])
    }
    #[inline(always)]
    fn words(self) -> [u64; 3] {
        self.0
    }
    #[inline(always)]
    fn packed_rows(self, _: usize) -> [u64; 3] {
        self.0
    }
    #[inline(always)]
    fn column(self, x: usize) -> u64 {
        self.0[x / 4] >> (x % 4 * 16) & 0xFFFF
    }
    #[inline(always)]
    fn upright(self) -> [u64; WIDTH] {
        let [a, b, c] = self.0.map(u64::reverse_bits);
        let rows = |word: u64, x: u32| word >> (48 - 16 * x) & 0xFFFF;
        [
            rows(a, 0),
            rows(a, 1),
            rows(a, 2),
            rows(a, 3),
            rows(b, 0),
            rows(b, 1),
            rows(b, 2),
            rows(b, 3),
            rows(c, 0),
            rows(c, 1),
        ]
    }
}

/// Sixty-four rows, one word per column. A move to the side moves whole words, and no bit can leave
/// its column.
#[derive(Clone, Copy)]
pub(crate) struct ColumnWords([u64; WIDTH]);

/// Evaluates an expression for each column, with the column number as a constant.
macro_rules! each_column {
    ($x:ident => $column:expr) => {
        Self([
            each_column!(@ $x, 0, $column),
            each_column!(@ $x, 1, $column),
            each_column!(@ $x, 2, $column),
            each_column!(@ $x, 3, $column),
            each_column!(@ $x, 4, $column),
            each_column!(@ $x, 5, $column),
            each_column!(@ $x, 6, $column),
            each_column!(@ $x, 7, $column),
            each_column!(@ $x, 8, $column),
            each_column!(@ $x, 9, $column),
        ])
    };
    (@ $x:ident, $number:literal, $column:expr) => {{
        let $x = $number;
        $column
    }};
}

impl RowBlock for ColumnWords {
    type Token = Portable;
    type Words = [u64; WIDTH];
    const ROWS: u32 = 64;
    const INLINE_ROTATIONS: bool = false;
    const INLINE_STEPS: bool = false;

    /// Sets each column to `rows`: all rows, none, or only the top row.
    #[inline(always)]
    fn splat(_: Portable, rows: u64) -> Self {
        Self([rows; WIDTH])
    }
    #[inline(always)]
    fn load(_: Portable, columns: &[u64; WIDTH], base: u32) -> Self {
        each_column!(x => (columns[x] >> base).reverse_bits())
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        each_column!(x => self.0[x] & other.0[x])
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        each_column!(x => self.0[x] | other.0[x])
    }
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        each_column!(x => self.0[x] & !other.0[x])
    }
    #[inline(always)]
    fn wrapping_add_columns(self, other: Self) -> Self {
        each_column!(x => self.0[x].wrapping_add(other.0[x]))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9] = self.0;
        (c0 | c1 | c2 | c3 | c4) | (c5 | c6 | c7 | c8 | c9) == 0
    }
    #[inline(always)]
    fn right<const COLUMNS: i32>(self) -> Self {
        let [c0, c1, c2, c3, c4, c5, c6, c7, c8, _] = self.0;
        Self(match COLUMNS {
            1 => [0, c0, c1, c2, c3, c4, c5, c6, c7, c8],
            2 => [0, 0, c0, c1, c2, c3, c4, c5, c6, c7],
            _ => [0, 0, 0, c0, c1, c2, c3, c4, c5, c6],
        })
    }
    #[inline(always)]
    fn left<const COLUMNS: i32>(self) -> Self {
        let [_, c1, c2, c3, c4, c5, c6, c7, c8, c9] = self.0;
        Self(match COLUMNS {
            1 => [c1, c2, c3, c4, c5, c6, c7, c8, c9, 0],
            2 => [c2, c3, c4, c5, c6, c7, c8, c9, 0, 0],
            _ => [c3, c4, c5, c6, c7, c8, c9, 0, 0, 0],
        })
    }
    #[inline(always)]
    fn up<const ROWS: i32>(self) -> Self {
        each_column!(x => shr(self.0[x], const { ROWS as u32 }))
    }
    #[inline(always)]
    fn down<const ROWS: i32>(self) -> Self {
        each_column!(x => shl(self.0[x], const { ROWS as u32 }))
    }
    #[inline(always)]
    fn words(self) -> [u64; WIDTH] {
        self.0
    }
    #[inline(always)]
    fn packed_rows(self, i: usize) -> [u64; 3] {
        let up = 16 * i as u32;
        let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9] = self.0;
        let word = |a: u64, b: u64, c: u64, d: u64| {
            let top = |column: u64| column << up >> 48;
            top(a) | top(b) << 16 | top(c) << 32 | top(d) << 48
        };
        [word(c0, c1, c2, c3), word(c4, c5, c6, c7), word(c8, c9, 0, 0)]
    }
    #[inline(always)]
    fn column(self, x: usize) -> u64 {
        self.0.get(x).copied().unwrap_or(0)
    }
    #[inline(always)]
    fn upright(self) -> [u64; WIDTH] {
        self.0.map(u64::reverse_bits)
    }
}
