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

use super::words::{BitWord, Columns, OffsetMask};
use bitcore::Isa;

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

/// The cells with a color; those of them with at least one cell of the board below; with at least two.
#[derive(Clone, Copy)]
pub(crate) struct Colored<M> {
    all: M,
    below: M,
    below2: M,
}

impl<M> Colored<M> {
    #[inline(always)]
    pub(crate) fn new<S: Isa>(isa: S, all: M) -> Self
    where
        M: Columns<S>,
    {
        Self { all, below: all.without_lowest(isa, 1), below2: all.without_lowest(isa, 2) }
    }

    /// Finds the cells with a bit in some plane.
    #[inline(always)]
    pub(crate) fn of<S: Isa, const P: usize>(isa: S, planes: &[M; P]) -> Self
    where
        M: Columns<S>,
    {
        Self::new(isa, union(planes))
    }
}

impl<M: OffsetMask<Word = M> + BitWord> EqualMasks<M> {
    /// Returns the first cells of the runs of three in rows and in columns.
    #[inline(always)]
    pub(crate) fn first_cells_of_runs(&self) -> M {
        (self.right & self.right2) | (self.down & self.down2)
    }

    /// Compares the cells of a board given as bit planes.
    #[inline(always)]
    pub(crate) fn new<const P: usize>(planes: &[M; P], colored: Colored<M>) -> Self {
        let Colored { all, below, below2 } = colored;
        Self {
            right: all.and_not(different::<M, P, 1, 0>(planes)),
            right2: all.and_not(different::<M, P, 2, 0>(planes)),
            down: below.and_not(different::<M, P, 0, 1>(planes)),
            down2: below2.and_not(different::<M, P, 0, 2>(planes)),
            down_right: below.and_not(different::<M, P, 1, 1>(planes)),
            down_left: below.and_not(different::<M, P, -1, 1>(planes)),
        }
    }
}

/// Returns the union of masks.
#[inline(always)]
pub(crate) fn union<M: BitWord, const P: usize>(masks: &[M; P]) -> M {
    let mut union = masks[0];
    for &mask in &masks[1..] {
        union = union | mask;
    }
    union
}

/// Returns the cells that may be swapped with the right neighbor, and with the cell below.
#[inline(always)]
pub(crate) fn swaps_of<S: Isa, M: Columns<S>, const P: usize>(isa: S, planes: &[M; P], locked: M) -> (M, M) {
    let colored = Colored::of(isa, planes);
    let (across, along) = EqualMasks::new(planes, colored).swaps();
    let free = colored.all.and_not(locked);
    (across & free & free.at::<1, 0>(), along & free & free.at::<0, 1>())
}

/// Returns the cells in runs.
#[inline(always)]
pub(crate) fn runs_of<M: OffsetMask<Word = M> + BitWord, const P: usize>(
    planes: &[M; P],
    colored: Colored<M>,
) -> M {
    let right = colored.all.and_not(different::<M, P, 1, 0>(planes));
    let down = colored.below.and_not(different::<M, P, 0, 1>(planes));
    // The first cells of three equal ones in a row and in a column.
    let across = right & right.at::<1, 0>();
    let along = down & down.at::<0, 1>();
    let row = across | across.at::<-1, 0>() | across.at::<-2, 0>();
    row | along | along.at::<0, -1>() | along.at::<0, -2>()
}

/// Returns the cells (x, y) that differ from (x + `DX`, y + `DY`).
#[inline(always)]
fn different<M: OffsetMask<Word = M> + BitWord, const P: usize, const DX: i32, const DY: i32>(
    planes: &[M; P],
) -> M {
    let mut different = planes[0] ^ planes[0].at::<DX, DY>();
    for &plane in &planes[1..] {
        different = different | (plane ^ plane.at::<DX, DY>());
    }
    different
}
