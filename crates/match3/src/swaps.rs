//! The legal swaps of a board of cells.

use crate::bitboard::board64::Board64;
use crate::bitboard::cell_rows;
use crate::bitboard::mask::Swaps;
use crate::board::Board;

/// Returns all legal swaps of a board of any size, one word per row.
///
/// ```
/// let board: match3::Board = "1121".parse()?;
/// let found: Vec<String> = match3::swaps(&board).iter().map(|swap| swap.to_string()).collect();
/// assert_eq!(found, ["2 0 H"]);
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn swaps(board: &Board) -> Swaps {
    match cell_rows::swaps(board) {
        Some([right, down]) => {
            Swaps { right: right.mask(board.height()), down: down.mask(board.height()) }
        }
        None => Board64::from(board).swaps(),
    }
}

/// Returns whether the board has a legal swap. If it has none, it is dead.
///
/// ```
/// assert!(match3::has_swap(&"1121".parse()?));
/// assert!(!match3::has_swap(&"1122".parse()?));
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn has_swap(board: &Board) -> bool {
    match cell_rows::swaps(board) {
        Some([right, down]) => !right.is_empty() || !down.is_empty(),
        None => !Board64::from(board).swaps().is_empty(),
    }
}
