//! Words and registers that hold the masks of one board or of four, and how a mask is moved in them.

use crate::formula::{BitWord, OffsetMask};
use bitcore::{Isa, Lanes, U16s, U64s};
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Cells of an 8 x 8 board in columns with a cell under them, and with two.
pub(crate) const HAS_BELOW: u64 = 0xfefe_fefe_fefe_fefe;
pub(crate) const HAS_BELOW2: u64 = 0xfcfc_fcfc_fcfc_fcfc;

/// The same of a board of up to 16 x 16.
pub(crate) const HAS_BELOW_16: u64 = 0xfffe_fffe_fffe_fffe;
pub(crate) const HAS_BELOW2_16: u64 = 0xfffc_fffc_fffc_fffc;

/// An 8 x 8 board in columns: bit 8x + 7 - y, so a byte is a column and its lowest bit the lowest cell.
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

/// A board of up to 16 x 16 in columns, for machines without vector lanes: bit 16x + b is the cell in column x, b cells
/// above the lowest.
#[derive(Clone, Copy)]
pub(crate) struct FourWords(pub(crate) [u64; 4]);

impl FourWords {
    /// The words; those that there aren't are zero.
    #[inline(always)]
    pub(crate) fn new<const WORDS: usize>(words: &[u64; WORDS]) -> Self {
        let mut four = [0; 4];
        for (to, from) in four.iter_mut().zip(words) {
            *to = *from;
        }
        Self(four)
    }

    /// The same word four times.
    #[inline(always)]
    pub(crate) const fn splat(word: u64) -> Self {
        Self([word; 4])
    }

    /// As many words as are wanted.
    #[inline(always)]
    pub(crate) fn words<const WORDS: usize>(self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for (to, from) in words.iter_mut().zip(self.0) {
            *to = from;
        }
        words
    }
}

// Written out: as loops these took far longer to compile.
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

/// Four boards of 8 x 8 in columns, one a lane.
#[derive(Clone, Copy)]
pub(crate) struct FourBoards<S: Isa>(pub(crate) S::U64x4);

/// One board of up to 16 x 16: a column a lane, its lowest bit the lowest cell.
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

/// A bit of each byte, gathered in one.
#[inline(always)]
pub(crate) const fn gather_bit(word: u64, bit: u32) -> u64 {
    // The products of one flag and the eight set bits of the factor meet no other product: no carry.
    ((word >> bit & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080)) >> 56
}

/// Up to four words as lanes; a single one in each.
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

/// The same, a column a lane.
#[inline(always)]
pub(crate) fn load_columns_with<S: Isa, const WORDS: usize>(isa: S, words: &[u64; WORDS]) -> ColumnLanes<S> {
    ColumnLanes(isa.bitcast_u64_u16(load_words_with(isa, words)))
}

/// All planes, a column a lane.
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

/// The words of [`load_columns_with`].
#[inline(always)]
pub(crate) fn store_columns_with<S: Isa, const WORDS: usize>(isa: S, lanes: ColumnLanes<S>) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (to, from) in words.iter_mut().zip(isa.bitcast_u16_u64(lanes.0).to_array()) {
        *to = from;
    }
    words
}

/// Exchanges, in each plane, the cell of a bit with the one below, or with its right neighbor.
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
