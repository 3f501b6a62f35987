//! Special pieces by hand, and rejected input. `properties::special` covers moves and cascades,
//! `properties::arrangements` shuffles and deals.

use crate::properties::plain::{At, Plain};
use crate::properties::values::KINDS;
use bitcore::Rng;
use match3::special::{Special, SpecialBoard, SpecialError, SpecialEvent};
use match3::{Axis, Board, CascadeResult, Cell, Error, Event, Swap, SwapError};

fn is_good(board: &SpecialBoard) -> bool {
    Plain::of(board).is_good()
}

struct After {
    board: SpecialBoard,
    result: CascadeResult,
    /// The number of pieces cleared in the first level.
    first: usize,
    /// The special pieces set off, in order.
    set_off: Vec<At>,
}

fn after(board: &str, specials: &[(At, Special)], swap: Swap) -> After {
    let mut board = SpecialBoard::from(board.parse::<Board>().unwrap());
    for &((x, y), kind) in specials {
        board.set_special(x, y, Some(kind)).unwrap();
    }
    let mut colors = (9..=18).cycle();
    let mut events = Vec::new();
    let result = board.try_swap(swap, || colors.next().unwrap(), &mut events).unwrap();
    let is_first =
        |event: &&SpecialEvent| matches!(event, SpecialEvent::Board(Event::Clear { level: 1, .. }));
    let first = events.iter().filter(is_first).count();
    let set_off = events.iter().filter_map(|event| match event {
        SpecialEvent::SetOff { at, .. } => Some(*at),
        _ => None,
    });
    After { set_off: set_off.collect(), board, result, first }
}

#[test]
fn pieces_by_hand() {
    let across = |x, y| Swap { x, y, axis: Axis::Horizontal };
    let down = |x, y| Swap { x, y, axis: Axis::Vertical };
    let specials = |after: &After| Plain::of(&after.board).kinds.into_iter().collect::<Vec<_>>();

    // Four in a row create a row piece in the cell of the swapped piece, and nothing is set off
    // yet.
    let four = after("2213\n1121\n3234", &[], down(2, 0));
    assert_eq!([four.result.cleared, four.result.score, four.result.levels], [7, 70, 1]);
    assert_eq!(specials(&four), vec![((2, 1), Special::Row)]);
    assert_eq!(four.set_off, vec![]);
    assert_eq!(four.board.board().to_string(), "acde\n9b13\n3234");
    // A blocked cell neither stops a row piece nor disappears.
    let row = after("56!7814\n112#!43\n231457", &[((0, 1), Special::Row)], down(2, 1));
    assert_eq!(row.board.board()[(3, 1)], Cell::BLOCKED);

    let [column, bomb, color] = [Special::Column, Special::Bomb, Special::Color];
    let five = "1123\n2314\n4356\n3562\n5243";
    for (board, specials, swap, first, set_off) in [
        // A matched row piece clears its row, including the locked piece.
        ("56!7814\n112#!43\n231457", &[((0, 1), Special::Row)][..], down(2, 1), 5, &[(0, 1)][..]),
        // A color piece swapped with a neighbor clears all pieces of the neighbor's color and
        // itself. Then the same with a neighbor of its own color.
        ("1234\n2345\n3452\n4523", &[((0, 0), color)], across(0, 0), 5, &[(1, 0)]),
        ("1134\n2345\n3451\n4513", &[((0, 0), color)], across(0, 0), 4, &[(1, 0)]),
        // Two color pieces clear each other's colors.
        (
            "1234\n2341\n3412\n4123",
            &[((0, 0), color), ((1, 0), color)],
            across(0, 0),
            8,
            &[(0, 0), (1, 0)],
        ),
        // A chain: the run sets off a column piece, which sets off a bomb, which sets off a row
        // piece. The run clears 3 cells, the column 4 more, then come (1, 2) to (1, 4), then (2, 4)
        // and (3, 4).
        (
            five,
            &[((0, 0), column), ((0, 3), bomb), ((1, 4), Special::Row)],
            down(2, 0),
            12,
            &[(0, 0), (0, 3), (1, 4)],
        ),
        // Matched pieces by row, then the pieces hit by the first of them, then by the second. Both
        // hit (2, 2).
        (
            five,
            &[((0, 0), column), ((2, 1), column), ((0, 2), bomb), ((2, 3), bomb), ((2, 2), bomb)],
            down(2, 0),
            19,
            &[(0, 0), (2, 0), (0, 2), (2, 2), (2, 3)],
        ),
        // A bomb in the corner of the board.
        ("1123\n!2!314\n4356", &[((0, 0), bomb)], down(2, 0), 5, &[(0, 0)]),
    ] {
        let found = after(board, specials, swap);
        assert_eq!(found.first, first, "{swap}\n{board}");
        assert_eq!(&found.set_off[..], set_off, "{swap}\n{board}");
    }
}

