//! Hard drops, the tree search, and the solver.

use super::contests::{SEQUENCES, pressed};
use super::values::{board as any_board, piece};
use std::sync::LazyLock;
use testkit::{Input, on_each_level};
use tetris::Piece;
use tetris_ai::Columns;
use tetris_ai::contest::tree::{
    IPieceExtension, Settings, Solver, StepResult, TreeSearch, children_into,
};
use tetris_ai::contest::{PIECES, reference, verify};

pub(crate) fn children(input: &Input) {
    let mut board = any_board(input);
    let mut found = Vec::new();
    for _ in 0..6 {
        let piece = piece(input);
        let expected = reference::children(&board, piece);
        let chosen = input.below(expected.len().max(1));
        on_each_level(|| {
            for keep in [usize::MAX, chosen] {
                children_into(&Columns::from(&board), piece, keep, &mut found);
                let children = found.iter().map(|child| (child.drop, child.board, child.value));
                let kept = expected.iter().take(keep);
                assert!(
                    children.eq(kept.map(|child| (
                        child.drop,
                        Columns::from(&child.board),
                        child.value
                    ))),
                    "{keep} drops of {piece} on\n{board}"
                );
            }
        });
        // The keys of a drop lead to the board seen by the search.
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
    // A depth of 0 is clamped to 1.
    let expected = reference::search(sequence, start, &board, depth.max(1));
    on_each_level(|| {
        let search = TreeSearch { depth, threads: input.below(3) };
        assert_eq!(search.best(sequence, start, &columns), expected);
    });
    let deep = TreeSearch { depth: 15, threads: 1 + input.below(2) };
    // Without a drop, the search returns before it polls.
    let stopped = deep.best_until(sequence, start, &columns, &|| true);
    assert!(expected.is_some() || stopped == Ok(None));
}

static BEFORE_A_DEAD_END: LazyLock<Solver> = LazyLock::new(|| {
    let mut solver =
        Solver::new(SEQUENCES[0].clone(), Settings { depth: 1, ..Settings::default() });
    loop {
        let before = solver.clone();
        if solver.step() != StepResult::Placed {
            return before;
        }
    }
});

/// A solver saved and resumed between its steps. After a dead end it searches deeper until the
/// piece without a drop is placed.
pub(crate) fn solver(input: &Input) {
    let sequence = input.pick(&*SEQUENCES);
    let options = input.byte();
    let extension = (options & 1 == 1)
        .then(|| IPieceExtension { pieces: input.below(4), depth: input.below(4) });
    let depth = input.below(3);
    let settings = Settings { depth, max_depth: depth + input.below(2), extension };
    let mut solver = if options & 6 == 6 {
        BEFORE_A_DEAD_END.clone()
    } else {
        Solver::new(sequence.clone(), settings)
    };
    let sequence = &solver.sequence().clone();
    let settings = solver.settings();
    let mut depth = settings.depth;
    let mut dead_end = 0;
    for _ in 0..24 {
        if input.is_empty() && solver.steps() > 4 {
            break;
        }
        let before = solver.clone();
        let next = solver.pieces();
        let board = solver.board();
        if input.below(8) == 0 {
            let resumed: Solver = solver.to_string().parse().expect("what was written is read");
            assert_eq!(resumed, solver);
            solver = resumed;
        } else {
            let comes_soon = |extension: &IPieceExtension| {
                let mut soon = sequence.pieces()[next + 1..].iter().take(extension.pieces);
                soon.any(|piece| piece.kind() == Piece::I)
            };
            let extension = settings.extension.filter(comes_soon);
            let extended = extension.map_or(depth, |extension| extension.depth.max(depth));
            let search = TreeSearch { depth: extended, threads: 1 };
            let best = search.best(sequence, next, &board);
            let threads = 1 + input.below(2);
            let mut steps = Vec::new();
            on_each_level(|| {
                solver.clone_from(&before);
                solver.set_threads(threads);
                steps.push((solver.step(), solver.clone()));
            });
            assert!(steps.windows(2).all(|pair| pair[0] == pair[1]), "{steps:?}");
            match steps.swap_remove(0).0 {
                StepResult::Placed => {
                    assert_eq!(Some(solver.board()), best.map(|best| best.board));
                    assert_eq!(solver.pieces(), next + 1);
                    assert_eq!(solver.steps(), before.steps() + 1);
                    assert!(solver.score() >= before.score());
                    depth = if next < dead_end { depth } else { settings.depth };
                }
                StepResult::Backtracked { pieces, depth: deeper } => {
                    assert_eq!(best, None);
                    assert_eq!(pieces, next.saturating_sub(2 * depth));
                    assert_eq!(solver.pieces(), pieces);
                    assert_eq!(solver.steps(), before.steps() + 1);
                    assert_eq!(deeper, depth + 1);
                    assert!(depth < settings.max_depth);
                    (depth, dead_end) = (deeper, dead_end.max(next));
                }
                StepResult::Lost => {
                    assert_eq!(best, None);
                    assert_eq!(depth, settings.max_depth);
                    assert_eq!(solver, before);
                }
                StepResult::Finished => unreachable!(),
            }
        }
        let result = verify(solver.record(), sequence).expect("legal turns");
        assert_eq!(result.score, solver.score());
        assert_eq!(result.pieces, solver.pieces());
        assert_eq!(result.cells_left, solver.board().cells());
        assert_eq!(result.over, None);
    }
}
