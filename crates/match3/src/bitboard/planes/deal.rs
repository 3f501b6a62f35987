//! [`PlaneBoard::deal`]: random starting boards.

use super::plane_board::{PlaneBoard, PlaneLayout};
use crate::bitboard::color_counts::check_colors;
use crate::bitboard::colors::RandomColors;
use crate::bitboard::words::exchange_digits;
use crate::board::Cell;
use crate::error::Error;

/// Boards drawn before a deal gives up.
const BOARDS: u32 = 10_000;

impl<W: PlaneLayout<P>, const P: usize> PlaneBoard<W, P> {
    /// Deals a random full board that has no run and at least one legal swap.
    ///
    /// Draws the cells row by row from the top, redraws a cell while it would complete a run to the
    /// left or above, and redraws the whole board if it has no legal swap. For boards of any size
    /// and with fewer colors, use [`deal`](crate::deal).
    ///
    /// # Errors
    ///
    /// [`Error::Size`]; [`Error::Colors`] if there are fewer than three colors (every one of them
    /// could complete a run in some cell) or more than fit into the planes; [`Error::Dead`] if none
    /// of 10,000 boards had a legal swap, as on 2 x 2.
    ///
    /// ```
    /// use match3::Rng;
    /// use match3::{Board16, Error, RandomColors};
    /// let mut colors = RandomColors::new(5, Rng::new(1))?;
    /// let board: Board16 = Board16::deal(9, 11, &mut colors)?;
    /// assert!(board.is_stable() && board.has_swap());
    /// assert!(matches!(Board16::<3>::deal(2, 2, &mut colors), Err(Error::Dead { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn deal(width: usize, height: usize, colors: &mut RandomColors) -> Result<Self, Error> {
        let empty = Self::empty(width, height)?;
        check_colors::<P>(colors.count())?;
        let dealt = empty.dealt(colors);
        dealt.ok_or(Error::Dead { width, height, colors: colors.count(), boards: BOARDS })
    }

    /// Deals onto an empty board. Returns `None` if no board had a legal swap.
    fn dealt(&self, colors: &mut RandomColors) -> Option<Self> {
        for _ in 0..BOARDS {
            let mut board = *self;
            let width = self.width();
            let height = self.height();
            if Self::IS_WORD {
                let planes = planes_without_runs::<P>(colors, width, height);
                for (to, from) in board.planes.iter_mut().zip(planes) {
                    to.words_mut()[0] = columns(from, width, height);
                }
            } else {
                let cells = without_runs::<P>(colors, width, height);
                for (at, &color) in cells[..width * height].iter().enumerate() {
                    board.put(at % width, at / width, Cell::from_byte(color));
                }
            }
            if !board.swaps().is_empty() {
                return Some(board);
            }
        }
        None
    }
}

/// Draws the colors of a full board without runs, row by row.
fn without_runs<const P: usize>(
    colors: &mut RandomColors,
    width: usize,
    height: usize,
) -> [u8; 256] {
    let mut cells = [0; 256];
    for at in 0..width * height {
        let x = at % width;
        let y = at / width;
        cells[at] = loop {
            let color = colors.next_color::<P>();
            let left = x >= 2 && cells[at - 1] == color && cells[at - 2] == color;
            let above = y >= 2 && cells[at - width] == color && cells[at - 2 * width] == color;
            if !left && !above {
                break color;
            }
        };
    }
    cells
}

/// [`without_runs`] for up to 64 cells in parallel. Returns bit planes where bit `width * y + x` is
/// the cell in column x of row y from the top.
///
/// Puts all buffered colors into the next cells and finds the first one that completes a run. The
/// cells before it are final. Its color is dropped, and the following colors move back by one cell.
fn planes_without_runs<const P: usize>(
    colors: &mut RandomColors,
    width: usize,
    height: usize,
) -> [u64; P] {
    let cells = (width * height) as u32;
    // The cells with two more to their left.
    let row = (1_u64 << width) - 4.min(1 << width);
    let mut has_two_left = 0;
    for y in 0..height {
        has_two_left |= row << (width * y);
    }
    let mut planes = [0_u64; P];
    let mut full = 0;
    while full < cells {
        let (buffer, buffered) = colors.buffered_planes::<P>();
        let new = buffered.min(cells - full);
        let end = full + new;
        let mut differs_left = 0;
        let mut differs_above = 0;
        let mut tried = [0; P];
        for ((tried, plane), buffer) in tried.iter_mut().zip(&planes).zip(buffer) {
            *tried = *plane | buffer << full;
            differs_left |= *tried ^ *tried << 1;
            differs_above |= *tried ^ tried.unbounded_shl(width as u32);
        }
        let left = !differs_left;
        let above = !differs_above;
        let ends_run = left & left << 1 & has_two_left | above & above << width;
        // Colors are never 0, so no cell equals the empty space above the first row.
        let first = (ends_run & (u64::MAX << full)).trailing_zeros().min(end);
        let stays = u64::MAX.unbounded_shl(first);
        for (plane, tried) in planes.iter_mut().zip(tried) {
            *plane = tried & !stays;
        }
        colors.remove(first - full + u32::from(first < end));
        full = first;
    }
    planes
}

/// Returns the word of a board of up to 8 x 8, given its bits row by row.
fn columns(rows: u64, width: usize, height: usize) -> u64 {
    let mut bytes = rows;
    if width < 8 {
        bytes = 0;
        for y in 0..height {
            bytes |= (rows >> (width * y) & ((1 << width) - 1)) << (8 * y);
        }
    }
    // The bottom row goes to the lowest bits of the columns.
    transposed(bytes.swap_bytes() >> (64 - 8 * height))
}

/// Exchanges bit 8y + x with bit 8x + y.
fn transposed(word: u64) -> u64 {
    exchange_digits::<2, 5>(exchange_digits::<1, 4>(exchange_digits::<0, 3>(word)))
}
