//! Solver: stops, dead ends, lost games, extensions.

use tetris_ai::contest::tree::{
    IPieceExtension, Settings, Solver, StepResult, TreeSearch, branch_limit,
};
use tetris_ai::contest::{Sequence, reference};
use tetris_ai::{Columns, Stopped};

#[test]
fn a_search_can_be_stopped() {
    let sequence = Sequence::contest();
    for threads in [1, 3] {
        let search = TreeSearch { depth: 15, threads };
        let stop = testkit::stop_at(20);
        assert_eq!(search.best_until(&sequence, 0, &Columns::new(), &stop), Err(Stopped));
        let settings = Settings { depth: 15, ..Settings::default() };
        let mut solver = Solver::new(sequence.clone(), settings).with_threads(threads);
        let before = solver.clone();
        assert_eq!(solver.step_until(&stop), Err(Stopped));
        assert_eq!(solver, before);
    }
}

/// If no greater depth is allowed, a dead end loses the game, and further steps change nothing.
#[test]
fn a_lost_game_stays_lost() {
    let mut solver =
        Solver::new(Sequence::contest(), Settings { depth: 1, max_depth: 1, extension: None });
    while solver.step() == StepResult::Placed {}
    let lost = solver.clone();
    assert_eq!(solver.step(), StepResult::Lost);
    assert_eq!(solver, lost);
    let next = solver.sequence().pieces()[solver.pieces()];
    assert_eq!(reference::children(&(&solver.board()).into(), next), []);
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
    solver.step();
    assert_eq!(solver.to_string().parse(), Ok(solver));
}
