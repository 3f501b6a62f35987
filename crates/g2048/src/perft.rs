//! [`Perft`]: counts every path of play of a length, to compare rules with other programs.

use crate::board::Board;
use crate::slide::Direction;
use hashbrown::HashMap;

/// The counts of all paths of a length: a path is a legal move, then a tile (a 2, or a 4) on an empty cell, and so on;
/// each choice counts once, however likely it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftRow {
    /// Moves in a path.
    pub depth: u32,
    /// Paths.
    pub nodes: u128,
    /// Different boards at their ends.
    pub distinct: u64,
    /// The sum of what the paths scored, each from its first move on.
    pub gain: u128,
    /// Paths one move shorter that can't go on, because no move is legal at their end.
    pub dead: u128,
}

/// A count beyond 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("depth {depth}: the counts exceed 128 bits")]
pub struct PerftOverflow {
    /// The first depth whose counts don't fit.
    pub depth: u32,
}

/// The [`PerftRow`]s from a board, depth 1 first, until no path goes on (every game ends, so the rows do).
///
/// Equal boards are merged and carry the number of their paths, so a row costs as much as the row before has
/// different boards.
///
/// ```
/// use g2048::{Board, Perft};
/// let corners: Board = "2 . \n . 2".parse()?;
/// let nodes: Vec<u128> = Perft::new(&corners).take(4).map(|row| row.unwrap().nodes).collect();
/// assert_eq!(nodes, [16, 208, 1792, 12160]);
/// # Ok::<_, g2048::ParseBoardError>(())
/// ```
///
/// Where a count needs more than 128 bits the item is an error, and so are all later ones.
#[derive(Clone, Debug)]
pub struct Perft {
    depth: u32,
    frontier: HashMap<Board, Paths>,
}

/// The paths that end at one board.
#[derive(Clone, Copy, Debug, Default)]
struct Paths {
    count: u128,
    gain: u128,
}

impl Paths {
    fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self { count: self.count.checked_add(other.count)?, gain: self.gain.checked_add(other.gain)? })
    }

    /// The same paths, one move longer.
    fn checked_gain(self, gain: u64) -> Option<Self> {
        let more = self.count.checked_mul(u128::from(gain))?;
        Some(Self { count: self.count, gain: self.gain.checked_add(more)? })
    }
}

impl Perft {
    /// The paths that begin at `start`.
    pub fn new(start: &Board) -> Self {
        Self { depth: 0, frontier: HashMap::from_iter([(*start, Paths { count: 1, gain: 0 })]) }
    }

    /// The boards at the ends of the last row's paths, in no particular order; before the first row, the start.
    pub fn boards(&self) -> impl ExactSizeIterator<Item = &Board> {
        self.frontier.keys()
    }

    /// The next row and its boards; `None` on overflow.
    fn deepen(&self, depth: u32) -> Option<(PerftRow, HashMap<Board, Paths>)> {
        let mut next: HashMap<Board, Paths> = HashMap::new();
        let mut dead = 0u128;
        for (board, paths) in &self.frontier {
            let mut over = true;
            for slide in Direction::ALL.map(|direction| board.slide(direction)) {
                if slide.changed {
                    over = false;
                    let paths = paths.checked_gain(slide.gain)?;
                    for child in slide.board.spawns() {
                        let known = next.entry(child).or_default();
                        *known = known.checked_add(paths)?;
                    }
                }
            }
            if over {
                dead = dead.checked_add(paths.count)?;
            }
        }
        let total = next.values().try_fold(Paths::default(), |sum, &paths| sum.checked_add(paths))?;
        let distinct = next.len() as u64;
        Some((PerftRow { depth, nodes: total.count, distinct, gain: total.gain, dead }, next))
    }
}

impl Iterator for Perft {
    type Item = Result<PerftRow, PerftOverflow>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.frontier.is_empty() {
            return None;
        }
        let depth = self.depth + 1;
        let Some((row, frontier)) = self.deepen(depth) else { return Some(Err(PerftOverflow { depth })) };
        *self = Self { depth, frontier };
        Some(Ok(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_128_bits_are_errors() {
        let board: Board = "4 4\n. .".parse().unwrap();
        // One slide gains 8 and has six spawns; three other paths lead nowhere near the bound.
        let perft = |count, gain| {
            let frontier = HashMap::from_iter([(board, Paths { count, gain })]);
            Perft { depth: 6, frontier }.next().unwrap().map(|row| row.nodes)
        };
        let overflow = Err(PerftOverflow { depth: 7 });
        assert_eq!(perft(1, 0), Ok(16));
        assert_eq!(perft(u128::MAX / 128, 0), Ok(u128::MAX / 128 * 16));
        assert_eq!(perft(u128::MAX / 8 + 1, 0), overflow, "the gain of one slide");
        assert_eq!(perft(u128::MAX / 16 + 1, 0), overflow, "the sum of the gains");
        assert_eq!(perft(1, u128::MAX / 16), Err(PerftOverflow { depth: 7 }));
    }
}
