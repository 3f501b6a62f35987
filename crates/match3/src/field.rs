//! The formula behind every listing: which swaps are legal, from six masks of equal cells, whatever the layout.
//!
//! Exchange a = (x, y) and its right neighbor b: a's color, now at b, lies in a run iff the two cells beyond b, two
//! above, two below, or one above and one below b have that color; likewise b's color at a. Each such condition is
//! one AND of two equality masks moved to a's position, so a register of cells takes about 40 operations for both
//! directions, whatever the number of colors, and finds no swap twice.

use bitcore::{Isa, Lanes, U16s, U64s};
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Cells of an 8 x 8 board in columns with a cell under them, and with two.
pub(crate) const HAS_BELOW: u64 = 0xfefe_fefe_fefe_fefe;
pub(crate) const HAS_BELOW2: u64 = 0xfcfc_fcfc_fcfc_fcfc;

/// The same of a board of up to 16 x 16.
pub(crate) const HAS_BELOW_16: u64 = 0xfffe_fffe_fffe_fffe;
pub(crate) const HAS_BELOW2_16: u64 = 0xfffc_fffc_fffc_fffc;

/// Bits of one register, one for each cell.
pub(crate) trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;
}

/// A mask of cells that can be looked at from a place nearby.
pub(crate) trait Near: Copy {
    /// What it is read as.
    type Word: Word;
    /// For each cell (x, y): the bit of (x + `DX`, y + `DY`). Zero, or as said in [`Equal`], where that is outside.
    fn at<const DX: i32, const DY: i32>(self) -> Self::Word;
}

/// The masks of equal cells: each is true of a colored (x, y) that equals (x + dx, y + dy), and never where that
/// cell is outside the board. In a layout whose columns touch, that is also what makes [`Near::at`] safe across their
/// ends: every term of the formula that wraps there meets one of these zeros.
#[derive(Clone, Copy)]
pub(crate) struct Equal<M> {
    /// (1, 0)
    pub(crate) right: M,
    /// (2, 0)
    pub(crate) right2: M,
    /// (0, 1)
    pub(crate) down: M,
    /// (0, 2)
    pub(crate) down2: M,
    /// (1, 1)
    pub(crate) down_right: M,
    /// (-1, 1)
    pub(crate) down_left: M,
}

impl<M: Near> Equal<M> {
    /// The legal swaps with the right neighbor, and with the cell below, if every colored cell may be swapped.
    #[inline(always)]
    pub(crate) fn swaps(&self) -> (M::Word, M::Word) {
        let Self { right: r, right2: r2, down: d, down2: d2, down_right: dr, down_left: dl } = *self;
        let (dr0, dl0) = (dr.at::<0, 0>(), dl.at::<0, 0>());
        let from_right = dl.at::<1, 0>();

        // With the right neighbor: the left color moves right, or the right one left.
        let above = dl.at::<1, -1>();
        let mut across = r2.at::<0, 0>() & r.at::<2, 0>();
        across = across | (above & (d.at::<1, -2>() | dr0)) | (dr0 & d.at::<1, 1>());
        let (above, below) = (dr.at::<0, -1>(), from_right);
        across = across | (r2.at::<-1, 0>() & r.at::<-2, 0>());
        across = across | (above & (d.at::<0, -2>() | below)) | (below & d.at::<0, 1>());

        // With the cell below: the upper color moves down, or the lower one up.
        let mut along = d2.at::<0, 0>() & d.at::<0, 2>();
        along = along | (dl0 & (r.at::<-2, 1>() | dr0)) | (dr0 & r.at::<1, 1>());
        let from_left = dr.at::<-1, 0>();
        along = along | (d2.at::<0, -1>() & d.at::<0, -2>());
        along = along | (from_left & (r.at::<-2, 0>() | from_right)) | (from_right & r.at::<1, 0>());
        (across.and_not(r.at::<0, 0>()), along.and_not(d.at::<0, 0>()))
    }
}

impl<M: Near<Word = M> + Word> Equal<M> {
    /// Compares the bit planes of the colors, no color more than once.
    ///
    /// `colored` are the cells that take part; `below` and `below2` those of them that have one, and two, cells of the
    /// board under them.
    #[inline(always)]
    pub(crate) fn new<const P: usize>(planes: &[M; P], colored: M, below: M, below2: M) -> Self {
        Self {
            right: colored.and_not(different::<M, P, 1, 0>(planes)),
            right2: colored.and_not(different::<M, P, 2, 0>(planes)),
            down: below.and_not(different::<M, P, 0, 1>(planes)),
            down2: below2.and_not(different::<M, P, 0, 2>(planes)),
            down_right: below.and_not(different::<M, P, 1, 1>(planes)),
            down_left: below.and_not(different::<M, P, -1, 1>(planes)),
        }
    }
}

