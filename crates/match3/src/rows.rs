//! Boards of any size as rows of bits, bit x = column x, four rows to a group of lanes.

use crate::board::{Board, Cell, MAX_SIDE};
use crate::field::{Equal, Four, Near};
use crate::mask::{Rows, Swaps};
use crate::planes::{PlanesError, largest_colour};
use bitcore::{Bytes, Isa, Lanes, U64s, dispatch};

/// Empty rows above the first one, so that a row two up can be asked for.
const ABOVE: usize = 2;
/// And below the last one: two, and what a group of four rows takes beyond it.
const ROWS: usize = ABOVE + MAX_SIDE + 6;

/// A mask of cells. Row y from the top is word y + [`ABOVE`].
type Padded = [u64; ROWS];

/// A board of up to 64 x 64 as bit planes in rows, bit x = column x, with colours up to 2^`P` - 1.
///
/// For boards too large for [`Board16`](crate::Board16) that are asked more than once: [`swaps`](crate::swaps) makes
/// one of these each time.
///
/// ```
/// use match3::{Board, Board64, Mask};
/// let board: Board = "1121\n3213\n2132".parse()?;
/// let rows: Board64 = Board64::new(&board)?;
/// assert_eq!(rows.swaps(), match3::swaps(&board));
/// assert!(rows.matched().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Board64<const P: usize = 3> {
    height: usize,
    planes: [Padded; P],
    coloured: Padded,
    /// Cells that may be swapped.
    free: Padded,
}

/// Which cells are equal.
struct EqualRows([Padded; 6]);

impl<const P: usize> Board64<P> {
    /// The board as bit planes.
    ///
    /// # Errors
    ///
    /// [`PlanesError::Colour`].
    pub fn new(board: &Board) -> Result<Self, PlanesError> {
        let largest = largest_colour(P);
        for (i, cell) in board.cells().iter().enumerate() {
            if let Some(found) = cell.colour()
                && found > largest
            {
                let (x, y) = (i % board.width(), i / board.width());
                return Err(PlanesError::Colour { x, y, found, largest });
            }
        }
        Ok(dispatch!(isa => Self::new_with(isa, board)))
    }

    /// A board whose colours fit.
    #[inline(always)]
    fn new_with<S: Isa>(isa: S, board: &Board) -> Self {
        let (mut planes, mut coloured, mut free) = ([[0; ROWS]; P], [0; ROWS], [0; ROWS]);
        for (y, row) in board.rows().enumerate() {
            let mut bytes = [0; MAX_SIDE];
            for (byte, cell) in bytes.iter_mut().zip(row) {
                *byte = cell.byte();
            }
            let (left, right) = bytes.split_at(32);
            let halves = [left, right].map(|half| half.first_chunk().expect("32 bytes"));
            let mut locked = 0;
            for (i, half) in halves.into_iter().enumerate() {
                let bytes = isa.u8x32(half);
                locked |= u64::from(bytes.top_bits()) << (32 * i);
                for (bit, plane) in planes.iter_mut().enumerate() {
                    // Moves this bit of each byte to its top; what comes in from the next byte stays below.
                    let moved = isa.bytes_as_u64s(bytes).shl_all(7 - bit as u32);
                    let mask = isa.u64s_as_bytes(moved).top_bits();
                    plane[ABOVE + y] |= u64::from(mask) << (32 * i);
                }
            }
            for plane in &planes {
                coloured[ABOVE + y] |= plane[ABOVE + y];
            }
            free[ABOVE + y] = coloured[ABOVE + y] & !locked;
        }
        Self { height: board.height(), planes, coloured, free }
    }

