//! Swaps with their cascades, and swaps ranked by score for hints.

use crate::board::{Board, Cell, MAX_COLOR};
pub use crate::cascade_result::CascadeResult;
use crate::game::groups::groups_in;
use crate::game::journal::{Event, Journal};
use crate::legality::exchange_if_legal;
use crate::runs::matched;
use crate::swap::{Swap, SwapError};
use crate::swaps::swaps;
use alloc::vec::Vec;
use bitcore::SetBits;

/// Clears all runs at once, lets the columns fall and refills them, again and again until the board is
/// stable.
///
/// A piece falls straight down through empty cells; blocked cells stay and stop it. New pieces enter at the
/// top, column by column from the left, in each column from the lowest empty cell up that has no blocked cell
/// above. `color` draws the color of one piece, and is clamped to 1..=35. A stable board is left as it is,
/// with its empty cells.
///
/// The journal gets, per level: a [`Match`](Event::Match) for every group, a [`Clear`](Event::Clear) for
/// every matched cell (by row, then by column), then for every column from left to right its
/// [`Fall`](Event::Fall)s from the bottom up and its [`Spawn`](Event::Spawn)s.
///
/// The cascade ends when new pieces make no run. With a `color` that always makes one, it never ends.
///
/// ```
/// use match3::{Board, cascade};
/// let mut board: Board = "231\n111\n232".parse()?;
/// let mut draws = [1, 2, 3].into_iter();
/// let result = cascade(&mut board, || draws.next().unwrap_or(4), &mut ());
/// assert_eq!((result.cleared, result.score, result.levels), (3, 30, 1));
/// assert_eq!(board.to_string(), "123\n231\n232");
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn cascade<J: Journal>(
    board: &mut Board,
    mut color: impl FnMut() -> u8,
    journal: &mut J,
) -> CascadeResult {
    levels(board, journal, |board, journal, x, open| refill(board, x, open, &mut color, journal))
}

/// Plays a [`cascade`](fn@cascade) without new pieces: the part that is certain before a piece is drawn.
///
/// ```
/// use match3::cascade::cascade_without_refill;
/// use match3::Board;
/// let mut board: Board = "221\n112\n111".parse()?;
/// let result = cascade_without_refill(&mut board, &mut ());
/// assert_eq!((result.cleared, result.score, result.levels), (3, 30, 1));
/// assert_eq!(board.to_string(), "...\n221\n112");
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn cascade_without_refill<J: Journal>(board: &mut Board, journal: &mut J) -> CascadeResult {
    levels(board, journal, |_, _, _, _| {})
}

/// Plays the levels of a cascade. `refill` gets a column and the number of its empty cells that are open to
/// the top.
#[inline]
fn levels<J: Journal>(
    board: &mut Board,
    journal: &mut J,
    mut refill: impl FnMut(&mut Board, &mut J, usize, usize),
) -> CascadeResult {
    let mut result = CascadeResult::default();
    // In the first level each column may have gaps; later only those in which cells were cleared.
    let mut columns = u64::MAX >> (64 - board.width());
    loop {
        let runs = matched(board);
        let runs = runs.words();
        let cells: u64 = runs.iter().map(|row| u64::from(row.count_ones())).sum();
        if cells == 0 {
            return result;
        }
        result.levels += 1;
        result.cleared += cells;
        result.score += 10 * cells * result.levels;
        if J::RECORDS {
            for group in groups_in(board, runs) {
                journal.record(Event::Match { level: result.levels, group });
            }
        }
        for (y, &row) in runs.iter().enumerate() {
            for x in SetBits(row).map(|x| x as usize) {
                if J::RECORDS {
                    let cell = board.get(x, y);
                    journal.record(Event::Clear { level: result.levels, at: (x, y), cell });
                }
                board.set(x, y, Cell::EMPTY);
            }
        }
        if result.levels > 1 {
            columns = runs.iter().fold(0, |all, row| all | row);
        }
        for x in SetBits(columns).map(|x| x as usize) {
            let open = fall(board, x, journal);
            refill(board, journal, x, open);
        }
    }
}

