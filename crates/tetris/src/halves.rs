//! [`Halves`]: the field in two 256-bit registers.
//!
//! Five columns and three wall columns of 32 bits a register:
//!
//! ```text
//! lane    0  1  2  3  4  5  6  7
//! left    W  W  W  c0 c1 c2 c3 c4
//! right   c5 c6 c7 c8 c9 W  W  W
//! ```
//!
//! The walls are all ones, so that one AND tells a piece's collision with cells and walls, and one AND of the two
//! halves begins the search for full lines. The layout, the piece as a 4 x 4 box of bits and its spreading to the
//! lanes are those of the article `SIMDとBit演算を用いたテトリスの高速化に関する考察` (Tetris Advent Calendar,
//! 2024-12-12); [`reference`](crate::reference) has its algorithm one lane at a time.
//!
//! A box is a `u16` written row by row, its top left cell in bit 15. Its place is that of its bottom left cell: x from
//! the left, -3 to 9, y from the bottom.

use crate::board::{Board, WIDTH};
use crate::box4::ccw4;
use bitcore::{Isa, Lanes, Level, U32s, dispatch};

/// Rows of this layout.
pub const ROWS: usize = 32;

/// A field of 10 x 32 in two registers' worth of columns. The wall lanes are all ones.
///
/// ```
/// use tetris::{box4, halves::Halves};
///
/// let mut board = Halves::EMPTY;
/// let upright = box4::cw4(0x0F00); // I: its box column 2
/// for x in -2..=7 {
///     assert!(board.place(upright, x, 0));
/// }
/// assert!(board.collides(upright, 0, 0) && board.collides(upright, 8, 9) && !board.collides(upright, 0, 4));
/// assert_eq!(board.clear_lines(), 4);
/// assert_eq!(board, Halves::EMPTY);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Halves {
    /// Walls and columns 0 to 4.
    pub(crate) left: [u32; 8],
    /// Columns 5 to 9 and walls.
    pub(crate) right: [u32; 8],
}

/// The wall lanes of each half.
const LEFT_WALLS: [u32; 8] = [!0, !0, !0, 0, 0, 0, 0, 0];
const RIGHT_WALLS: [u32; 8] = [0, 0, 0, 0, 0, !0, !0, !0];

impl Halves {
    /// No cell filled.
    pub const EMPTY: Self = Self { left: LEFT_WALLS, right: RIGHT_WALLS };

    /// A board from its columns, bit 0 = bottom row.
    #[inline]
    pub fn from_columns(columns: [u32; WIDTH]) -> Self {
        let mut board = Self::EMPTY;
        board.left[3..].copy_from_slice(&columns[..5]);
        board.right[..5].copy_from_slice(&columns[5..]);
        board
    }

    /// The columns from the left, bit 0 = bottom row.
    #[inline]
    pub fn columns(&self) -> [u32; WIDTH] {
        core::array::from_fn(|x| if x < 5 { self.left[x + 3] } else { self.right[x - 5] })
    }

    /// Whether a cell of the box would stand on a filled cell or outside the field.
    pub fn collides(&self, cells: u16, x: i8, y: i8) -> bool {
        self.collides_on(Level::detect(), cells, x, y)
    }

    /// [`collides`](Self::collides) on a level.
    pub fn collides_on(&self, level: Level, cells: u16, x: i8, y: i8) -> bool {
        dispatch!(level, isa [this = self, cells, x, y] => this.collides_with(isa, cells, x, y))
    }

    /// Writes for each board whether its piece [collides](Self::collides). A piece is its box, x and y.
    ///
    /// # Panics
    ///
    /// If the slices' lengths differ.
    pub fn collides_all(boards: &[Self], pieces: &[(u16, i8, i8)], collides: &mut [bool]) {
        Self::collides_all_on(Level::detect(), boards, pieces, collides);
    }

