//! Runs: straight rows or columns of three or more equal cells.

use crate::bitboard::board64::Board64;
use crate::bitboard::cell_rows;
use crate::bitboard::mask::{Mask, RowMask};
use crate::board::Board;

/// Returns the cells in runs.
///
/// ```
/// use match3::bitboard::Mask;
/// let board: match3::Board = "1112\n2321".parse()?;
/// assert_eq!(match3::matched(&board).words(), [0b0111, 0]);
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn matched(board: &Board) -> RowMask {
    match cell_rows::matched(board) {
        Some(runs) => runs.mask(board.height()),
        None => Board64::from(board).matched(),
    }
}

/// Returns whether the board has no run.
///
/// ```
/// assert!(match3::is_stable(&"112\n211".parse()?));
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn is_stable(board: &Board) -> bool {
    match cell_rows::matched(board) {
        Some(runs) => runs.is_empty(),
        None => Board64::from(board).matched().is_empty(),
    }
}
