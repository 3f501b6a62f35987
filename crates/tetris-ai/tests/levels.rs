//! Every level and every number of threads against the reference.

use bitcore::{Level, Rng, dispatch};
use quickcheck::QuickCheck;
use tetris_ai::contest::{Board, COLUMNS, Falling, Game, PIECES, Piece, ROWS, Sequence, Shape, verify};
use tetris_ai::{
    Columns, Early, Settings, Solver, Step, TreeSearch, placements, placements_with, reference, width,
};

/// A board between two turns: a skyline of any height with holes, often rough, often near the top, often with rows
/// that lack one cell.
fn board(rng: &mut Rng) -> Board {
    let (low, spread) = (rng.below(19), 1 + rng.below(8));
    let heights: [u32; COLUMNS] = std::array::from_fn(|_| (low + rng.below(spread)).min(19));
    let (dense, gap) = (rng.below(10), rng.below(COLUMNS as u32));
    let rows: Vec<String> = (0..ROWS as u32)
        .map(|y| {
            let mut row: Vec<bool> = heights.map(|height| ROWS as u32 - y <= height).to_vec();
            for cell in &mut row {
                *cell &= rng.below(10) < 1 + dense;
            }
            if row.iter().all(|&cell| cell) {
                row[gap as usize] = false;
            }
            row.iter().map(|&cell| if cell { '#' } else { '.' }).collect()
        })
        .collect();
    rows.join("\n").parse().unwrap_or_else(|error| panic!("{error}: {rows:#?}"))
}

fn piece(rng: &mut Rng) -> Piece {
    Piece::new(Shape::ALL[rng.below(7) as usize], rng.below(4) as u8)
}

#[test]
fn boards_as_columns() {
    fn property(seed: u64) {
        let board = board(&mut Rng::new(seed));
        let columns = Columns::from(&board);
        assert_eq!((Board::from(&columns), columns.cells()), (board, board.cells()));
    }
    QuickCheck::new().tests(testkit::cases(2_000)).quickcheck(property as fn(u64));
}

#[test]
fn placements_equal_the_reference() {
    fn property(seed: u64, keep: u8) {
        let mut rng = Rng::new(seed);
        let (board, piece) = (board(&mut rng), piece(&mut rng));
        let expected: Vec<_> = reference::children(&board, piece)
            .iter()
            .map(|child| (child.placement, Columns::from(&child.board), child.evaluated))
            .collect();
        let columns = Columns::from(&board);
        let mut children = Vec::new();
        for keep in [usize::MAX, usize::from(keep % 40)] {
            for level in Level::all() {
                dispatch!(level, isa => placements_with(isa, &columns, piece, keep, &mut children));
                let found: Vec<_> =
                    children.iter().map(|child| (child.placement, child.board, child.evaluated)).collect();
                assert_eq!(found, expected[..keep.min(expected.len())], "{level}, {piece} on\n{board}");
            }
        }
    }
    testkit::levels();
    QuickCheck::new().tests(testkit::cases(20_000)).quickcheck(property as fn(u64, u8));
}

/// The keys of a placement lead, under the rules of the game, to the board that the search saw.
#[test]
fn placements_can_be_replayed() {
    fn property(seed: u64) {
        let mut rng = Rng::new(seed);
        let (board, piece) = (board(&mut rng), piece(&mut rng));
        for child in placements(&Columns::from(&board), piece) {
            let keys = child.placement.keys();
            let mut falling = Falling::spawned(piece);
            assert!(board.fits(falling));
            for run in keys.runs() {
                for _ in 0..run.count {
                    falling = falling.pressed(run.key);
                    assert!(board.fits(falling), "{piece}, {:?}", child.placement);
                }
            }
            let mut after = board;
            after.place(falling);
            assert!(!after.top_touched());
            after.clear_full_rows();
            assert_eq!(Board::from(&child.board), after);
            assert!((1..=100).contains(&keys.moves()));
        }
    }
    QuickCheck::new().tests(testkit::cases(2_000)).quickcheck(property as fn(u64));
}

/// The reference's search, the fast one on every level, and the parallel one: one result.
#[test]
fn searches_equal_the_reference() {
    fn property(seed: u64) {
        let sequence = Sequence::contest();
        let mut rng = Rng::new(seed);
        let board = board(&mut rng);
        let late = rng.below(2) == 0;
        let start = if late { PIECES - 1 - rng.below(5) as usize } else { rng.below(9_000) as usize };
        let depth = 1 + rng.below(4) as usize;
        let expected = reference::search(&sequence, start, &board, depth);
        for level in Level::all() {
            let search = TreeSearch { depth, threads: 1, level };
            assert_eq!(search.best(&sequence, start, &(&board).into(), &|| false), Ok(expected), "{level}");
        }
    }
    QuickCheck::new().tests(testkit::cases(300)).quickcheck(property as fn(u64));
}

#[test]
fn threads_change_nothing() {
    let sequence = Sequence::contest();
    let depth = if std::env::var_os(testkit::EMULATED).is_some() { 6 } else { 7 };
    for level in Level::all() {
        let mut board = Columns::new();
        for start in 0..3 {
            let search = |threads| {
                TreeSearch { depth, threads, level }
                    .best(&sequence, start, &board, &|| false)
                    .unwrap()
                    .unwrap()
            };
            let one = search(1);
            for threads in [2, 3, 5, 16] {
                assert_eq!(search(threads), one, "{threads} threads, {level}");
            }
            board = one.board;
        }
    }
}

