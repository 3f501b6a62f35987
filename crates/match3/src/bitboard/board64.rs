//! [`Board64`]: boards of up to 64 x 64 as bit planes by row, one word per row.
//!
//! ```text
//! word     0, 1          padding, to read up to two rows above the first
//!          2 ..          the rows from the top: bit x is column x
//!          .. 71         padding, to read four rows starting at any row
//! ```
//!
//! A register loads four consecutive rows. Moving along the row is a shift in each lane; moving up
//! or down is a load one word away. The swap formula runs once per four rows.

use super::formula::EqualMasks;
use super::mask::{RowMask, Swaps};
use super::words::{FourBoards, OffsetMask, gather_bit};
use crate::board::{Board, Cell, MAX_SIDE};
use bitcore::{Bytes, Isa, Lanes, U64s, dispatch};

const ABOVE: usize = 2;
/// The rows, [`ABOVE`], two empty rows below, and up to four more that a register reads past them.
const ROWS: usize = ABOVE + MAX_SIDE + 6;

/// A mask of cells. Row y from the top is word y + [`ABOVE`].
type Padded = [u64; ROWS];

const PLANES: usize = Cell::COLOR_BITS.count_ones() as usize;
/// Planes that are always compared. Most boards have at most seven colors.
const FIRST: usize = 3;

/// A board of up to 64 x 64 as bit planes by row, where bit x is column x.
///
/// Use it to find both the swaps and the runs of a board too large for [`Board16`](crate::Board16):
/// [`swaps`](crate::swaps()) converts the board on every call.
///
/// ```
/// use match3::bitboard::{Board64, Mask};
/// use match3::Board;
/// let board: Board = "1121\n3213\n2132".parse()?;
/// let rows = Board64::from(&board);
/// assert_eq!(rows.swaps(), match3::swaps(&board));
/// assert!(rows.matched().is_empty());
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Board64 {
    height: usize,
    /// The number of planes in use, at least [`FIRST`]; the rest are empty.
    used: usize,
    planes: [Padded; PLANES],
    colored: Padded,
    /// The cells that may be swapped: colored and not locked.
    free: Padded,
}

/// The six masks of equal cells, in the order of [`EqualMasks`].
struct EqualRows([Padded; 6]);

impl From<&Board> for Board64 {
    /// Converts a board to bit planes.
    fn from(board: &Board) -> Self {
        let mut any = 0;
        for cell in board.cells() {
            any |= cell.byte();
        }
        let used = (u8::BITS - (any & Cell::COLOR_BITS).leading_zeros()) as usize;
        let empty = [0; ROWS];
        let mut rows = Self {
            height: board.height(),
            used: used.max(FIRST),
            planes: [empty; PLANES],
            colored: empty,
            free: empty,
        };
        let this = &mut rows;
        dispatch!(isa [this, board] => this.fill_with(isa, board));
        rows
    }
}

impl Board64 {
    #[inline(always)]
    fn fill_with<S: Isa>(&mut self, isa: S, board: &Board) {
        for (y, row) in board.rows().enumerate() {
            let mut bytes = [0; MAX_SIDE];
            for (byte, cell) in bytes.iter_mut().zip(row) {
                *byte = cell.byte();
            }
            let (planes, locked) = bits_with(isa, &bytes, self.used);
            let at = ABOVE + y;
            for (rows, row) in self.planes.iter_mut().zip(planes).take(self.used) {
                rows[at] = row;
                self.colored[at] |= row;
            }
            self.free[at] = self.colored[at] & !locked;
        }
    }

    #[inline(always)]
    fn equal_with<S: Isa>(&self, isa: S) -> EqualRows {
        let mut equal = [[0; ROWS]; 6];
        for y in (ABOVE..ABOVE + self.height).step_by(4) {
            let mut different = [isa.splat_u64(0); 6];
            for plane in &self.planes[..FIRST] {
                let here = rows_with(isa, plane, y);
                let next = rows_with(isa, plane, y + 1);
                let others = [
                    here.shr::<1>(),
                    here.shr::<2>(),
                    next,
                    rows_with(isa, plane, y + 2),
                    next.shr::<1>(),
                    next.shl::<1>(),
                ];
                for (different, other) in different.iter_mut().zip(others) {
                    *different = *different | (here ^ other);
                }
            }
            let colored = rows_with(isa, &self.colored, y);
            for (equal, different) in equal.iter_mut().zip(different) {
                equal[y..y + 4].copy_from_slice(&colored.and_not(different).to_array());
            }
        }
        if self.used > FIRST {
            self.compare_more(&mut equal);
        }
        EqualRows(equal)
    }

    /// Clears pairs that differ in a plane beyond the first [`FIRST`].
    #[cold]
    #[inline(never)]
    fn compare_more(&self, equal: &mut [Padded; 6]) {
        let [right, right2, down, down2, down_right, down_left] = equal;
        for plane in &self.planes[FIRST..self.used] {
            for y in ABOVE..ABOVE + self.height {
                let here = plane[y];
                let next = plane[y + 1];
                right[y] &= !(here ^ here >> 1);
                right2[y] &= !(here ^ here >> 2);
                down[y] &= !(here ^ next);
                down2[y] &= !(here ^ plane[y + 2]);
                down_right[y] &= !(here ^ next >> 1);
                down_left[y] &= !(here ^ next << 1);
            }
        }
    }

