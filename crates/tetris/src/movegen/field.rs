//! The field as maps of one bit a cell in registers, upside down.
//!
//! A [`Band`] is sixteen rows: one lane of 16 bits a column, the *top* row in bit 0. So a piece that falls moves to
//! higher bits, which is where a sum carries to: `free + reached` runs from each reached cell down to the next blocked
//! one, and any depth of falling is one addition. A [`Field`] is one band, or more of them from the bottom up.

use crate::board::WIDTH;
use bitcore::{Isa, Portable};
use core::hint::black_box;

/// Rows of a band.
pub(crate) const ROWS: u32 = 16;

/// Sixteen rows of ten columns. Bits that leave it vanish; columns beyond the tenth may hold anything that the next
/// AND with a map of the field removes.
pub(crate) trait Band: Copy {
    /// The proof that the operations exist.
    type Token: Isa;

    /// [`Isa::enter`](bitcore::Isa::enter).
    fn enter<R>(isa: Self::Token, f: impl FnOnce() -> R) -> R;
    /// One pattern in each of the ten columns, nothing beyond them.
    fn splat(isa: Self::Token, rows: u16) -> Self;
    /// Rows `base` to `base + 15` of columns that have bit 0 at the bottom. If `low`, `base` is 0 and nothing is above.
    fn load(isa: Self::Token, columns: &[u64; WIDTH], base: u32, low: bool) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;
    /// Column by column, wrapping.
    fn plus(self, other: Self) -> Self;
    fn is_zero(self) -> bool;
    /// One to three columns to the right.
    fn right(self, columns: u32) -> Self;
    /// One to three columns to the left.
    fn left(self, columns: u32) -> Self;
    /// Up to fifteen rows up.
    fn up(self, rows: u32) -> Self;
    /// Up to fifteen rows down.
    fn down(self, rows: u32) -> Self;
    /// Itself, behind a barrier against a vectorizer that can't be trusted with several bands; asked for where bands
    /// move to the side in a field of more than one.
    #[inline(always)]
    fn among_many(self) -> Self {
        self
    }
    /// Four columns a word, the first in the lowest bits.
    fn words(self) -> [u64; 3];
}

/// A band in three plain words of four columns.
#[derive(Clone, Copy)]
pub(crate) struct Packed([u64; 3]);

/// One bit in each column of a word.
const EACH: u64 = 0x0001_0001_0001_0001;
/// The lowest rows of a word's columns.
const BOTTOMS: u64 = 0x8000_8000_8000_8000;

impl Packed {
    #[inline(always)]
    fn map(mut self, f: impl Fn(u64) -> u64) -> Self {
        for word in &mut self.0 {
            *word = f(*word);
        }
        self
    }
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word = f(*word, other);
        }
        self
    }
}

impl Band for Packed {
    type Token = Portable;

    #[inline(always)]
    fn enter<R>(_: Portable, f: impl FnOnce() -> R) -> R {
        f()
    }
    #[inline(always)]
    fn splat(_: Portable, rows: u16) -> Self {
        let word = EACH * u64::from(rows);
        Self([word, word, word & 0xFFFF_FFFF])
    }
    #[inline(always)]
    fn load(_: Portable, columns: &[u64; WIDTH], base: u32, _: bool) -> Self {
        let mut words = [0u64; 3];
        for (x, column) in columns.iter().enumerate() {
            words[x / 4] |= (column >> base & 0xFFFF) << (48 - x % 4 * 16);
        }
        Self(words).map(u64::reverse_bits)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // No carry leaves a column: the lowest rows are added without.
        self.zip(other, |a, b| ((a & !BOTTOMS) + (b & !BOTTOMS)) ^ ((a ^ b) & BOTTOMS))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }
    #[inline(always)]
    fn right(self, columns: u32) -> Self {
        let n = 16 * columns;
        let [a, b, c] = self.0;
        Self([a << n, b << n | a >> (64 - n), c << n | b >> (64 - n)])
    }
    #[inline(always)]
    fn left(self, columns: u32) -> Self {
        let n = 16 * columns;
        let [a, b, c] = self.0;
        Self([a >> n | b << (64 - n), b >> n | c << (64 - n), c >> n])
    }
    #[inline(always)]
    fn up(self, rows: u32) -> Self {
        self.map(|word| (word >> rows) & (EACH * (0xFFFF >> rows)))
    }
    #[inline(always)]
    fn down(self, rows: u32) -> Self {
        self.map(|word| (word << rows) & (EACH * (0xFFFF << rows & 0xFFFF)))
    }
    // It keeps LLVM (that of Rust 1.95, optimized, overflow checks on, 16 codegen units) from making vectors of shifts to
    // the side together with those of `up` and `down`: it got high stacks wrong.
    #[inline(always)]
    fn among_many(self) -> Self {
        black_box(self)
    }
    #[inline(always)]
    fn words(self) -> [u64; 3] {
        self.0
    }
}

