//! The second spawn row.

use bitcore::{Level, Rng};
use tetris::batch::{Actions, Batch, BatchRules, StepBuffers};
use tetris::garbage::{Attack, GarbageTiming};
use tetris::movegen::{self, MoveRules, Placements, SpinMode};
use tetris::reference::naive;
use tetris::{Board, Game, Location, Move, Piece, Position, Rules, TopOut, perft};

const ONE_ROW: Rules = Rules { second_spawn_row: false, ..Rules::GUIDELINE };

/// Nineteen rows of garbage, and a cell over them where pieces spawn.
fn blocked(x: usize) -> String {
    let mut row = [b'.'; 10];
    row[x] = b'#';
    format!("{}\n{}", str::from_utf8(&row).unwrap(), "#########.\n".repeat(19))
}

fn start(rules: Rules, board: &str, queue: &[Piece]) -> Game {
    let position = Position { board: board.parse().unwrap(), queue, ..Position::default() };
    Game::from_position(rules, position, &mut Rng::new(1)).unwrap()
}

/// Returns a board on which about half of the pieces are blocked in the first row.
fn high_board(rng: &mut Rng) -> Board {
    let low = 15 + rng.below(5);
    let columns = std::array::from_fn(|_| {
        let top = low + rng.below(3);
        let holes = rng.next_u64() & rng.next_u64() & rng.next_u64() & rng.next_u64();
        ((1 << top) - 1) & !holes
    });
    Board::from_columns(columns).unwrap()
}

#[test]
fn a_piece_spawns_one_row_higher_where_the_first_row_is_blocked() {
    for piece in Piece::ALL {
        let spawn = Location::spawn(piece);
        let second = Location { y: 20, ..spawn };
        let board: Board = blocked(4).parse().unwrap();
        assert_eq!((board.spawn(piece, true), board.spawn(piece, false)), (Some(second), None), "{piece}");
        assert_eq!(Board::EMPTY.spawn(piece, true), Some(spawn));
        // Both rows are blocked.
        let both = board.place(Location { piece: Piece::O, x: 4, y: 20, ..spawn }).unwrap();
        assert_eq!(both.spawn(piece, true), None, "{piece}");
        // The first row is free, the second one isn't.
        let roof = Board::EMPTY.place(Location { piece: Piece::I, x: 4, y: 21, ..spawn }).unwrap();
        assert_eq!(roof.spawn(Piece::I, true), Some(Location::spawn(Piece::I)));
    }
}

#[test]
fn games_go_on_in_the_second_row() {
    for piece in Piece::ALL {
        let game = start(Rules::GUIDELINE, &blocked(4), &[piece, piece]);
        assert_eq!((game.over(), game.spawn_location(piece).unwrap().y), (None, 20));
        // The piece falls to both sides of the cell, and two cells of it are below the skyline.
        let below = |turn: &Move| turn.placement.at.cells().iter().any(|&(_, y)| y < 20);
        assert!(game.legal_moves().iter().any(below), "{piece}");
        for turn in game.legal_moves() {
            let keys = movegen::path(game.board(), turn.placement, game.rules().move_rules());
            let (mut at, mut spin) = (game.spawn_location(piece).unwrap(), tetris::Spin::None);
            for key in keys.expect("a way to every placement") {
                (at, spin) = movegen::press(game.board(), at, spin, key).unwrap();
            }
            assert_eq!((at.canonical(), spin), (turn.placement.at, turn.placement.spin));
            let result = game.clone().step(turn, &mut Rng::new(3)).unwrap();
            assert_eq!(result.over == Some(TopOut::Lock), !below(&turn), "{turn}");
        }
        let old = start(ONE_ROW, &blocked(4), &[piece, piece]);
        assert_eq!((old.over(), old.legal_moves()), (Some(TopOut::Block), vec![]));
        let both = format!("....#.....\n....#.....\n{}", blocked(4));
        assert_eq!(start(Rules::GUIDELINE, &both, &[piece]).over(), Some(TopOut::Block));
    }
}

