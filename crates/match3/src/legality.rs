//! One swap: whether it is legal and why not, and what it came to.

use crate::board::{Board, Cell};
use crate::swap::{Swap, SwapError};

/// How many cells left and right of (x, y), and how many above and below, go on with its color: no more than two each
/// way are looked at.
pub(crate) fn equal_neighbors(board: &Board, x: usize, y: usize) -> (usize, usize) {
    let cell = board.get(x, y);
    let left = (1..3).take_while(|&d| d <= x && cell.matches(board.get(x - d, y))).count();
    let right = (1..3).take_while(|&d| x + d < board.width() && cell.matches(board.get(x + d, y))).count();
    let up = (1..3).take_while(|&d| d <= y && cell.matches(board.get(x, y - d))).count();
    let down = (1..3).take_while(|&d| y + d < board.height() && cell.matches(board.get(x, y + d))).count();
    (left + right, up + down)
}

/// Whether (x, y) lies in a run.
pub(crate) fn in_run(board: &Board, x: usize, y: usize) -> bool {
    let (across, along) = equal_neighbors(board, x, y);
    across >= 2 || along >= 2
}

/// The two cells of a swap if both are on the board.
fn cells_on(board: &Board, swap: Swap) -> Result<[(usize, usize); 2], SwapError> {
    let Swap { x, y, .. } = swap;
    if x >= board.width() || y >= board.height() {
        return Err(SwapError::Outside { x, y });
    }
    let cells = swap.cells();
    let (x, y) = cells[1];
    if x >= board.width() || y >= board.height() { Err(SwapError::Outside { x, y }) } else { Ok(cells) }
}

/// The two cells of a swap if both are on the board and hold pieces that may be moved.
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

/// Makes a legal swap on the board; an illegal one changes nothing.
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
