//! [`SimdBoard`]: a 10 x 32 field in two 256-bit registers.
//!
//! Each register contains five columns and three wall columns, one per 32-bit lane, bit 0 = bottom
//! row:
//!
//! ```text
//! lane    0  1  2  3  4  5  6  7
//! left    W  W  W  c0 c1 c2 c3 c4
//! right   c5 c6 c7 c8 c9 W  W  W
//! ```
//!
//! The walls are all ones, so one AND per register tests a piece against both cells and walls, and
//! the search for full lines starts with one AND of the two registers.
//!
//! A piece is given as a 4 x 4 box: a `u16` written row by row, its top left cell in bit 15, as in
//! [`reference::FallingPiece`](crate::reference::FallingPiece), with the position of the box's
//! bottom left cell: `x` from the left, -3 to 9, and `y` from the bottom. Collision tests and
//! placements convert the box:
//!
//! ```text
//! box          mirrored on its diagonal: its columns become rows of four bits
//! PDEP         0x0F0F_0F0F: one column in each byte of a u32
//! shuffle      the bytes to the lanes of each register, by an index that depends on x
//! shift        each lane by y
//! ```
//!
//! Without a fast PDEP, the box is tested as two words of two columns each: the sixteen lanes are
//! adjacent in memory, and the box always meets four of them, from `x + 3` on.
//!
//! Layout and method come from the article `SIMDとBit演算を用いたテトリスの高速化に関する考察` (Tetris Advent Calendar,
//! 2024-12-12). [`reference`](crate::reference) implements the same algorithms one lane at a time.

use crate::board::{Board, WIDTH};
use crate::bounding_box::rotate_ccw_4x4;
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
    /// Three walls and columns 0 to 4, then columns 5 to 9 and three walls.
    pub(crate) halves: [[u32; 8]; 2],
}

const LEFT_WALLS: [u32; 8] = [!0, !0, !0, 0, 0, 0, 0, 0];
const RIGHT_WALLS: [u32; 8] = [0, 0, 0, 0, 0, !0, !0, !0];

/// The lane of column 0.
const FIRST: usize = 3;

/// The number of boards that [`SimdBoard::clear_all`] clears together.
const GROUP: usize = 16;

impl From<[u32; WIDTH]> for SimdBoard {
    /// Creates a board from its columns from the left, bit 0 = bottom row.
    #[inline]
    fn from(columns: [u32; WIDTH]) -> Self {
        let mut board = Self::EMPTY;
        board.halves.as_flattened_mut()[FIRST..FIRST + WIDTH].copy_from_slice(&columns);
        board
    }
}

impl SimdBoard {
    /// The empty board.
    pub const EMPTY: Self = Self { halves: [LEFT_WALLS, RIGHT_WALLS] };

    /// Returns the columns from the left, bit 0 = bottom row.
    #[inline]
    pub fn columns(&self) -> [u32; WIDTH] {
        core::array::from_fn(|x| self.halves.as_flattened()[FIRST + x])
    }

    /// Returns `true` if a cell of the box overlaps a filled cell or is outside the field.
    pub fn collides(&self, cells: u16, x: i8, y: i8) -> bool {
        dispatch!(isa + slow_pext [this = self, cells, x, y] => this.collides_with(isa, cells, x, y))
    }

    /// Tests each board for [collisions](Self::collides) with its piece, given as its box, `x` and
    /// `y`.
    ///
    /// # Panics
    ///
    /// If the lengths of the slices differ.
    pub fn collides_all(boards: &[Self], pieces: &[(u16, i8, i8)], collides: &mut [bool]) {
        assert_eq!(boards.len(), pieces.len(), "one piece and one result per board");
        assert_eq!(pieces.len(), collides.len(), "one piece and one result per board");
        dispatch!(isa + slow_pext [boards, pieces, collides] => Self::collides_all_with(isa, boards, pieces, collides));
    }

    #[inline(always)]
    fn collides_all_with<S: Isa>(
        isa: S,
        boards: &[Self],
        pieces: &[(u16, i8, i8)],
        collides: &mut [bool],
    ) {
        for ((board, &(cells, x, y)), collides) in boards.iter().zip(pieces).zip(collides) {
            *collides = board.collides_with(isa, cells, x, y);
        }
    }

    #[inline(always)]
    fn collides_with<S: Isa>(&self, isa: S, cells: u16, x: i8, y: i8) -> bool {
        let Some((cells, up)) = above_floor(cells, y) else { return true };
        if S::FAST_PEXT {
            let Some(lanes) = shuffled_lanes(isa, cells, x, up) else { return true };
            return self.overlaps(isa, lanes);
        }
        let lanes = self.halves.as_flattened().get(first_lane(x)..).and_then(<[u32]>::first_chunk);
        lanes.is_none_or(|lanes| overlap(lanes, columns_of_box(cells, up)))
    }