#[test]
fn the_next_piece_and_garbage_find_the_second_row() {
    // After the O, whose cells are in rows 18 and 19, the T spawns over them.
    let tower = "#########.\n".repeat(18);
    for (rules, over) in [(Rules::GUIDELINE, None), (ONE_ROW, Some(TopOut::Block))] {
        let mut game = start(rules, &tower, &[Piece::O, Piece::T]);
        let drop = game.board().landing(Location::spawn(Piece::O)).unwrap();
        let turn = game.legal_moves().into_iter().find(|turn| turn.placement.at == drop).unwrap();
        assert_eq!(game.step(turn, &mut Rng::new(1)).unwrap().over, over);
        // Garbage that enters at once lifts the stack into the first row.
        let rules = Rules { garbage_timing: GarbageTiming::Immediate, ..rules };
        let mut game = start(rules, &tower, &[Piece::T]);
        assert_eq!((game.receive(Attack { lines: 1, column: 0 }), game.over()), (Ok(1), None));
        assert_eq!((game.receive(Attack { lines: 1, column: 0 }), game.over()), (Ok(1), over));
        let _ = game.receive(Attack { lines: 1, column: 0 });
        assert_eq!(game.over(), Some(TopOut::Block));
    }
}

#[test]
fn a_held_piece_spawns_in_the_second_row_on_its_own() {
    // A cell in column 3: the O fits in the first row, the I does not.
    let board = blocked(3);
    for (rules, second) in [(Rules::GUIDELINE, true), (ONE_ROW, false)] {
        let game = start(rules, &board, &[Piece::O, Piece::I]);
        assert_eq!(game.spawn_location(Piece::O), Some(Location::spawn(Piece::O)));
        assert_eq!(game.legal_moves().iter().any(|turn| turn.hold), second);
        // The I in play is blocked in the first row, though an O could be held for it.
        let game = start(rules, &board, &[Piece::I, Piece::O]);
        assert_eq!(game.over().is_none(), second);
    }
}

#[test]
fn placements_are_those_of_the_definition_in_both_rows() {
    let (mut seconds, mut both_blocked) = (0, 0);
    for seed in 0..testkit::cases(1500) {
        let mut rng = Rng::new(seed);
        let board = high_board(&mut rng);
        let piece = Piece::ALL[rng.below(7) as usize];
        let spawn = board.spawn(piece, true);
        seconds += u32::from(spawn.is_some_and(|at| at.y == 20));
        both_blocked += u32::from(spawn.is_none());
        for spin_mode in [SpinMode::Ignore, SpinMode::TSpins] {
            let rules = MoveRules { spin_mode, second_spawn_row: true };
            let spins = spin_mode == SpinMode::TSpins;
            let plain = naive::Rules { spins, second_spawn_row: true, ..naive::Rules::default() };
            let expected = naive::placements(&board, piece, plain);
            assert_eq!(expected.is_empty(), spawn.is_none());
            for level in Level::all() {
                let mut found = Placements::new();
                found.fill_on(level, &board, piece, rules);
                let mut sorted: Vec<_> = found.iter().collect();
                sorted.sort_unstable();
                assert_eq!(sorted, expected, "{piece} {spin_mode:?} {level}\n{board}");
                assert_eq!(movegen::count_on(level, &board, piece, rules) as usize, expected.len());
                let mut list =
                    vec![tetris::Placement { at: Location::spawn(piece), spin: tetris::Spin::None }; 256];
                let count = movegen::list_on(level, &board, piece, rules, &mut list);
                assert!(list[..count].iter().copied().eq(&found));
            }
        }
        if let Some(spawn) = spawn {
            let drops = movegen::hard_drops_from(&board, spawn);
            assert!(drops.iter().eq(naive::hard_drops_from(&board, spawn)), "{spawn}\n{board}");
        }
    }
    if testkit::cases(1500) == 1500 {
        assert!(seconds > 300 && both_blocked > 50, "{seconds} {both_blocked}");
    }
}

