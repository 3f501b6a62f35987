//! [`Bitboard`]: one bit per cell of the field, each column upside down.
//!
//! A [`RowBlock`] contains 16, 20 or 64 rows of the ten columns, the *top* row of each column in
//! its lowest bit. A falling piece moves to higher bits, as a carry does, so one addition drops it
//! all the way. A [`Bitboard`] is one block, or two blocks from the bottom up.
//!
//! ```text
//!          column 0   column 1  ..  column 9
//! bit  0   row 15     row 15        row 15      top of the block
//! bit  1   row 14     row 14        row 14
//!  ..
//! bit 15   row  0     row  0        row  0      floor
//! ```
//!
//! There are four kinds of block:
//!
//! | block | rows | form |
//! |---|---|---|
//! | [`SimdBlock`](super::simd::SimdBlock) | 16 | a register of sixteen `u16` lanes, one per column |
//! | [`TallBlock`](super::tall::TallBlock) | 20 | a register of four `u64` lanes, three columns per lane |
//! | [`PackedBlock`](super::words::PackedBlock) | 16 | three `u64`s of four columns each |
//! | [`ColumnWords`](super::words::ColumnWords) | 64 | ten `u64`s, one per column |
//!
//! In unoptimized builds the operations of a bitboard are calls; inlined, each would use stack of
//! its search.
//!
//! All shifts are by constants, and no loop runs over blocks or words: unrolling and folding them
//! in every search would cost compile time.

use crate::board::WIDTH;
use bitcore::{Bytes, Isa, Lanes};

/// A range of rows of the ten columns. Bits shifted out of these rows are lost. Bits shifted to the
/// right of the tenth column may remain until the next AND with a bitboard without any there.
pub(crate) trait RowBlock: Copy {
    type Token: Isa;
    type Words: AsRef<[u64]>;
    const ROWS: u32;
    /// `true` to inline the rotations into each search, because a call would cost more than they
    /// do.
    const INLINE_ROTATIONS: bool;
    /// `false` if a step of the search is too much code for the cost of a call to matter: steps are
    /// then compiled once for all pieces.
    const INLINE_STEPS: bool;

    /// Returns a block with the same rows in each of the ten columns.
    fn splat(isa: Self::Token, rows: u64) -> Self;
    /// Loads the rows from `base` up. Bit 0 of each of `columns` is the bottom row.
    fn load(isa: Self::Token, columns: &[u64; WIDTH], base: u32) -> Self;
    /// Loads the lowest rows of columns that are empty above them.
    #[inline(always)]
    fn load_low(isa: Self::Token, columns: &[u64; WIDTH]) -> Self {
        Self::load(isa, columns, 0)
    }
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Returns `self & !other`.
    fn and_not(self, other: Self) -> Self;
    /// Adds column by column. Carries out of a column are lost.
    fn wrapping_add_columns(self, other: Self) -> Self;
    fn is_zero(self) -> bool;
    /// Moves every cell one to three columns to the right.
    fn right<const COLUMNS: i32>(self) -> Self;
    /// Moves every cell one to three columns to the left.
    fn left<const COLUMNS: i32>(self) -> Self;
    /// Moves every cell one to fifteen rows up.
    fn up<const ROWS: i32>(self) -> Self;
    /// Moves every cell one to fifteen rows down.
    fn down<const ROWS: i32>(self) -> Self;
    /// Returns the cells, one bit each: four 16-row columns per word (leftmost lowest), or one
    /// 64-row column.
    fn words(self) -> Self::Words;
    /// Returns the number of cells in a few maps together, in registers. All cells must be in the
    /// ten columns.
    #[inline(always)]
    fn count_all<const MAPS: usize>(maps: [Self; MAPS]) -> u32 {
        let mut count = 0;
        for map in maps {
            count += ones(map.words().as_ref());
        }
        count
    }
    /// Returns the rows `16 * i..16 * i + 16` from the bottom, four columns a word.
    fn packed_rows(self, i: usize) -> [u64; 3];
    /// Returns column `x` in the lowest `ROWS` bits. Columns 10 and 11 are empty.
    fn column(self, x: usize) -> u64;
    /// Returns the columns with the bottom row in bit 0.
    fn upright(self) -> [u64; WIDTH];
}

/// Defines the operations of a [`RowBlock`] that map directly to its `lanes`.
macro_rules! lanewise {
    () => {
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            self.with_lanes(self.lanes & other.lanes)
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            self.with_lanes(self.lanes | other.lanes)
        }
        #[inline(always)]
        fn and_not(self, other: Self) -> Self {
            self.with_lanes(self.lanes.and_not(other.lanes))
        }
        #[inline(always)]
        fn wrapping_add_columns(self, other: Self) -> Self {
            self.with_lanes(self.lanes + other.lanes)
        }
        #[inline(always)]
        fn is_zero(self) -> bool {
            self.lanes.is_zero()
        }
    };
}
pub(super) use lanewise;

/// A set of cells in `B::ROWS * N` rows: `N` blocks from the bottom up, 1 or 2.
#[derive(Clone, Copy)]
pub(crate) struct Bitboard<B, const N: usize>(pub(crate) [B; N]);

/// Evaluates to `$field` with each of its blocks replaced by `$change`.
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

/// Moves a bitboard up by the constant `$dy` rows.
macro_rules! rows {
    ($field:expr, $dy:expr) => {
        match const { $dy } {
            0 => $field,
            1 => $field.up::<1, 15>(),
            2 => $field.up::<2, 14>(),
            3 => $field.up::<3, 13>(),
            -1 => $field.down::<1, 15>(),
            -2 => $field.down::<2, 14>(),
            -3 => $field.down::<3, 13>(),
            _ => unreachable!(),
        }
    };
}
pub(crate) use rows;

