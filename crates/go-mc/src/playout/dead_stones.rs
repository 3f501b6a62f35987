//! [`dead_stones`]: the status of stones, by playouts.

use crate::playout::ownership::Ownership;
use crate::playout::seki::seki;
use crate::rules::board::Board;
use crate::rules::error::Error;
use crate::rules::points::Points;

/// Returns the dead stones of a board by a majority of `games` playouts ([`Ownership::dead`]),
/// except the stones [in seki](crate::seki_stones), which playouts misjudge because they put them
/// into atari.
///
/// Light playouts are only a statistic and can't settle a fight that depends on a single correct
/// move. Remove the dead stones with [`Board::without`] and count the [area](Board::area).
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
