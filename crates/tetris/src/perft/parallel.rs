//! Multi-threaded perft: one task per board after the first two pieces.

use super::sequential::{PIECES_PER_STOP, hard_drops_until, perft_until};
use crate::board::Board;
use crate::movegen::{self, Placements};
use crate::piece::Piece;
use crate::placement::MoveRules;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::ThreadPool;

/// Counts like [`perft_until`](super::perft_until) on the threads of a pool.
///
/// ```
/// use tetris::ThreadPool;
/// use tetris::{Board, Queue, movegen::SpinMode, perft};
/// let queue: Queue = "IOLJ".parse()?;
/// let pool = ThreadPool::new(2.try_into()?);
/// let count = perft::perft_parallel(&pool, &Board::EMPTY, &queue, SpinMode::Ignore, &|| false);
/// assert_eq!(count, Some(188374));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn perft_parallel(
    pool: &ThreadPool,
    board: &Board,
    queue: &[Piece],
    rules: impl Into<MoveRules>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<u64> {
    let rules = rules.into();
    let children = |board: &Board, piece, children: &mut Vec<Board>| {
        let mut placements = Placements::new();
        placements.fill(board, piece, rules);
        children.extend(placements.iter().filter_map(|placement| board.place(placement.at)));
    };
    let count = |board: &Board, rest: &[Piece]| perft_until(board, rest, rules, stop);
    share_out(pool, board, queue, &children, &count)
}

/// Counts like [`hard_drops_until`](super::hard_drops_until) on the threads of a pool.
pub fn hard_drops_parallel(
    pool: &ThreadPool,
    board: &Board,
    queue: &[Piece],
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<u64> {
    let children = |board: &Board, piece, children: &mut Vec<Board>| {
        children.extend(movegen::hard_drops(board, piece).iter().filter_map(|at| board.place(at)));
    };
    let count = |board: &Board, rest: &[Piece]| hard_drops_until(board, rest, stop);
    share_out(pool, board, queue, &children, &count)
}

/// The number of pieces played before the work is split: about a thousand boards.
const ROOT_PIECES: usize = 2;

/// Sums the counts from the boards after the first pieces. Returns `None` if any count is `None`.
fn share_out(
    pool: &ThreadPool,
    board: &Board,
    queue: &[Piece],
    children: &dyn Fn(&Board, Piece, &mut Vec<Board>),
    count: &(dyn Fn(&Board, &[Piece]) -> Option<u64> + Sync),
) -> Option<u64> {
    let pieces = ROOT_PIECES.min(queue.len().saturating_sub(PIECES_PER_STOP));
    let (first, rest) = queue.split_at(pieces);
    let mut roots = vec![*board];
    for &piece in first {
        let mut next = Vec::new();
        for board in &roots {
            children(board, piece, &mut next);
        }
        for board in &mut next {
            board.clear_lines();
        }
        roots = next;
    }
    let counts = pool.map(roots.iter(), |board| count(board, rest));
    (counts.len() == roots.len()).then(|| counts.iter().sum())
}