/// Moves a bitboard right by the constant `$dx` columns.
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

/// Moves a bitboard by a constant `(dx, dy)`.
macro_rules! moved {
    ($field:expr, $by:expr) => {{
        let field = $crate::movegen::bitboard::rows!($field, $by.1);
        $crate::movegen::bitboard::columns!(field, $by.0)
    }};
}
pub(super) use moved;

impl<B: RowBlock> Bitboard<B, 1> {
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn load_low(isa: B::Token, columns: &[u64; WIDTH]) -> Self {
        Self([B::load_low(isa, columns)])
    }
}

impl<B: RowBlock, const N: usize> Bitboard<B, N> {
    pub(crate) const ROWS: u32 = B::ROWS * N as u32;
    /// `true` for words of four columns each.
    pub(crate) const PACKED: bool = Self::ROWS == 16;

    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn splat(isa: B::Token, rows: u64) -> Self {
        Self([B::splat(isa, rows); N])
    }
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn load(isa: B::Token, columns: &[u64; WIDTH], base: u32) -> Self {
        let mut field = Self([B::load(isa, columns, base); N]);
        if N > 1 {
            field.0[1] = B::load(isa, columns, base + B::ROWS);
        }
        field
    }
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn and(self, other: Self) -> Self {
        each!(self, i => self.0[i].and(other.0[i]))
    }
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn or(self, other: Self) -> Self {
        each!(self, i => self.0[i].or(other.0[i]))
    }
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn and_not(self, other: Self) -> Self {
        each!(self, i => self.0[i].and_not(other.0[i]))
    }
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn is_zero(self) -> bool {
        if N > 1 { self.0[0].or(self.0[1]).is_zero() } else { self.0[0].is_zero() }
    }
    /// All cells must be in the ten columns.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn count(self) -> u32 {
        let mut count = ones(self.0[0].words().as_ref());
        if N > 1 {
            count += ones(self.0[1].words().as_ref());
        }
        count
    }
    /// Returns the number of cells in a few maps together, in registers. All cells must be in the
    /// ten columns.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn count_all<const MAPS: usize>(maps: [Self; MAPS]) -> u32 {
        let mut count = B::count_all(maps.map(|map| map.0[0]));
        if N > 1 {
            count += B::count_all(maps.map(|map| map.0[1]));
        }
        count
    }
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn right<const COLUMNS: i32>(self) -> Self {
        each!(self, i => self.0[i].right::<COLUMNS>())
    }
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn left<const COLUMNS: i32>(self) -> Self {
        each!(self, i => self.0[i].left::<COLUMNS>())
    }
    /// Moves every cell `BY` rows up. `REST` is `16 - BY`, the shift for rows that pass into the
    /// other block.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn up<const BY: i32, const REST: i32>(self) -> Self {
        let mut moved = self;
        moved.0[0] = self.0[0].up::<BY>();
        if N > 1 {
            moved.0[1] = self.0[1].up::<BY>().or(self.0[0].down::<REST>());
        }
        moved
    }
    /// `REST` is `16 - BY`.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn down<const BY: i32, const REST: i32>(self) -> Self {
        let mut moved = self;
        moved.0[0] = self.0[0].down::<BY>();
        if N > 1 {
            moved.0[0] = moved.0[0].or(self.0[1].up::<REST>());
            moved.0[1] = self.0[1].down::<BY>();
        }
        moved
    }
    /// Returns the cells of `free` with only free cells above them. `top` is a block with only its
    /// top row set.
    #[cfg_attr(not(unoptimized), inline(always))]
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
    /// Returns these cells and all cells of `free` they drop to within their block.
    ///
    /// A cell in the bottom row of the upper block also drops into the lower block. The two blocks
    /// are computed in parallel, so a drop from higher up reaches the lower block in the next call.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn dropped(self, free: Self) -> Self {
        let mut from = self;
        if N > 1 {
            from.0[0] = from.0[0].or(self.0[1].up::<15>().and(free.0[0]));
        }
        each!(from, i => from.0[i].or(free.0[i].and_not(free.0[i].wrapping_add_columns(from.0[i]))))
    }
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn upright(&self) -> [u64; WIDTH] {
        let mut columns = self.0[0].upright();
        if N > 1 {
            for (column, above) in columns.iter_mut().zip(self.0[1].upright()) {
                *column |= above << B::ROWS;
            }
        }
        columns
    }
    /// Returns column `x`, its top row in bit 0. Columns 10 and 11 are empty.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn column(&self, x: usize) -> u64 {
        if N > 1 {
            self.0[1].column(x) | self.0[0].column(x) << B::ROWS
        } else {
            self.0[0].column(x)
        }
    }

    /// Returns the columns from the left, bit 0 = bottom row.
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(crate) fn to_columns(self) -> [u64; WIDTH] {
        let mut columns = [0; WIDTH];
        for (x, column) in columns.iter_mut().enumerate() {
            *column = self.column(x).reverse_bits() >> (u64::BITS - Self::ROWS);
        }
        columns
    }
}

/// Returns the number of ones in a few registers together, at most 31.
#[inline(always)]
pub(super) fn ones_of_lanes<S: Isa, const MAPS: usize>(isa: S, maps: [S::U8x32; MAPS]) -> u32 {
    const { assert!(MAPS * 8 <= u8::MAX as usize) };
    let mut counts = isa.splat_u8(0);
    for map in maps {
        counts = counts + map.count_ones();
    }
    let [a, b, c, d] = isa.bitcast_u8_u64(counts.sums_of_8()).to_array();
    (a + b + c + d) as u32
}

#[inline(always)]
fn ones(words: &[u64]) -> u32 {
    let mut count = 0;
    for word in words {
        count += word.count_ones();
    }
    count
}
