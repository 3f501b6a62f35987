//! [`dead_stones`]: the status of stones by playouts.

use crate::board::Board;
use crate::error::Error;
use crate::ownership::Ownership;
use crate::points::Points;
use crate::seki::seki;

/// Returns the dead stones of a board by the majority of `games` playouts ([`Ownership::dead`]), without the
/// stones [in seki](crate::seki_stones), which playouts wrongly put into atari.
///
/// Light playouts are a statistic: they give no verdict on a fight that a single correct move decides. Remove
/// the dead stones with [`Board::without`] and count the [area](Board::area).
///
/// # Errors
///
/// [`Error::NoPlayouts`] unless the board is a square of 5, 9, 13 or 19.
///
/// ```
/// use go_mc::{Board, Points, dead_stones};
/// let text = "....X....\n".repeat(7) + "..O.X....\n" + "....X....\n";
/// let board: Board = text.replace("X....", "XO.O.").parse().unwrap();
/// let dead = dead_stones(&board, 1000, 1)?;
/// assert!(!dead.contains(Points::<19>::index("E1".parse().unwrap()).unwrap()));
/// # Ok::<(), go_mc::Error>(())
/// ```
pub fn dead_stones(board: &Board, games: u32, seed: u64) -> Result<Points<19>, Error> {
    let ownership = Ownership::estimate(board, games, seed)?;
    Ok(ownership.dead(board) - seki(board, &ownership))
}
