//! Batches of levels: rules, starts and saved games that are refused, and games by hand.
//! `properties::goals` covers play.

use match3::batch::{BatchError, StepBuffers};
use match3::goals::{Goal, GoalsRules, Target};
use match3::special::{Special, SpecialBoard};
use match3::{Board, Cell, Error, GoalsBatch};

fn board(text: &str) -> Board {
    text.parse().expect("a board")
}

fn goal(target: Target, count: u32) -> Goal {
    Goal { target, count }
}

#[test]
fn what_a_batch_refuses() {
    let rules = |colors| GoalsRules { colors, ..GoalsRules::default() };
    let batch = |colors| GoalsBatch::new(2, rules(colors), 1).expect("a board");
    testkit::check_refusals(
        [batch(5), batch(6)],
        |n| GoalsBatch::new(n, rules(6), 1),
        Error::Games,
    );
}

#[test]
fn levels_that_cannot_be_played_are_refused() {
    let colors = |found| Error::Colors { found, least: 4, largest: 15 };
    let size = Error::Size { width: 17, height: 1, longest: 16 };
    let good = GoalsRules { board: board("1111\n1!111\n#111"), ..GoalsRules::default() };
    let refused = |index, reason| Error::Goal { index, reason };
    let color = "a color that the level doesn't have";
    let zero = "a count of 0, expected at least 1";
    let with = |goals: &[Goal]| GoalsRules { goals: goals.to_vec(), ..good.clone() };
    let first = goal(Target::Score, 1);
    for (rules, expected) in [
        (GoalsRules { moves: 0, ..good.clone() }, Error::NoMoves),
        (GoalsRules { colors: 3, ..good.clone() }, colors(3)),
        (GoalsRules { colors: 16, ..good.clone() }, colors(16)),
        (GoalsRules { board: board(&"1".repeat(17)), ..good.clone() }, size),
        (GoalsRules { board: board("111"), ..good.clone() }, Error::NoneExists),
        (GoalsRules { board: board("!1!1!1\n!1!1!1"), ..good.clone() }, Error::NoneExists),
        (with(&[goal(Target::Score, 0)]), refused(0, zero)),
        (with(&[first, goal(Target::Color(7), 1)]), refused(1, color)),
        (with(&[first, goal(Target::Color(0), 1)]), refused(1, color)),
        (with(&[goal(Target::Locked, 2)]), refused(0, "more locked pieces than the board has")),
        (with(&[first, first]), refused(1, "a target that an earlier goal has")),
        (
            GoalsRules { special: false, ..with(&[goal(Target::Special, 1)]) },
            refused(0, "special pieces in a level without them"),
        ),
    ] {
        for games in [0, 1] {
            assert_eq!(
                GoalsBatch::new(games, rules.clone(), 1).map(|_| ()),
                Err(expected),
                "{rules:?}"
            );
        }
    }
    let all = [first, goal(Target::Color(6), 1), goal(Target::Locked, 1), goal(Target::Special, 1)];
    assert!(GoalsBatch::new(1, with(&all), 1).is_ok());
    assert_eq!(refused(1, color).to_string(), format!("goal 1, from 0: {color}"));
}

#[test]
fn starts_of_another_level_are_refused() {
    let goals = vec![goal(Target::Locked, 1)];
    let board_of = || board("1111\n1!111\n#111");
    let rules = GoalsRules { board: board_of(), special: false, goals, ..GoalsRules::default() };
    let good = SpecialBoard::from(board("1121\n3!213\n#132"));
    let batch = GoalsBatch::new(5, rules, 1).expect("a size");
    let blocked = "blocked cells in other places than the level's";
    let locked = "fewer locked pieces than the goal";
    let mut special = good.clone();
    special.set_special(0, 0, Some(Special::Row)).expect("a piece");
    let text = |text| SpecialBoard::from(board(text));
    for (start, reason) in [
        (text("1121\n3!213"), "a board of another size"),
        (text("1127\n3!213\n#132"), "a piece isn't of one of the colors"),
        (text("1112\n3!213\n#132"), "three or more pieces of a color in a row"),
        (text("1234\n5!641\n#325"), "no swap is legal"),
        (text("1121\n3213\n#132"), locked),
        (text("1121\n3!213\n2132"), blocked),
        (text("1121\n3!213\n.132"), blocked),
        (text("#121\n3!213\n#132"), blocked),
        (special, "special pieces in a level without them"),
    ] {
        let refused = batch.clone().with_starts(vec![good.clone(), start.clone()]).map(|_| ());
        assert_eq!(refused, Err(BatchError::Start { index: 1, reason }), "{}", start.board());
    }
    // As in the middle of a game: the lock has fallen, and nothing falls past a blocked cell.
    assert!(batch.with_starts(vec![good, text("1121\n4214\n#!33.")]).is_ok());
}

