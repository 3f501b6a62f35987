//! Journals by hand, and rejected events and swaps. `properties::board` covers moves and cascades.

use match3::journal::parse_journal;
use match3::{Axis, Board, Event, Swap, SwapError, cascade_without_refill, replay, try_swap};

#[test]
fn matches_come_before_their_clears() {
    let mut board: Board = "2132\n1141\n2111\n2332".parse().unwrap();
    let mut events = Vec::new();
    let result = cascade_without_refill(&mut board, &mut events);
    let lines: Vec<String> = events.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "match 1 L 1 1,0 1,1 1,2 2,2 3,2",
            "clear 1 1,0 1",
            "clear 1 1,1 1",
            "clear 1 1,2 1",
            "clear 1 2,2 1",
            "clear 1 3,2 1",
            "fall 2,1 2,2",
            "fall 2,0 2,1",
            "fall 3,1 3,2",
            "fall 3,0 3,1",
        ]
    );
    assert_eq!([result.cleared, result.score, result.levels], [5, 50, 1]);
}

#[test]
fn a_swap_beyond_all_boards() {
    let far = Swap { x: usize::MAX, y: usize::MAX, axis: Axis::Vertical };
    let mut board: Board = "1121".parse().unwrap();
    let never = || -> u8 { panic!("a draw") };
    let outside = SwapError::Outside((usize::MAX, usize::MAX));
    assert_eq!(try_swap(&mut board, far, never, &mut ()), Err(outside));
    assert_eq!(outside.to_string(), format!("({0}, {0}) is outside the board", usize::MAX));
}

#[test]
fn unfit_events_are_refused() {
    let start: Board = "12.\n1#3\n!13.".parse().unwrap();
    let far = usize::MAX;
    for (line, expected) in [
        ("swap 2 2 H", "(2, 2): expected a color, found ."),
        ("swap 1 2 V", "(1, 3) is outside the board"),
        (&format!("swap {far} 0 H"), &format!("({far}, 0) is outside the board")),
        ("swap 0 1 H", "(1, 1): expected a color, found #"),
        ("swap 0 1 V", "(0, 2) holds !1, expected a color without a lock"),
        (
            "match 1 line3 2 0,0 0,1 0,2",
            "the cells starting at (0, 0) are not a group of this color",
        ),
        ("match 1 line3 1 0,1 0,2 0,3", "(0, 3) is outside the board"),
        (
            "match 1 square 1 0,0 1,0 0,1 1,1",
            "the cells starting at (0, 0) are not a group of this color",
        ),
        ("clear 1 0,2 1", "(0, 2) holds !1, expected 1"),
        ("clear 1 2,0 .", "(2, 0): expected a color, found ."),
        ("clear 1 1,1 #", "(1, 1): expected a color, found #"),
        ("fall 0,0 0,1", "(0, 1) holds 1, expected an empty cell"),
        ("fall 1,0 1,2", "(1, 1) holds #, expected an empty cell"),
        ("fall 1,0 2,0", "from (1, 0): a piece falls straight down"),
        ("fall 1,0 2,1", "from (1, 0): a piece falls straight down"),
        ("fall 2,1 2,0", "from (2, 1): a piece falls straight down"),
        ("fall 2,1 2,3", "(2, 3) is outside the board"),
        ("fall 2,0 2,2", "(2, 0): expected a color, found ."),
        ("spawn 2,2 1", "(2, 1) holds 3, expected an empty cell"),
        ("spawn 2,0 #", "(2, 0): expected a color, found #"),
        ("spawn 3,0 1", "(3, 0) is outside the board"),
        // Events count from 0, and the ones before the impossible event change nothing either.
        ("fall 2,1 2,2\nspawn 2,0 4\nspawn 2,0 4", "(2, 0) holds 4, expected an empty cell"),
    ] {
        let events: Vec<Event> = parse_journal(line).unwrap();
        let mut board = start.clone();
        let error = replay(&mut board, &events).expect_err(line);
        assert_eq!(error.index, events.len() - 1, "{line}");
        assert_eq!(&board, &start, "{line}");
        assert_eq!(error.to_string(), format!("event {}: {expected}", error.index), "{line}");
    }
    let fits = "match 1 line3 1 0,0 0,1 0,2\nfall 2,1 2,2\nspawn 2,1 !4\nclear 1 0,2 !1\n";
    let mut board = start;
    replay(&mut board, &parse_journal(fits).unwrap()).unwrap();
    assert_eq!(board.to_string(), "12.\n1#!4\n.33");
}

