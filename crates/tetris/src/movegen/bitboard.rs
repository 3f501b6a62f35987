//! The field as maps of one bit a cell, upside down.
//!
//! A [`RowBlock`] is a number of rows of the ten columns, the *top* row of each column in its lowest bit. So a piece that
//! falls moves to higher bits, which is where a sum carries to: `free + reached` runs from each reached cell down to the
//! next blocked one, and any depth of falling is one addition. A [`Bitboard`] is one block, or two of them from the bottom up.
//!
//! All shifts are constants before the compiler's back end sees them, and nothing loops over bands or words: both would
//! be found out again for each of the searches.

use crate::board::WIDTH;
use bitcore::Isa;

/// The ten columns of some rows. Bits that leave them vanish; columns beyond the tenth may hold anything that the next
/// AND with a map of the field removes.
pub(crate) trait RowBlock: Copy {
    /// The proof that the operations exist.
    type Token: Isa;
    /// The type of [`words`](Self::words).
    type Words: AsRef<[u64]>;
    /// Rows of a block.
    const ROWS: u32;
    /// Whether the rotations are compiled into each search: where a call would cost more than they do.
    const INLINE_ROTATIONS: bool;

    /// One pattern in each of the ten columns, nothing beyond them.
    fn splat(isa: Self::Token, rows: u64) -> Self;
    /// The rows from `base` up of columns that have bit 0 at the bottom. If `low`, `base` is 0 and nothing is above.
    fn load(isa: Self::Token, columns: &[u64; WIDTH], base: u32, low: bool) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;
    /// Column by column, wrapping.
    fn wrapping_add_columns(self, other: Self) -> Self;
    fn is_zero(self) -> bool;
    /// One to three columns to the right.
    fn right<const COLUMNS: i32>(self) -> Self;
    /// One to three columns to the left.
    fn left<const COLUMNS: i32>(self) -> Self;
    /// One to fifteen rows up.
    fn up<const ROWS: i32>(self) -> Self;
    /// One to fifteen rows down.
    fn down<const ROWS: i32>(self) -> Self;
    /// Four columns a word, the first in the lowest bits; or, in a block of more than sixteen rows, one.
    fn words(self) -> Self::Words;
    /// Sixteen rows, four columns a word; `i` counts from the floor.
    fn packed_rows(self, i: usize) -> [u64; 3];
    /// A column, from which the bits above `ROWS` are cleared; the tenth and the eleventh are empty.
    fn column(self, x: usize) -> u64;
}

/// `B::ROWS * N` rows: bands from the bottom up. `N` is 1 or 2.
#[derive(Clone, Copy)]
pub(crate) struct Bitboard<B, const N: usize>(pub(crate) [B; N]);

/// The field whose bands are those of `$field` after `$change`.
macro_rules! each {
    ($field:ident, $block:ident => $change:expr) => {{
        let mut changed = $field;
        let $block = 0;
        changed.0[$block] = $change;
        if N > 1 {
            let $block = 1;
            changed.0[$block] = $change;
        }
        changed
    }};
}

/// A field's rows `$dy` further up: a constant.
macro_rules! rows {
    ($field:expr, $dy:expr) => {
        match const { $dy } {
            0 => $field,
            1 => $field.up::<1, 15>(),
            2 => $field.up::<2, 14>(),
            -1 => $field.down::<1, 15>(),
            -2 => $field.down::<2, 14>(),
            _ => unreachable!(),
        }
    };
}
pub(crate) use rows;

/// A field's columns `$dx` further right: a constant.
macro_rules! columns {
    ($field:expr, $dx:expr) => {
        match const { $dx } {
            0 => $field,
            1 => $field.right::<1>(),
            2 => $field.right::<2>(),
            3 => $field.right::<3>(),
            -1 => $field.left::<1>(),
            -2 => $field.left::<2>(),
            -3 => $field.left::<3>(),
            _ => unreachable!(),
        }
    };
}
pub(crate) use columns;

impl<B: RowBlock, const N: usize> Bitboard<B, N> {
    /// Rows of the field.
    pub(crate) const ROWS: u32 = B::ROWS * N as u32;
    /// Whether its words have four columns.
    pub(crate) const PACKED: bool = Self::ROWS == 16;