#[test]
fn goals_are_counted_and_win() {
    // Four of color 1 in a row create a row piece; the locked one among them is freed.
    let level = |goals: Vec<Goal>, moves| {
        let rules = GoalsRules {
            board: board("1111\n1!111\n1111"),
            goals,
            moves,
            bonus: 1000,
            ..GoalsRules::default()
        };
        let start = SpecialBoard::from(board("2312\n1!143\n3412"));
        GoalsBatch::new(1, rules, 1).expect("a level").with_starts(vec![start]).expect("a board")
    };
    // The last goal isn't reached by the first move, with any refill.
    let far = goal(Target::Score, u32::MAX);
    let goals =
        vec![goal(Target::Color(1), 3), goal(Target::Locked, 1), goal(Target::Special, 9), far];
    let mut batch = level(goals, 9);
    let mut buffers = StepBuffers::new(batch.shape());
    // The piece in column 2 of row 0 goes down.
    let action = 3 * 3 + 2;
    batch.step_into(&[action], buffers.out()).expect("a legal swap");
    let game = batch.game(0).expect("a game");
    assert_eq!(buffers.reward[0] as u64, game.score() + 2000);
    assert_eq!(game.left()[..2], [0, 0]);
    assert_eq!(u64::from(game.left()[3]), u64::from(u32::MAX) - game.score());
    assert!(!game.is_won() && !buffers.terminated[0]);

    let mut batch = level(vec![goal(Target::Locked, 1)], 1);
    batch.step_into(&[action], StepBuffers::new(batch.shape()).out()).expect("a legal swap");
    // A new game has begun.
    let game = batch.game(0).expect("a game");
    assert!(game.is_won());
    assert_eq!(game.left(), &[1][..]);
    assert_eq!(game.score(), 0);
    assert_eq!(game.board().board()[(1, 1)], Cell::new(1).expect("a color").locked());
}

#[test]
fn special_pieces_make_the_difference() {
    let play = |special| {
        let rules =
            GoalsRules { board: board(&["11111"; 5].join("\n")), special, ..GoalsRules::default() };
        let start = board("12345\n23154\n11512\n54143\n45325");
        let batch = GoalsBatch::new(1, rules, 1).expect("a level");
        let mut batch = batch.with_starts(vec![start.into()]).expect("a board");
        let mut buffers = StepBuffers::new(batch.shape());
        // The fourth piece of color 1 moves up or down into the row.
        batch.step_into(&[5 * 4 + 5 + 2], buffers.out()).expect("a legal swap");
        let board = batch.game(0).expect("a game").board().clone();
        (0..25).filter(|at| board.special(at % 5, at / 5).is_some()).count()
    };
    assert_eq!(play(true), 1);
    assert_eq!(play(false), 0);
}

#[cfg(feature = "serde")]
#[test]
fn saved_games_of_other_levels_are_refused() {
    use match3::batch::GameState;
    use match3::goals::GoalsGames;
    use serde_json::json;
    type State = GameState<GoalsGames>;
    let goals = vec![goal(Target::Score, 500)];
    let rules = GoalsRules {
        board: board("1111\n11!11\n#111"),
        goals,
        special: false,
        ..GoalsRules::default()
    };
    let batch = GoalsBatch::new(1, rules, 1).expect("a level");
    let state = serde_json::to_value(batch.state(0).expect("a game")).expect("a form");
    assert!(serde_json::from_value::<State>(state.clone()).is_ok());
    let blocked = "blocked cells in other places than the level's";
    for (key, value, reason) in [
        ("left", json!([501]), "other goals"),
        ("left", json!([]), "other goals"),
        ("board", json!({ "board": "1213\n3124\n1#41", "specials": [] }), blocked),
        ("board", json!({ "board": "1213\n3124", "specials": [] }), "a board of another size"),
        ("board", json!({ "board": "1213\n3124\n#119", "specials": [] }), "one of the colors"),
        ("board", json!({ "board": "1213\n3124\n#111", "specials": [] }), "in a row"),
        (
            "board",
            json!({ "board": "1213\n3124\n#141", "specials": [[0, 0, "bomb"]] }),
            "special pieces",
        ),
        ("colors", json!({ "rng": [1, 2, 3, 4], "count": 5, "buffered": [] }), "number of colors"),
    ] {
        let mut state = state.clone();
        state["game"][key] = value;
        let error = serde_json::from_value::<State>(state).expect_err("another level").to_string();
        assert!(error.contains(reason), "{error}");
    }
}
