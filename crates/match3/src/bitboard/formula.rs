//! The swap formula: the legal swaps of a board from six masks of equal cells, in every layout.
//!
//! Swap a = (x, y) with its right neighbor b. The color of a then stands in the place of b, and lies in a run
//! if two cells in line with that place have it:
//!
//! ```text
//!     .   u2  .   .          u1, u2  the cells above b
//!     .   u1  .   .          d1, d2  the cells below b
//!     a   b   r1  r2         r1, r2  the cells to the right of b
//!     .   d1  .   .
//!     .   d2  .   .
//! ```
//!
//! Each comparison of two of these cells is one bit of a mask E(dx, dy), whose bit (x, y) is set if that cell
//! has a color and (x + dx, y + dy) has the same one. Six masks suffice:
//!
//! ```text
//! right = E(1, 0)    down  = E(0, 1)    down_right = E( 1, 1)
//! right2 = E(2, 0)   down2 = E(0, 2)    down_left  = E(-1, 1)
//!
//! a_moves = a = r1 and r1 = r2     right2(x, y)            and right(x + 2, y)
//!        or a = u1 and u1 = u2     down_left(x + 1, y - 1) and down(x + 1, y - 2)
//!        or a = u1 and a = d1      down_left(x + 1, y - 1) and down_right(x, y)
//!        or a = d1 and d1 = d2     down_right(x, y)        and down(x + 1, y + 1)
//! b_moves = the mirror image: the color of b in the place of a
//! legal   = (a_moves or b_moves) and not right(x, y), both cells unlocked
//! ```
//!
//! A register holds the bits of many cells, so that one shift moves a mask for all of them
//! ([`OffsetMask::at`]), and both directions take about 40 operations. That number does not depend on the
//! number of colors, and no swap is found twice.

use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Bits of one register, one for each cell.
pub(crate) trait BitWord:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Returns `self & !other`.
    fn and_not(self, other: Self) -> Self;
}

/// A mask of cells that can be read at an offset.
pub(crate) trait OffsetMask: Copy {
    /// The mask at an offset.
    type Word: BitWord;
    /// Returns, for each cell (x, y), the bit of (x + `DX`, y + `DY`): zero where that is outside the board,
    /// except for the bits that [`EqualMasks`] describes.
    fn at<const DX: i32, const DY: i32>(self) -> Self::Word;
}

/// The masks of equal cells. The bit of (x, y) is set if that cell has a color and (x + dx, y + dy) has the
/// same one; it is clear where the latter is outside the board.
///
/// In a layout whose columns touch, an offset wraps at the end of a column. Each term of the formula that
/// wraps is a conjunction with a mask that is clear there.
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
    /// Returns the cells that may be swapped with the right neighbor, and with the cell below, if no cell is
    /// locked.
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
    /// Compares the cells of a board given as bit planes.
    ///
    /// `colored` is the set of cells with a color; `below` and `below2` are those of them with at least one,
    /// and two, cells of the board below.
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

/// Returns the cells in runs, from the cells that equal the right neighbor and those that equal the cell
/// below.
#[inline(always)]
pub(crate) fn matched<M: OffsetMask<Word = M> + BitWord>(right: M, down: M) -> M {
    // The first cells of three equal ones in a row and in a column.
    let across = right & right.at::<1, 0>();
    let along = down & down.at::<0, 1>();
    let row = across | across.at::<-1, 0>() | across.at::<-2, 0>();
    row | along | along.at::<0, -1>() | along.at::<0, -2>()
}

#[inline(always)]
pub(crate) fn colored<M: BitWord, const P: usize>(planes: &[M; P]) -> M {
    let mut colored = planes[0];
    for &plane in &planes[1..] {
        colored = colored | plane;
    }
    colored
}

/// Returns the cells that may be swapped with the right neighbor, and with the cell below. `colored`, `below`
/// and `below2` are those of [`EqualMasks::new`].
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

/// Returns the cells in runs. `colored` and `below` are those of [`EqualMasks::new`].
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

/// Returns the cells (x, y) that differ from (x + `DX`, y + `DY`).
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