#[test]
fn perft_has_one_row_or_two() {
    let rules = MoveRules { second_spawn_row: true, ..SpinMode::TSpins.into() };
    let mut differ = 0;
    for seed in 0..testkit::cases(60) {
        let mut rng = Rng::new(seed);
        let board = high_board(&mut rng);
        let queue = [0; 3].map(|_| Piece::ALL[rng.below(7) as usize]);
        let plain = naive::Rules { spins: true, second_spawn_row: true, ..naive::Rules::default() };
        for len in 1..=2 {
            let expected = naive::perft(&board, &queue[..len], plain);
            for level in Level::all() {
                assert_eq!(perft::perft_on(level, &board, &queue[..len], rules), expected, "{board}");
            }
        }
        let (two, one) =
            (perft::perft(&board, &queue, rules), perft::perft(&board, &queue, SpinMode::TSpins));
        assert!(two >= one);
        differ += u32::from(two > one);
    }
    assert!(testkit::cases(60) < 60 || differ > 10, "{differ}");
}

#[test]
fn batches_play_in_both_rows() {
    for actions in [Actions::Drops, Actions::Placements] {
        for (game, accepted) in [(Rules::GUIDELINE, true), (ONE_ROW, false)] {
            let rules = BatchRules { game, actions, ..BatchRules::default() };
            let mut batch = Batch::new(4, 1, rules).unwrap();
            let starts: Vec<Board> = (3..7).map(|x| blocked(x).parse().unwrap()).collect();
            assert_eq!(batch.set_starts(starts).is_ok(), accepted);
            let mut buffers = StepBuffers::new(batch.shape());
            batch.reset_into(&mut buffers.obs, &mut buffers.mask).unwrap();
            for _ in 0..testkit::cases(60) {
                for (i, mask) in buffers.mask.chunks(batch.actions()).enumerate() {
                    let game = batch.game(i).unwrap().game().clone();
                    let legal: Vec<u32> = actions.moves(&game).iter().map(|&(action, _)| action).collect();
                    let found = (0..).zip(mask).filter_map(|(i, &is)| is.then_some(i));
                    assert!(found.eq(legal) && mask.contains(&true), "{}", game.board());
                }
                batch.random_step_into(buffers.out()).unwrap();
            }
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn saved_games_of_before_have_one_row() {
    // A game over by a block out, and one that goes on, as they were saved before the second row was.
    let mut rng = Rng::new(1);
    let over = start(ONE_ROW, &blocked(4), &[Piece::T]);
    for game in [over, Game::new(ONE_ROW, &mut rng)] {
        let mut saved = serde_json::to_value(&game).unwrap();
        assert_eq!(saved["rules"]["second_spawn_row"], false);
        saved["rules"].as_object_mut().unwrap().remove("second_spawn_row");
        assert_eq!(serde_json::from_value::<Game>(saved).unwrap(), game);
    }
    let batch = Batch::new(2, 1, BatchRules { game: ONE_ROW, ..BatchRules::default() }).unwrap();
    let text = serde_json::to_string(&batch).unwrap();
    let old = text.replace(r#","second_spawn_row":false"#, "");
    assert!(!old.contains("second"));
    let read: Batch = serde_json::from_str(&old).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    // Rules that leave more out have the defaults, and a name that is wrong is none of them.
    assert_eq!(serde_json::from_str::<Rules>("{}").unwrap(), Rules::default());
    let off = serde_json::from_str::<Rules>(r#"{"second_spawn_row": false}"#).unwrap();
    assert_eq!(off, ONE_ROW);
    assert!(serde_json::from_str::<Rules>(r#"{"second_row": false}"#).is_err());
    // With this rule, a block out needs both rows.
    let both = format!("....#.....\n{}", blocked(4));
    let game = start(Rules::GUIDELINE, &both, &[Piece::I]);
    let mut saved = serde_json::to_value(&game).unwrap();
    assert_eq!(serde_json::from_value::<Game>(saved.clone()).unwrap(), game);
    saved["board"] = blocked(4).parse::<Board>().unwrap().to_string().into();
    let error = serde_json::from_value::<Game>(saved).unwrap_err();
    assert!(error.to_string().contains("expected no block out"), "{error}");
}
