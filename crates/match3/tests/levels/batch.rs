//! Batches: rules, actions, rejected input and starts. `properties::batch` covers play.

use match3::batch::BatchError;
use match3::{Axis, Batch, Board, Error, Rules, Swap};

#[test]
fn what_a_batch_refuses() {
    let batch = |colors| Batch::new(2, Rules { colors, ..Rules::default() }, 1).expect("a board");
    for colors in [6, 12] {
        let rules = Rules { colors, ..Rules::default() };
        testkit::check_refusals([batch(5), batch(6)], |n| Batch::new(n, rules, 1), Error::Games);
    }
}

#[test]
fn rules_of_no_game_are_checked_too() {
    let size = |width, height, longest| Error::Size { width, height, longest };
    let dead = Error::Dead { width: 1, height: 1, colors: 6, boards: 10_000 };
    let colors = Error::Colors { found: 16, least: 3, largest: 15 };
    for (width, height, colors, moves, expected) in [
        // The number of cells and the number of actions overflow.
        (usize::MAX, usize::MAX, 6, 1, size(usize::MAX, usize::MAX, 16)),
        (17, 8, 6, 30, size(17, 8, 16)),
        (0, 0, 6, 1, size(0, 0, 8)),
        (0, 9, 6, 1, size(0, 9, 16)),
        (1, 1, 6, 0, Error::NoMoves),
        (1, 1, 6, 1, dead),
        (8, 8, 16, 1, colors),
    ] {
        let rules = Rules { width, height, colors, moves };
        for games in [0, 1] {
            assert_eq!(Batch::new(games, rules, 1).map(|_| ()), Err(expected), "{rules:?}");
        }
    }
    assert_eq!(Error::NoMoves.to_string(), "0 moves: expected at least 1");
}

#[test]
fn sizes_that_no_board_has() {
    let most = usize::MAX;
    assert_eq!(Swap::actions(most, most), most);
    assert_eq!(
        Swap::from_action(most - 1, most, most),
        Some(Swap { x: 0, y: 1, axis: Axis::Horizontal })
    );
    for axis in [Axis::Horizontal, Axis::Vertical] {
        // The last horizontal index would equal the number of pairs.
        for (x, y) in [(most, most), (1, most / 2), (1, 1)] {
            assert_eq!(Swap { x, y, axis }.action(most, most), None, "({x}, {y}), {axis:?}");
        }
    }
}

#[test]
fn actions_are_pairs() {
    for (width, height) in [(8, 8), (1, 5), (5, 1), (1, 1), (3, 2), (16, 16)] {
        let actions = Swap::actions(width, height);
        assert_eq!(actions, 2 * width * height - width - height);
        let pairs: Vec<Swap> = (0..actions)
            .map(|action| Swap::from_action(action, width, height).expect("in range"))
            .collect();
        assert_eq!(Swap::from_action(actions, width, height), None);
        for (action, pair) in pairs.iter().enumerate() {
            assert_eq!(pair.action(width, height), Some(action));
            assert!(pair.cells().iter().all(|&(x, y)| x < width && y < height));
        }
        let board = Board::new(width, height).expect("a size");
        for pair in crate::properties::plain::pairs(&board) {
            assert_eq!(pair.action(width, height).is_some(), pairs.contains(&pair));
        }
    }
}

#[test]
fn starts_that_cannot_be_played_are_refused() {
    let rules = Rules { width: 4, height: 3, colors: 3, moves: 3 };
    let board = |text: &str| text.parse::<Board>().expect("a board");
    let good = board("1121\n3213\n2132");
    let size = "a board of another size";
    let cell = "a cell isn't a plain piece of one of the colors";
    let batch = Batch::new(5, rules, 1).expect("a size");
    for (text, reason) in [
        ("1121\n3213", size),
        ("112\n321\n213", size),
        ("1112\n3213\n2132", "three or more pieces of a color in a row"),
        ("3322\n2112\n3113", "no swap is legal"),
        (".121\n3213\n2132", cell),
        ("#121\n3213\n2132", cell),
        ("1121\n3213\n213!2", cell),
        ("1121\n3213\n2134", cell),
        ("1121\n3213\n213z", cell),
    ] {
        let refused = batch.clone().with_starts(vec![good.clone(), board(text)]).map(|_| ());
        assert_eq!(refused, Err(BatchError::Start { index: 1, reason }), "{text}");
        assert_eq!(refused.expect_err("refused").to_string(), format!("start 1: {reason}"));
    }
    assert!(batch.with_starts(vec![good]).is_ok());
}
