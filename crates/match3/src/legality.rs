//! The rules of a legal swap, cell by cell.

use crate::board::{Board, Cell};
use crate::swap::{Swap, SwapError};

/// Counts the cells left and right of (x, y), and those above and below, that continue its color without a
/// gap, at most two in each direction.
pub(crate) fn equal_neighbors(board: &Board, x: usize, y: usize) -> (usize, usize) {
    let cell = board.get(x, y);
    let left = (1..3).take_while(|&d| d <= x && cell.matches(board.get(x - d, y))).count();
    let right = (1..3).take_while(|&d| x + d < board.width() && cell.matches(board.get(x + d, y))).count();
    let up = (1..3).take_while(|&d| d <= y && cell.matches(board.get(x, y - d))).count();
    let down = (1..3).take_while(|&d| y + d < board.height() && cell.matches(board.get(x, y + d))).count();
    (left + right, up + down)
}

pub(crate) fn in_run(board: &Board, x: usize, y: usize) -> bool {
    let (across, along) = equal_neighbors(board, x, y);
    across >= 2 || along >= 2
}

/// Returns the two cells of a swap if both are on the board.
fn cells_on(board: &Board, swap: Swap) -> Result<[(usize, usize); 2], SwapError> {
    let Swap { x, y, .. } = swap;
    if x >= board.width() || y >= board.height() {
        return Err(SwapError::Outside { x, y });
    }
    let cells = swap.cells();
    let (x, y) = cells[1];
    if x >= board.width() || y >= board.height() { Err(SwapError::Outside { x, y }) } else { Ok(cells) }
}

/// Returns the two cells of a swap if both are on the board and hold unlocked pieces.
pub(crate) fn swappable_cells(board: &Board, swap: Swap) -> Result<[(usize, usize); 2], SwapError> {
    let cells = cells_on(board, swap)?;
    for (x, y) in cells {
        match board.get(x, y) {
            Cell::EMPTY => return Err(SwapError::Empty { x, y }),
            Cell::BLOCKED => return Err(SwapError::Blocked { x, y }),
            cell if cell.is_locked() => return Err(SwapError::Locked { x, y }),
            _ => {}
        }
    }
    Ok(cells)
}

/// Exchanges the cells of a legal swap. An illegal swap changes nothing.
pub(crate) fn exchange_if_legal(board: &mut Board, swap: Swap) -> Result<(), SwapError> {
    let [a, b] = swappable_cells(board, swap)?;
    let (x, y) = a;
    if board.get(a.0, a.1).matches(board.get(b.0, b.1)) {
        return Err(SwapError::SameColor { x, y });
    }
    board.exchange(a, b);
    if in_run(board, a.0, a.1) || in_run(board, b.0, b.1) {
        return Ok(());
    }
    board.exchange(a, b);
    Err(SwapError::NoRun { x, y })
}
