//! Cell masks by column in words and registers, and the shifts to neighboring cells.
//!
//! The mask of an 8 x 8 board is one word: byte x is column x, with the bottom cell in its lowest bit.
//!
//! ```text
//!              x = 0   1   2   3   4   5   6   7
//! y = 0 (top)      7  15  23  31  39  47  55  63       bit of a cell: 8x + 7 - y
//! y = 1            6  14  22  30  38  46  54  62       right neighbor: bit + 8
//!   ..            ..                                   cell below:     bit - 1
//! y = 7            0   8  16  24  32  40  48  56
//! ```
//!
//! A board of smaller height h uses the h lowest bits of each byte: (x, y) is bit 8x + h - 1 - y. The mask of
//! a board of up to 16 x 16 is four words, with four columns of 16 bits each: (x, y) is bit 16(x % 4) + h - 1
//! - y of word x / 4.
//!
//! Masks are stored by column because pieces fall along columns: a fall is one PEXT and one PDEP of a whole
//! word (see `fall`).
//!
//! | type | content | offset (dx, dy) |
//! |---|---|---|
//! | `u64` | one board of 8 x 8 | a shift by 8dx - dy |
//! | [`FourBoards`] | four boards of 8 x 8, one per lane | the same in each lane |
//! | [`FourWords`] | one board of 16 x 16 | a shift by 16dx - dy across the words |
//! | [`ColumnLanes`] | one board of 16 x 16, one column per lane | dx lanes, and a shift by dy in each |

use super::four_words::FourWords;
use bitcore::{Isa, Lanes, U16s, U64s};
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// One bit per cell, in a word or register.
pub(crate) trait BitWord:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Returns `self & !other`.
    fn and_not(self, other: Self) -> Self;
}

pub(crate) trait OffsetMask: Copy {
    /// A mask read at an offset.
    type Word: BitWord;
    /// Returns, for each cell (x, y), the bit of (x + `DX`, y + `DY`), or zero if that is outside the board.
    /// Bits that wrap into another column are the exception: see `EqualMasks`.
    fn at<const DX: i32, const DY: i32>(self) -> Self::Word;
}

/// A cell mask by column, of one board or of four.
pub(crate) trait Columns<S: Isa>: OffsetMask<Word = Self> + BitWord {
    /// Whether an offset can move bits from one column into the next.
    const TOUCH: bool = true;
    /// The highest bit of a column.
    const TOP: u16;

    fn repeat(isa: S, column: u16) -> Self;
    fn count(self, isa: S) -> u64;
    /// Returns the lowest set bit of each column and all bits above it.
    fn fill_up(self, isa: S) -> Self;
    fn is_zero(self) -> bool;

    /// Removes the bottom `rows` rows, where a downward offset reads from the neighboring column.
    #[inline(always)]
    fn without_lowest(self, isa: S, rows: u32) -> Self {
        if Self::TOUCH { self & Self::repeat(isa, !0 << rows) } else { self }
    }

    /// Removes the top bit of each column, where an upward offset reads from the next column.
    #[inline(always)]
    fn without_top(self, isa: S) -> Self {
        if Self::TOUCH { self & Self::repeat(isa, !Self::TOP) } else { self }
    }
}

const LOW_BITS: u64 = 0x0101_0101_0101_0101;

/// Gathers one bit of each byte: bit i of the result is bit `bit` of byte i.
#[inline(always)]
pub(crate) const fn gather_bit(word: u64, bit: u32) -> u64 {
    // No two partial products of a flag and a set bit of the factor share a position, so nothing carries.
    ((word >> bit & LOW_BITS).wrapping_mul(0x0102_0408_1020_4080)) >> 56
}

/// The form of a mask in vector lanes, and access to its rows.
pub(crate) trait LaneForm: BitWord {
    /// The mask in vector lanes, if that is faster.
    type InLanes<S: Isa>: Columns<S>;

    fn in_lanes<S: Isa>(self, isa: S) -> Self::InLanes<S>;
    fn from_lanes<S: Isa>(isa: S, lanes: Self::InLanes<S>) -> Self;
    /// Returns one row as bytes of 0 or 1, with the left column in the lowest byte.
    fn row_bytes(self, bit: u32) -> u128;
}

impl LaneForm for u64 {
    type InLanes<S: Isa> = Self;

    #[inline(always)]
    fn in_lanes<S: Isa>(self, _: S) -> Self {
        self
    }
    #[inline(always)]
    fn from_lanes<S: Isa>(_: S, lanes: Self) -> Self {
        lanes
    }
    #[inline(always)]
    fn row_bytes(self, bit: u32) -> u128 {
        (self >> bit & LOW_BITS).into()
    }
}

impl LaneForm for FourWords {
    type InLanes<S: Isa> = ColumnLanes<S>;

    #[inline(always)]
    fn in_lanes<S: Isa>(self, isa: S) -> ColumnLanes<S> {
        ColumnLanes(isa.bitcast_u64_u16(isa.u64x4(&self.0)))
    }
    #[inline(always)]
    fn from_lanes<S: Isa>(isa: S, lanes: ColumnLanes<S>) -> Self {
        Self(isa.bitcast_u16_u64(lanes.0).to_array())
    }
    fn row_bytes(self, bit: u32) -> u128 {
        let mut row = 0;
        for (i, word) in self.0.into_iter().enumerate() {
            let flags = word >> bit & 0x0001_0001_0001_0001;
            let pairs = (flags | flags >> 8) & 0x0000_ffff_0000_ffff;
            row |= u128::from((pairs | pairs >> 16) as u32) << (32 * i);
        }
        row
    }
}

impl BitWord for u64 {
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self & !other
    }
}

