//! [`RandomGame`](crate::playout::RandomGame) by the plain rules.

use super::naive;
use crate::playout::Tally;
use crate::{Board, Piece};
use alloc::vec::Vec;
use bitcore::Rng;

/// Locks so many pieces from an empty board and a full bag on; returns the board as it stands then.
///
/// ```
/// use bitcore::Rng;
/// use tetris::{playout::RandomGame, reference::playout};
/// let mut game = RandomGame::new(Rng::new(5));
/// assert_eq!((game.play(50), *game.board()), playout::play(&mut Rng::new(5), 50));
/// ```
pub fn play(rng: &mut Rng, pieces: u64) -> (Tally, Board) {
    let (mut tally, mut board, mut bag) = (Tally::default(), Board::EMPTY, Vec::new());
    while tally.pieces < pieces {
        if bag.is_empty() {
            bag = Piece::ALL.to_vec();
        }
        let piece = bag.remove(rng.below(bag.len() as u32) as usize);
        let mut all = naive::placements(&board, piece, naive::Rules::default());
        all.sort_by_key(|placement| (placement.at.orientation, placement.at.x, -placement.at.y));
        let chosen = if all.is_empty() { None } else { Some(all[rng.below(all.len() as u32) as usize].at) };
        if let Some(placed) = chosen.and_then(|at| naive::place(&board, at)) {
            let (cleared, lines) = naive::clear_lines(&placed);
            board = cleared;
            tally += Tally { pieces: 1, lines: lines.into(), games: 0 };
        }
        if chosen.is_none_or(|at| at.cells().iter().all(|&(_, y)| y >= 20)) {
            tally.games += 1;
            (board, bag) = (Board::EMPTY, Vec::new());
        }
    }
    (tally, board)
}
