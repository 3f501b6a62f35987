//! Swaps and their cascades, and swaps ranked by score for hints.

use crate::bitboard::mask::{Mask, RowMask};
use crate::bitboard::{FourWords, PlaneBoard, PlaneLayout};
use crate::board::{Board, Cell, MAX_COLOR};
use crate::cascade_result::CascadeResult;
use crate::cells::groups::groups_in;
use crate::cells::journal::{Event, Journal};
use crate::legality::exchange_if_legal;
use crate::runs::matched;
use crate::swap::{Swap, SwapError};
use crate::swaps::swaps;
use alloc::vec::Vec;
use bitcore::SetBits;

/// Clears all runs, lets the columns fall and refills them, repeatedly until the board is stable.
///
/// Pieces fall straight down through empty cells; blocked cells stay in place and stop them. New
/// pieces enter at the top, column by column from the left; within a column, they fill the empty
/// cells without a blocked cell above, lowest first. Each call of `color` draws the color of one
/// piece, clamped to 1..=35. A stable board is left unchanged, including its empty cells.
///
/// Per cascade level, the journal receives a [`Match`](Event::Match) for every group, a
/// [`Clear`](Event::Clear) for every matched cell (by row, then by column), then for every column
/// from left to right its [`Fall`](Event::Fall)s from the bottom up and its
/// [`Spawn`](Event::Spawn)s.
///
/// The cascade ends when the new pieces make no run, or after
/// [`MAX_LEVELS`](CascadeResult::MAX_LEVELS) levels: then the board keeps its runs.
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
    color: impl FnMut() -> u8,
    journal: &mut J,
) -> CascadeResult {
    levels(board, journal, Some(color))
}

/// Plays a [`cascade`](fn@cascade) without new pieces: the part that is certain before new pieces
/// are drawn.
///
/// ```
/// use match3::{Board, cascade_without_refill};
/// let mut board: Board = "221\n112\n111".parse()?;
/// let result = cascade_without_refill(&mut board, &mut ());
/// assert_eq!((result.cleared, result.score, result.levels), (3, 30, 1));
/// assert_eq!(board.to_string(), "...\n221\n112");
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn cascade_without_refill<J: Journal>(board: &mut Board, journal: &mut J) -> CascadeResult {
    levels(board, journal, None::<fn() -> u8>)
}

/// Extra rules that a journal can add to each cascade level. Journals of plain boards add none.
pub(crate) trait LevelRules: Journal {
    /// Records the groups of a level and adds the cells that are cleared with them to `rows`.
    fn matched(&mut self, board: &Board, rows: &mut RowMask, level: u64);

    /// Puts pieces into just-cleared cells.
    fn cleared(&mut self, _board: &mut Board, _level: u64) {}
}

impl<J: Journal> LevelRules for &mut J {
    #[inline]
    fn matched(&mut self, board: &Board, rows: &mut RowMask, level: u64) {
        if J::RECORDS {
            for group in groups_in(board, *rows) {
                self.record(Event::Match { level, group });
            }
        }
    }
}

/// Plays the levels of a cascade, without refills if `color` is `None`.
#[inline]
pub(crate) fn levels<J: LevelRules>(
    board: &mut Board,
    mut journal: J,
    mut color: Option<impl FnMut() -> u8>,
) -> CascadeResult {
    let mut result = CascadeResult::default();
    // On the first level, any column may have gaps; afterwards, only columns with cleared cells.
    let mut columns = u64::MAX >> (64 - board.width());
    while result.levels < CascadeResult::MAX_LEVELS {
        let level = result.levels + 1;
        let mut rows = matched(board);
        journal.matched(board, &mut rows, level);
        if rows.is_empty() {
            break;
        }
        result.add_level(rows.len() as u64);
        for (x, y) in rows.cells() {
            if J::RECORDS {
                journal.record(Event::Clear { level, at: (x, y), cell: board[(x, y)] });
            }
            board[(x, y)] = Cell::EMPTY;
        }
        journal.cleared(board, level);
        if level > 1 {
            columns = rows.words().iter().fold(0, |all, row| all | row);
        }
        for x in SetBits(columns).map(|x| x as usize) {
            let open = fall(board, x, &mut journal);
            if let Some(color) = &mut color {
                refill(board, x, open, color, &mut journal);
            }
        }
    }
    result
}