    /// [`collides_all`](Self::collides_all) on a level.
    ///
    /// # Panics
    ///
    /// As there.
    pub fn collides_all_on(level: Level, boards: &[Self], pieces: &[(u16, i8, i8)], collides: &mut [bool]) {
        assert_eq!(
            (boards.len(), pieces.len()),
            (pieces.len(), collides.len()),
            "a piece and a result a board"
        );
        dispatch!(level, isa [boards, pieces, collides] => Self::collides_all_with(isa, boards, pieces, collides));
    }

    #[inline(always)]
    fn collides_all_with<S: Isa>(isa: S, boards: &[Self], pieces: &[(u16, i8, i8)], collides: &mut [bool]) {
        for ((board, &(cells, x, y)), collides) in boards.iter().zip(pieces).zip(collides) {
            *collides = board.collides_with(isa, cells, x, y);
        }
    }

    #[inline(always)]
    fn collides_with<S: Isa>(&self, isa: S, cells: u16, x: i8, y: i8) -> bool {
        self.lanes_if_free(isa, cells, x, y).is_none()
    }

    /// Fills the box's cells. False, and no change, if it [collides](Self::collides).
    pub fn place(&mut self, cells: u16, x: i8, y: i8) -> bool {
        self.place_on(Level::detect(), cells, x, y)
    }

    /// [`place`](Self::place) on a level.
    pub fn place_on(&mut self, level: Level, cells: u16, x: i8, y: i8) -> bool {
        dispatch!(level, isa [this = self, cells, x, y] => this.place_with(isa, cells, x, y))
    }

    /// [Places](Self::place) a piece on each board and writes whether it could. A piece is its box, x and y.
    ///
    /// ```
    /// use tetris::halves::Halves;
    /// let (mut boards, mut placed) = ([Halves::EMPTY; 2], [false; 2]);
    /// // An I, its cells in the box's row 2: on the floor, and below it.
    /// Halves::place_all(&mut boards, &[(0x0F00, 3, -2), (0x0F00, 3, -3)], &mut placed);
    /// assert_eq!(placed, [true, false]);
    /// assert_eq!(boards[0].columns(), [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]);
    /// assert_eq!(boards[1], Halves::EMPTY);
    /// ```
    ///
    /// # Panics
    ///
    /// If the slices' lengths differ.
    pub fn place_all(boards: &mut [Self], pieces: &[(u16, i8, i8)], placed: &mut [bool]) {
        Self::place_all_on(Level::detect(), boards, pieces, placed);
    }

    /// [`place_all`](Self::place_all) on a level.
    ///
    /// # Panics
    ///
    /// As there.
    pub fn place_all_on(level: Level, boards: &mut [Self], pieces: &[(u16, i8, i8)], placed: &mut [bool]) {
        assert_eq!(
            (boards.len(), pieces.len()),
            (pieces.len(), placed.len()),
            "a piece and a result a board"
        );
        dispatch!(level, isa [boards, pieces, placed] => Self::place_all_with(isa, boards, pieces, placed));
    }

    #[inline(always)]
    fn place_all_with<S: Isa>(isa: S, boards: &mut [Self], pieces: &[(u16, i8, i8)], placed: &mut [bool]) {
        for ((board, &(cells, x, y)), placed) in boards.iter_mut().zip(pieces).zip(placed) {
            *placed = board.place_with(isa, cells, x, y);
        }
    }

    #[inline(always)]
    fn place_with<S: Isa>(&mut self, isa: S, cells: u16, x: i8, y: i8) -> bool {
        let Some([left, right]) = self.lanes_if_free(isa, cells, x, y) else { return false };
        *self = Self {
            left: (isa.u32x8(&self.left) | left).to_array(),
            right: (isa.u32x8(&self.right) | right).to_array(),
        };
        true
    }

