//! Tests of the solver: stops, dead ends, lost games, extensions.

use tetris_ai::contest::{Sequence, verify};
use tetris_ai::solver::{IPieceExtension, Settings, Solver, StepResult};
use tetris_ai::tree::{Stopped, branch_limit};
use tetris_ai::{Columns, TreeSearch, reference};

#[test]
fn a_search_can_be_stopped() {
    let sequence = Sequence::contest();
    for threads in [1, 3] {
        let search = TreeSearch { depth: 15, threads };
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 20;
        assert_eq!(search.best(&sequence, 0, &Columns::new(), &stop), Err(Stopped));
        let mut solver = Solver::new(sequence.clone(), Settings { depth: 15, ..Settings::default() });
        let before = solver.clone();
        assert_eq!(solver.step(threads, &stop), StepResult::Stopped);
        assert_eq!(solver, before);
    }
}

/// After a dead end the search is deeper until the piece that had no drop is placed. A game that is saved and
/// resumed at every step equals one that is not, and its record has the score of the solver.
#[test]
fn dead_ends_are_passed_with_a_greater_depth() {
    let sequence = Sequence::contest();
    testkit::on_each_level(|level| {
        let mut solver = Solver::new(sequence.clone(), Settings { depth: 1, ..Settings::default() });
        let mut resumed = solver.clone();
        let (mut depth, mut dead_end) = (1, 0);
        let (mut steps, mut backs, mut deeper) = (0, 0, 0);
        while deeper < 30 || backs < 3 {
            let (start, board) = (solver.pieces(), solver.board());
            match solver.step_on(level, 1, &|| false) {
                StepResult::Placed => {
                    let search = TreeSearch { depth, ..TreeSearch::default() };
                    let expected = search.best(&sequence, start, &board, &|| false).unwrap().unwrap();
                    assert_eq!(solver.board(), expected.board, "piece {start}, depth {depth}");
                    deeper += usize::from(depth > 1);
                    depth = if start < dead_end { depth } else { 1 };
                }
                StepResult::Backtracked { pieces, depth: next } => {
                    assert_eq!((pieces, next), (start.saturating_sub(2 * depth), depth + 1));
                    assert_eq!(solver.pieces(), pieces);
                    (depth, dead_end) = (next, dead_end.max(start));
                    backs += 1;
                }
                other => panic!("{other:?}"),
            }
            steps += 1;
            resumed = resumed.to_string().parse().unwrap();
            resumed.step_on(level, 1, &|| false);
            assert_eq!(resumed, solver);
        }
        assert_eq!(solver.steps(), steps);
        let report = verify(solver.record(), solver.sequence()).unwrap();
        assert_eq!((report.score, report.pieces, report.over), (solver.score(), solver.pieces(), None));
    });
}

/// Without a greater depth a dead end ends the game, and further steps change nothing.
#[test]
fn a_lost_game_stays_lost() {
    let mut solver = Solver::new(Sequence::contest(), Settings { depth: 1, max_depth: 1, extension: None });
    while solver.step(1, &|| false) == StepResult::Placed {}
    let lost = solver.clone();
    assert_eq!(solver.step(1, &|| false), StepResult::Lost);
    assert_eq!(solver, lost);
    let next = solver.sequence().pieces()[solver.pieces()];
    assert_eq!(reference::children(&(&solver.board()).into(), next), []);
}

#[test]
fn depth_is_greater_before_an_i_piece() {
    // Of the first eight pieces the second and the last are I: the first piece and the two before the last
    // are searched at depth 4.
    let plain = Settings { depth: 2, ..Settings::default() };
    let extended = Settings { extension: Some(IPieceExtension { pieces: 2, depth: 4 }), ..plain };
    let sequence = Sequence::contest();
    let letters: String = sequence.pieces()[..8].iter().map(|piece| piece.shape().letter()).collect();
    assert_eq!(letters, "ZIOSLZSI");
    let mut solver = Solver::new(sequence.clone(), extended);
    for (start, depth) in [4, 2, 2, 2, 2, 4, 4, 2].into_iter().enumerate() {
        let expected = TreeSearch { depth, ..TreeSearch::default() };
        let expected = expected.best(&sequence, start, &solver.board(), &|| false).unwrap().unwrap();
        assert_eq!(solver.step(1, &|| false), StepResult::Placed);
        assert_eq!(solver.board(), expected.board, "piece {start}");
    }
}

#[test]
fn branch_limits() {
    assert_eq!([0, 1, 2, 3, 4, 7, 14].map(branch_limit), [3, 3, 3, 3, 4, 7, 14]);
}

#[test]
fn an_extension_before_no_piece_is_none() {
    let extension = Some(IPieceExtension { pieces: 0, depth: 4 });
    let settings = Settings { depth: 2, max_depth: 2, extension };
    let mut solver = Solver::new(Sequence::contest(), settings);
    assert_eq!(solver.settings().extension, None);
    solver.step(1, &|| false);
    assert_eq!(solver.to_string().parse(), Ok(solver));
}