#[test]
fn a_part_of_a_group_is_none() {
    for (board, group, fits) in [
        ("1111\n1...\n1...", "line3 1 0,0 1,0 2,0", false),
        ("1111\n1...\n1...", "line3 1 1,0 2,0 3,0", false),
        ("1111\n1...\n1...", "line4 1 0,0 1,0 2,0 3,0", false),
        ("1111\n1...\n1...", "line3 1 0,0 0,1 0,2", false),
        ("1111\n1...\n1...", "L 1 0,0 1,0 2,0 0,1 0,2", false),
        ("1111\n1...\n1...", "L 1 0,0 1,0 2,0 3,0 0,1 0,2", true),
        ("1\n1\n1\n1", "line3 1 0,0 0,1 0,2", false),
        ("1\n1\n1\n1", "line3 1 0,1 0,2 0,3", false),
        ("1\n1\n1\n1", "line4 1 0,0 0,1 0,2 0,3", true),
    ] {
        let event = format!("match 1 {group}").parse().unwrap();
        assert_eq!(
            replay(&mut board.parse().unwrap(), &[event]).is_ok(),
            fits,
            "{group} on\n{board}"
        );
    }
}

#[test]
fn what_is_no_event() {
    let kinds = "swap, match, clear, fall or spawn";
    let piece = "a piece (1-9, a-z, ! before a locked one)";
    let long = "99999999999999999999";
    for (line, column, expected, found) in [
        ("", 1, kinds, None),
        ("  jump 0,0", 3, kinds, Some("jump")),
        ("swap 1 2", 9, "H or V", None),
        ("swap +1 2 H", 6, "a column", Some("+1")),
        (&format!("swap 1 {long} H"), 8, "a row", Some(long)),
        ("swap 1 2 h", 10, "H or V", Some("h")),
        ("swap 1 2 H é", 12, "the end of the line", Some("é")),
        ("fall 0,0", 9, "a cell as x,y", None),
        ("fall 0,0 ,1", 10, "a cell as x,y", Some(",1")),
        ("match 1 line3 0 0,0 1,0 2,0", 15, "a color from 1 to 35", Some("0")),
        ("match 1 line4 1", 16, "a cell as x,y", None),
        ("spawn 0,0 0", 11, piece, Some("0")),
        ("spawn 0,0 A", 11, piece, Some("A")),
        ("spawn 0,0 11", 11, piece, Some("11")),
        ("spawn 0,0 !", 11, piece, Some("!")),
        ("spawn 0,0 _", 11, piece, Some("_")),
        ("spawn 0,0 !#", 11, piece, Some("!#")),
        ("spawn 0,0 [1]", 11, piece, Some("[1]")),
        ("spawn 0,0 1\u{a0}", 11, piece, Some("1\u{a0}")),
    ] {
        let found = found.map_or("the end of the line".into(), |word| format!("{word:?}"));
        let error = line.parse::<Event>().expect_err(line).to_string();
        assert_eq!(error, format!("column {column}: expected {expected}, found {found}"), "{line}");
    }
    let error = "match 1 line4 1 0,0 1,0 2,0".parse::<Event>().unwrap_err();
    assert_eq!(error.to_string(), "column 17: these cells are not a group of shape line4");
    let error = parse_journal::<Event>("fall 0,0 0,1\n \nfell").unwrap_err();
    assert_eq!(error.to_string(), format!("line 3, column 1: expected {kinds}, found \"fell\""));
}
