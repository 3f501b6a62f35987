//! Hard drops, the tree search, and the game that it plays.

use super::contests::{SEQUENCES, piece};
use super::values::board as any_board;
use bitcore::Level;
use testkit::Input;
use tetris_ai::contest::{Board, PIECES, verify};
use tetris_ai::hard_drops::hard_drops_on;
use tetris_ai::solver::{IPieceExtension, Settings, StepResult};
use tetris_ai::tree::Stopped;
use tetris_ai::{Columns, Solver, TreeSearch, reference};

pub(crate) fn hard_drops(input: &Input) {
    let mut board = any_board(input);
    for _ in 0..6 {
        let piece = piece(input);
        let expected = reference::children(&board, piece);
        for level in Level::all() {
            let found = hard_drops_on(level, &Columns::from(&board), piece);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!((found.drop, found.value), (expected.drop, expected.value));
                assert_eq!(Board::from(&found.board), expected.board);
            }
        }
        let Some(child) = expected.get(input.below(expected.len().max(1))) else { break };
        board = child.board;
    }
}

pub(crate) fn search(input: &Input) {
    let sequence = input.pick(&*SEQUENCES);
    let board = any_board(input);
    let start = match input.below(4) {
        0 => PIECES - input.below(4),
        1 => input.size(),
        _ => input.below(PIECES),
    };
    let depth = input.below(4);
    let columns = Columns::from(&board);
    // A depth of 0 is taken as 1.
    let expected = reference::search(sequence, start, &board, depth.max(1));
    for level in Level::all() {
        let search = TreeSearch { depth, threads: input.below(3) };
        assert_eq!(search.best_on(level, sequence, start, &columns, &|| false), Ok(expected));
    }
    let deep = TreeSearch { depth: 15, threads: 1 + input.below(2) };
    // Whatever has no drop ends before it asks.
    let stopped = deep.best(sequence, start, &columns, &|| true);
    assert!(stopped == Err(Stopped) || start + 6 > PIECES || expected.is_none() || stopped.is_ok());
}

pub(crate) fn solver(input: &Input) {
    let sequence = input.pick(&*SEQUENCES);
    let extension = input.flag().then(|| IPieceExtension { pieces: input.below(4), depth: input.below(4) });
    let depth = input.below(3);
    let settings = Settings { depth, max_depth: depth + input.below(2), extension };
    let mut solver = Solver::new(sequence.clone(), settings);
    let levels: Vec<Level> = Level::all().collect();
    for _ in 0..24 {
        if input.is_empty() && solver.steps() > 4 {
            break;
        }
        let before = solver.clone();
        match input.below(8) {
            0 => {
                let resumed: Solver = solver.to_string().parse().expect("what was written is read");
                assert_eq!(resumed, solver);
                solver = resumed;
            }
            _ => match solver.step_on(*input.pick(&levels), 1 + input.below(2), &|| false) {
                StepResult::Placed => {
                    assert_eq!((solver.pieces(), solver.steps()), (before.pieces() + 1, before.steps() + 1));
                    assert!(solver.score() >= before.score());
                }
                StepResult::Backtracked { pieces, depth } => {
                    assert!(pieces < before.pieces().max(1) && depth <= solver.settings().max_depth);
                    assert_eq!(solver.pieces(), pieces);
                }
                StepResult::Lost => assert_eq!(solver, before),
                StepResult::Finished | StepResult::Stopped => unreachable!(),
            },
        }
        let result = verify(solver.record(), sequence).expect("legal turns");
        assert_eq!((result.score, result.pieces), (solver.score(), solver.pieces()));
        assert_eq!(result.cells_left, solver.board().cells());
    }
}
