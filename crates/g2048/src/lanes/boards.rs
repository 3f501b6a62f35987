//! [`Boards32`]: 32 boards in byte lanes.

use crate::board::{Board, Size};
use crate::error::Error;
use bitcore::{Isa, Lanes, U64s};

/// 32 boards of one size in byte lanes: board i is lane i.
///
/// A slide is a fixed sequence of compares and blends per line, without branches or tables, for any
/// line length and any rank.
///
/// ```
/// use g2048::{Board, Boards32, Direction};
/// let boards: [Board; 2] = ["2 2 \n . 4".parse()?, "2 4 \n 8 2".parse()?];
/// let lanes = Boards32::try_from(&boards[..]).unwrap();
/// let left = lanes.slide(Direction::Left);
/// assert_eq!(left.boards.board(0), "4 . \n 4 .".parse()?);
/// assert_eq!((left.gains[0], left.gains[1]), (4, 0));
/// assert_eq!(left.changed, 0b01);
/// # Ok::<_, g2048::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
// Keeps each group of 32 bytes within a cache line: a load across two lines costs twice.
#[repr(align(64))]
pub struct Boards32 {
    /// The group of each cell, row-major; zeros after the last cell.
    pub(super) cells: [[u8; 32]; 64],
    pub(super) size: Size,
}

/// The result of sliding a [`Boards32`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slides {
    /// The boards after the slide.
    pub boards: Boards32,
    /// The gain of each board: the sum of its merged tiles.
    pub gains: [u64; 32],
    /// The mask of boards that changed: bit i is board i.
    pub changed: u32,
}

impl Slides {
    /// Returns the slides of 32 empty boards.
    pub const fn new(size: Size) -> Self {
        Self { boards: Boards32::empty(size), gains: [0; 32], changed: 0 }
    }
}

impl Boards32 {
    /// Returns 32 empty boards.
    pub const fn empty(size: Size) -> Self {
        Self { size, cells: [[0; 32]; 64] }
    }

    /// Returns the boards' size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the board in a lane.
    ///
    /// # Panics
    ///
    /// Panics if `lane` is 32 or more.
    pub fn board(&self, lane: usize) -> Board {
        Board::from_fn(self.size, |cell| self.cells[cell][lane])
    }

    /// Returns the ranks of the board in a lane.
    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> impl Iterator<Item = u8> {
        self.groups().iter().map(move |group| group[lane])
    }

    pub(crate) fn set(&mut self, lane: usize, board: &Board) {
        debug_assert_eq!(board.size(), self.size);
        for (group, &rank) in self.cells.iter_mut().zip(board.ranks()) {
            group[lane] = rank;
        }
    }

    #[inline(always)]
    pub(super) fn fit(&mut self, size: Size) {
        if self.size != size {
            *self = Self::empty(size);
        }
    }

    #[inline(always)]
    fn groups(&self) -> &[[u8; 32]] {
        &self.cells[..self.size.cells()]
    }