    /// Fills the cells of the box. Returns `false` and changes nothing if the box
    /// [collides](Self::collides).
    pub fn place(&mut self, cells: u16, x: i8, y: i8) -> bool {
        dispatch!(isa + slow_pext [this = self, cells, x, y] => this.place_with(isa, cells, x, y))
    }

    /// [Places](Self::place) a piece on each board, given as its box, `x` and `y`, and writes
    /// `true` for each piece that fit.
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
        assert_eq!(boards.len(), pieces.len(), "one piece and one result per board");
        assert_eq!(pieces.len(), placed.len(), "one piece and one result per board");
        dispatch!(isa + slow_pext [boards, pieces, placed] => Self::place_all_with(isa, boards, pieces, placed));
    }

    #[inline(always)]
    fn place_all_with<S: Isa>(
        isa: S,
        boards: &mut [Self],
        pieces: &[(u16, i8, i8)],
        placed: &mut [bool],
    ) {
        for ((board, &(cells, x, y)), placed) in boards.iter_mut().zip(pieces).zip(placed) {
            *placed = board.place_with(isa, cells, x, y);
        }
    }

    #[inline(always)]
    fn place_with<S: Isa>(&mut self, isa: S, cells: u16, x: i8, y: i8) -> bool {
        let Some((cells, up)) = above_floor(cells, y) else { return false };
        if S::FAST_PEXT {
            let Some([left, right]) = shuffled_lanes(isa, cells, x, up) else { return false };
            let fits = !self.overlaps(isa, [left, right]);
            if fits {
                let [a, b] = &mut self.halves;
                *a = (isa.u32x8(a) | left).to_array();
                *b = (isa.u32x8(b) | right).to_array();
            }
            return fits;
        }
        let lanes = self.halves.as_flattened_mut().get_mut(first_lane(x)..);
        let Some(lanes) = lanes.and_then(<[u32]>::first_chunk_mut) else { return false };
        let columns = columns_of_box(cells, up);
        let fits = !overlap(lanes, columns);
        if fits {
            let [a, b, c, d] = *lanes;
            let [left, right] = columns;
            *lanes = [
                a | left as u32,
                b | (left >> 32) as u32,
                c | right as u32,
                d | (right >> 32) as u32,
            ];
        }
        fits
    }

    #[inline(always)]
    fn overlaps<S: Isa>(&self, isa: S, [left, right]: [S::U32x8; 2]) -> bool {
        let hits = (left & isa.u32x8(&self.halves[0])) | (right & isa.u32x8(&self.halves[1]));
        !hits.is_zero()
    }

    /// Returns one bit per full row, bit 0 = bottom row.
    pub fn full_lines(&self) -> u32 {
        dispatch!(isa [this = self] => this.full_lines_with(isa))
    }

    #[inline(always)]
    fn full_lines_with<S: Isa>(&self, isa: S) -> u32 {
        let eight = isa.u32x8(&self.halves[0]) & isa.u32x8(&self.halves[1]);
        let four = eight & eight.swap_halves();
        let two = four & four.swap_pairs();
        (two & two.swap_neighbors()).to_array()[0]
    }

    /// Removes the full lines, moves the rows above them down, and returns the number of lines
    /// removed.
    pub fn clear_lines(&mut self) -> u32 {
        dispatch!(isa + slow_pext [this = self] => this.clear_lines_with(isa))
    }

    /// [Removes the full lines](Self::clear_lines) of each board and returns the total number of
    /// lines removed.
    pub fn clear_all(boards: &mut [Self]) -> u64 {
        dispatch!(isa + slow_pext [boards] => Self::clear_all_with(isa, boards))
    }

    #[inline(always)]
    fn clear_all_with<S: Isa>(isa: S, boards: &mut [Self]) -> u64 {
        let mut lines = 0;
        let mut rest = boards;
        if S::FAST_PEXT {
            let (groups, others) = rest.as_chunks_mut();
            for group in groups {
                lines += clear_group(isa, group);
            }
            rest = others;
        }
        for board in rest {
            lines += u64::from(board.clear_lines_with(isa));
        }
        lines
    }

    #[inline(always)]
    fn clear_lines_with<S: Isa>(&mut self, isa: S) -> u32 {
        let lines = self.full_lines_with(isa);
        if lines == 0 {
            return 0;
        }
        if S::FAST_PEXT {
            let odd = isa.pdep(ALTERNATE, lines.into()) as u32;
            let even = (lines ^ odd) >> 1;
            let second = isa.pdep(ALTERNATE, even.into()) as u32;
            let fourth = even ^ second;
            if fourth & fourth.wrapping_sub(1) == 0 {
                let by_one = (lines ^ odd).wrapping_sub(odd);
                let by_two = fourth.wrapping_sub(second);
                self.lower(isa, lines, [by_one, by_two, (fourth >> 2).wrapping_neg()]);
                return lines.count_ones();
            }
        }
        self.remove_one_by_one(isa, lines);
        lines.count_ones()
    }

    /// Removes up to seven full lines, in three steps. Each mask has the rows that take the row
    /// one, two or four above them.
    ///
    /// ```text
    /// row            6  5  4  3  2  1  0
    /// full lines     0  1  0  0  1  1  0
    /// by one         1  1  0  0  0  1  0     from each odd line, counted from the bottom, to the next even one
    /// by two         1  1  1  1  1  1  0     then from where the second line was moved, to the fourth one
    /// by four        0  0  0  0  0  0  0     then from where the fourth line was moved
    /// ```
    #[inline(always)]
    fn lower<S: Isa>(&mut self, isa: S, lines: u32, [by_one, by_two, by_four]: [u32; 3]) {
        let columns = &mut self.halves.as_flattened_mut()[FIRST..FIRST + WIDTH];
        let Some((eight, last)) = columns.split_first_chunk_mut() else { return };
        let all = isa.u32x8(eight);
        let all = isa.splat_u32(by_one).bitselect(all.shr::<1>(), all);
        let all = isa.splat_u32(by_two).bitselect(all.shr::<2>(), all);
        let all = isa.splat_u32(by_four).bitselect(all.shr::<4>(), all);
        *eight = all.to_array();
        for column in last {
            *column = isa.pext((*column).into(), (!lines).into()) as u32;
        }
    }

    /// Removes full lines from the top down, in all columns in parallel.
    #[inline(always)]
    fn remove_one_by_one<S: Isa>(&mut self, isa: S, lines: u32) {
        let mut left = isa.u32x8(&self.halves[0]);
        let mut right = isa.u32x8(&self.halves[1]);
        let mut open = lines;
        while open != 0 {
            let below = (1 << open.ilog2()) - 1;
            let kept = isa.splat_u32(below);
            left = kept.bitselect(left, left.shr::<1>());
            right = kept.bitselect(right, right.shr::<1>());
            open &= below;
        }
        self.halves = [
            (left | isa.u32x8(&LEFT_WALLS)).to_array(),
            (right | isa.u32x8(&RIGHT_WALLS)).to_array(),
        ];
    }

    /// Counts the empty cells directly below a filled one. A covered gap counts once, whatever its
    /// depth.
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
        let left = isa.u32x8(&self.halves[0]);
        let right = isa.u32x8(&self.halves[1]);
        let holes =
            [left.shr::<1>().and_not(left).to_array(), right.shr::<1>().and_not(right).to_array()];
        holes.as_flattened().iter().map(|lane| lane.count_ones()).sum()
    }
}

