//! [`RandomGame`](crate::RandomGame), straight from its definition.

use super::naive;
use crate::board::{Board, HEIGHT, WIDTH};
use crate::location::Location;
use crate::piece::{Orientation, Piece};
use crate::playout::Stats;
use alloc::vec::Vec;
use bitcore::Rng;

/// Locks this number of pieces, from an empty board and a full bag. Returns the statistics and the
/// final board.
///
/// ```
/// use tetris::Rng;
/// use tetris::{RandomGame, reference::playout};
/// let mut game = RandomGame::new(Rng::new(5));
/// assert_eq!((game.play(50), *game.board()), playout::play(&mut Rng::new(5), 50));
/// ```
pub fn play(rng: &mut Rng, pieces: u64) -> (Stats, Board) {
    let mut stats = Stats::default();
    let mut board = Board::EMPTY;
    let mut bag = Vec::new();
    while stats.pieces < pieces {
        if bag.is_empty() {
            bag = Piece::ALL.to_vec();
        }
        let piece = bag.remove(rng.below(bag.len() as u32) as usize);
        let mut reached: Vec<_> = naive::placements(&board, piece, naive::Rules::default())
            .into_iter()
            .map(|placement| placement.at)
            .collect();
        reached.sort_by_key(|&at| order(at));
        let chosen = (!reached.is_empty()).then(|| {
            let mut resting = resting(&board, piece);
            resting.sort_by_key(|&at| order(at));
            let drawn = resting[rng.below(resting.len() as u32) as usize];
            if reached.contains(&drawn) {
                drawn
            } else {
                reached[rng.below(reached.len() as u32) as usize]
            }
        });
        if let Some(placed) = chosen.and_then(|at| naive::place(&board, at)) {
            let (cleared, lines) = naive::clear_lines(&placed);
            board = cleared;
            stats += Stats { pieces: 1, lines: lines.into(), games: 0 };
        }
        if chosen.is_none_or(|at| at.cells().iter().all(|&(_, y)| y >= 20)) {
            stats.games += 1;
            (board, bag) = (Board::EMPTY, Vec::new());
        }
    }
    (stats, board)
}

fn order(at: Location) -> (Orientation, i8, i8, i8) {
    (at.orientation, at.y / 16, at.x, -at.y)
}

/// Returns the canonical locations where the piece rests, reachable or not.
fn resting(board: &Board, piece: Piece) -> Vec<Location> {
    let mut resting = Vec::new();
    for orientation in Orientation::ALL {
        for (x, y) in (0..WIDTH as i8).flat_map(|x| (0..HEIGHT as i8).map(move |y| (x, y))) {
            let at = Location { piece, orientation, x, y };
            if at == at.canonical()
                && naive::fits(board, at)
                && !naive::fits(board, at.moved(0, -1))
            {
                resting.push(at);
            }
        }
    }
    resting
}
