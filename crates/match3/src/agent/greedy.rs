//! [`Greedy`]: the swap with the highest score without new pieces.

use super::game::Agent;
use crate::bitboard::planes::{AnyBoard, with_board};
use crate::swap::Swap;

/// A player that plays the swap with the highest score of its whole cascade without new pieces
/// ([`cascade_without_refill`](AnyBoard::cascade_without_refill)).
///
/// Of swaps with equal scores it plays the one with the lowest upper or left cell, since a low swap moves the
/// most pieces and so has the best chance of further runs; then horizontal before vertical, then the
/// leftmost.
///
/// ```
/// use match3::agent::{Agent, Greedy};
/// use match3::{Board, Board8};
/// // Five in the lowest row, or three in the first.
/// let board: Board = "1121234\n3232323\n5566545\n6655656".parse()?;
/// let board: Board8 = Board8::new(&board)?;
/// let swap = Greedy.choose(&board.into(), 30).ok_or("a legal swap")?;
/// let mut after = board;
/// after.exchange(swap);
/// let score = after.cascade_without_refill().score;
/// for other in &board.swaps() {
///     let mut after = board;
///     after.exchange(other);
///     assert!(after.cascade_without_refill().score <= score);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Greedy;

impl Agent for Greedy {
    fn choose(&mut self, board: &AnyBoard, _moves_left: u32) -> Option<Swap> {
        with_board!(board, board => board.best_swap().map(|best| board.swap_at(best.swap)))
    }
}