    #[inline(always)]
    fn equal_with<S: Isa>(&self, isa: S) -> EqualRows {
        let mut equal = [[0; ROWS]; 6];
        for y in (ABOVE..ABOVE + self.height).step_by(4) {
            let mut different = [isa.splat_u64(0); 6];
            for plane in &self.planes {
                let (here, next) = (rows_with(isa, plane, y), rows_with(isa, plane, y + 1));
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
            let coloured = rows_with(isa, &self.coloured, y);
            for (equal, different) in equal.iter_mut().zip(different) {
                equal[y..y + 4].copy_from_slice(&coloured.and_not(different).to_array());
            }
        }
        EqualRows(equal)
    }

    /// All legal swaps.
    pub fn swaps(&self) -> Swaps {
        dispatch!(isa => self.swaps_with(isa))
    }

    /// [`swaps`](Self::swaps) for kernels.
    #[doc(hidden)]
    #[inline(always)]
    pub fn swaps_with<S: Isa>(&self, isa: S) -> Swaps {
        let EqualRows(equal) = self.equal_with(isa);
        let [r, r2, d, d2, dr, dl] = &equal;
        let (mut right, mut down) = (Rows::new(self.height), Rows::new(self.height));
        for y in (0..self.height).step_by(4) {
            let equal = Equal {
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
            // The rows below the last are empty.
            right.words_mut()[y..y + 4].copy_from_slice(&across.0.to_array());
            down.words_mut()[y..y + 4].copy_from_slice(&along.0.to_array());
        }
        Swaps { right, down }
    }

    /// The cells that lie in a run.
    pub fn matched(&self) -> Rows {
        let EqualRows([right, _, down, ..]) = dispatch!(isa => self.equal_with(isa));
        let mut rows = Rows::new(self.height);
        for (y, row) in rows.words_mut().iter_mut().enumerate().take(self.height) {
            // The first cells of three equal ones in the row; and of columns, those whose top is up to two rows above.
            let y = y + ABOVE;
            let across = right[y] & (right[y] >> 1);
            let along = |y: usize| down[y] & down[y + 1];
            *row = across | across << 1 | across << 2 | along(y) | along(y - 1) | along(y - 2);
        }
        rows
    }
}

/// Runs `$work` on a board as as many planes as its colours need.
macro_rules! in_planes {
    ($isa:ident, $board:expr, $planes:ident => $work:expr) => {{
        let mut any = 0;
        for cell in $board.cells() {
            any |= cell.byte();
        }
        match any & Cell::COLOUR_BITS {
            0..8 => {
                let $planes = Board64::<3>::new_with($isa, $board);
                $work
            }
            8..16 => {
                let $planes = Board64::<4>::new_with($isa, $board);
                $work
            }
            _ => {
                let $planes = Board64::<6>::new_with($isa, $board);
                $work
            }
        }
    }};
}

#[inline(always)]
pub(crate) fn swaps_with<S: Isa>(isa: S, board: &Board) -> Swaps {
    in_planes!(isa, board, planes => planes.swaps_with(isa))
}

pub(crate) fn matched(board: &Board) -> Rows {
    dispatch!(isa => in_planes!(isa, board, planes => planes.matched()))
}

/// Four rows from row `y` of a mask.
#[derive(Clone, Copy)]
struct RowsAt<'a, S> {
    isa: S,
    rows: &'a Padded,
    y: usize,
}

impl<S: Isa> Near for RowsAt<'_, S> {
    type Word = Four<S>;
    #[inline(always)]
    fn at<const DX: i32, const DY: i32>(self) -> Four<S> {
        const { assert!(-2 <= DX && DX <= 2 && -2 <= DY && DY <= 2) };
        let rows = rows_with(self.isa, self.rows, (self.y + ABOVE).wrapping_add_signed(DY as isize));
        Four(match DX {
            -2 => rows.shl::<2>(),
            -1 => rows.shl::<1>(),
            1 => rows.shr::<1>(),
            2 => rows.shr::<2>(),
            _ => rows,
        })
    }
}

/// Words `at` to `at + 3`.
#[inline(always)]
fn rows_with<S: Isa>(isa: S, rows: &Padded, at: usize) -> S::U64x4 {
    isa.u64x4(rows[at..].first_chunk().expect("four rows, with the padding"))
}