    /// Returns all legal swaps.
    pub fn swaps(&self) -> Swaps {
        dispatch!(isa [this = self] => this.swaps_with(isa))
    }

    #[inline(always)]
    fn swaps_with<S: Isa>(&self, isa: S) -> Swaps {
        let EqualRows(equal) = self.equal_with(isa);
        let [r, r2, d, d2, dr, dl] = &equal;
        let mut right = [0; MAX_SIDE];
        let mut down = [0; MAX_SIDE];
        for y in (0..self.height).step_by(4) {
            let equal = EqualMasks {
                right: RowsAt { isa, rows: r, y },
                right2: RowsAt { isa, rows: r2, y },
                down: RowsAt { isa, rows: d, y },
                down2: RowsAt { isa, rows: d2, y },
                down_right: RowsAt { isa, rows: dr, y },
                down_left: RowsAt { isa, rows: dl, y },
            };
            let (across, along) = equal.swaps();
            let free = RowsAt { isa, rows: &self.free, y };
            let across = across & free.at::<0, 0>() & free.at::<1, 0>();
            let along = along & free.at::<0, 0>() & free.at::<0, 1>();
            // The rows past the last are empty.
            right[y..y + 4].copy_from_slice(&across.0.to_array());
            down[y..y + 4].copy_from_slice(&along.0.to_array());
        }
        Swaps { right: RowMask::new(&right, self.height), down: RowMask::new(&down, self.height) }
    }

    /// Returns the cells in runs.
    pub fn matched(&self) -> RowMask {
        dispatch!(isa [this = self] => this.matched_with(isa))
    }

    #[inline(always)]
    fn matched_with<S: Isa>(&self, isa: S) -> RowMask {
        let EqualRows([right, _, down, ..]) = self.equal_with(isa);
        let mut rows = [0; MAX_SIDE];
        for (y, row) in rows.iter_mut().enumerate().take(self.height) {
            // Horizontal runs, from their first cells; vertical runs, from first cells up to two
            // rows above.
            let y = y + ABOVE;
            let across = right[y] & (right[y] >> 1);
            let along = |y: usize| down[y] & down[y + 1];
            *row = across | across << 1 | across << 2 | along(y) | along(y - 1) | along(y - 2);
        }
        RowMask::new(&rows, self.height)
    }
}

/// Returns the first `used` bit planes of 64 cells, and the locked cells.
#[inline(always)]
pub(crate) fn bits_with<S: Isa>(isa: S, cells: &[u8; 64], used: usize) -> ([u64; PLANES], u64) {
    let mut planes = [0; PLANES];
    let mut locked = 0;
    if S::FAST_BITMASK {
        for (i, half) in cells.as_chunks::<32>().0.iter().enumerate() {
            let bytes = isa.u8x32(half);
            locked |= u64::from(bytes.movemask()) << (32 * i);
            for (bit, plane) in planes.iter_mut().enumerate().take(used) {
                // Moves this bit of each byte to the top of the byte. Bits that spill over from the
                // byte below only land under it.
                let moved = isa.bitcast_u8_u64(bytes).shl_all(7 - bit as u32);
                *plane |= u64::from(isa.bitcast_u64_u8(moved).movemask()) << (32 * i);
            }
        }
    } else {
        for (i, eight) in cells.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*eight);
            locked |= gather_bit(word, 7) << (8 * i);
            for (bit, plane) in planes.iter_mut().enumerate().take(used) {
                *plane |= gather_bit(word, bit as u32) << (8 * i);
            }
        }
    }
    (planes, locked)
}

/// Four rows of a mask, starting at row `y`.
#[derive(Clone, Copy)]
struct RowsAt<'a, S> {
    isa: S,
    rows: &'a Padded,
    y: usize,
}

impl<S: Isa> OffsetMask for RowsAt<'_, S> {
    type Word = FourBoards<S>;
    #[inline(always)]
    fn at<const DX: i32, const DY: i32>(self) -> FourBoards<S> {
        const { assert!(-2 <= DX && DX <= 2 && -2 <= DY && DY <= 2) };
        let rows =
            rows_with(self.isa, self.rows, (self.y + ABOVE).wrapping_add_signed(DY as isize));
        FourBoards(match DX {
            -2 => rows.shl::<2>(),
            -1 => rows.shl::<1>(),
            1 => rows.shr::<1>(),
            2 => rows.shr::<2>(),
            _ => rows,
        })
    }
}

#[inline(always)]
fn rows_with<S: Isa>(isa: S, rows: &Padded, at: usize) -> S::U64x4 {
    isa.u64x4(rows[at..].first_chunk().expect("four rows, with the padding"))
}
