//! The Tetris contest, on boards from a game: all hard drops of a piece with the resulting boards
//! and evaluations, best first; all placements considered by the beam, with their values.

use crate::operation::{Operation, naive, printed, workload};
use tetris_ai::Columns;
use tetris_ai::contest::beam::{BeamWeights, BoardEvaluator};
use tetris_ai::contest::tree::{Settings, Solver, children_into};
use tetris_ai::contest::{Board, OrientedPiece, Sequence, reference};

const COUNT: usize = 256;
/// The length of the game for the beam's candidates: the reference looks ahead to its end.
const GAME: usize = 100;

pub(crate) fn operations() -> Vec<Operation> {
    let positions = positions();
    let boards = workload(positions.iter().map(|(board, piece)| (Board::from(board), *piece)));
    let count = boards.iter().map(|(board, piece)| reference::children(board, *piece).len()).sum();
    let placements = printed("placement", count, move || {
        let mut children = Vec::new();
        let mut sum = 0;
        for (board, piece) in boards {
            reference::children_into(board, *piece, &mut children);
            sum =
                children.iter().fold(sum, |sum, child| fold(sum, child.board.cells(), child.value));
        }
        sum
    });

    // All placements reachable by single key presses, with their values.
    let boards = workload(boards[COUNT / 2..].iter().map(|&(board, _)| board));
    let pieces = workload(Sequence::contest().pieces()[..GAME].iter().copied());
    let weights = BeamWeights::FITTED;
    let evaluator = BoardEvaluator::new(&weights, pieces);
    let count = (0..7).map(|piece| evaluator.sum(piece, boards).0).sum::<u64>();
    let candidates = naive("placement", count as usize, move || {
        let children = |piece| {
            boards
                .iter()
                .flat_map(move |board| reference::beam_children(&weights, pieces, piece, board))
        };
        (0..7).flat_map(children).map(|(_, _, key)| i64::from(key)).sum::<i64>() as u64
    });
    vec![
        placements.kernel("contest placements", move || list_all(positions)),
        candidates.kernel("contest candidates", move || {
            (0..7).map(|piece| evaluator.sum(piece, boards).1).sum::<i64>() as u64
        }),
    ]
}

fn list_all(positions: &[(Columns, OrientedPiece)]) -> u64 {
    let mut children = Vec::new();
    let mut sum = 0;
    for (board, piece) in positions {
        children_into(board, *piece, usize::MAX, &mut children);
        sum = children.iter().fold(sum, |sum, child| fold(sum, child.board.cells(), child.value));
    }
    sum
}

fn fold(sum: u64, cells: u32, evaluated: i32) -> u64 {
    sum.rotate_left(1).wrapping_add(u64::from(cells)) ^ evaluated as u64
}

/// Returns the boards of the contest's first pieces, played at depth 3.
fn positions() -> &'static [(Columns, OrientedPiece)] {
    let settings = Settings { depth: 3, ..Settings::default() };
    let mut solver = Solver::new(Sequence::contest(), settings);
    workload((0..COUNT).map(|_| {
        let position = (solver.board(), solver.sequence().pieces()[solver.pieces()]);
        solver.step();
        position
    }))
}