/// The cells in runs, from the masks of cells that equal the right neighbor and the cell below.
#[inline(always)]
pub(crate) fn matched<M: Near<Word = M> + Word>(right: M, down: M) -> M {
    // The first cells of three equal ones in a row and in a column.
    let across = right & right.at::<1, 0>();
    let along = down & down.at::<0, 1>();
    let row = across | across.at::<-1, 0>() | across.at::<-2, 0>();
    row | along | along.at::<0, -1>() | along.at::<0, -2>()
}

/// The cells that have a color.
#[inline(always)]
pub(crate) fn colored<M: Word, const P: usize>(planes: &[M; P]) -> M {
    let mut colored = planes[0];
    for &plane in &planes[1..] {
        colored = colored | plane;
    }
    colored
}

/// The legal swaps with the right neighbor, and with the cell below. `colored`, `below` and `below2` as for
/// [`Equal::new`].
#[inline(always)]
pub(crate) fn swaps_of<M: Near<Word = M> + Word, const P: usize>(
    planes: &[M; P],
    colored: M,
    below: M,
    below2: M,
    locked: M,
) -> (M, M) {
    let (across, along) = Equal::new(planes, colored, below, below2).swaps();
    let free = colored.and_not(locked);
    (across & free & free.at::<1, 0>(), along & free & free.at::<0, 1>())
}

/// The cells in runs. `colored` and `below` as for [`Equal::new`].
#[inline(always)]
pub(crate) fn runs_of<M: Near<Word = M> + Word, const P: usize>(planes: &[M; P], colored: M, below: M) -> M {
    let right = colored.and_not(different::<M, P, 1, 0>(planes));
    let down = below.and_not(different::<M, P, 0, 1>(planes));
    matched(right, down)
}

/// The cells that differ from the one (`DX`, `DY`) further on.
#[inline(always)]
pub(crate) fn different<M: Near<Word = M> + Word, const P: usize, const DX: i32, const DY: i32>(
    planes: &[M; P],
) -> M {
    let mut different = planes[0] ^ planes[0].at::<DX, DY>();
    for &plane in &planes[1..] {
        different = different | (plane ^ plane.at::<DX, DY>());
    }
    different
}

/// An 8 x 8 board in columns: bit 8x + 7 - y, so a byte is a column and its lowest bit the lowest cell.
impl Word for u64 {
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self & !other
    }
}

impl Near for u64 {
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
pub(crate) struct Wide(pub(crate) [u64; 4]);

impl Wide {
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
impl BitAnd for Wide {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a & e, b & f, c & g, d & h])
    }
}

impl BitOr for Wide {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a | e, b | f, c | g, d | h])
    }
}

impl BitXor for Wide {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a ^ e, b ^ f, c ^ g, d ^ h])
    }
}

impl Not for Wide {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([!a, !b, !c, !d])
    }
}

impl Word for Wide {
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        self & !other
    }
}

impl Near for Wide {
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
pub(crate) struct Four<S: Isa>(pub(crate) S::U64x4);

/// One board of up to 16 x 16: a column a lane, its lowest bit the lowest cell.
#[derive(Clone, Copy)]
pub(crate) struct Lanes16<S: Isa>(pub(crate) S::U16x16);

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
        impl<S: Isa> Word for $name<S> {
            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                Self(self.0.and_not(other.0))
            }
        }
    };
}
words!(Four);
words!(Lanes16);

impl<S: Isa> Near for Four<S> {
    type Word = Self;
    #[inline(always)]
    fn at<const DX: i32, const DY: i32>(self) -> Self {
        // The count is a constant, so the compiler makes these shifts by an immediate.
        let n = 8 * DX - DY;
        Self(if n < 0 { self.0.shl_all(n.unsigned_abs()) } else { self.0.shr_all(n.unsigned_abs()) })
    }
}

impl<S: Isa> Near for Lanes16<S> {
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
pub(crate) fn four_with<S: Isa, const WORDS: usize>(isa: S, words: &[u64; WORDS]) -> S::U64x4 {
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
pub(crate) fn columns_with<S: Isa, const WORDS: usize>(isa: S, words: &[u64; WORDS]) -> Lanes16<S> {
    Lanes16(isa.bitcast_u64_u16(four_with(isa, words)))
}

/// All planes, a column a lane.
#[inline(always)]
pub(crate) fn planes_with<S: Isa, const WORDS: usize, const P: usize>(
    isa: S,
    planes: &[[u64; WORDS]; P],
) -> [Lanes16<S>; P] {
    let mut lanes = [columns_with(isa, &[0; WORDS]); P];
    for (to, from) in lanes.iter_mut().zip(planes) {
        *to = columns_with(isa, from);
    }
    lanes
}

/// The words of [`columns_with`].
#[inline(always)]
pub(crate) fn words_with<S: Isa, const WORDS: usize>(isa: S, lanes: Lanes16<S>) -> [u64; WORDS] {
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
