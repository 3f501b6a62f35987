//! All legal swaps of a board of cells.

use crate::bitboard::board64::Board64;
use crate::bitboard::mask::{RowMask, Swaps};
use crate::bitboard::rows8;
use crate::board::Board;

/// Returns all legal swaps of a board of any size, as one word per row.
///
/// ```
/// let board: match3::Board = "1121".parse()?;
/// let found: Vec<String> = match3::swaps(&board).iter().map(|swap| swap.to_string()).collect();
/// assert_eq!(found, ["2 0 H"]);
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn swaps(board: &Board) -> Swaps {
    let Some(cells) = rows8::cells(board) else { return Board64::new(board).swaps() };
    let (right, down) = rows8::swaps(&cells);
    let mask = |rows| RowMask::of_bytes(rows, board.height());
    Swaps { right: mask(right), down: mask(down) }
}

/// Returns whether the board has a legal swap. A board without one is dead.
///
/// ```
/// assert!(match3::has_swap(&"1121".parse()?));
/// assert!(!match3::has_swap(&"1122".parse()?));
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn has_swap(board: &Board) -> bool {
    match rows8::cells(board) {
        Some(cells) => rows8::swaps(&cells) != (0, 0),
        None => !Board64::new(board).swaps().is_empty(),
    }
}
