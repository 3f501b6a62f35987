//! Words and registers that hold masks of cells in columns, and the shifts between neighbors in them.
//!
//! A mask of an 8 x 8 board is one word: byte x is column x, and its lowest bit the lowest cell.
//!
//! ```text
//!              x = 0   1   2   3   4   5   6   7
//! y = 0 (top)      7  15  23  31  39  47  55  63       bit of a cell: 8x + 7 - y
//! y = 1            6  14  22  30  38  46  54  62       right neighbor: bit + 8
//!   ..            ..                                   cell below:     bit - 1
//! y = 7            0   8  16  24  32  40  48  56
//! ```
//!
//! A board of lower height h fills the h lowest bits of each byte: (x, y) is bit 8x + h - 1 - y. A mask of a
//! board of up to 16 x 16 is four words, four columns of 16 bits each: word x / 4, bit 16(x % 4) + h - 1 - y.
//!
//! Columns, because pieces fall in them: a fall is then one PEXT and one PDEP of a whole word (see `fall`).
//!
//! | type | holds | offset (dx, dy) |
//! |---|---|---|
//! | `u64` | one board of 8 x 8 | a shift by 8dx - dy |
//! | [`FourBoards`] | four boards of 8 x 8, one per lane | the same in each lane |
//! | [`FourWords`] | one board of 16 x 16 | a shift by 16dx - dy across the words |
//! | [`ColumnLanes`] | one board of 16 x 16, one column per lane | dx lanes, and a shift by dy in each |

use crate::bitboard::formula::{BitWord, OffsetMask};
use bitcore::{Isa, Lanes, U16s, U64s};
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// The cells of an 8 x 8 board with at least one cell below, and with at least two.
pub(crate) const HAS_BELOW: u64 = 0xfefe_fefe_fefe_fefe;
pub(crate) const HAS_BELOW2: u64 = 0xfcfc_fcfc_fcfc_fcfc;

/// The same for one word of a 16 x 16 board.
pub(crate) const HAS_BELOW_16: u64 = 0xfffe_fffe_fffe_fffe;
pub(crate) const HAS_BELOW2_16: u64 = 0xfffc_fffc_fffc_fffc;

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

/// A board of up to 16 x 16 as four words, for levels without vector lanes.
#[derive(Clone, Copy)]
pub(crate) struct FourWords(pub(crate) [u64; 4]);

impl FourWords {
    /// Fills up with words of zero.
    #[inline(always)]
    pub(crate) fn new<const WORDS: usize>(words: &[u64; WORDS]) -> Self {
        let mut four = [0; 4];
        for (to, from) in four.iter_mut().zip(words) {
            *to = *from;
        }
        Self(four)
    }

    /// Repeats a word four times.
    #[inline(always)]
    pub(crate) const fn splat(word: u64) -> Self {
        Self([word; 4])
    }

    #[inline(always)]
    pub(crate) fn words<const WORDS: usize>(self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for (to, from) in words.iter_mut().zip(self.0) {
            *to = from;
        }
        words
    }
}

// Written out: loops take far longer to compile.
impl BitAnd for FourWords {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a & e, b & f, c & g, d & h])
    }
}

impl BitOr for FourWords {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a | e, b | f, c | g, d | h])
    }
}

impl BitXor for FourWords {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a ^ e, b ^ f, c ^ g, d ^ h])
    }
}

impl Not for FourWords {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([!a, !b, !c, !d])
    }
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

/// Four boards of 8 x 8, one per lane.
#[derive(Clone, Copy)]
pub(crate) struct FourBoards<S: Isa>(pub(crate) S::U64x4);

/// One board of up to 16 x 16, one column per lane.
#[derive(Clone, Copy)]
pub(crate) struct ColumnLanes<S: Isa>(pub(crate) S::U16x16);

macro_rules! words {
    ($name:ident) => {
        impl<S: Isa> BitAnd for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }
        impl<S: Isa> BitOr for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }
        impl<S: Isa> BitXor for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn bitxor(self, other: Self) -> Self {
                Self(self.0 ^ other.0)
            }
        }
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
words!(FourBoards);
words!(ColumnLanes);

impl<S: Isa> OffsetMask for FourBoards<S> {
    type Word = Self;
    #[inline(always)]
    fn at<const DX: i32, const DY: i32>(self) -> Self {
        // The count is a constant, so the compiler makes these shifts by an immediate.
        let n = 8 * DX - DY;
        Self(if n < 0 { self.0.shl_all(n.unsigned_abs()) } else { self.0.shr_all(n.unsigned_abs()) })
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

/// Gathers one bit of each byte: bit i of the result is bit `bit` of byte i.
#[inline(always)]
pub(crate) const fn gather_bit(word: u64, bit: u32) -> u64 {
    // The products of one flag and the eight set bits of the factor meet no other product: no carry.
    ((word >> bit & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080)) >> 56
}

/// Loads four words into lanes, or one word into each of them.
#[inline(always)]
pub(crate) fn load_words_with<S: Isa, const WORDS: usize>(isa: S, words: &[u64; WORDS]) -> S::U64x4 {
    if WORDS == 1 {
        return isa.splat_u64(words[0]);
    }
    let mut four = [0; 4];
    for (to, from) in four.iter_mut().zip(words) {
        *to = *from;
    }
    isa.u64x4(&four)
}

/// Loads the words of a 16 x 16 board, one column per lane.
#[inline(always)]
pub(crate) fn load_columns_with<S: Isa, const WORDS: usize>(isa: S, words: &[u64; WORDS]) -> ColumnLanes<S> {
    ColumnLanes(isa.bitcast_u64_u16(load_words_with(isa, words)))
}

/// Loads all planes of a 16 x 16 board, one column per lane.
#[inline(always)]
pub(crate) fn load_planes_with<S: Isa, const WORDS: usize, const P: usize>(
    isa: S,
    planes: &[[u64; WORDS]; P],
) -> [ColumnLanes<S>; P] {
    let mut lanes = [load_columns_with(isa, &[0; WORDS]); P];
    for (to, from) in lanes.iter_mut().zip(planes) {
        *to = load_columns_with(isa, from);
    }
    lanes
}

/// Stores the columns that [`load_columns_with`] loaded.
#[inline(always)]
pub(crate) fn store_columns_with<S: Isa, const WORDS: usize>(isa: S, lanes: ColumnLanes<S>) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (to, from) in words.iter_mut().zip(isa.bitcast_u16_u64(lanes.0).to_array()) {
        *to = from;
    }
    words
}

/// Exchanges the cell of a bit with the cell below (`down`) or with the right neighbor, in each plane.
#[inline(always)]
pub(crate) fn exchange_at<const WORDS: usize, const P: usize>(
    planes: &mut [[u64; WORDS]; P],
    word: usize,
    bit: u32,
    down: bool,
) {
    let (other, shift) = if down {
        (word, bit - 1)
    } else {
        let next = bit + if WORDS == 1 { 8 } else { 16 };
        (word + next as usize / 64, next % 64)
    };
    for plane in planes {
        let differ = (plane[word] >> bit ^ plane[other] >> shift) & 1;
        plane[word] ^= differ << bit;
        plane[other] ^= differ << shift;
    }
}
