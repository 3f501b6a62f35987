//! Text forms, and the positions in errors.

use crate::properties::texts;
use tetris::{Board, Error, Piece};

testkit::properties! {
    boards_and_queues_read_back_what_they_print: texts::written, 2_000;
    any_text_is_read_or_refused: texts::any, 5_000;
    any_columns_are_a_board_or_refused: texts::board_columns, 1_000;
}

/// Rows of other programs, and lists as Python and JSON print them.
#[test]
fn rows_have_several_forms() {
    let board: Result<Board, Error> = "#.........\n##.......#".parse();
    assert!(board.is_ok());
    for text in [
        "X_________\nXX_______X",
        "[[1, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]]",
        "[[1 0 0 0 0 0 0 0 0 0]\n [1 1 0 0 0 0 0 0 0 1]]\n",
        "[1,0,0,0,0,0,0,0,0,0],\n[1,1,0,0,0,0,0,0,0,1]",
        "[['#', '.', '.', '.', '.', '.', '.', '.', '.', '.'], [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]]",
    ] {
        assert_eq!(text.parse(), board, "{text}");
    }
    // Two boards are none.
    let row = "[[1, 0, 0, 0, 0, 0, 0, 0, 0, 0]]";
    let error = format!("[{row}, {row}]").parse::<Board>().expect_err("two boards");
    assert_eq!(error.to_string(), "line 1, column 33: expected 10 cells, found 0");
}

#[test]
fn errors_say_where() {
    let tall = "..........\n".repeat(41);
    let boards = [
        ("", "line 1, column 1: expected 10 cells, found 0"),
        (".........", "line 1, column 10: expected 10 cells, found 9"),
        ("..........\n...........\n", "line 2, column 11: expected 10 cells, found 11"),
        (
            "..........\n..Y.......\n",
            "line 2, column 3: expected `.` (empty) or `#` (filled), found 'Y'",
        ),
        ("[]", "line 1, column 1: expected 10 cells, found 0"),
        ("[[0, 1],\n [1, 0]]", "line 1, column 3: expected 10 cells, found 2"),
        (
            "[[0, 1, 0, 0, 0, 0, 0, 0, 0, 0],\n [2, 0]]",
            "line 2, column 3: expected `.` (empty) or `#` (filled), found '2'",
        ),
        (&tall, "line 41: expected at most 40 rows, found 41"),
        ("1,2,3", "line 1, column 6: expected 10 numbers, found 3"),
        ("1,2,3,4,5,6,7,8,9,a,b,c", "line 1, column 21: expected 10 numbers, found 12"),
        ("1,,3,4,5,6,7,8,9,a", "line 1, column 3: expected a hexadecimal number, found none"),
        ("1,2,3,4,5,6,7,8,9,", "line 1, column 19: expected a hexadecimal number, found none"),
        (
            "  1,0x2,3,4,5,6,7,8,9,a",
            "line 1, column 6: expected a hexadecimal digit or a comma, found 'x'",
        ),
        ("1,2,10000000000,4,5,6,7,8,9,a", "line 1, column 5: expected a column of at most 40 bits"),
        (
            "1,2,fffffffffffffffffffffff,4,5,6,7,8,9,a",
            "line 1, column 5: expected a column of at most 40 bits",
        ),
    ];
    for (text, expected) in boards {
        let error: Error = text.parse::<Board>().unwrap_err();
        assert_eq!(error.to_string(), expected, "{text:?}");
    }
    let pieces = [
        ("", "column 1: expected one of I O T S Z J L and nothing more"),
        ("TT", "column 2: expected one of I O T S Z J L and nothing more"),
        ("IQ", "column 2: expected one of I O T S Z J L, found 'Q'"),
        ("é", "column 1: expected one of I O T S Z J L, found 'é'"),
    ];
    for (text, expected) in pieces {
        let error: Error = text.parse::<Piece>().unwrap_err();
        assert_eq!(error.to_string(), expected, "{text:?}");
    }
}