/// Lets one column fall. Returns the number of empty cells at its top.
#[inline]
pub(crate) fn fall<J: Journal>(board: &mut Board, x: usize, journal: &mut J) -> usize {
    // All cells from row `floor` on are at rest.
    let mut floor = board.height();
    for y in (0..board.height()).rev() {
        let cell = board.get(x, y);
        if cell == Cell::BLOCKED {
            floor = y;
        } else if cell != Cell::EMPTY {
            floor -= 1;
            if floor != y {
                board.set(x, y, Cell::EMPTY);
                board.set(x, floor, cell);
                if J::RECORDS {
                    journal.record(Event::Fall { from: (x, y), to: (x, floor) });
                }
            }
        }
    }
    floor
}

/// Draws new pieces for the upper `open` cells of a column, the lowest first.
#[inline]
pub(crate) fn refill<J: Journal>(
    board: &mut Board,
    x: usize,
    open: usize,
    color: &mut impl FnMut() -> u8,
    journal: &mut J,
) {
    for y in (0..open).rev() {
        let cell = Cell::from_byte(color().clamp(1, MAX_COLOR));
        board.set(x, y, cell);
        if J::RECORDS {
            journal.record(Event::Spawn { at: (x, y), cell });
        }
    }
}

/// Plays a swap and its [`cascade`](fn@cascade). The journal gets a [`Swap`](Event::Swap) and the events of
/// the cascade.
///
/// # Errors
///
/// The reason why the swap isn't legal; then the board is untouched, and no color is drawn and no event
/// recorded. Of several reasons the first in this order: a cell outside, the first cell, the second cell,
/// both together.
///
/// ```
/// use match3::{Axis, Board, Swap, SwapError, try_swap};
/// let mut board: Board = "2332\n1121".parse()?;
/// let mut colors = [4, 5, 6].into_iter();
/// let mut draw = || colors.next().unwrap_or(1);
/// let swap = |x| Swap { x, y: 1, axis: Axis::Horizontal };
/// assert_eq!(try_swap(&mut board, swap(1), &mut draw, &mut ()), Err(SwapError::NoRun { x: 1, y: 1 }));
/// assert_eq!(try_swap(&mut board, swap(3), &mut draw, &mut ()), Err(SwapError::Outside { x: 4, y: 1 }));
/// assert_eq!(board.to_string(), "2332\n1121");
/// assert_eq!(try_swap(&mut board, swap(2), &mut draw, &mut ()).map(|result| result.cleared), Ok(3));
/// assert_eq!(board.to_string(), "4562\n2332");
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn try_swap<J: Journal>(
    board: &mut Board,
    swap: Swap,
    color: impl FnMut() -> u8,
    journal: &mut J,
) -> Result<CascadeResult, SwapError> {
    exchange_if_legal(board, swap)?;
    if J::RECORDS {
        journal.record(Event::Swap(swap));
    }
    Ok(cascade(board, color, journal))
}

/// Returns all legal swaps, each with the [`CascadeResult`] of [`cascade_without_refill`] after it on a copy
/// of the board: the highest score first, equal scores in the order of swaps. The first one is a hint.
///
/// ```
/// use match3::{Board, ranked_swaps};
/// let board: Board = "
/// 1213
/// 3122
/// 2331"
///     .parse()?;
/// let (swap, result) = ranked_swaps(&board)[0];
/// assert_eq!((swap.to_string().as_str(), result.score), ("1 0 V", 60));
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn ranked_swaps(board: &Board) -> Vec<(Swap, CascadeResult)> {
    let rate = |swap: Swap| {
        let [a, b] = swap.cells();
        let mut after = board.clone();
        after.exchange(a, b);
        (swap, cascade_without_refill(&mut after, &mut ()))
    };
    let mut ranked: Vec<(Swap, CascadeResult)> = swaps(board).iter().map(rate).collect();
    // The sort is stable: equal scores stay in order.
    ranked.sort_by_key(|(_, result)| core::cmp::Reverse(result.score));
    ranked
}
