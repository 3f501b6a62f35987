//! The swap formula: every legal swap of a board from six masks of equal cells.
//!
//! Swap the piece a at (x, y) with its right neighbor b. In its new cell, a completes a run if it
//! matches two cells in line with that cell. The candidates are six cells, in four pairs:
//!
//! ```text
//!     .   u2  .   .          r1 r2   to the right
//!     .   u1  .   .          u1 u2   above
//!     a > b   r1  r2         u1 d1   on both sides
//!     .   d1  .   .          d1 d2   below
//!     .   d2  .   .
//! ```
//!
//! The left side is not among them: b moves there, and b doesn't match a, because swapping equal
//! pieces changes nothing and isn't legal. So every run through the new cell of a contains one of
//! the four pairs.
//!
//! The colors themselves don't matter, only which cells match. Bit (x, y) of the mask E(dx, dy) is
//! set if cell (x, y) has a color and (x + dx, y + dy) has the same color; empty and blocked cells
//! match nothing. "u1 matches a" is then the bit of E(-1, 1) at u1, and "u1 matches u2" is the bit
//! of E(0, 1) at u2. Read at the right offsets, six masks answer every comparison:
//!
//! ```text
//! right  = E(1, 0)    down  = E(0, 1)    down_right = E( 1, 1)
//! right2 = E(2, 0)    down2 = E(0, 2)    down_left  = E(-1, 1)
//!
//! a_moves = right2(x, y)             and right(x + 2, y)           a = r1, r1 = r2
//!        or down_left(x + 1, y - 1)  and down(x + 1, y - 2)        a = u1, u1 = u2
//!        or down_left(x + 1, y - 1)  and down_right(x, y)          a = u1, a = d1
//!        or down_right(x, y)         and down(x + 1, y + 1)        a = d1, d1 = d2
//! b_moves = the mirror image: b moves left, into the cell of a
//! legal   = (a_moves or b_moves) and not right(x, y), if both pieces are unlocked
//! ```
//!
//! Locks only enter at the end, because a locked piece can be part of a run but can't move. Swaps
//! with the cell below need the same six masks: mirrored along the diagonal of the board, `right`
//! and `down` trade places, `down_right` stays, and `down_left` compares the same two cells from
//! the other end.
//!
//! The third line of `a_moves` on a board whose only legal horizontal swap has its left cell at (0,
//! 1):
//!
//! ```text
//! board      down_left    read at          down_right     and
//!                         (x + 1, y - 1)
//! 3 1 2      . 1 1        . . .            . . .          . . .
//! 1 2 3      . 1 .        1 1 .            1 . .          1 . .      the 1 moves right, between two others
//! 2 1 3      . . .        1 . .            . . .          . . .
//! ```
//!
//! A word or a register has one bit per cell, so reading a mask at an offset is one shift for all
//! cells ([`OffsetMask::at`]). Both directions take about 40 operations, regardless of the number
//! of colors, and no swap is found twice. See docs/decisions.md for slower layouts.

use super::words::{BitWord, Columns, OffsetMask};
use bitcore::Isa;

/// The masks of equal cells. Bit (x, y) is set if that cell has a color and (x + dx, y + dy) has
/// the same color; it is clear if the latter is outside the board.
///
/// In layouts whose columns share a word, an offset may wrap from the end of one column into the
/// next. This is harmless because every term of the formula that wraps also contains a mask that is
/// clear there. In the top row, for example, `down(x + 1, y - 2)` reads a cell near the bottom of
/// the column after. But its term also contains `down_left(x + 1, y - 1)`, which reads the bottom
/// row of that column, where all masks that look down are clear.
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
    /// Returns the cells that may be swapped with the right neighbor and with the cell below,
    /// ignoring locks.
    #[inline(always)]
    pub(crate) fn swaps(&self) -> (M::Word, M::Word) {
        let Self { right: r, right2: r2, down: d, down2: d2, down_right: dr, down_left: dl } =
            *self;
        let dr0 = dr.at::<0, 0>();
        let dl0 = dl.at::<0, 0>();
        let from_right = dl.at::<1, 0>();

        // Swaps with the right neighbor: the left piece moves right, or the right piece moves left.
        let above = dl.at::<1, -1>();
        let mut across = r2.at::<0, 0>() & r.at::<2, 0>();
        across = across | (above & (d.at::<1, -2>() | dr0)) | (dr0 & d.at::<1, 1>());
        let above = dr.at::<0, -1>();
        let below = from_right;
        across = across | (r2.at::<-1, 0>() & r.at::<-2, 0>());
        across = across | (above & (d.at::<0, -2>() | below)) | (below & d.at::<0, 1>());

        // Swaps with the cell below: the upper piece moves down, or the lower piece moves up.
        let mut along = d2.at::<0, 0>() & d.at::<0, 2>();
        along = along | (dl0 & (r.at::<-2, 1>() | dr0)) | (dr0 & r.at::<1, 1>());
        let from_left = dr.at::<-1, 0>();
        along = along | (d2.at::<0, -1>() & d.at::<0, -2>());
        along =
            along | (from_left & (r.at::<-2, 0>() | from_right)) | (from_right & r.at::<1, 0>());
        (across.and_not(r.at::<0, 0>()), along.and_not(d.at::<0, 0>()))
    }
}

/// The cells with a color: all, those with at least one board cell below, and those with at least
/// two. The latter two keep the masks that look down from comparing across the bottom edge of the
/// board.
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

    #[inline(always)]
    pub(crate) fn of<S: Isa, const P: usize>(isa: S, planes: &[M; P]) -> Self
    where
        M: Columns<S>,
    {
        Self::new(isa, union(planes))
    }
}

impl<M: OffsetMask<Word = M> + BitWord> EqualMasks<M> {
    #[inline(always)]
    pub(crate) fn first_cells_of_runs(&self) -> M {
        (self.right & self.right2) | (self.down & self.down2)
    }

    /// Two cells match if they agree in every plane.
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

#[inline(always)]
pub(crate) fn union<M: BitWord, const P: usize>(masks: &[M; P]) -> M {
    let mut union = masks[0];
    for &mask in &masks[1..] {
        union = union | mask;
    }
    union
}

/// Returns the cells that may be swapped with the right neighbor and with the cell below.
#[inline(always)]
pub(crate) fn swaps_of<S: Isa, M: Columns<S>, const P: usize>(
    isa: S,
    planes: &[M; P],
    locked: M,
) -> (M, M) {
    let colored = Colored::of(isa, planes);
    let (across, along) = EqualMasks::new(planes, colored).swaps();
    let free = colored.all.and_not(locked);
    (across & free & free.at::<1, 0>(), along & free & free.at::<0, 1>())
}

#[inline(always)]
pub(crate) fn runs_of<M: OffsetMask<Word = M> + BitWord, const P: usize>(
    planes: &[M; P],
    colored: Colored<M>,
) -> M {
    let right = colored.all.and_not(different::<M, P, 1, 0>(planes));
    let down = colored.below.and_not(different::<M, P, 0, 1>(planes));
    // The first cell of every run of three.
    let across = right & right.at::<1, 0>();
    let along = down & down.at::<0, 1>();
    let row = across | across.at::<-1, 0>() | across.at::<-2, 0>();
    row | along | along.at::<0, -1>() | along.at::<0, -2>()
}

/// Returns the cells (x, y) whose color differs from (x + `DX`, y + `DY`).
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