#[test]
fn what_is_refused() {
    let mut board = SpecialBoard::from("1.\n#!2".parse::<Board>().unwrap());
    let row = Some(Special::Row);
    for ((x, y), kind, expected) in [
        ((2, 0), None, SpecialError::Outside((2, 0))),
        ((0, 2), None, SpecialError::Outside((0, 2))),
        ((1, 0), row, SpecialError::NoPiece((1, 0))),
        ((0, 1), row, SpecialError::NoPiece((0, 1))),
    ] {
        assert_eq!(board.set_special(x, y, kind), Err(expected));
    }
    board.set_special(1, 1, Some(Special::Color)).unwrap();
    // A locked piece can't be swapped, not even a color piece.
    let mut locked = SpecialBoard::from("1!2".parse::<Board>().unwrap());
    locked.set_special(1, 0, Some(Special::Color)).unwrap();
    let swap = Swap { x: 0, y: 0, axis: Axis::Horizontal };
    assert_eq!(locked.try_swap(swap, || 1, &mut ()), Err(SwapError::Locked((1, 0))));
    assert_eq!(locked.swaps(), []);

    let start = board.clone();
    for (line, expected) in [
        ("setoff 1 0,0 row 1", "(0, 0) is not a special piece of this kind and color"),
        ("setoff 1 1,1 bomb 2", "(1, 1) is not a special piece of this kind and color"),
        ("setoff 1 1,0 row 1", "(1, 0): expected a color, found ."),
        ("create 1 0,1 row 1", "(0, 1) holds #, expected an empty cell"),
        ("create 1 0,2 row 1", "(0, 2) is outside the board"),
        ("clear 1 0,0 2", "(0, 0) holds 1, expected 2"),
    ] {
        let fits = "setoff 1 1,1 color 7".parse().unwrap();
        let error = board.replay(&[fits, line.parse().unwrap()]).expect_err(line);
        assert_eq!(error.to_string(), format!("event 1: {expected}"));
        assert_eq!(&board, &start);
    }
}

#[test]
fn what_is_no_event() {
    let kinds = "row, column, bomb or color";
    for (line, expected) in [
        ("create 1 2,3 rwo 4", format!("column 14: expected {kinds}, found \"rwo\"")),
        ("setoff 1 2,3", format!("column 13: expected {kinds}, found the end of the line")),
        ("setoff 1 2,3 row 4 5", "column 20: expected the end of the line, found \"5\"".into()),
        (
            "jump",
            "column 1: expected swap, match, clear, fall, spawn, setoff or create, found \"jump\""
                .into(),
        ),
        ("fall 0,0 0", "column 10: expected a cell as x,y, found \"0\"".into()),
    ] {
        assert_eq!(line.parse::<SpecialEvent>().expect_err(line).to_string(), expected);
    }
    for kind in KINDS {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    assert!("rocket".parse::<Special>().is_err());
}

/// A board with one way to be alive: its color piece must touch another piece.
#[test]
fn a_color_piece_is_put_next_to_a_piece() {
    // Thirty isolated pieces and two that touch, in colors that can't make a run.
    let text = format!("12{}", "#3".repeat(30));
    for seed in 0..20 {
        let mut board = SpecialBoard::from(text.parse::<Board>().expect("a board"));
        board.set_special(31, 0, Some(Special::Color)).expect("a piece");
        assert!(!board.has_swap());
        board.shuffle(&mut Rng::new(seed)).expect("an order");
        assert!(is_good(&board), "{board:?}");
    }
}

/// The only color piece has a color to itself, and only two of a thousand cells touch. Random
/// orders hardly ever find them, so the search of all orders must distinguish its color from other
/// rare ones.
#[test]
fn a_rare_color_piece_is_searched_for() {
    let mut text = format!("12{}\n", "#3".repeat(31));
    for _ in 0..15 {
        text += &format!("{}\n{}\n", "#".repeat(64), "#3".repeat(32));
    }
    let text = text
        .replacen("3\n", "4\n", 1)
        .replacen("#3#3\n", "#5#6\n", 1)
        .replacen("#3#3\n", "#7#8\n", 1);
    let mut found = 0;
    for seed in 0..20 {
        let mut board = SpecialBoard::from(text.parse::<Board>().expect("a board"));
        board.set_special(63, 0, Some(Special::Color)).expect("the piece of color 4");
        match board.shuffle(&mut Rng::new(seed)) {
            Ok(()) => found += u32::from(is_good(&board)),
            Err(error) => assert_eq!(error, Error::NotFound),
        }
    }
    assert!(found >= 8, "{found} of 20");
}

/// A board where no run fits is alive because of its color piece, whatever the colors are.
#[test]
fn a_color_piece_is_dealt_for() {
    let mut board = SpecialBoard::from("12\n#3".parse::<Board>().expect("a board"));
    let refused = board.redeal(3, &mut Rng::new(1));
    assert_eq!(refused, Err(Error::NoneExists));
    board.set_special(0, 0, Some(Special::Color)).expect("a piece");
    board.redeal(3, &mut Rng::new(1)).expect("any colors");
    assert!(is_good(&board) && board.special(0, 0) == Some(Special::Color));
}
