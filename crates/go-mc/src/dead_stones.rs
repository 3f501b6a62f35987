//! Which stones are dead, by playouts.

use crate::board::Board;
use crate::ownership::Ownership;
use crate::points::Points;
use crate::results::UnsupportedSize;
use crate::seki::seki;

/// The stones of a board that are dead by the majority of `games` playouts ([`Ownership::dead`]), but for those
/// [in seki](crate::seki_stones): playouts put themselves into atari there.
///
/// What light playouts can't see, they can't tell: of a fight that one correct move decides, expect no verdict. Take off
/// what is dead with [`Board::without`] and count the [area](Board::area).
///
/// # Errors
///
/// If the board isn't a square of 5, 9, 13 or 19.
///
/// ```
/// use go_mc::{Board, Points, dead_stones};
/// let text = "....X....\n".repeat(7) + "..O.X....\n" + "....X....\n";
/// let board: Board = text.replace("X....", "XO.O.").parse().unwrap();
/// let dead = dead_stones(&board, 1000, 1)?;
/// assert!(!dead.contains(Points::<19>::index("E1".parse().unwrap()).unwrap()));
/// # Ok::<(), go_mc::UnsupportedSize>(())
/// ```
pub fn dead_stones(board: &Board, games: u32, seed: u64) -> Result<Points<19>, UnsupportedSize> {
    let ownership = Ownership::estimate_any_size(board, games, seed)?;
    Ok(ownership.dead(board.stones_by_color()) - seki(board, &ownership))
}
