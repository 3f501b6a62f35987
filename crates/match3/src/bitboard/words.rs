//! Cell masks by column in words and registers, and the shifts to neighboring cells.
//!
//! The mask of an 8 x 8 board is one word: byte x is column x, with the bottom cell in its lowest
//! bit.
//!
//! ```text
//!              x = 0   1   2   3   4   5   6   7
//! y = 0 (top)      7  15  23  31  39  47  55  63       bit of a cell: 8x + 7 - y
//! y = 1            6  14  22  30  38  46  54  62       right neighbor: bit + 8
//!   ..            ..                                   cell below:     bit - 1
//! y = 7            0   8  16  24  32  40  48  56
//! ```
//!
//! A board of smaller height h uses the h lowest bits of each byte: (x, y) is bit 8x + h - 1 - y.
//! The mask of a board of up to 16 x 16 is four words, with four columns of 16 bits each: (x, y) is
//! bit 16(x % 4) + h - 1
//! - y of word x / 4.
//!
//! Masks are stored by column because pieces fall along columns: a fall is one PEXT and one PDEP of
//! a whole word (see `fall`).
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
    /// Returns, for each cell (x, y), the bit of (x + `DX`, y + `DY`), or zero if that is outside
    /// the board. Bits that wrap into another column are the exception: see `EqualMasks`.
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

/// Every other cell of 8 x 8.
pub(crate) const CHECKERBOARD: u64 = 0xaa55_aa55_aa55_aa55;

const LOW_BITS: u64 = 0x0101_0101_0101_0101;

/// Gathers one bit of each byte: bit i of the result is bit `bit` of byte i.
#[inline(always)]
pub(crate) const fn gather_bit(word: u64, bit: u32) -> u64 {
    // No two partial products of a flag and a set bit of the factor share a position, so nothing
    // carries.
    ((word >> bit & LOW_BITS).wrapping_mul(0x0102_0408_1020_4080)) >> 56
}

/// Moves the bits of a word so that two digits of their numbers, counted from the lowest, change
/// places.
#[inline(always)]
pub(crate) const fn exchange_digits<const LOW: u32, const HIGH: u32>(word: u64) -> u64 {
    let shift = (1 << HIGH) - (1 << LOW);
    let differ = (word ^ word >> shift) & (digit(LOW) & !digit(HIGH));
    word ^ differ ^ differ << shift
}

/// Moves the bits of two words so that a digit of their numbers and the number of their word change
/// places.
#[inline(always)]
const fn exchange_with_word<const DIGIT: u32>([first, second]: [u64; 2]) -> [u64; 2] {
    let shift = 1 << DIGIT;
    let differ = (first >> shift ^ second) & !digit(DIGIT);
    [first ^ differ << shift, second ^ differ]
}

/// The bits of a word in whose numbers a digit is 1.
const fn digit(digit: u32) -> u64 {
    let mut bits = 0;
    let mut bit = 0;
    while bit < 64 {
        bits |= (bit >> digit & 1) << bit;
        bit += 1;
    }
    bits
}

/// Returns the bits of two words by turns, the lower halves in the first word.
#[inline(always)]
pub(crate) const fn interleaved(words: [u64; 2]) -> [u64; 2] {
    let words = exchange_with_word::<2>(exchange_with_word::<1>(exchange_with_word::<0>(words)));
    exchange_with_word::<5>(exchange_with_word::<4>(exchange_with_word::<3>(words)))
}

/// The form of a mask in vector lanes, and access to its rows.
pub(crate) trait LaneForm: BitWord {
    /// The mask in vector lanes, if that is faster.
    type InLanes<S: Isa>: Columns<S>;

    fn in_lanes<S: Isa>(self, isa: S) -> Self::InLanes<S>;
    fn from_lanes<S: Isa>(isa: S, lanes: Self::InLanes<S>) -> Self;
    /// Returns one row as bytes of 0 or 1, with the left column in the lowest byte.
    fn row_bytes(self, bit: u32) -> u128;
    /// Returns 64 cells of two masks of a board of `height` rows, from row 64 / `SIDE` * `block`
    /// on: two bits per cell, row by row from the top.
    ///
    /// The bits stay bits; only the digits of their numbers move. The comments list them from the
    /// highest, with `m` for the mask, at first the number of the word.
    fn block(masks: [Self; 2], height: u32, block: usize) -> [u64; 2];
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
    #[inline(always)]
    fn block([right, down]: [Self; 2], height: u32, _: usize) -> [u64; 2] {
        // m, x2 x1 x0 b2 b1 b0, where 7 - b is the row. `swap_bytes` negates the three highest
        // digits.
        let words = [right << (8 - height), down << (8 - height)].map(|word| word.rotate_left(32));
        let words =
            exchange_with_word::<2>(exchange_with_word::<4>(exchange_with_word::<0>(words)));
        // b2, x2 b0 x0 x1 b1 m
        let [first, second] =
            words.map(|word| exchange_digits::<1, 3>(exchange_digits::<1, 5>(word)));
        // b2, b1 b0 x2 x1 x0 m
        [second.swap_bytes(), first.swap_bytes()]
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
    #[inline(always)]
    fn block(masks: [Self; 2], height: u32, block: usize) -> [u64; 2] {
        // Four rows, b1 b0, where 3 - b is the row. x3 x2 is the number of the word.
        let shift = 12 - 4 * block as u32;
        let words = masks.map(|Self(words)| {
            let [a, b, c, d] =
                words.map(|word| word << (16 - height) >> shift & 0x000f_000f_000f_000f);
            a | b << 8 | c << 4 | d << 12
        });
        // m, x1 x0 x2 x3 b1 b0
        let words =
            exchange_with_word::<2>(exchange_with_word::<5>(exchange_with_word::<0>(words)));
        let [first, second] = exchange_with_word::<1>(exchange_with_word::<4>(words));
        // b1, b0 x3 x2 x1 x0 m
        [second.rotate_left(32), first.rotate_left(32)]
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
        Self(if n < 0 {
            self.0.shl_all(n.unsigned_abs())
        } else {
            self.0.shr_all(n.unsigned_abs())
        })
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