/// `16 * N` rows: bands from the bottom up.
#[derive(Clone, Copy)]
pub(crate) struct Field<B, const N: usize>(pub(crate) [B; N]);

impl<B: Band, const N: usize> Field<B, N> {
    /// One pattern in every band.
    #[inline(always)]
    pub(crate) fn splat(isa: B::Token, rows: u16) -> Self {
        Self([B::splat(isa, rows); N])
    }
    /// The rows from `base` up. If `low`, `base` is 0 and nothing is above.
    #[inline(always)]
    pub(crate) fn load(isa: B::Token, columns: &[u64; WIDTH], base: u32, low: bool) -> Self {
        let mut field = Self::splat(isa, 0);
        for (band, i) in field.0.iter_mut().zip(0..) {
            *band = B::load(isa, columns, base + ROWS * i, low);
        }
        field
    }
    #[inline(always)]
    pub(crate) fn and(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = a.and(b);
        }
        self
    }
    #[inline(always)]
    pub(crate) fn or(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = a.or(b);
        }
        self
    }
    /// `self & !other`.
    #[inline(always)]
    pub(crate) fn and_not(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = a.and_not(b);
        }
        self
    }
    #[inline(always)]
    pub(crate) fn is_zero(self) -> bool {
        let mut any = self.0[0];
        for band in &self.0[1..] {
            any = any.or(*band);
        }
        any.is_zero()
    }
    /// How many cells. All of them in the ten columns.
    #[inline(always)]
    pub(crate) fn count(self) -> u32 {
        let mut count = 0;
        for band in self.0 {
            for word in band.words() {
                count += word.count_ones();
            }
        }
        count
    }
    /// Every cell `dx` columns further right.
    #[inline(always)]
    pub(crate) fn columns(mut self, dx: i32) -> Self {
        if dx != 0 {
            for band in &mut self.0 {
                *band = if dx > 0 { band.right(dx as u32) } else { band.left(-dx as u32) };
                if N > 1 {
                    *band = band.among_many();
                }
            }
        }
        self
    }
    /// Every cell `dy` rows further up.
    #[inline(always)]
    pub(crate) fn rows(self, dy: i32) -> Self {
        let mut moved = self;
        if dy > 0 {
            for i in 0..N {
                moved.0[i] = self.0[i].up(dy as u32);
                if i > 0 {
                    moved.0[i] = moved.0[i].or(self.0[i - 1].down(ROWS - dy as u32));
                }
            }
        } else if dy < 0 {
            for i in 0..N {
                moved.0[i] = self.0[i].down(-dy as u32);
                if i + 1 < N {
                    moved.0[i] = moved.0[i].or(self.0[i + 1].up(ROWS - -dy as u32));
                }
            }
        }
        moved
    }
    /// The cells of `free` that have only free cells above them, up to the top. `top` is row 15 of a band.
    #[inline(always)]
    pub(crate) fn open_to_the_sky(free: Self, top: B) -> Self {
        let mut open = free;
        let mut from_above = top;
        for i in (0..N).rev() {
            open.0[i] = free.0[i].and_not(free.0[i].plus(from_above));
            from_above = open.0[i].up(ROWS - 1);
        }
        open
    }
    /// These cells of `free` and all below them that a fall through free cells of the same band reaches, or of the next
    /// band if it is one of these cells that is just above it: bands don't wait for each other, so again and again.
    #[inline(always)]
    pub(crate) fn fallen(self, free: Self) -> Self {
        let mut fallen = self;
        for i in 0..N {
            let mut from = self.0[i];
            if i + 1 < N {
                from = from.or(self.0[i + 1].up(ROWS - 1).and(free.0[i]));
            }
            fallen.0[i] = from.or(free.0[i].and_not(free.0[i].plus(from)));
        }
        fallen
    }
}
