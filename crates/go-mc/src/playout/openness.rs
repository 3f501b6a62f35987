//! [`is_open`]: whether a game has something left to play for, by playouts.

use crate::playout::ownership::Ownership;
use crate::playout::seki::{chains, seki};
use crate::rules::board::{Board, Color};
use crate::rules::error::Error;
use crate::rules::points::Points;

/// The number of points from which an open region keeps a game from its end; a smaller one is a
/// dame or two.
const MIN_REGION: u32 = 4;
/// The ownership, averaged over a region, from which a region with stones of one color around it is
/// settled. Settled regions have 0.3 to 1, because random playouts sometimes let an invader live.
const MIN_TERRITORY: f64 = 0.25;
/// The ownership below which a chain is neither alive nor dead.
const MIN_STATUS: f64 = 0.1;

/// Returns whether a board has an open region of more than three points: a region whose owner is
/// not settled, so that a game that ends there is cut short. The `games` playouts decide which
/// stones are [dead](crate::dead_stones); these are removed first. A region is open if
///
/// - it touches stones of both colors and is no liberty of a [seki](crate::seki_stones),
/// - or it has more than half of the board's points, or none of the stones around it own it in the
///   playouts,
/// - or its stones survive in about half of the playouts.
///
/// # Errors
///
/// [`Error::NoPlayouts`] unless the board is a square of 5, 9, 13 or 19.
///
/// ```
/// use go_mc::{Board, is_open};
/// let board: Board = "...X.....\n".repeat(9).replace("X.", "XO").parse()?;
/// assert!(!is_open(&board, 1000, 1)?);
/// let gap = board.to_string().replacen("XO", "..", 2).parse()?;
/// assert!(is_open(&gap, 1000, 1)?);
/// # Ok::<(), go_mc::Error>(())
/// ```
pub fn is_open(board: &Board, games: u32, seed: u64) -> Result<bool, Error> {
    let standing = Standing::new(board, &Ownership::estimate(board, games, seed)?);
    Ok(has_open_region(standing.open))
}

/// What playouts know about a board on which a game may end.
pub(crate) struct Standing {
    /// The dead stones, as [`dead_stones`](crate::dead_stones) finds them.
    pub(crate) dead: Points<19>,
    /// The points whose owner is not settled, down to the last dame.
    pub(crate) open: Points<19>,
}

impl Standing {
    pub(crate) fn new(board: &Board, ownership: &Ownership) -> Self {
        let seki = seki(board, ownership);
        let dead = ownership.dead(board) - seki;
        let settled = board.without(dead);
        let is_open = |region: &Points<19>| {
            let beside = Color::ALL.map(|color| region.neighbors() & settled.stones(color));
            let owner = if beside[0].is_empty() { Color::White } else { Color::Black };
            if beside.iter().all(|stones| !stones.is_empty()) {
                !(*region - seki.neighbors()).is_empty()
            } else {
                2 * region.len() > board.size().points().len()
                    || share(ownership, owner, *region) < MIN_TERRITORY
            }
        };
        let mut open = regions(settled.empty())
            .filter(is_open)
            .fold(Points::EMPTY, |open, region| open | region);
        for color in Color::ALL {
            for chain in chains(board, board.stones(color) - seki) {
                if share(ownership, color, chain).abs() < MIN_STATUS {
                    open |= chain | (chain.neighbors() & board.empty());
                }
            }
        }
        Self { dead, open }
    }

    /// Returns the open points of a game in which all stones count as alive: also the dead stones
    /// of `color`, which must be captured, and their liberties.
    pub(crate) fn open_with_dead(&self, board: &Board, color: Color) -> Points<19> {
        let dead = self.dead & board.stones(color);
        self.open | dead | (dead.neighbors() & board.empty())
    }
}

/// Returns whether open points form a region that keeps a game from its end.
pub(crate) fn has_open_region(open: Points<19>) -> bool {
    regions(open).any(|region| region.len() >= MIN_REGION)
}

fn regions(points: Points<19>) -> impl Iterator<Item = Points<19>> {
    let mut left = points;
    core::iter::from_fn(move || {
        let region = Points::from_index(left.iter().next()?).flood(left);
        left -= region;
        Some(region)
    })
}

/// Returns the average ownership of points, from -1 (always the opponent's) to 1 (always
/// `color`'s).
fn share(ownership: &Ownership, color: Color, points: Points<19>) -> f64 {
    let count = |color| {
        points.iter().map(|at| u64::from(ownership.count_at(color, at))).sum::<u64>() as f64
    };
    (count(color) - count(color.other()))
        / (ownership.games() * u64::from(points.len())).max(1) as f64
}