    /// One pattern in every block.
    #[inline(always)]
    pub(crate) fn splat(isa: B::Token, rows: u64) -> Self {
        Self([B::splat(isa, rows); N])
    }
    /// The rows from `base` up. If `low`, `base` is 0 and nothing is above.
    #[inline(always)]
    pub(crate) fn load(isa: B::Token, columns: &[u64; WIDTH], base: u32, low: bool) -> Self {
        let mut field = Self([B::load(isa, columns, base, low); N]);
        if N > 1 {
            field.0[1] = B::load(isa, columns, base + B::ROWS, low);
        }
        field
    }
    #[inline(always)]
    pub(crate) fn and(self, other: Self) -> Self {
        each!(self, i => self.0[i].and(other.0[i]))
    }
    #[inline(always)]
    pub(crate) fn or(self, other: Self) -> Self {
        each!(self, i => self.0[i].or(other.0[i]))
    }
    /// `self & !other`.
    #[inline(always)]
    pub(crate) fn and_not(self, other: Self) -> Self {
        each!(self, i => self.0[i].and_not(other.0[i]))
    }
    #[inline(always)]
    pub(crate) fn is_zero(self) -> bool {
        if N > 1 { self.0[0].or(self.0[1]).is_zero() } else { self.0[0].is_zero() }
    }
    /// Counts the cells. All of them lie in the ten columns.
    #[inline(always)]
    pub(crate) fn count(self) -> u32 {
        let mut count = ones(self.0[0].words().as_ref());
        if N > 1 {
            count += ones(self.0[1].words().as_ref());
        }
        count
    }
    /// Every cell further right.
    #[inline(always)]
    pub(crate) fn right<const COLUMNS: i32>(self) -> Self {
        each!(self, i => self.0[i].right::<COLUMNS>())
    }
    /// Every cell further left.
    #[inline(always)]
    pub(crate) fn left<const COLUMNS: i32>(self) -> Self {
        each!(self, i => self.0[i].left::<COLUMNS>())
    }
    /// Every cell `BY` rows further up; with `REST` they make sixteen.
    #[inline(always)]
    pub(crate) fn up<const BY: i32, const REST: i32>(self) -> Self {
        let mut moved = self;
        moved.0[0] = self.0[0].up::<BY>();
        if N > 1 {
            moved.0[1] = self.0[1].up::<BY>().or(self.0[0].down::<REST>());
        }
        moved
    }
    /// Every cell `BY` rows further down; with `REST` they make sixteen.
    #[inline(always)]
    pub(crate) fn down<const BY: i32, const REST: i32>(self) -> Self {
        let mut moved = self;
        moved.0[0] = self.0[0].down::<BY>();
        if N > 1 {
            moved.0[0] = moved.0[0].or(self.0[1].up::<REST>());
            moved.0[1] = self.0[1].down::<BY>();
        }
        moved
    }
    /// The cells of `free` that have only free cells above them, up to the top. `top` is the top row of a block.
    #[inline(always)]
    pub(crate) fn open_to_sky(free: Self, top: B) -> Self {
        let mut open = free;
        let mut from_above = top;
        if N > 1 {
            open.0[1] = free.0[1].and_not(free.0[1].wrapping_add_columns(from_above));
            from_above = open.0[1].up::<15>();
        }
        open.0[0] = free.0[0].and_not(free.0[0].wrapping_add_columns(from_above));
        open
    }
    /// These cells of `free` and all below them that a fall through free cells of the same block reaches, or of the next
    /// block if it is one of these cells that is just above it: bands don't wait for each other, so again and again.
    #[inline(always)]
    pub(crate) fn dropped(self, free: Self) -> Self {
        let mut from = self;
        if N > 1 {
            from.0[0] = from.0[0].or(self.0[1].up::<15>().and(free.0[0]));
        }
        each!(from, i => from.0[i].or(free.0[i].and_not(free.0[i].wrapping_add_columns(from.0[i]))))
    }
    /// A column with the top row in bit 0; the tenth and the eleventh are empty.
    #[inline(always)]
    pub(crate) fn column(&self, x: usize) -> u64 {
        if N > 1 { self.0[1].column(x) | self.0[0].column(x) << B::ROWS } else { self.0[0].column(x) }
    }
}

/// How many bits are set.
#[inline(always)]
fn ones(words: &[u64]) -> u32 {
    let mut count = 0;
    for word in words {
        count += word.count_ones();
    }
    count
}
