//! [`SimdBoard`]: a 10 x 32 field in two 256-bit registers.
//!
//! Each register contains five columns and three wall columns, one per 32-bit lane, bit 0 = bottom row:
//!
//! ```text
//! lane    0  1  2  3  4  5  6  7
//! left    W  W  W  c0 c1 c2 c3 c4
//! right   c5 c6 c7 c8 c9 W  W  W
//! ```
//!
//! The walls are all ones, so one AND per register tests a piece against both cells and walls, and the search
//! for full lines starts with one AND of the two registers.
//!
//! A piece is given as a 4 x 4 box: a `u16` written row by row, its top left cell in bit 15, as in
//! [`reference::FallingPiece`](crate::reference::FallingPiece), with the position of the box's bottom left
//! cell: `x` from the left, -3 to 9, and `y` from the bottom. Collision tests and placements convert the box:
//!
//! ```text
//! box          mirrored on its diagonal: its columns become rows of four bits
//! PDEP         0x0F0F_0F0F: one column in each byte of a u32
//! shuffle      the bytes to the lanes of each register, by an index that depends on x
//! shift        each lane by y
//! ```
//!
//! Without vector registers, the columns are shifted to their lanes as a `u128`.
//!
//! Layout and method come from the article `SIMDとBit演算を用いたテトリスの高速化に関する考察` (Tetris Advent Calendar,
//! 2024-12-12). [`reference`](crate::reference) implements the same algorithms one lane at a time.

use crate::board::{Board, WIDTH};
use crate::bounding_box::{rotate_ccw_4x4, transpose};
use crate::error::Error;
use bitcore::{Bytes, Isa, Lanes, U32s, dispatch};

/// The number of rows in this layout.
pub const ROWS: usize = 32;

/// A 10 x 32 field as the lanes of two registers. The wall lanes are all ones.
///
/// ```
/// use tetris::{reference, simd_board::SimdBoard};
///
/// let mut board = SimdBoard::EMPTY;
/// let upright = reference::rotate_cw_4x4(0x0F00); // I, in column 2 of its box
/// for x in -2..=7 {
///     assert!(board.place(upright, x, 0));
/// }
/// assert!(board.collides(upright, 0, 0) && board.collides(upright, 8, 9) && !board.collides(upright, 0, 4));
/// assert_eq!(board.clear_lines(), 4);
/// assert_eq!(board, SimdBoard::EMPTY);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct SimdBoard {
    /// The walls and columns 0 to 4.
    pub(crate) left: [u32; 8],
    /// Columns 5 to 9 and the walls.
    pub(crate) right: [u32; 8],
}

const LEFT_WALLS: [u32; 8] = [!0, !0, !0, 0, 0, 0, 0, 0];
const RIGHT_WALLS: [u32; 8] = [0, 0, 0, 0, 0, !0, !0, !0];

impl From<[u32; WIDTH]> for SimdBoard {
    /// Creates a board from its columns from the left, bit 0 = bottom row.
    #[inline]
    fn from(columns: [u32; WIDTH]) -> Self {
        let mut board = Self::EMPTY;
        board.left[3..].copy_from_slice(&columns[..5]);
        board.right[..5].copy_from_slice(&columns[5..]);
        board
    }
}

impl SimdBoard {
    /// The empty board.
    pub const EMPTY: Self = Self { left: LEFT_WALLS, right: RIGHT_WALLS };

    /// Returns the columns from the left, bit 0 = bottom row.
    #[inline]
    pub fn columns(&self) -> [u32; WIDTH] {
        core::array::from_fn(|x| if x < 5 { self.left[x + 3] } else { self.right[x - 5] })
    }

    /// Returns `true` if a cell of the box overlaps a filled cell or is outside the field.
    pub fn collides(&self, cells: u16, x: i8, y: i8) -> bool {
        dispatch!(isa + slow_pext [this = self, cells, x, y] => this.collides_with(isa, cells, x, y))
    }