    /// The box's cells in the lanes of the two halves, or none if they collide.
    #[inline(always)]
    fn lanes_if_free<S: Isa>(&self, isa: S, cells: u16, x: i8, y: i8) -> Option<[S::U32x8; 2]> {
        let columns = spread(isa, cells);
        let rows = rows_of(columns);
        let lowest = i32::from(y) + rows.trailing_zeros() as i32;
        let beyond = i32::from(y) + (u16::BITS - rows.leading_zeros()) as i32;
        // A box outside the lanes; cells that the shift along a column would lose.
        if !(-3..=9).contains(&x) || rows != 0 && (lowest < 0 || beyond > ROWS as i32) {
            return None;
        }
        let [left, right] = across(columns, x);
        let (left, right) = (lifted(isa, left, y), lifted(isa, right, y));
        let hits = (left & isa.u32x8(&self.left)) | (right & isa.u32x8(&self.right));
        hits.is_zero().then_some([left, right])
    }

    /// One bit for each row that is full.
    pub fn full_lines(&self) -> u32 {
        self.full_lines_on(Level::detect())
    }

    /// [`full_lines`](Self::full_lines) on a level.
    pub fn full_lines_on(&self, level: Level) -> u32 {
        dispatch!(level, isa [this = self] => this.full_lines_with(isa))
    }

    #[inline(always)]
    fn full_lines_with<S: Isa>(&self, isa: S) -> u32 {
        let eight = isa.u32x8(&self.left) & isa.u32x8(&self.right);
        let four = eight & eight.swap_halves();
        let two = four & four.swap_pairs();
        (two & two.swap_neighbors()).to_array()[0]
    }

    /// Removes the full lines; what is above them moves down. Returns how many there were.
    pub fn clear_lines(&mut self) -> u32 {
        self.clear_lines_on(Level::detect())
    }

    /// [`clear_lines`](Self::clear_lines) on a level.
    pub fn clear_lines_on(&mut self, level: Level) -> u32 {
        dispatch!(level, isa [this = self] => this.clear_lines_with(isa))
    }

    /// [Removes the full lines](Self::clear_lines) of every board. Returns how many there were in all of them.
    pub fn clear_all(boards: &mut [Self]) -> u64 {
        Self::clear_all_on(Level::detect(), boards)
    }

    /// [`clear_all`](Self::clear_all) on a level.
    pub fn clear_all_on(level: Level, boards: &mut [Self]) -> u64 {
        dispatch!(level, isa [boards] => Self::clear_all_with(isa, boards))
    }

    #[inline(always)]
    fn clear_all_with<S: Isa>(isa: S, boards: &mut [Self]) -> u64 {
        let mut lines = 0;
        for board in boards {
            lines += u64::from(board.clear_lines_with(isa));
        }
        lines
    }

    #[inline(always)]
    fn clear_lines_with<S: Isa>(&mut self, isa: S) -> u32 {
        let lines = self.full_lines_with(isa);
        if lines != 0 {
            // A piece completes four lines at most: closing them one by one, all columns at once and from the top one
            // down, is quicker than a PEXT for each column, which leaves and enters the vector registers ten times.
            let (mut left, mut right) = (isa.u32x8(&self.left), isa.u32x8(&self.right));
            let mut open = lines;
            while open != 0 {
                let below = (1 << open.ilog2()) - 1;
                let kept = isa.splat_u32(below);
                left = kept.bitselect(left, left.shr::<1>());
                right = kept.bitselect(right, right.shr::<1>());
                open &= below;
            }
            *self = Self {
                left: (left | isa.u32x8(&LEFT_WALLS)).to_array(),
                right: (right | isa.u32x8(&RIGHT_WALLS)).to_array(),
            };
        }
        lines.count_ones()
    }

    /// Empty cells with a filled cell directly above: a covered gap counts once, however deep it is.
    pub fn holes(&self) -> u32 {
        self.holes_on(Level::detect())
    }

