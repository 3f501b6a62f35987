//! Tests that every level and every number of threads equal the reference.

use bitcore::{Level, Rng};
use quickcheck::QuickCheck;
use tetris::Rules;
use tetris_ai::beam::{AdvanceResult, Beam, BeamWeights, BoardEvaluator, Patterns, placements};
use tetris_ai::contest::{Board, COLUMNS, FallingPiece, PIECES, Piece, ROWS, Sequence, Shape, verify};
use tetris_ai::control::{Controller, SimplifiedGame};
use tetris_ai::hard_drops::{hard_drops, hard_drops_into_on};
use tetris_ai::solver::{Settings, Solver, StepResult};
use tetris_ai::{Columns, TreeSearch, bot, control, reference};

testkit::properties! {
    contest_boards: crate::properties::contests::board, 300;
    contest_games: crate::properties::contests::game, 200;
    drops: crate::properties::trees::hard_drops, 300;
    tree_searches: crate::properties::trees::search, 60;
    solvers: crate::properties::trees::solver, 60;
    beam_placements: crate::properties::beams::placements, 200;
    beams: crate::properties::beams::beam, 60;
    time_managers: crate::properties::beams::time_manager, 300;
    versus_games: crate::properties::bots::versus, 100;
    bot_searches: crate::properties::bots::search, 60;
    bot_states: crate::properties::bots::state, 100;
    controllers_games: crate::properties::controllers::games, 100;
    controllers_choices: crate::properties::controllers::choices, 100;
}

