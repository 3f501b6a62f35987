//! The definition of a legal swap, cell by cell.

use crate::board::{At, Board, Cell};
use crate::swap::{Axis, Swap, SwapError};

/// Returns every swap of a cell with its right or lower neighbor, in order, including neighbors
/// outside the board.
pub(crate) fn pairs(board: &Board) -> impl Iterator<Item = Swap> + use<> {
    board
        .places()
        .flat_map(|(x, y)| [Axis::Horizontal, Axis::Vertical].map(|axis| Swap { x, y, axis }))
}

/// Counts the contiguous cells of the same color to the left, right, top and bottom of a cell, at
/// most two in each direction.
pub(crate) fn arms(board: &Board, (x, y): At) -> [usize; 4] {
    let cell = board[(x, y)];
    let left = (1..3).take_while(|&d| d <= x && cell.matches(board[(x - d, y)])).count();
    let right =
        (1..3).take_while(|&d| x + d < board.width() && cell.matches(board[(x + d, y)])).count();
    let up = (1..3).take_while(|&d| d <= y && cell.matches(board[(x, y - d)])).count();
    let down =
        (1..3).take_while(|&d| y + d < board.height() && cell.matches(board[(x, y + d)])).count();
    [left, right, up, down]
}

pub(crate) fn in_run(board: &Board, at: At) -> bool {
    let [left, right, up, down] = arms(board, at);
    left + right >= 2 || up + down >= 2
}

/// Returns whether a cell is in a block of 2 x 2 cells of one color.
pub(crate) fn in_square(board: &Board, at: At) -> bool {
    let cell = board[at];
    let is_equal = |step| board.step(at, step, 1).is_some_and(|at| cell.matches(board[at]));
    [(-1, -1), (1, -1), (-1, 1), (1, 1)]
        .into_iter()
        .any(|(dx, dy)| is_equal((dx, 0)) && is_equal((0, dy)) && is_equal((dx, dy)))
}

pub(crate) fn swappable_cells(board: &Board, swap: Swap) -> Result<[At; 2], SwapError> {
    let inside = |at| if board.contains(at) { Ok(at) } else { Err(SwapError::Outside(at)) };
    // The upper or left cell first: far outside the board, its neighbor could overflow `usize`.
    inside((swap.x, swap.y))?;
    let cells = swap.cells();
    inside(cells[1])?;
    for at in cells {
        match board[at] {
            Cell::EMPTY => return Err(SwapError::Empty(at)),
            Cell::BLOCKED => return Err(SwapError::Blocked(at)),
            cell if cell.is_locked() => return Err(SwapError::Locked(at)),
            _ => {}
        }
    }
    Ok(cells)
}

/// An illegal swap leaves the board unchanged.
pub(crate) fn exchange_if_legal(board: &mut Board, swap: Swap) -> Result<(), SwapError> {
    let [a, b] = swappable_cells(board, swap)?;
    if board[a].matches(board[b]) {
        return Err(SwapError::SameColor(a));
    }
    board.exchange(a, b);
    if in_run(board, a) || in_run(board, b) {
        return Ok(());
    }
    board.exchange(a, b);
    Err(SwapError::NoRun(a))
}
