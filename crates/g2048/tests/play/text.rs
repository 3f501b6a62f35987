//! Valid and invalid text of boards and sizes.

use g2048::{Board, Boards32, Direction, Error, Expected, Size};

#[test]
fn boards_are_printed_in_columns() {
    let board: Board = "2 1024 0\n. 4 131072".parse().unwrap();
    assert_eq!(board.to_string(), "     2   1024      .\n     .      4 131072");
    assert_eq!(format!("{:?}", Board::empty(Size::new(2, 2).unwrap())), "Board 2x2 [\n. .\n. .\n]");
}

#[test]
fn blank_lines_tabs_and_carriage_returns_do_not_count() {
    let board: Board = "\n\r\n 2\t4 \r\n.   8\r\n\n  \n".parse().unwrap();
    assert_eq!(board.ranks(), [1, 2, 0, 3]);
}

/// Lists as Python and JSON print them.
#[test]
fn boards_have_several_forms() {
    let board: Result<Board, Error> = "2 1024 .\n. 4 131072".parse();
    assert!(board.is_ok());
    for text in [
        "2 1024 _\n_ 4 131072",
        "2,1024,0\n0,4,131072",
        "2, 1024, ., \r\n., 4, 131072,\r\n",
        "[[2, 1024, 0], [0, 4, 131072]]",
        "[[2, 1024, 0],\n [0, 4, 131072]]\n",
        "[[     2   1024      0]\n [     0      4 131072]]",
        "[2, 1024, 0],\n[0, 4, 131072]",
        "[[\"2\", \"1024\", \".\"], ['.', '4', '131072']]",
        "[\n [\n  2,\n  1024,\n  0\n ],\n [\n  0,\n  4,\n  131072\n ]\n]\n",
    ] {
        assert_eq!(text.parse(), board, "{text}");
    }
    for (text, line, column, expected) in [
        ("2,4\n4,3", 2, 3, Expected::Tile),
        ("2,,4\n4,4", 1, 3, Expected::Tile),
        ("[[2, 4],\n [4, 3]]", 2, 6, Expected::Tile),
        ("[[2, 4],\n [4]]", 2, 4, Expected::Width(2)),
        ("[[2, 4],\n [4, 2]", 1, 1, Expected::Tile),
        ("[[2, 4], [4, 2]] 2", 1, 18, Expected::End),
        ("[[[2, 4], [4, 2]], [[2, 4], [4, 2]]]", 1, 22, Expected::End),
        ("[[]]", 1, 1, Expected::Board),
    ] {
        assert_eq!(text.parse::<Board>(), Err(Error::Board { line, column, expected }), "{text:?}");
    }
}

#[test]
fn bad_boards_are_refused_where_they_are_bad() {
    let wide = "2 ".repeat(9);
    let high = "2 2\n".repeat(9);
    for (text, line, column, expected) in [
        ("", 1, 1, Expected::Board),
        (" \n\n", 1, 1, Expected::Board),
        ("2 4 8", 2, 1, Expected::Rows),
        ("\n\n2 4 8\n\n", 4, 1, Expected::Rows),
        ("2\n4", 1, 2, Expected::RowLength),
        (&wide, 1, 17, Expected::RowLength),
        (&high, 9, 1, Expected::Rows),
        ("2 4\n2 3", 2, 3, Expected::Tile),
        ("2 4\n2 1", 2, 3, Expected::Tile),
        ("2 4\n2 -2", 2, 3, Expected::Tile),
        ("2 4\n2 +2", 2, 3, Expected::Tile),
        ("2 4\n2 +0", 2, 3, Expected::Tile),
        ("2 4\n2 2.", 2, 3, Expected::Tile),
        ("2 4\n. ä x", 2, 3, Expected::Tile),
        ("2 4\n2251799813685248 2", 2, 1, Expected::Tile),
        ("2 4\n99999999999999999999999999 2", 2, 1, Expected::Tile),
        ("2 4 8\n2 4 ", 2, 4, Expected::Width(3)),
        ("2 4\n\u{a0}2 4 8", 2, 6, Expected::Width(2)),
        ("2 4\n4 2\n\n  2 4\n", 4, 3, Expected::End),
    ] {
        assert_eq!(text.parse::<Board>(), Err(Error::Board { line, column, expected }), "{text:?}");
    }
    let error = "2 4\n4 6".parse::<Board>().unwrap_err();
    let message = "line 2, column 3: expected a tile: a power of two from 2 to 1125899906842624, or . or 0 for an \
                   empty cell";
    assert_eq!(error.to_string(), message);
}

#[test]
fn sizes() {
    assert!(Size::all().all(|size| size.to_string().parse() == Ok(size)));
    assert_eq!(Size::all().count(), 49);
    assert_eq!(format!("{:?}", Size::CLASSIC), "4x4");
    for bad in [
        "",
        "4",
        "x",
        "4x",
        "x4",
        "1x4",
        "4x9",
        "4x4x4",
        "-4x4",
        "4 x4",
        "4X4",
        "999999999999999999999x4",
    ] {
        assert_eq!(bad.parse::<Size>(), Err(Error::Size), "{bad}");
    }
}

#[test]
fn directions() {
    for direction in Direction::ALL {
        assert_eq!(direction.to_string().parse(), Ok(direction));
    }
    for bad in ["", "Left", "left ", "north", "l"] {
        assert_eq!(bad.parse::<Direction>(), Err(Error::Direction), "{bad}");
    }
}

#[test]
fn bad_ranks_and_mixed_boards_are_refused() {
    let size = Size::new(2, 2).unwrap();
    let read = |ranks: &[u8]| Board::from_ranks(size, ranks);
    assert_eq!(read(&[1, 2, 3]), Err(Error::RankCount { expected: 4, found: 3 }));
    assert_eq!(read(&[1, 2, 51, 3]), Err(Error::Rank { cell: 2, rank: 51, most: 50 }));
    let small = Board::empty(size);
    let large = Board::empty(Size::CLASSIC);
    assert!(Boards32::try_from(&[small; 32][..]).is_ok());
    assert_eq!(Boards32::try_from(&[][..]), Err(Error::Boards));
    assert!(Boards32::try_from(&[small; 33][..]).is_err());
    assert_eq!(Boards32::try_from(&[small, large][..]), Err(Error::Boards));
}