/// Returns a random board between two pieces: a skyline of any height with holes and overhangs, often near
/// the top, often with rows that lack one cell.
fn board(rng: &mut Rng) -> Board {
    let (low, spread) = (rng.below(19), 1 + rng.below(8));
    let heights: [u32; COLUMNS] = std::array::from_fn(|_| (low + rng.below(spread)).min(19));
    let (dense, gap, nearly) = (rng.below(10), rng.below(COLUMNS as u32), rng.below(4));
    let rows: Vec<String> = (0..ROWS as u32)
        .map(|y| {
            let mut row: Vec<bool> = heights.map(|height| ROWS as u32 - y <= height).to_vec();
            let dense = if rng.below(4) < nearly { 9 } else { dense };
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

/// Returns a board of some random low placements of a sequence, and the index of the next piece.
fn grown(rng: &mut Rng, sequence: &Sequence) -> (Board, usize) {
    let (mut board, start) = (Board::new(), rng.below(300) as usize);
    for piece in start..start + 20 + rng.below(30) as usize {
        let places = placements(&board, sequence.pieces()[piece]);
        let low = places.len().saturating_sub(8);
        let Some(placement) = places.get(low + rng.below(8) as usize % (places.len() - low).max(1)) else {
            return (board, piece);
        };
        board.place(placement.falling(sequence.pieces()[piece].shape()));
        board.clear_full_rows();
    }
    (board, start + 50)
}

fn piece(rng: &mut Rng) -> Piece {
    Piece::new(Shape::ALL[rng.below(7) as usize], rng.below(4) as u8)
}

#[test]
fn boards_as_columns() {
    testkit::seeds(2_000, |seed| {
        let board = board(&mut Rng::new(seed));
        let columns = Columns::from(&board);
        assert_eq!((Board::from(&columns), columns.cells()), (board, board.cells()));
    });
}

#[test]
fn hard_drops_equal_the_reference() {
    fn property(seed: u64, keep: u8) {
        let mut rng = Rng::new(seed);
        let (board, piece) = (board(&mut rng), piece(&mut rng));
        let expected: Vec<_> = reference::children(&board, piece)
            .iter()
            .map(|child| (child.drop, Columns::from(&child.board), child.value))
            .collect();
        let columns = Columns::from(&board);
        let mut children = Vec::new();
        for keep in [usize::MAX, usize::from(keep % 40)] {
            for level in Level::all() {
                hard_drops_into_on(level, &columns, piece, keep, &mut children);
                let found: Vec<_> =
                    children.iter().map(|child| (child.drop, child.board, child.value)).collect();
                assert_eq!(found, expected[..keep.min(expected.len())], "{level}, {piece} on\n{board}");
            }
        }
    }
    testkit::levels();
    QuickCheck::new().tests(testkit::cases(20_000)).quickcheck(property as fn(u64, u8));
}

/// The keys of a drop lead, under the rules of the game, to the board that the search saw.
#[test]
fn hard_drops_can_be_replayed() {
    testkit::seeds(2_000, |seed| {
        let mut rng = Rng::new(seed);
        let (board, piece) = (board(&mut rng), piece(&mut rng));
        for child in hard_drops(&Columns::from(&board), piece) {
            let keys = child.drop.keys();
            let mut falling = FallingPiece::spawned(piece);
            assert!(board.fits(falling));
            for run in keys.runs() {
                for _ in 0..run.count {
                    falling = falling.after_key(run.key);
                    assert!(board.fits(falling), "{piece}, {:?}", child.drop);
                }
            }
            let mut after = board;
            after.place(falling);
            assert!(!after.top_touched());
            after.clear_full_rows();
            assert_eq!(Board::from(&child.board), after);
            assert!((1..=100).contains(&keys.count()));
        }
    });
}

#[test]
fn searches_equal_the_reference() {
    testkit::seeds(300, |seed| {
        let sequence = Sequence::contest();
        let mut rng = Rng::new(seed);
        let board = board(&mut rng);
        let late = rng.below(2) == 0;
        let start = if late { PIECES - 1 - rng.below(5) as usize } else { rng.below(9_000) as usize };
        let depth = 1 + rng.below(4) as usize;
        let expected = reference::search(&sequence, start, &board, depth);
        for level in Level::all() {
            let search = TreeSearch { depth, threads: 1 };
            assert_eq!(
                search.best_on(level, &sequence, start, &(&board).into(), &|| false),
                Ok(expected),
                "{level}"
            );
        }
    });
}

#[test]
fn threads_change_nothing() {
    let sequence = Sequence::contest();
    let depth = if std::env::var_os(testkit::EMULATED).is_some() { 6 } else { 7 };
    for level in Level::all() {
        let mut board = Columns::new();
        for start in 0..3 {
            let search = |threads| {
                TreeSearch { depth, threads }
                    .best_on(level, &sequence, start, &board, &|| false)
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

/// Depth 1 runs into dead ends. A game that is saved and resumed at every step, also during backtracking,
/// equals one that is not, and the record has the score of the solver.
#[test]
fn a_resumed_game_is_the_same_game() {
    let settings = Settings { depth: 1, max_depth: 12, extension: None };
    for level in Level::all() {
        let mut straight = Solver::new(Sequence::contest(), settings);
        let mut resumed = straight.clone();
        let (mut steps, mut backs) = (0, 0);
        while backs < 3 {
            let step = straight.step_on(level, 1, &|| false);
            assert_ne!(step, StepResult::Lost, "at piece {}", straight.pieces());
            backs += usize::from(matches!(step, StepResult::Backtracked { .. }));
            resumed = resumed.to_string().parse().unwrap();
            resumed.step_on(level, 1, &|| false);
            steps += 1;
            assert_eq!(resumed, straight);
        }
        assert_eq!(straight.steps(), steps);
        let report = verify(straight.record(), straight.sequence()).unwrap();
        assert_eq!((report.score, report.pieces, report.over), (straight.score(), straight.pieces(), None));
    }
}

#[test]
fn placements_equal_single_key_presses() {
    testkit::seeds(300, |seed| {
        let mut rng = Rng::new(seed);
        let board = if rng.below(2) == 0 { board(&mut rng) } else { grown(&mut rng, &Sequence::contest()).0 };
        for shape in Shape::ALL {
            let piece = Piece::new(shape, rng.below(4) as u8);
            let found = placements(&board, piece);
            assert_eq!(found, reference::placements(&board, piece), "{piece} on\n{board}");
            // The keys that a record gets lead there.
            for placement in found {
                let mut falling = board.spawn(piece).unwrap();
                for run in placement.keys(&board, piece).unwrap().runs() {
                    for _ in 0..run.count {
                        falling = falling.after_key(run.key);
                        assert!(board.fits(falling));
                    }
                }
                let cells = |falling: FallingPiece| {
                    let mut cells = falling.cells();
                    cells.sort_unstable();
                    cells
                };
                assert_eq!(cells(falling), cells(placement.falling(shape)));
            }
        }
    });
}

#[test]
fn values_equal_their_definition() {
    testkit::levels();
    testkit::seeds(600, |seed| {
        let mut rng = Rng::new(seed);
        let sequence = Sequence::contest();
        let (board, piece) = if rng.below(2) == 0 {
            (board(&mut rng), rng.below(300) as usize)
        } else {
            grown(&mut rng, &sequence)
        };
        // Often so near the end that the shape matters less.
        let goal = piece + 2 + rng.below(80) as usize;
        let pieces = &sequence.pieces()[..goal.min(10_000)];
        let patterns = (rng.below(4) > 0).then_some(Patterns::FITTED);
        let patterns_after = rng.below(200) as usize;
        let min_clear_cells = 100 + rng.below(40);
        let weights = BeamWeights { min_clear_cells, patterns, patterns_after, ..BeamWeights::FITTED };
        let expected = reference::beam_children(&weights, pieces, piece + 1, &board);
        let values = BoardEvaluator::new(&weights, pieces);
        let value = reference::beam_value(&weights, pieces, piece, &board);
        assert_eq!(values.value(piece, &board), value, "\n{board}");
        for level in Level::all() {
            let found = values.children_on(level, piece + 1, &board);
            assert_eq!(found, expected, "{level}, {} on\n{board}", pieces[piece + 1]);
        }
    });
}

fn beam(pieces: usize) -> Beam {
    Beam::new(Sequence::contest(), pieces, BeamWeights::FITTED)
}

/// Advances to the end, `pieces` pieces at a time.
fn finish(beam: &mut Beam, pieces: usize, width: usize, threads: usize, level: Level) {
    while beam.pieces() < beam.goal() {
        let ended = beam.advance_on(level, pieces, width, threads, &|| false);
        assert!(matches!(ended, AdvanceResult::Done | AdvanceResult::Finished), "{ended:?}");
    }
}

#[test]
fn threads_levels_and_stretches_change_nothing() {
    let mut plain = beam(150);
    finish(&mut plain, 150, 700, 1, Level::detect());
    for level in Level::all() {
        for (threads, pieces) in [(1, 40), (2, 150), (3, 7)] {
            let mut other = beam(150);
            finish(&mut other, pieces, 700, threads, level);
            // The time of compactions differs, the compacted state does not.
            other.compact();
            plain.compact();
            assert_eq!(other, plain, "{level}, {threads} threads");
        }
    }
}

pub(crate) fn game(rng: &mut Rng) -> tetris::Game {
    let mut game = tetris::Game::new(Rules::default(), rng);
    for _ in 0..rng.below(12) {
        let before = game.clone();
        game.random_step(rng);
        if game.over().is_some() {
            return before;
        }
    }
    game
}

#[test]
fn equal_on_every_level_and_in_portions() {
    fn property(seed: u64, portion: u16) {
        let position = bot::GameState::from(&game(&mut Rng::new(seed)));
        let mut whole = bot::Search::new(&position, bot::BotWeights::default());
        whole.run(3000, &|| false);
        for level in Level::all() {
            let mut search = bot::Search::new(&position, bot::BotWeights::default());
            search.run_on(level, u64::from(portion).min(3000), &|| false);
            search.run_on(level, 3000, &|| false);
            assert_eq!((search.nodes(), search.ranked()), (whole.nodes(), whole.ranked()), "{level}");
        }
    }
    QuickCheck::new().tests(testkit::cases(40)).quickcheck(property as fn(u64, u16));
}

/// The numbers of this program, for whoever changes it.
#[test]
fn a_game_of_a_fixed_seed() {
    for level in testkit::levels() {
        let mut rng = Rng::new(4);
        let mut game = tetris::Game::new(Rules::default(), &mut rng);
        let (mut attack, mut nodes) = (0, 0);
        for _ in 0..40 {
            let mut search = bot::Search::new(&bot::GameState::from(&game), bot::BotWeights::default());
            search.run_on(level, 1500, &|| false);
            nodes += search.nodes();
            attack += game.step(search.best().expect("a turn"), &mut rng).expect("it is legal").attack;
        }
        assert_eq!((attack, nodes), (17, 79_693), "{level}");
    }
}

/// A board of 20 rows without a full one: low or high, with holes and wells.
fn field(rng: &mut Rng) -> tetris::Board {
    let (low, spread, dense) = (rng.below(18), 1 + rng.below(10), 1 + rng.below(10));
    let mut columns: [u64; 10] = std::array::from_fn(|_| {
        let height = (low + rng.below(spread)).min(ROWS as u32);
        (0..height).fold(0, |column, y| column | u64::from(rng.below(10) < dense) << y)
    });
    columns[rng.below(10) as usize] &= !columns.iter().fold(!0, |rows, column| rows & column);
    tetris::Board::from_columns(columns).expect("twenty rows")
}

fn letter(rng: &mut Rng) -> tetris::Piece {
    tetris::Piece::ALL[rng.below(7) as usize]
}

/// Each weight alone, then some of all.
fn weights(rng: &mut Rng) -> control::ControllerWeights {
    let alone = rng.below(18) as usize;
    let w: [i32; 9] =
        std::array::from_fn(|i| if alone < 9 && alone != i { 0 } else { rng.below(2001) as i32 - 1000 });
    control::ControllerWeights {
        landing_height: w[0],
        eroded_cells: w[1],
        row_transitions: w[2],
        column_transitions: w[3],
        holes: w[4],
        cumulative_wells: w[5],
        hole_depth: w[6],
        rows_with_holes: w[7],
        pattern_diversity: w[8],
    }
}

#[test]
fn choices_equal_the_reference() {
    testkit::seeds(2_000, |seed| {
        let mut rng = Rng::new(seed);
        let (board, piece, next) = (field(&mut rng), letter(&mut rng), letter(&mut rng));
        let two_piece = rng.below(8) == 0;
        let controller = Controller { weights: weights(&mut rng), two_piece };
        let expected = reference::control::choose(&controller, &board, piece, Some(next));
        for level in Level::all() {
            let found = controller.choose_on(level, &board, piece, Some(next));
            assert_eq!(found, expected, "{level} {controller:?} {piece} {next}\n{board}");
        }
    });
}

/// The numbers of this program, for whoever changes it: the games must not change.
#[test]
fn games_of_fixed_seeds() {
    // Two weights of Dellacherie's are not enough.
    let short = control::ControllerWeights {
        cumulative_wells: -100,
        landing_height: -100,
        ..control::ControllerWeights::default()
    };
    for level in testkit::levels() {
        let mut lines = 0;
        for i in 0..20 {
            let mut game = SimplifiedGame::new(Rng::stream(7, i));
            while !game.over() {
                game.play_on(level, &Controller::new(short), 1000);
            }
            lines += game.lines();
        }
        assert_eq!(lines, 343, "{level}");
        for (weights, two_piece, pieces, lines, valued) in [
            (control::ControllerWeights::DT20, false, 20_000, 7_997, 463_246),
            (control::ControllerWeights::DELLACHERIE, false, 20_000, 7_996, 463_246),
            (control::ControllerWeights::DT20, true, 1_000, 398, 535_840),
        ] {
            let mut game = SimplifiedGame::new(Rng::new(1));
            assert_eq!(game.play_on(level, &Controller { weights, two_piece }, pieces), pieces);
            assert_eq!((game.lines(), game.evaluated()), (lines, valued), "{level} {weights} {two_piece}");
        }
    }
}

#[test]
fn digests_agree() {
    testkit::digest("tetris-ai", include_str!("data/digest.txt"), tetris_ai::digest);
}
