//! Perft: the number of ways to lock a whole queue, which one wrong rule anywhere changes.

use crate::{Board, Piece, movegen};
use bitcore::{Isa, dispatch};

/// Counts the ways to lock the whole queue with [hard drops](movegen::hard_drops) only; full lines are cleared. 1 if
/// the queue is empty. Twins with soft drops and spins: [`reference::naive::perft`](crate::reference::naive::perft).
///
/// ```
/// use tetris::{Board, Queue, perft};
/// let queue: Queue = "IOL".parse().unwrap();
/// assert_eq!(perft::hard_drops(&Board::EMPTY, &queue), 5202);
/// ```
pub fn hard_drops(board: &Board, queue: &[Piece]) -> u64 {
    dispatch!(isa => hard_drops_with(isa, board, queue))
}

#[doc(hidden)]
pub fn hard_drops_with<S: Isa>(isa: S, board: &Board, queue: &[Piece]) -> u64 {
    // A recursion can't be inlined into its caller: each node enters the instruction set again.
    isa.enter(
        #[inline(always)]
        || {
            let Some((&piece, rest)) = queue.split_first() else { return 1 };
            let landings = movegen::hard_drops_with(isa, board, piece);
            if rest.is_empty() {
                return landings.len() as u64;
            }
            let mut nodes = 0;
            for mut child in landings.iter().filter_map(|at| board.place(at)) {
                child.clear_lines_with(isa);
                nodes += hard_drops_with(isa, &child, rest);
            }
            nodes
        },
    )
}
