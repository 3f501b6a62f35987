//! The formula behind every listing: which swaps are legal, from six masks of equal cells, whatever the layout.
//!
//! Exchange a = (x, y) and its right neighbor b: a's color, now at b, lies in a run iff the two cells beyond b, two
//! above, two below, or one above and one below b have that color; likewise b's color at a. Each such condition is
//! one AND of two equality masks moved to a's position, so a register of cells takes about 40 operations for both
//! directions, whatever the number of colors, and finds no swap twice.

use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Bits of one register, one for each cell.
pub(crate) trait BitWord:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;
}

/// A mask of cells that can be looked at from a place nearby.
pub(crate) trait OffsetMask: Copy {
    /// What it is read as.
    type Word: BitWord;
    /// For each cell (x, y): the bit of (x + `DX`, y + `DY`). Zero, or as said in [`EqualMasks`], where that is outside.
    fn at<const DX: i32, const DY: i32>(self) -> Self::Word;
}

/// The masks of equal cells: each is true of a colored (x, y) that equals (x + dx, y + dy), and never where that
/// cell is outside the board. In a layout whose columns touch, that is also what makes [`OffsetMask::at`] safe across their
/// ends: every term of the formula that wraps there meets one of these zeros.
#[derive(Clone, Copy)]
pub(crate) struct EqualMasks<M> {
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

impl<M: OffsetMask> EqualMasks<M> {
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

impl<M: OffsetMask<Word = M> + BitWord> EqualMasks<M> {
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
pub(crate) fn matched<M: OffsetMask<Word = M> + BitWord>(right: M, down: M) -> M {
    // The first cells of three equal ones in a row and in a column.
    let across = right & right.at::<1, 0>();
    let along = down & down.at::<0, 1>();
    let row = across | across.at::<-1, 0>() | across.at::<-2, 0>();
    row | along | along.at::<0, -1>() | along.at::<0, -2>()
}

/// The cells that have a color.
#[inline(always)]
pub(crate) fn colored<M: BitWord, const P: usize>(planes: &[M; P]) -> M {
    let mut colored = planes[0];
    for &plane in &planes[1..] {
        colored = colored | plane;
    }
    colored
}

/// The legal swaps with the right neighbor, and with the cell below. `colored`, `below` and `below2` as for
/// [`EqualMasks::new`].
#[inline(always)]
pub(crate) fn swaps_of<M: OffsetMask<Word = M> + BitWord, const P: usize>(
    planes: &[M; P],
    colored: M,
    below: M,
    below2: M,
    locked: M,
) -> (M, M) {
    let (across, along) = EqualMasks::new(planes, colored, below, below2).swaps();
    let free = colored.and_not(locked);
    (across & free & free.at::<1, 0>(), along & free & free.at::<0, 1>())
}

/// The cells in runs. `colored` and `below` as for [`EqualMasks::new`].
#[inline(always)]
pub(crate) fn runs_of<M: OffsetMask<Word = M> + BitWord, const P: usize>(
    planes: &[M; P],
    colored: M,
    below: M,
) -> M {
    let right = colored.and_not(different::<M, P, 1, 0>(planes));
    let down = below.and_not(different::<M, P, 0, 1>(planes));
    matched(right, down)
}

/// The cells that differ from the one (`DX`, `DY`) further on.
#[inline(always)]
pub(crate) fn different<M: OffsetMask<Word = M> + BitWord, const P: usize, const DX: i32, const DY: i32>(
    planes: &[M; P],
) -> M {
    let mut different = planes[0] ^ planes[0].at::<DX, DY>();
    for &plane in &planes[1..] {
        different = different | (plane ^ plane.at::<DX, DY>());
    }
    different
}
