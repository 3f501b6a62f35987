//! All legal swaps of a board at once: [`swaps()`] for boards of cells, [`swaps8`] for 64 bytes.

use crate::bitboard::board64::Board64;
use crate::bitboard::formula::{EqualMasks, OffsetMask};
use crate::bitboard::mask::Swaps;
use crate::bitboard::words::gather_bit;
use crate::board::{Board, Cell};
use bitcore::{Bytes, Isa, dispatch};

/// Returns all legal swaps of a board of any size, as one word per row.
///
/// ```
/// let board: match3::Board = "1121".parse()?;
/// let found: Vec<String> = match3::swaps(&board).iter().map(|swap| swap.to_string()).collect();
/// assert_eq!(found, ["2 0 H"]);
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn swaps(board: &Board) -> Swaps {
    Board64::new(board).swaps()
}

/// Returns whether the board has a legal swap. A board without one is dead.
///
/// ```
/// assert!(match3::has_swap(&"1121".parse()?));
/// assert!(!match3::has_swap(&"1122".parse()?));
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn has_swap(board: &Board) -> bool {
    !swaps(board).is_empty()
}

/// Returns all legal swaps of an 8 x 8 board given as bytes ([`Cell::byte`]), row by row.
///
/// The low six bits of a byte are the color, 0 for an empty or blocked cell; the top bit is set for a locked
/// piece. The result is (right, down): bit 8y + x is set if (x, y) may be swapped with the right neighbor,
/// with the cell below.
///
/// ```
/// let mut cells = [0; 64];
/// cells[..4].copy_from_slice(&[1, 1, 2, 1]);
/// assert_eq!(match3::swaps::swaps8(&cells), (1 << 2, 0));
/// ```
pub fn swaps8(cells: &[u8; 64]) -> (u64, u64) {
    dispatch!(isa + v4 [cells] => swaps8_with(isa, cells))
}

/// Counts the legal swaps of many boards, each as for [`swaps8`].
///
/// ```
/// let mut cells = [0; 64];
/// cells[..4].copy_from_slice(&[1, 1, 2, 1]);
/// assert_eq!(match3::swaps::count_swaps8(&[cells; 5]), 5);
/// ```
pub fn count_swaps8(boards: &[[u8; 64]]) -> u64 {
    dispatch!(isa + v4 [boards] => count_swaps8_with(isa, boards))
}

#[inline(always)]
fn count_swaps8_with<S: Isa>(isa: S, boards: &[[u8; 64]]) -> u64 {
    let mut count = 0;
    for cells in boards {
        let (right, down) = swaps8_with(isa, cells);
        count += u64::from(right.count_ones() + down.count_ones());
    }
    count
}

/// Computes [`swaps8`] by the swap formula on masks of 64 bits, one word per comparison.
#[inline(always)]
fn swaps8_with<S: Isa>(isa: S, cells: &[u8; 64]) -> (u64, u64) {
    const NOT_LEFT: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_RIGHT: u64 = NOT_LEFT >> 1;
    const NOT_RIGHT2: u64 = 0x3f3f_3f3f_3f3f_3f3f;

    // Where a byte mask is more than an instruction or two, bit planes are cheaper to compare.
    let (colored, locked, equal) =
        if S::FAST_BITMASK { equal_by_bytes(isa, cells) } else { equal_by_planes(cells) };
    let [e1, e2, e7, e8, e9, e16] = equal;
    // Clears the pairs that wrap around the right edge, as the formula requires.
    let (e1, e2) = (e1 & NOT_RIGHT, e2 & NOT_RIGHT2);
    // Down right, and down left.
    let (e9, e7) = (e9 & NOT_RIGHT, e7 & NOT_LEFT);
    let free = colored & !locked;

    let equal = EqualMasks {
        right: RowMajor(e1),
        right2: RowMajor(e2),
        down: RowMajor(e8),
        down2: RowMajor(e16),
        down_right: RowMajor(e9),
        down_left: RowMajor(e7),
    };
    let (right, down) = equal.swaps();
    let (right, down) = (right & free & (free >> 1) & NOT_RIGHT, down & free & (free >> 8));
    (right, down)
}

/// A mask of an 8 x 8 board in rows, bit 8y + x. The ends of the rows touch, as [`EqualMasks`] describes.
#[derive(Clone, Copy)]
struct RowMajor(u64);

impl OffsetMask for RowMajor {
    type Word = u64;
    #[inline(always)]
    fn at<const DX: i32, const DY: i32>(self) -> u64 {
        let n = 8 * DY + DX;
        if n < 0 { self.0 << -n } else { self.0 >> n }
    }
}

/// The distances in bytes between the cells that the formula compares: right, two to the right, down left,
/// down, down right, two down.
const DISTANCES: [u32; 6] = [1, 2, 7, 8, 9, 16];

/// The cells with a color, the locked cells, and for each of [`DISTANCES`] the cells that equal the cell at
/// that distance.
type Masks = (u64, u64, [u64; 6]);

#[inline(always)]
fn equal_by_bytes<S: Isa>(isa: S, cells: &[u8; 64]) -> Masks {
    let colors = isa.splat_u8(Cell::COLOR_BITS);
    let (upper, lower) = (load(isa, cells, 0), load(isa, cells, 32));
    let colored = !word((upper & colors).zero_bitmask(), (lower & colors).zero_bitmask());
    let locked = word(upper.movemask(), lower.movemask());
    let mut equal = [0; 6];
    for (equal, k) in equal.iter_mut().zip(DISTANCES) {
        // Two pairs of loads cover the 64 - k cells with a partner at this distance. Where they overlap, they
        // agree.
        let k = k as usize;
        let low = ((upper ^ load(isa, cells, k)) & colors).zero_bitmask();
        let high = ((load(isa, cells, 32 - k) ^ lower) & colors).zero_bitmask();
        *equal = colored & (u64::from(low) | u64::from(high) << (32 - k));
    }
    (colored, locked, equal)
}

#[inline(always)]
fn word(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

#[inline(always)]
fn load<S: Isa>(isa: S, cells: &[u8; 64], from: usize) -> S::U8x32 {
    isa.u8x32(cells[from..].first_chunk().expect("32 bytes within the board"))
}

#[inline(always)]
fn equal_by_planes(cells: &[u8; 64]) -> Masks {
    let plane = |bit: u32| {
        cells
            .as_chunks()
            .0
            .iter()
            .enumerate()
            .fold(0, |plane, (y, row)| plane | gather_bit(u64::from_le_bytes(*row), bit) << (8 * y))
    };
    let any = cells.iter().fold(0, |any, &cell| any | cell) & Cell::COLOR_BITS;
    let (mut colored, mut different) = (0, [0; 6]);
    for bit in 0..u8::BITS - any.leading_zeros() {
        let plane = plane(bit);
        colored |= plane;
        for (different, k) in different.iter_mut().zip(DISTANCES) {
            *different |= plane ^ (plane >> k);
        }
    }
    // An empty cell differs from every color, and `colored` excludes pairs of empty cells.
    (colored, plane(7), different.map(|different| colored & !different))
}
