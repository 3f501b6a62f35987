//! [`Perft`]: counts all paths of play of a given length, to validate implementations of the rules.

mod parallel;

use crate::board::Board;
use crate::direction::Direction;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped};
use hashbrown::HashMap;

/// The counts of all paths of one length.
///
/// A path alternates legal moves and spawns. Each legal move, each empty cell and each of the two
/// tiles counts as one choice, regardless of probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PerftRow {
    /// The number of moves of each path.
    pub depth: u32,
    /// The number of paths.
    pub nodes: u128,
    /// The number of distinct final boards.
    pub distinct: u64,
    /// The sum of the paths' scores.
    pub gain: u128,
    /// The number of paths one move shorter that end on a board without a legal move.
    pub dead: u128,
}

/// The reason a row could not be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PerftError {
    /// A count exceeds 128 bits.
    #[error("depth {depth}: the counts exceed 128 bits")]
    Overflow {
        /// The first depth whose counts exceed 128 bits.
        depth: u32,
    },
    /// There isn't enough memory for the distinct boards.
    #[error("depth {depth}: not enough memory for the distinct boards")]
    OutOfMemory {
        /// The first depth whose boards don't fit.
        depth: u32,
    },
}

/// An iterator over the [`PerftRow`]s of a board, from depth 1 until no path is left. The rows end
/// because every game ends.
///
/// Equal boards are merged and carry their number of paths, so the cost of a row is proportional to
/// the number of distinct boards in the previous row.
///
/// ```
/// use g2048::{Board, Perft};
/// let corners: Board = "2 . \n . 2".parse()?;
/// let nodes: Vec<u128> = Perft::new(&corners).take(4).map(|row| row.unwrap().nodes).collect();
/// assert_eq!(nodes, [16, 208, 1792, 12160]);
/// # Ok::<_, g2048::Error>(())
/// ```
///
/// If a row's counts exceed 128 bits or its boards don't fit in memory, this item and all later
/// ones are errors.
#[derive(Clone, Debug)]
pub struct Perft {
    depth: u32,
    /// The boards of the last row, distributed over the maps.
    frontier: Vec<Frontier>,
}

type Frontier = HashMap<Board, Paths>;

/// The number of paths that end at one board, and the sum of their scores.
#[derive(Clone, Copy, Debug, Default)]
struct Paths {
    count: u128,
    gain: u128,
}

enum NoRow {
    Overflow,
    OutOfMemory,
    Stopped,
}

/// The number of boards between two calls of `stop`: well below a millisecond.
const BOARDS_PER_STOP: usize = 512;

impl Paths {
    fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self {
            count: self.count.checked_add(other.count)?,
            gain: self.gain.checked_add(other.gain)?,
        })
    }

    /// Extends the paths by one move that gains `gain`.
    fn checked_gain(self, gain: u64) -> Option<Self> {
        let more = self.count.checked_mul(u128::from(gain))?;
        Some(Self { count: self.count, gain: self.gain.checked_add(more)? })
    }
}

impl Perft {
    /// Returns the rows of the paths that start at this board.
    pub fn new(start: &Board) -> Self {
        Self {
            depth: 0,
            frontier: vec![HashMap::from_iter([(*start, Paths { count: 1, gain: 0 })])],
        }
    }

    /// Returns the final boards of the last row's paths, in no particular order. Before the first
    /// row, this is the start.
    pub fn boards(&self) -> impl Iterator<Item = &Board> {
        self.frontier.iter().flat_map(HashMap::keys)
    }