#[test]
fn a_search_can_be_stopped() {
    let sequence = Sequence::contest();
    for threads in [1, 3] {
        let search = TreeSearch { depth: 15, threads, ..TreeSearch::default() };
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 20;
        assert_eq!(search.best(&sequence, 0, &Columns::new(), &stop), Err(tetris_ai::Stopped));
        let mut solver = Solver::new(sequence.clone(), Settings { depth: 15, ..Settings::default() });
        let before = solver.clone();
        assert_eq!(solver.step(threads, Level::detect(), &stop), Step::Stopped);
        assert_eq!(solver, before);
    }
}

/// Plays until `pieces` are placed, counting the times that pieces were taken back.
fn play(solver: &mut Solver, pieces: usize, threads: usize, level: Level) -> usize {
    let mut backs = 0;
    while solver.pieces() < pieces {
        match solver.step(threads, level, &|| false) {
            Step::Placed => {}
            Step::Back { .. } => backs += 1,
            other => panic!("{other:?} at piece {}", solver.pieces()),
        }
    }
    backs
}

/// Depth 1 runs into dead ends. A game that is saved and resumed at every step, also while it is taken back, goes on as
/// one that isn't; the record that comes out scores what the solver says.
#[test]
fn a_resumed_game_is_the_same_game() {
    let settings = Settings { depth: 1, most: 12, early: None };
    for level in Level::all() {
        let mut straight = Solver::new(Sequence::contest(), settings);
        let mut resumed = straight.clone();
        let (mut steps, mut backs) = (0, 0);
        while backs < 3 {
            let step = straight.step(1, level, &|| false);
            assert_ne!(step, Step::Lost, "at piece {}", straight.pieces());
            backs += usize::from(matches!(step, Step::Back { .. }));
            resumed = resumed.to_string().parse().unwrap();
            resumed.step(1, level, &|| false);
            steps += 1;
            assert_eq!(resumed, straight);
        }
        assert_eq!(straight.steps(), steps);
        let report = verify(straight.record(), straight.sequence()).unwrap();
        assert_eq!((report.score, report.pieces, report.over), (straight.score(), straight.pieces(), None));
    }
}

/// Behind a dead end the search is deeper until the piece that had no place is placed.
#[test]
fn a_dead_end_is_passed_with_a_greater_depth() {
    let sequence = Sequence::contest();
    let mut solver = Solver::new(sequence.clone(), Settings { depth: 1, ..Settings::default() });
    let (mut depth, mut dead_end, mut deeper) = (1, 0, 0);
    while deeper < 30 {
        let (start, board) = (solver.pieces(), solver.board());
        match solver.step(1, Level::detect(), &|| false) {
            Step::Placed => {
                let search = TreeSearch { depth, ..TreeSearch::default() };
                let expected = search.best(&sequence, start, &board, &|| false).unwrap().unwrap();
                assert_eq!(solver.board(), expected.board, "piece {start}, depth {depth}");
                deeper += usize::from(depth > 1);
                depth = if start < dead_end { depth } else { 1 };
            }
            Step::Back { pieces, depth: next } => {
                assert_eq!((pieces, next), (start.saturating_sub(2 * depth), depth + 1));
                assert_eq!(solver.pieces(), pieces);
                (depth, dead_end) = (next, dead_end.max(start));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// With no depth to spare a dead end is the end, and stays it.
#[test]
fn a_lost_game_stays_lost() {
    let mut solver = Solver::new(Sequence::contest(), Settings { depth: 1, most: 1, early: None });
    let level = Level::detect();
    while solver.step(1, level, &|| false) == Step::Placed {}
    let lost = solver.clone();
    assert_eq!(solver.step(1, level, &|| false), Step::Lost);
    assert_eq!(solver, lost);
    let mut game = Game::new(solver.sequence());
    for turn in solver.record().turns() {
        game.spawn();
        turn.runs().iter().for_each(|run| (0..run.count).for_each(|_| assert!(game.press(run.key))));
        game.lock();
    }
    let next = solver.sequence().pieces()[game.pieces()];
    assert_eq!(reference::children(game.board(), next), []);
}

#[test]
fn depth_is_greater_before_an_i_piece() {
    // The second piece of the contest is an I, the eighth the next one: from the third piece on, four steps of depth 2.
    let plain = Settings { depth: 2, ..Settings::default() };
    let early = Settings { early: Some(Early { pieces: 2, depth: 4 }), ..plain };
    let sequence = Sequence::contest();
    let letters: String = sequence.pieces()[..8].iter().map(|piece| piece.shape().letter()).collect();
    assert_eq!(letters, "ZIOSLZSI");
    let mut solver = Solver::new(sequence.clone(), early);
    for (start, depth) in [4, 2, 2, 2, 2, 4, 4, 2].into_iter().enumerate() {
        let expected = TreeSearch { depth, ..TreeSearch::default() };
        let expected = expected.best(&sequence, start, &solver.board(), &|| false).unwrap().unwrap();
        play(&mut solver, start + 1, 1, Level::detect());
        assert_eq!(solver.board(), expected.board, "piece {start}");
    }
}

#[test]
fn widths() {
    assert_eq!([0, 1, 2, 3, 4, 7, 14].map(width), [3, 3, 3, 3, 4, 7, 14]);
}

#[test]
fn digests_agree() {
    testkit::digest("tetris-ai", tetris_ai::digest);
}