    /// Returns the ranks, cell by cell, and lane by lane within each cell.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = u8> {
        self.groups().iter().flatten().copied()
    }

    /// Returns, for each of [`Direction::ALL`](crate::Direction::ALL), the lane mask of the boards
    /// that it changes.
    #[inline(always)]
    pub(crate) fn legal_with<S: Isa>(&self, isa: S) -> [S::U8x32; 4] {
        let width = self.size.width();
        let height = self.size.height();
        let mut horizontal = [isa.splat_u8(0); 2];
        let mut vertical = horizontal;
        for y in 0..height {
            for x in 0..width {
                let group = isa.u8x32(&self.cells[y * width + x]);
                if x > 0 {
                    add_legal_with(
                        isa,
                        isa.u8x32(&self.cells[y * width + x - 1]),
                        group,
                        &mut horizontal,
                    );
                }
                if y > 0 {
                    add_legal_with(
                        isa,
                        isa.u8x32(&self.cells[(y - 1) * width + x]),
                        group,
                        &mut vertical,
                    );
                }
            }
        }
        [horizontal[0], horizontal[1], vertical[0], vertical[1]]
    }

    /// Counts the empty cells of each board.
    #[inline(always)]
    pub(crate) fn empty_with<S: Isa>(&self, isa: S) -> S::U8x32 {
        let mut empty = isa.splat_u8(0);
        if !S::HAS_SIMD {
            // Eight lanes per word: each rank other than 0 carries into the top bit of its byte.
            let carry = isa.splat_u64(0x7f7f_7f7f_7f7f_7f7f);
            let one = isa.splat_u64(0x0101_0101_0101_0101);
            let mut full = isa.splat_u64(0);
            for group in self.groups() {
                full = full + ((isa.bitcast_u8_u64(isa.u8x32(group)) + carry).shr::<7>() & one);
            }
            return isa.splat_u8(self.size.cells() as u8) - isa.bitcast_u64_u8(full);
        }
        for group in self.groups() {
            // A lane mask is -1.
            empty = empty - isa.u8x32(group).cmp_eq(isa.splat_u8(0));
        }
        empty
    }

    /// Sets the `nth` empty cell of each board, row-major, to a rank. Rank 0 changes nothing.
    #[inline(always)]
    pub(crate) fn spawn_with<S: Isa>(&mut self, isa: S, nth: S::U8x32, ranks: S::U8x32) {
        let zero = isa.splat_u8(0);
        let mut left = nth;
        for group in &mut self.cells[..self.size.cells()] {
            let before = isa.u8x32(group);
            let empty = before.cmp_eq(zero);
            *group = (before | (ranks & empty & left.cmp_eq(zero))).to_array();
            // After the chosen cell `left` wraps to 255, and 64 cells don't bring it back to 0.
            left = left + empty;
        }
    }

    /// Writes the boards of the first lanes to `rows`, one byte per cell, row-major, as many boards
    /// as fit.
    #[inline(always)]
    pub(crate) fn write_rows_with<S: Isa>(&self, isa: S, rows: &mut [u8]) {
        let cells = self.size.cells();
        if cells < 8 {
            for (lane, row) in rows.chunks_exact_mut(cells).enumerate() {
                for (rank, group) in row.iter_mut().zip(&self.cells) {
                    *rank = group[lane];
                }
            }
            return;
        }
        // Eight cells at a time; the last eight may overlap the eight before them.
        for block in 0..cells.div_ceil(8) {
            let first = (8 * block).min(cells - 8);
            let mut groups = [isa.splat_u64(0); 8];
            for (k, group) in groups.iter_mut().enumerate() {
                *group = isa.bitcast_u8_u64(isa.u8x32(&self.cells[first + k]));
            }
            transpose_bytes_with(isa, &mut groups);
            for (t, group) in groups.into_iter().enumerate() {
                for (j, word) in group.to_array().into_iter().enumerate() {
                    let at = (8 * j + t) * cells + first;
                    if let Some(row) = rows.get_mut(at..at + 8) {
                        row.copy_from_slice(&word.to_le_bytes());
                    }
                }
            }
        }
    }
}

impl TryFrom<&[Board]> for Boards32 {
    type Error = Error;

    /// Puts these boards into the first lanes and empty boards into the rest.
    ///
    /// # Errors
    ///
    /// [`Error::Boards`] if there are no boards, more than 32, or boards of different sizes.
    fn try_from(boards: &[Board]) -> Result<Self, Error> {
        let size = boards.first().ok_or(Error::Boards)?.size();
        if boards.len() > 32 || boards.iter().any(|board| board.size() != size) {
            return Err(Error::Boards);
        }
        let mut lanes = Self::empty(size);
        for (lane, board) in boards.iter().enumerate() {
            lanes.set(lane, board);
        }
        Ok(lanes)
    }
}

/// Adds the moves of one pair of neighbors to two lane masks: the boards that can slide from `far`
/// toward `near`, and the boards that can slide from `near` toward `far`.
#[inline(always)]
fn add_legal_with<S: Isa>(isa: S, near: S::U8x32, far: S::U8x32, legal: &mut [S::U8x32; 2]) {
    let [no_near, no_far] = [near.cmp_eq(isa.splat_u8(0)), far.cmp_eq(isa.splat_u8(0))];
    let equal = near.cmp_eq(far);
    legal[0] = legal[0] | (equal | no_near).and_not(no_far);
    legal[1] = legal[1] | (equal | no_far).and_not(no_near);
}

/// Transposes four matrices of 8 x 8 bytes: swaps byte k of each word of `groups[t]` with byte t of
/// the same word of `groups[k]`.
#[inline(always)]
fn transpose_bytes_with<S: Isa>(isa: S, groups: &mut [S::U64x4; 8]) {
    swap_fields_with::<S, 8>(isa.splat_u64(0xff00_ff00_ff00_ff00), groups, 1);
    swap_fields_with::<S, 16>(isa.splat_u64(0xffff_0000_ffff_0000), groups, 2);
    swap_fields_with::<S, 32>(isa.splat_u64(0xffff_ffff_0000_0000), groups, 4);
}

/// Swaps the upper fields of each group, given by a byte mask, with the lower fields of the group
/// at `distance`: one step of [`transpose_bytes_with`].
#[inline(always)]
fn swap_fields_with<S: Isa, const SHIFT: i32>(
    upper: S::U64x4,
    groups: &mut [S::U64x4; 8],
    distance: usize,
) {
    for t in 0..8 {
        if t & distance == 0 {
            let a = groups[t];
            let b = groups[t + distance];
            groups[t] = upper.blend_lanes(b.shl::<SHIFT>(), a);
            groups[t + distance] = upper.blend_lanes(b, a.shr::<SHIFT>());
        }
    }
}