    /// Tests each board for [collisions](Self::collides) with its piece, given as its box, `x` and `y`.
    ///
    /// # Panics
    ///
    /// If the lengths of the slices differ.
    pub fn collides_all(boards: &[Self], pieces: &[(u16, i8, i8)], collides: &mut [bool]) {
        assert_eq!(
            (boards.len(), pieces.len()),
            (pieces.len(), collides.len()),
            "one piece and one result per board"
        );
        dispatch!(isa + slow_pext [boards, pieces, collides] => Self::collides_all_with(isa, boards, pieces, collides));
    }

    #[inline(always)]
    fn collides_all_with<S: Isa>(isa: S, boards: &[Self], pieces: &[(u16, i8, i8)], collides: &mut [bool]) {
        for ((board, &(cells, x, y)), collides) in boards.iter().zip(pieces).zip(collides) {
            *collides = board.collides_with(isa, cells, x, y);
        }
    }

    #[inline(always)]
    fn collides_with<S: Isa>(&self, isa: S, cells: u16, x: i8, y: i8) -> bool {
        self.lanes_unless_collision(isa, cells, x, y).is_none()
    }

    /// Fills the cells of the box. Returns `false` and changes nothing if the box [collides](Self::collides).
    pub fn place(&mut self, cells: u16, x: i8, y: i8) -> bool {
        dispatch!(isa + slow_pext [this = self, cells, x, y] => this.place_with(isa, cells, x, y))
    }

    /// [Places](Self::place) a piece on each board, given as its box, `x` and `y`, and writes `true` for each
    /// piece that fit.
    ///
    /// ```
    /// use tetris::simd_board::SimdBoard;
    /// let (mut boards, mut placed) = ([SimdBoard::EMPTY; 2], [false; 2]);
    /// // An I, in row 2 of its box: on the floor, and below it.
    /// SimdBoard::place_all(&mut boards, &[(0x0F00, 3, -2), (0x0F00, 3, -3)], &mut placed);
    /// assert_eq!(placed, [true, false]);
    /// assert_eq!(boards[0].columns(), [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]);
    /// assert_eq!(boards[1], SimdBoard::EMPTY);
    /// ```
    ///
    /// # Panics
    ///
    /// If the lengths of the slices differ.
    pub fn place_all(boards: &mut [Self], pieces: &[(u16, i8, i8)], placed: &mut [bool]) {
        assert_eq!(
            (boards.len(), pieces.len()),
            (pieces.len(), placed.len()),
            "one piece and one result per board"
        );
        dispatch!(isa + slow_pext [boards, pieces, placed] => Self::place_all_with(isa, boards, pieces, placed));
    }

    #[inline(always)]
    fn place_all_with<S: Isa>(isa: S, boards: &mut [Self], pieces: &[(u16, i8, i8)], placed: &mut [bool]) {
        for ((board, &(cells, x, y)), placed) in boards.iter_mut().zip(pieces).zip(placed) {
            *placed = board.place_with(isa, cells, x, y);
        }
    }

    #[inline(always)]
    fn place_with<S: Isa>(&mut self, isa: S, cells: u16, x: i8, y: i8) -> bool {
        let Some([left, right]) = self.lanes_unless_collision(isa, cells, x, y) else { return false };
        *self = Self {
            left: (isa.u32x8(&self.left) | left).to_array(),
            right: (isa.u32x8(&self.right) | right).to_array(),
        };
        true
    }

    /// Returns the cells of the box in the lanes of the two registers, or `None` if they collide.
    #[inline(always)]
    fn lanes_unless_collision<S: Isa>(&self, isa: S, cells: u16, x: i8, y: i8) -> Option<[S::U32x8; 2]> {
        if S::HAS_SIMD {
            return self.lanes_unless_hit(isa, shuffled_lanes(isa, cells, x, y)?);
        }
        let columns = spread_columns(cells);
        let rows = used_rows(columns);
        let lowest = i32::from(y) + rows.trailing_zeros() as i32;
        let beyond = i32::from(y) + (u16::BITS - rows.leading_zeros()) as i32;
        // The box is outside the lanes, or a shift along a column would drop cells.
        if !(-3..=9).contains(&x) || rows != 0 && (lowest < 0 || beyond > ROWS as i32) {
            return None;
        }
        let [left, right] = to_halves(columns, x);
        self.lanes_unless_hit(isa, [shift_rows(isa, left, y), shift_rows(isa, right, y)])
    }