    /// [`holes`](Self::holes) on a level.
    pub fn holes_on(&self, level: Level) -> u32 {
        dispatch!(level, isa [this = self] => this.holes_with(isa))
    }

    /// Writes the [holes](Self::holes) of each board.
    ///
    /// # Panics
    ///
    /// If the slices' lengths differ.
    pub fn holes_all(boards: &[Self], holes: &mut [u32]) {
        Self::holes_all_on(Level::detect(), boards, holes);
    }

    /// [`holes_all`](Self::holes_all) on a level.
    ///
    /// # Panics
    ///
    /// As there.
    pub fn holes_all_on(level: Level, boards: &[Self], holes: &mut [u32]) {
        assert_eq!(boards.len(), holes.len(), "a result a board");
        dispatch!(level, isa [boards, holes] => Self::holes_all_with(isa, boards, holes));
    }

    #[inline(always)]
    fn holes_all_with<S: Isa>(isa: S, boards: &[Self], holes: &mut [u32]) {
        for (board, holes) in boards.iter().zip(holes) {
            *holes = board.holes_with(isa);
        }
    }

    #[inline(always)]
    fn holes_with<S: Isa>(&self, isa: S) -> u32 {
        // Walls are filled to the top: no empty cell in them.
        let (left, right) = (isa.u32x8(&self.left), isa.u32x8(&self.right));
        let holes = [left.shr::<1>().and_not(left).to_array(), right.shr::<1>().and_not(right).to_array()];
        holes.as_flattened().iter().map(|lane| lane.count_ones()).sum()
    }
}

/// The box's four columns as 16-bit lanes, each with the box's bottom row in bit 0: a PDEP of the box turned
/// counter-clockwise, whose rows are the columns.
#[inline(always)]
fn spread<S: Isa>(isa: S, cells: u16) -> u64 {
    let turned = u64::from(ccw4(cells));
    if S::FAST_PEXT {
        isa.pdep(turned, 0x000F_000F_000F_000F)
    } else {
        turned & 0xF | (turned & 0xF0) << 12 | (turned & 0xF00) << 24 | (turned & 0xF000) << 36
    }
}

/// A half's columns of a box as its lanes, `y` rows up.
#[inline(always)]
fn lifted<S: Isa>(isa: S, columns: u128, y: i8) -> S::U32x8 {
    let lanes = isa.widen_u16x8(columns);
    if y < 0 { lanes.shr_all(y.unsigned_abs().into()) } else { lanes.shl_all(y as u32) }
}

/// The rows that a spread box uses, bit 0 = the box's bottom row.
#[inline(always)]
const fn rows_of(columns: u64) -> u16 {
    (columns | columns >> 16 | columns >> 32 | columns >> 48) as u16
}

/// A spread box moved to its columns in the lanes of the left and of the right half. `x` is -3..=9.
#[inline(always)]
fn across(columns: u64, x: i8) -> [u128; 2] {
    let columns = u128::from(columns);
    let left = columns.checked_shl(16 * (x + 3) as u32).unwrap_or(0);
    let right = if x < 5 {
        columns.checked_shr(16 * (5 - x) as u32).unwrap_or(0)
    } else {
        columns << (16 * (x - 5) as u32)
    };
    [left, right]
}

impl From<Halves> for Board {
    fn from(halves: Halves) -> Self {
        // 32 rows always fit into 40.
        Self::from_columns(halves.columns().map(u64::from)).unwrap_or_default()
    }
}

impl TryFrom<Board> for Halves {
    type Error = TooHigh;

    fn try_from(board: Board) -> Result<Self, TooHigh> {
        if board.columns().iter().any(|&column| column >> ROWS != 0) {
            return Err(TooHigh);
        }
        Ok(Self::from_columns(board.columns().map(|column| column as u32)))
    }
}

/// A board with a filled cell above row 31 doesn't fit into [`Halves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cell above row 31 is filled: this layout has 32 rows")]
pub struct TooHigh;