    /// Returns the next row; `deepen` returns its boards and the number of dead paths.
    fn next_row(
        &mut self,
        deepen: impl FnOnce(&[Frontier]) -> Result<(Vec<Frontier>, u128), NoRow>,
    ) -> Result<Option<Result<PerftRow, PerftError>>, Stopped> {
        if self.boards().next().is_none() {
            return Ok(None);
        }
        let depth = self.depth + 1;
        let row = deepen(&self.frontier).and_then(|(frontier, dead)| {
            let mut paths = frontier.iter().flat_map(HashMap::values);
            let total = paths.try_fold(Paths::default(), |sum, &paths| sum.checked_add(paths));
            let Paths { count: nodes, gain } = total.ok_or(NoRow::Overflow)?;
            let distinct = frontier.iter().map(|map| map.len() as u64).sum();
            *self = Self { depth, frontier };
            Ok(PerftRow { depth, nodes, distinct, gain, dead })
        });
        Ok(Some(match row {
            Ok(row) => Ok(row),
            Err(NoRow::Overflow) => Err(PerftError::Overflow { depth }),
            Err(NoRow::OutOfMemory) => Err(PerftError::OutOfMemory { depth }),
            Err(NoRow::Stopped) => return Err(Stopped),
        }))
    }
}

/// Returns the boards one move later, and the number of paths that can't continue.
fn deepen(frontier: &[Frontier], stop: Stop<'_>) -> Result<(Vec<Frontier>, u128), NoRow> {
    let mut next = Frontier::new();
    let mut dead = 0u128;
    for (i, (board, &paths)) in frontier.iter().flatten().enumerate() {
        if i % BOARDS_PER_STOP == 0 && stop() {
            return Err(NoRow::Stopped);
        }
        reserve(&mut next).ok_or(NoRow::OutOfMemory)?;
        if extend(board, paths, |child, paths| add(&mut next, child, paths))? {
            dead = dead.checked_add(paths.count).ok_or(NoRow::Overflow)?;
        }
    }
    Ok((vec![next], dead))
}

/// Calls `visit` with each board one move later and the paths that end there. Returns `true` if no
/// move is legal.
fn extend(
    board: &Board,
    paths: Paths,
    mut visit: impl FnMut(Board, Paths) -> Result<(), NoRow>,
) -> Result<bool, NoRow> {
    let mut is_over = true;
    for slide in Direction::ALL.map(|direction| board.slide(direction)) {
        if slide.changed {
            is_over = false;
            let paths = paths.checked_gain(slide.gain).ok_or(NoRow::Overflow)?;
            for child in slide.board.spawns() {
                visit(child, paths)?;
            }
        }
    }
    Ok(is_over)
}

fn add(boards: &mut Frontier, board: Board, paths: Paths) -> Result<(), NoRow> {
    let known = boards.entry(board).or_default();
    *known = known.checked_add(paths).ok_or(NoRow::Overflow)?;
    Ok(())
}

/// The maximum number of boards one move after a board: four slides, each with two tiles on at most
/// 64 cells.
const MAX_SPAWNS: usize = 4 * 2 * 64;

/// Reserves memory for [`MAX_SPAWNS`] boards. Returns `None` if it isn't available with some bytes
/// to spare.
fn reserve(boards: &mut Frontier) -> Option<()> {
    const SPARE_BYTES: usize = 8 << 20;
    if boards.capacity() - boards.len() < MAX_SPAWNS {
        boards.try_reserve(MAX_SPAWNS).ok()?;
        Vec::<u8>::new().try_reserve_exact(SPARE_BYTES).ok()?;
    }
    Some(())
}

impl Iterator for Perft {
    type Item = Result<PerftRow, PerftError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_row(|frontier| deepen(frontier, &|| false)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_128_bits_are_errors() {
        let board: Board = "4 4\n. .".parse().unwrap();
        // Two slides gain 8 and have six spawns each, a third gains nothing and has four: 16 paths.
        let perft = |count, gain| {
            let frontier = HashMap::from_iter([(board, Paths { count, gain })]);
            Perft { depth: 6, frontier: vec![frontier] }.next().unwrap().map(|row| row.nodes)
        };
        let overflow = Err(PerftError::Overflow { depth: 7 });
        assert_eq!(perft(1, 0), Ok(16));
        assert_eq!(perft(u128::MAX / 128, 0), Ok(u128::MAX / 128 * 16));
        assert_eq!(perft(u128::MAX / 8 + 1, 0), overflow, "the gain of one slide");
        assert_eq!(perft(u128::MAX / 16 + 1, 0), overflow, "the sum of the gains");
        assert_eq!(perft(1, u128::MAX / 16), Err(PerftError::Overflow { depth: 7 }));
    }
}