/// Returns the number of empty cells at the top of the column.
#[inline]
fn fall<J: Journal>(board: &mut Board, x: usize, journal: &mut J) -> usize {
    // All cells in row `floor` and below are at rest.
    let mut floor = board.height();
    for y in (0..board.height()).rev() {
        let cell = board[(x, y)];
        if cell == Cell::BLOCKED {
            floor = y;
        } else if cell != Cell::EMPTY {
            floor -= 1;
            if floor != y {
                board[(x, y)] = Cell::EMPTY;
                board[(x, floor)] = cell;
                if J::RECORDS {
                    journal.record(Event::Fall { from: (x, y), to: (x, floor) });
                }
            }
        }
    }
    floor
}

/// Draws new pieces for the top `open` cells of a column, lowest first.
#[inline]
fn refill<J: Journal>(
    board: &mut Board,
    x: usize,
    open: usize,
    color: &mut impl FnMut() -> u8,
    journal: &mut J,
) {
    for y in (0..open).rev() {
        let cell = Cell::from_byte(color().clamp(1, MAX_COLOR));
        board[(x, y)] = cell;
        if J::RECORDS {
            journal.record(Event::Spawn { at: (x, y), cell });
        }
    }
}

/// Plays a swap and its [`cascade`](fn@cascade). The journal receives a [`Swap`](Event::Swap), then
/// the events of the cascade.
///
/// # Errors
///
/// The reason the swap is illegal. The board is then unchanged, no color is drawn, and no event is
/// recorded. If there are several reasons, the first in this order: a cell outside, the first cell,
/// the second cell, both together.
///
/// ```
/// use match3::{Axis, Board, Swap, SwapError, try_swap};
/// let mut board: Board = "2332\n1121".parse()?;
/// let mut colors = [4, 5, 6].into_iter();
/// let mut draw = || colors.next().unwrap_or(1);
/// let swap = |x| Swap { x, y: 1, axis: Axis::Horizontal };
/// assert_eq!(try_swap(&mut board, swap(1), &mut draw, &mut ()), Err(SwapError::NoRun((1, 1))));
/// assert_eq!(try_swap(&mut board, swap(3), &mut draw, &mut ()), Err(SwapError::Outside((4, 1))));
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

/// Returns all legal swaps, each with the [`CascadeResult`] of playing it with
/// [`cascade_without_refill`] on a copy of the board: highest score first, ties in swap order. Use
/// the first one as a hint.
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
    ranked_on::<u64>(board)
        .or_else(|| ranked_on::<FourWords>(board))
        .unwrap_or_else(|| ranked_in_cells(board))
}

/// Returns `None` if the board doesn't fit.
fn ranked_on<W: PlaneLayout<4>>(board: &Board) -> Option<Vec<(Swap, CascadeResult)>> {
    let board = PlaneBoard::<W, 4>::try_from(board).ok()?;
    Some(ranked(board.swaps().iter(), |swap| {
        let mut after = board;
        after.exchange_at(board.swap_bit(swap));
        after.cascade_without_refill()
    }))
}

fn ranked_in_cells(board: &Board) -> Vec<(Swap, CascadeResult)> {
    ranked(swaps(board).iter(), |swap| {
        let [a, b] = swap.cells();
        let mut after = board.clone();
        after.exchange(a, b);
        cascade_without_refill(&mut after, &mut ())
    })
}

/// Rates swaps and sorts them by score. The sort is stable: ties stay in swap order.
pub(crate) fn ranked(
    swaps: impl Iterator<Item = Swap>,
    rate: impl Fn(Swap) -> CascadeResult,
) -> Vec<(Swap, CascadeResult)> {
    let mut ranked: Vec<_> = swaps.map(|swap| (swap, rate(swap))).collect();
    ranked.sort_by_key(|(_, result)| core::cmp::Reverse(result.score));
    ranked
}
