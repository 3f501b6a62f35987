//! The rules on boards of cells, against their definitions. They have no ISA levels.

mod cascade;
mod groups;
mod interop;
mod reference;
mod shuffle;
mod special;

testkit::properties! {
    arrangements: crate::properties::arrangements::run, 3_000;
}

/// Rows of other programs, and lists as Python and JSON print them.
#[test]
fn boards_have_several_forms() {
    use match3::{Board, ParseBoardError, parse_boards};
    let board: Board = "1a.\n#!2z".parse().unwrap();
    for text in [
        "1a_\nX!2z",
        "1 a 0\nX !2 z\n",
        "1,10,0\n#,!2,35",
        "1, 10, ., \r\nX, !2, z,\r\n",
        "[[1, 10, 0], [\"#\", \"!2\", 35]]",
        "[[1, 10, 0],\n ['X', '!2', 'z']]\n",
        "[[ 1 10  0]\n [ #  !2 35]]",
        "[1, 10, 0],\n[X, !2, 35]",
        "[\n  [\n    1,\n    10,\n    0\n  ],\n  [\n    \"#\",\n    \"!2\",\n    35\n  ]\n]\n",
    ] {
        assert_eq!(text.parse().as_ref(), Ok(&board), "{text}");
        assert_eq!(
            parse_boards(&format!("{text}\n\n{text}")),
            Ok(vec![board.clone(); 2]),
            "{text}"
        );
    }
    assert_eq!(parse_boards("[[[1, 2]], [[2, 1]]]").unwrap().len(), 2);
    for (text, line, column) in [
        ("1,2,\n1,?", 2, 3),
        ("1,,2", 1, 3),
        ("1,36", 1, 3),
        ("1,255", 1, 3),
        ("1,256", 1, 3),
        ("1,01", 1, 3),
        ("1,-1", 1, 3),
        ("1,!0", 1, 3),
        ("1,!#", 1, 3),
        ("1,!", 1, 3),
        ("1,\"\"", 1, 3),
        ("1,ab", 1, 3),
        ("[[1, 2],\n [1, x2]]", 2, 6),
    ] {
        let error = text.parse::<Board>().expect_err(text);
        assert!(matches!(error, ParseBoardError::Item { .. }), "{text}: {error}");
        assert!(
            error.to_string().starts_with(&format!("line {line}, column {column}: ")),
            "{error}"
        );
    }
    for (text, expected) in [
        ("[[1, 2],\n [1]]", "line 2: a row of 1 cells, expected 2 as in the board's first row"),
        (
            "[[1, 2], [2, 1]",
            "line 1, column 1: found '[', expected ., #, 1-9, a-z or ! before a color",
        ),
        ("[[1, 2], [2, 1]] 1", "line 1: expected one board, found another after a blank line"),
        (
            "[[1, 2], [2, 1]]]",
            "line 1, column 17: found ']', expected ., #, 1-9, a-z or ! before a color",
        ),
        ("[[]]", "line 1, column 1: expected a board, found the end"),
        ("1A", "line 1, column 2: found 'A', expected ., #, 1-9, a-z or ! before a color"),
    ] {
        assert_eq!(text.parse::<Board>().expect_err(text).to_string(), expected, "{text}");
    }
}

#[test]
fn a_lock_stands_before_its_piece() {
    use match3::{Board, ParseBoardError};
    let locked: Board = "!1 2\n3 !4".parse().unwrap();
    assert_eq!(locked.to_string(), "!12\n3!4");
    // A blank, a second lock, a hole or the end of the row may not follow it.
    for (text, column) in [("! 1", 2), ("!\t1", 2), ("!!1", 2), ("!.1", 2), ("!#1", 2), ("12!", 4)]
    {
        assert_eq!(text.parse::<Board>(), Err(ParseBoardError::Lock { line: 1, column }), "{text}");
    }
}