/// Every second bit, beginning with bit 0.
const ALTERNATE: u64 = 0x5555_5555;

/// Clears the full lines of sixteen boards and returns their number.
#[inline(always)]
fn clear_group<S: Isa>(isa: S, boards: &mut [SimdBoard; GROUP]) -> u64 {
    let mut eighth = isa.splat_u32(0);
    let mut masks = [[[0; 8]; GROUP / 8]; 4];
    let [all, by_one, by_two, by_four] = &mut masks;
    for (i, eight) in boards.as_chunks().0.iter().enumerate() {
        let lines = full_lines_of_eight(isa, eight);
        let one = at_or_above_odd::<S>(lines);
        let even = lines.and_not(one).shr::<1>();
        let two = at_or_above_odd::<S>(even);
        let fourth = even.and_not(two);
        eighth = eighth | (fourth & (fourth - isa.splat_u32(1)));
        all[i] = lines.to_array();
        by_one[i] = one.to_array();
        by_two[i] = two.to_array();
        by_four[i] = (isa.splat_u32(0) - fourth.shr::<2>()).to_array();
    }
    let [all, by_one, by_two, by_four] = &masks;
    let all = all.as_flattened();
    let by_one = by_one.as_flattened();
    let by_two = by_two.as_flattened();
    let by_four = by_four.as_flattened();
    let mut count = 0;
    for (i, board) in boards.iter_mut().enumerate() {
        if eighth.is_zero() {
            board.lower(isa, all[i], [by_one[i], by_two[i], by_four[i]]);
        } else {
            board.remove_one_by_one(isa, all[i]);
        }
        count += u64::from(all[i].count_ones());
    }
    count
}

