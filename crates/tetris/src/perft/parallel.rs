//! Perft on the threads of a pool, until it is stopped: one task per board after the first two
//! pieces.

use super::sequential::{hard_drops, perft};
use crate::board::Board;
use crate::movegen::{self, Placements};
use crate::piece::Piece;
use crate::placement::MoveRules;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped, ThreadPool};

/// Counts like [`perft`](super::perft()) on the threads of a pool.
///
/// ```
/// use tetris::{Board, Queue, Stopped, ThreadPool, movegen::SpinMode, perft};
/// let queue: Queue = "IOLJ".parse()?;
/// let pool = ThreadPool::single();
/// let count = |stop| perft::perft_until(&pool, &Board::EMPTY, &queue, SpinMode::Ignore, stop);
/// assert_eq!(count(&|| false), Ok(188374));
/// assert_eq!(count(&|| true), Err(Stopped));
/// # Ok::<(), tetris::Error>(())
/// ```
///
/// # Errors
///
/// [`Stopped`] if `stop` returned `true`.
pub fn perft_until(
    pool: &ThreadPool,
    board: &Board,
    queue: &[Piece],
    rules: impl Into<MoveRules>,
    stop: Stop<'_>,
) -> Result<u64, Stopped> {
    let rules = rules.into();
    let children = |board: &Board, piece, boards: &mut Vec<Board>| {
        let mut placements = Placements::new();
        placements.fill(board, piece, rules);
        boards.extend(placements.iter().filter_map(|placement| board.place(placement.at)));
    };
    let count = |board: &Board, queue: &[Piece]| perft(board, queue, rules);
    Counter { children: &children, count: &count, stop }.share_out(pool, board, queue)
}

/// Counts like [`hard_drops`] on the threads of a pool.
///
/// # Errors
///
/// [`Stopped`] if `stop` returned `true`.
pub fn hard_drops_until(
    pool: &ThreadPool,
    board: &Board,
    queue: &[Piece],
    stop: Stop<'_>,
) -> Result<u64, Stopped> {
    let children = |board: &Board, piece, boards: &mut Vec<Board>| {
        boards.extend(movegen::hard_drops(board, piece).iter().filter_map(|at| board.place(at)));
    };
    Counter { children: &children, count: &hard_drops, stop }.share_out(pool, board, queue)
}

/// The number of pieces played before the work is split: about a thousand boards.
const ROOT_PIECES: usize = 2;

/// The number of pieces at the end of a queue that are counted without asking `stop`: some
/// milliseconds at most.
const PIECES_PER_STOP: usize = 3;

/// A kind of moves, and what ends the count.
struct Counter<'a> {
    /// Adds the boards after each move of a piece, with their full lines.
    children: &'a (dyn Fn(&Board, Piece, &mut Vec<Board>) + Sync),
    /// Counts without asking `stop`.
    count: &'a (dyn Fn(&Board, &[Piece]) -> u64 + Sync),
    stop: Stop<'a>,
}

impl Counter<'_> {
    /// Sums the counts from the boards after the first pieces.
    fn share_out(&self, pool: &ThreadPool, board: &Board, queue: &[Piece]) -> Result<u64, Stopped> {
        let pieces = ROOT_PIECES.min(queue.len().saturating_sub(PIECES_PER_STOP));
        let (first, rest) = queue.split_at(pieces);
        let mut roots = vec![*board];
        for &piece in first {
            roots = roots.iter().flat_map(|board| self.after(board, piece)).collect();
        }
        let counts = pool.map(roots.iter(), |board| self.count(board, rest).ok());
        if counts.len() == roots.len() { Ok(counts.iter().sum()) } else { Err(Stopped) }
    }

    fn count(&self, board: &Board, queue: &[Piece]) -> Result<u64, Stopped> {
        match queue {
            [piece, rest @ ..] if queue.len() > PIECES_PER_STOP => {
                let children = self.after(board, *piece);
                children.iter().map(|child| self.count(child, rest)).sum()
            }
            _ if (self.stop)() => Err(Stopped),
            _ => Ok((self.count)(board, queue)),
        }
    }

    /// Returns the boards after each move of a piece.
    fn after(&self, board: &Board, piece: Piece) -> Vec<Board> {
        let mut boards = Vec::new();
        (self.children)(board, piece, &mut boards);
        for board in &mut boards {
            board.clear_lines();
        }
        boards
    }
}