impl OffsetMask for u64 {
    type Word = Self;
    #[inline(always)]
    fn at<const DX: i32, const DY: i32>(self) -> Self {
        let n = 8 * DX - DY;
        if n < 0 { self << -n } else { self >> n }
    }
}

impl<S: Isa> Columns<S> for u64 {
    const TOP: u16 = 0x80;

    #[inline(always)]
    fn repeat(_: S, column: u16) -> Self {
        LOW_BITS * u64::from(column as u8)
    }
    #[inline(always)]
    fn count(self, _: S) -> u64 {
        self.count_ones().into()
    }
    #[inline(always)]
    fn fill_up(self, _: S) -> Self {
        fill_up(self, 0x80 * LOW_BITS)
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0
    }
}

/// Returns `column | -column` for each column of a word. `tops` are the top bits of the columns.
#[inline(always)]
const fn fill_up(word: u64, tops: u64) -> u64 {
    word | ((tops - (word & !tops)) ^ (!word & tops))
}

impl BitWord for FourWords {
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self & !other
    }
}

impl OffsetMask for FourWords {
    type Word = Self;
    #[inline(always)]
    fn at<const DX: i32, const DY: i32>(self) -> Self {
        let [a, b, c, d] = self.0;
        match 16 * DX - DY {
            0 => self,
            n @ 1.. => {
                let m = 64 - n;
                Self([a >> n | b << m, b >> n | c << m, c >> n | d << m, d >> n])
            }
            n => {
                let (n, m) = (-n, 64 + n);
                Self([a << n, b << n | a >> m, c << n | b >> m, d << n | c >> m])
            }
        }
    }
}

impl<S: Isa> Columns<S> for FourWords {
    const TOP: u16 = 0x8000;

    #[inline(always)]
    fn repeat(_: S, column: u16) -> Self {
        Self([0x0001_0001_0001_0001 * u64::from(column); 4])
    }
    #[inline(always)]
    fn count(self, _: S) -> u64 {
        count(&self.0)
    }
    #[inline(always)]
    fn fill_up(self, _: S) -> Self {
        const TOPS: u64 = 0x8000_8000_8000_8000;
        let [a, b, c, d] = self.0;
        Self([fill_up(a, TOPS), fill_up(b, TOPS), fill_up(c, TOPS), fill_up(d, TOPS)])
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }
}

#[inline(always)]
fn count(words: &[u64; 4]) -> u64 {
    let [a, b, c, d] = words;
    (a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()).into()
}

/// Four boards of 8 x 8, one per lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourBoards<S: Isa>(pub(crate) S::U64x4);

/// One board of up to 16 x 16, one column per lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnLanes<S: Isa>(pub(crate) S::U16x16);

macro_rules! operators_of_lanes {
    ($name:ident: $($operator:ident $f:ident $symbol:tt)*) => {
        $(impl<S: Isa> $operator for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, other: Self) -> Self {
                Self(self.0 $symbol other.0)
            }
        })*
        impl<S: Isa> Not for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                Self(!self.0)
            }
        }
        impl<S: Isa> BitWord for $name<S> {
            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                Self(self.0.and_not(other.0))
            }
        }
    };
}
operators_of_lanes!(FourBoards: BitAnd bitand & BitOr bitor | BitXor bitxor ^);
operators_of_lanes!(ColumnLanes: BitAnd bitand & BitOr bitor | BitXor bitxor ^);

impl<S: Isa> OffsetMask for FourBoards<S> {
    type Word = Self;
    #[inline(always)]
    fn at<const DX: i32, const DY: i32>(self) -> Self {
        // The count is constant, so these compile to shifts by an immediate.
        let n = 8 * DX - DY;
        Self(if n < 0 { self.0.shl_all(n.unsigned_abs()) } else { self.0.shr_all(n.unsigned_abs()) })
    }
}

impl<S: Isa> Columns<S> for FourBoards<S> {
    const TOP: u16 = 0x80;

    #[inline(always)]
    fn repeat(isa: S, column: u16) -> Self {
        Self(isa.splat_u64(LOW_BITS * u64::from(column as u8)))
    }
    #[inline(always)]
    fn count(self, _: S) -> u64 {
        count(&self.0.to_array())
    }
    #[inline(always)]
    fn fill_up(self, isa: S) -> Self {
        let bytes = isa.bitcast_u64_u8(self.0);
        Self(isa.bitcast_u8_u64(bytes | (isa.splat_u8(0) - bytes)))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl<S: Isa> OffsetMask for ColumnLanes<S> {
    type Word = Self;
    #[inline(always)]
    fn at<const DX: i32, const DY: i32>(self) -> Self {
        const { assert!(-2 <= DX && DX <= 2 && -2 <= DY && DY <= 2) };
        let column = match DX {
            -2 => self.0.slide_up::<2>(),
            -1 => self.0.slide_up::<1>(),
            1 => self.0.slide_down::<1>(),
            2 => self.0.slide_down::<2>(),
            _ => self.0,
        };
        Self(match DY {
            -2 => column.shr::<2>(),
            -1 => column.shr::<1>(),
            1 => column.shl::<1>(),
            2 => column.shl::<2>(),
            _ => column,
        })
    }
}

impl<S: Isa> Columns<S> for ColumnLanes<S> {
    const TOUCH: bool = false;
    const TOP: u16 = 0x8000;

    #[inline(always)]
    fn repeat(isa: S, column: u16) -> Self {
        Self(isa.splat_u16(column))
    }
    #[inline(always)]
    fn count(self, isa: S) -> u64 {
        count(&isa.bitcast_u16_u64(self.0).to_array())
    }
    #[inline(always)]
    fn fill_up(self, isa: S) -> Self {
        Self(self.0 | (isa.splat_u16(0) - self.0))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}