/// Returns the full lines of eight boards, one board a lane.
#[inline(always)]
fn full_lines_of_eight<S: Isa>(isa: S, boards: &[SimdBoard; 8]) -> S::U32x8 {
    let mut lanes = [isa.splat_u32(0); 8];
    for (lanes, board) in lanes.iter_mut().zip(boards) {
        *lanes = isa.u32x8(&board.halves[0]) & isa.u32x8(&board.halves[1]);
    }
    // Each step folds the lanes of two boards to half as many, side by side.
    let halves = isa.u32x8(&[!0, !0, !0, !0, 0, 0, 0, 0]);
    for i in 0..4 {
        let a = lanes[i];
        let b = lanes[i + 4];
        lanes[i] = halves.blend_lanes(a, b) & halves.blend_lanes(b, a).swap_halves();
    }
    let pairs = isa.u32x8(&[!0, !0, 0, 0, !0, !0, 0, 0]);
    for i in 0..2 {
        let a = lanes[i];
        let b = lanes[i + 2];
        lanes[i] = pairs.blend_lanes(a, b) & pairs.blend_lanes(b, a).swap_pairs();
    }
    let even = isa.u32x8(&[!0, 0, !0, 0, !0, 0, !0, 0]);
    let [a, b, ..] = lanes;
    even.blend_lanes(a, b) & even.blend_lanes(b, a).swap_neighbors()
}

/// Returns the rows with an odd number of lines at or below them.
#[inline(always)]
fn at_or_above_odd<S: Isa>(lines: S::U32x8) -> S::U32x8 {
    let parity = lines ^ lines.shl::<1>();
    let parity = parity ^ parity.shl::<2>();
    let parity = parity ^ parity.shl::<4>();
    let parity = parity ^ parity.shl::<8>();
    parity ^ parity.shl::<16>()
}

/// Returns the lane of the box's left column. A number of lanes too large if `x` is too small.
#[inline(always)]
const fn first_lane(x: i8) -> usize {
    (x as isize + FIRST as isize) as usize
}

/// Returns the cells of a box with its rows below the floor cut off, and the row of its lowest row
/// left. `None` if it has cells below the floor or above the ceiling.
#[inline(always)]
const fn above_floor(cells: u16, y: i8) -> Option<(u16, u32)> {
    let bits = 4 * y.unsigned_abs() as u32;
    match y {
        0..=28 => Some((cells, y as u32)),
        -3..=-1 if cells << (16 - bits) == 0 => Some((cells >> bits, 0)),
        29..=31 if cells >> (128 - bits) == 0 => Some((cells, y as u32)),
        // An empty box fits everywhere.
        _ if cells == 0 => Some((0, 0)),
        _ => None,
    }
}

/// Returns the lanes of a box, or `None` if it is outside the lanes.
#[inline(always)]
fn shuffled_lanes<S: Isa>(isa: S, cells: u16, x: i8, up: u32) -> Option<[S::U32x8; 2]> {
    if !(-3..=9).contains(&x) {
        return None;
    }
    // PDEP moves bit b to bit 4 b. The product moves row k down by 15 k bits, to bit k of the
    // columns' nibbles, at the top of the word.
    let spread = isa.pdep(cells.into(), 0x1111_1111_1111_1111);
    let transposed = spread.wrapping_mul(0x0001_0002_0004_0008) >> 48;
    let bytes = isa.splat_u64(isa.pdep(transposed, 0x0F0F_0F0F));
    let first = 4 * (9 - x) as usize;
    Some([
        lanes_of_bytes(isa, bytes, first).shl_all(up),
        lanes_of_bytes(isa, bytes, first + 4 * 8).shl_all(up),
    ])
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

/// Returns the four columns of a box from the left, two in each word. Bit 0 of each half is the
/// bottom row of the field.
#[inline(always)]
const fn columns_of_box(cells: u16, up: u32) -> [u64; 2] {
    let turned = rotate_ccw_4x4(cells) as u64;
    let left = turned & 0xF | (turned & 0xF0) << 28;
    let right = turned >> 8 & 0xF | (turned & 0xF000) << 20;
    [left << up, right << up]
}

/// Returns `true` if columns have a common cell.
#[inline(always)]
const fn overlap(lanes: &[u32; 4], [left, right]: [u64; 2]) -> bool {
    let [a, b, c, d] = *lanes;
    let left = left & (a as u64 | (b as u64) << 32);
    let right = right & (c as u64 | (d as u64) << 32);
    left | right != 0
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