    #[inline(always)]
    fn lanes_unless_hit<S: Isa>(&self, isa: S, [left, right]: [S::U32x8; 2]) -> Option<[S::U32x8; 2]> {
        let hits = (left & isa.u32x8(&self.left)) | (right & isa.u32x8(&self.right));
        hits.is_zero().then_some([left, right])
    }

    /// Returns one bit per full row, bit 0 = bottom row.
    pub fn full_lines(&self) -> u32 {
        dispatch!(isa [this = self] => this.full_lines_with(isa))
    }

    #[inline(always)]
    fn full_lines_with<S: Isa>(&self, isa: S) -> u32 {
        let eight = isa.u32x8(&self.left) & isa.u32x8(&self.right);
        let four = eight & eight.swap_halves();
        let two = four & four.swap_pairs();
        (two & two.swap_neighbors()).to_array()[0]
    }

    /// Removes the full lines, moves the rows above them down, and returns the number of lines removed.
    pub fn clear_lines(&mut self) -> u32 {
        dispatch!(isa + slow_pext [this = self] => this.clear_lines_with(isa))
    }

    /// [Removes the full lines](Self::clear_lines) of each board and returns the total number of lines
    /// removed.
    pub fn clear_all(boards: &mut [Self]) -> u64 {
        dispatch!(isa + slow_pext [boards] => Self::clear_all_with(isa, boards))
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
            // A piece completes at most four lines. Removing them one by one from the top down, in all
            // columns in parallel, is faster than a PEXT per column, which moves each column out of the
            // vector registers and back.
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

    /// Counts the empty cells directly below a filled one. A covered gap counts once, whatever its depth.
    pub fn holes(&self) -> u32 {
        dispatch!(isa [this = self] => this.holes_with(isa))
    }

    /// Writes the [holes](Self::holes) of each board.
    ///
    /// # Panics
    ///
    /// If the lengths of the slices differ.
    pub fn holes_all(boards: &[Self], holes: &mut [u32]) {
        assert_eq!(boards.len(), holes.len(), "one result per board");
        dispatch!(isa [boards, holes] => Self::holes_all_with(isa, boards, holes));
    }

    #[inline(always)]
    fn holes_all_with<S: Isa>(isa: S, boards: &[Self], holes: &mut [u32]) {
        for (board, holes) in boards.iter().zip(holes) {
            *holes = board.holes_with(isa);
        }
    }

    #[inline(always)]
    fn holes_with<S: Isa>(&self, isa: S) -> u32 {
        // The walls have no empty cells.
        let (left, right) = (isa.u32x8(&self.left), isa.u32x8(&self.right));
        let holes = [left.shr::<1>().and_not(left).to_array(), right.shr::<1>().and_not(right).to_array()];
        holes.as_flattened().iter().map(|lane| lane.count_ones()).sum()
    }
}

/// Returns the lanes of a box, or `None` if it is outside the lanes, or has cells below the floor or above the
/// ceiling.
#[inline(always)]
fn shuffled_lanes<S: Isa>(isa: S, cells: u16, x: i8, y: i8) -> Option<[S::U32x8; 2]> {
    let y = i32::from(y);
    // The rows below the floor drop into the low half.
    let inside = u32::from(cells) << 16 >> (4 * (-y).clamp(0, 4));
    if !(-3..=9).contains(&x) || inside as u16 != 0 {
        return None;
    }
    if y > ROWS as i32 - 4 && cells >> (4 * (ROWS as i32 - y).max(0)) != 0 {
        return None;
    }
    let bytes = isa.splat_u64(columns_in_bytes(isa, (inside >> 16) as u16));
    let [left, right] = [9 - x, 17 - x].map(|first| 4 * first as usize);
    let up = y.max(0) as u32;
    Some([lanes_of_bytes(isa, bytes, left).shl_all(up), lanes_of_bytes(isa, bytes, right).shl_all(up)])
}

/// Moves the four lowest bytes of each half to the eight lanes from `first` on.
#[inline(always)]
fn lanes_of_bytes<S: Isa>(isa: S, bytes: S::U64x4, first: usize) -> S::U32x8 {
    let index = COLUMN_BYTES[first..].first_chunk().map(|index| isa.u8x32(index));
    let lanes = isa.bitcast_u64_u8(bytes).shuffle(index.unwrap_or_else(|| isa.splat_u8(128)));
    isa.bitcast_u16_u32(isa.bitcast_u64_u16(isa.bitcast_u8_u64(lanes)))
}

/// The byte with the column of a box for each lane. The box begins at lane 12.
static COLUMN_BYTES: [u8; 4 * (12 + 4 + 12)] = {
    let mut table = [128; 4 * (12 + 4 + 12)];
    let mut column = 0;
    while column < 4 {
        table[4 * (12 + column)] = 3 - column as u8;
        column += 1;
    }
    table
};

/// Returns the columns of the box as bytes, the rightmost in the lowest byte. Bit 0 of each is the bottom row
/// of the box.
#[inline(always)]
fn columns_in_bytes<S: Isa>(isa: S, cells: u16) -> u64 {
    if S::FAST_PEXT {
        // PDEP moves bit b to bit 4 b. The product moves row k down by 15 k bits, to bit k of the columns'
        // nibbles, at the top of the word.
        let spread = isa.pdep(cells.into(), 0x1111_1111_1111_1111);
        let transposed = spread.wrapping_mul(0x0001_0002_0004_0008) >> 48;
        isa.pdep(transposed, 0x0F0F_0F0F)
    } else {
        let transposed = u64::from(transpose(cells));
        let pairs = (transposed | transposed << 8) & 0x00FF_00FF;
        (pairs | pairs << 4) & 0x0F0F_0F0F
    }
}

/// Returns the four columns of the box as 16-bit lanes, bit 0 of each = bottom row of the box.
#[inline(always)]
const fn spread_columns(cells: u16) -> u64 {
    let turned = rotate_ccw_4x4(cells) as u64;
    turned & 0xF | (turned & 0xF0) << 12 | (turned & 0xF00) << 24 | (turned & 0xF000) << 36
}

/// Widens the columns of a register to its lanes and moves them `y` rows up.
#[inline(always)]
fn shift_rows<S: Isa>(isa: S, columns: u128, y: i8) -> S::U32x8 {
    let lanes = isa.widen_u16x8(columns);
    if y < 0 { lanes.shr_all(y.unsigned_abs().into()) } else { lanes.shl_all(y as u32) }
}

/// Returns the rows used by a spread box, bit 0 = bottom row of the box.
#[inline(always)]
const fn used_rows(columns: u64) -> u16 {
    (columns | columns >> 16 | columns >> 32 | columns >> 48) as u16
}

/// Moves a spread box to its columns in the left and in the right register. `x` must be in -3..=9.
#[inline(always)]
fn to_halves(columns: u64, x: i8) -> [u128; 2] {
    let columns = u128::from(columns);
    let left = columns.checked_shl(16 * (x + 3) as u32).unwrap_or(0);
    let right = if x < 5 {
        columns.checked_shr(16 * (5 - x) as u32).unwrap_or(0)
    } else {
        columns << (16 * (x - 5) as u32)
    };
    [left, right]
}

impl From<SimdBoard> for Board {
    fn from(halves: SimdBoard) -> Self {
        // 32 rows always fit into 40.
        Self::from_columns(halves.columns().map(u64::from)).unwrap_or_default()
    }
}

impl TryFrom<Board> for SimdBoard {
    type Error = Error;

    fn try_from(board: Board) -> Result<Self, Error> {
        if let Some(column) = board.columns().iter().position(|column| column >> ROWS != 0) {
            return Err(Error::AboveSimdBoard { column });
        }
        Ok(Self::from(board.columns().map(|column| column as u32)))
    }
}
