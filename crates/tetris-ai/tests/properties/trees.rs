//! Hard drops, the tree search, and the game that it plays.

use super::contests::{SEQUENCES, pressed};
use super::values::{board as any_board, piece};
use bitcore::Level;
use testkit::{Input, on_each_level};
use tetris_ai::contest::{PIECES, verify};
use tetris_ai::hard_drops::hard_drops_into_on;
use tetris_ai::solver::{IPieceExtension, Settings, StepResult};
use tetris_ai::tree::Stopped;
use tetris_ai::{Columns, Solver, TreeSearch, reference};

pub(crate) fn hard_drops(input: &Input) {
    let (mut board, mut found) = (any_board(input), Vec::new());
    for _ in 0..6 {
        let piece = piece(input);
        let expected = reference::children(&board, piece);
        let chosen = input.below(expected.len().max(1));
        on_each_level(|level| {
            for keep in [usize::MAX, chosen] {
                hard_drops_into_on(level, &Columns::from(&board), piece, keep, &mut found);
                let children = found.iter().map(|child| (child.drop, child.board, child.value));
                let kept = expected.iter().take(keep);
                assert!(
                    children.eq(kept.map(|child| (child.drop, Columns::from(&child.board), child.value))),
                    "{keep} drops of {piece} on\n{board}"
                );
            }
        });
        // The keys of a drop lead to the board that the search saw.
        for child in &expected {
            let keys = child.drop.keys();
            let mut after = board;
            after.place(pressed(&board, piece, &keys));
            assert!(!after.top_touched() && (1..=100).contains(&keys.count()));
            after.clear_full_rows();
            assert_eq!(child.board, after);
        }
        let Some(child) = expected.get(chosen) else { break };
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
    let byte = input.byte();
    let depth = if byte >= 224 { 4 } else { usize::from(byte % 4) };
    let columns = Columns::from(&board);
    // A depth of 0 is taken as 1.
    let expected = reference::search(sequence, start, &board, depth.max(1));
    on_each_level(|level| {
        let search = TreeSearch { depth, threads: input.below(3) };
        assert_eq!(search.best_on(level, sequence, start, &columns, &|| false), Ok(expected));
    });
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
