//! Runs: straight rows or columns of three or more equal cells.

use crate::board::Board;
use crate::equal::Equal;
use alloc::vec::Vec;

/// The cells that lie in a run: a mask a row from the top, bit x = column x.
///
/// ```
/// let board: match3::Board = "1112\n2321".parse()?;
/// assert_eq!(match3::matched(&board), [0b0111, 0]);
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn matched(board: &Board) -> Vec<u64> {
    let equal = Equal::new(board);
    (0..board.height())
        .map(|y| {
            // The first cells of three equal ones in the row; and of columns, those whose top is up to two rows above.
            let across = equal.right.at(y, 0) & (equal.right.at(y, 0) >> 1);
            let column = |dy| equal.down.at(y, dy) & equal.down.at(y, dy + 1);
            across | across << 1 | across << 2 | column(0) | column(-1) | column(-2)
        })
        .collect()
}

/// Whether the board has no run.
///
/// ```
/// assert!(match3::is_stable(&"112\n211".parse()?));
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn is_stable(board: &Board) -> bool {
    matched(board).iter().all(|&row| row == 0)
}
