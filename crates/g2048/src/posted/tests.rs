//! Boards as they are found in forums, bug reports, programs and spreadsheets.

use super::*;
use alloc::string::ToString;

/// Returns the cells of the same board in all forms.
fn board() -> Board {
    "2 4 8 16\n. 2 4 8\n. . 2 2\n. . . 1024".parse().expect("a board")
}

fn read(text: &str) -> Result<Vec<Board>, String> {
    let found = boards(text, false).map_err(|error| error.to_string())?;
    Ok(found.into_iter().map(|posted| posted.board).collect())
}

const FORMS: [&str; 40] = [
    "2 4 8 16\n. 2 4 8\n. . 2 2\n. . . 1024\n",
    "2 4 8 16\r\n0 2 4 8\r\n0 0 2 2\r\n0 0 0 1024\r\n",
    "   2    4    8   16\n   _    2    4    8\n   _    _    2    2\n   _    _    _ 1024",
    "2\t4\t8\t16\n-\t2\t4\t8\n-\t-\t2\t2\n-\t-\t-\t1024",
    // From a spreadsheet, with empty cells.
    "2\t4\t8\t16\n\t2\t4\t8\n\t\t2\t2\n\t\t\t1024",
    "\t2\t4\t8\t16\n\t\t2\t4\t8\n\t\t\t2\t2\n\t\t\t\t1024",
    "2,4,8,16\n0,2,4,8\n0,0,2,2\n0,0,0,1024",
    "2,4,8,16\n,2,4,8\n,,2,2\n,,,1024",
    "2, 4, 8, 16,\n0, 2, 4, 8,\n0, 0, 2, 2,\n0, 0, 0, 1024,",
    "| 2 | 4 | 8 | 16 |\n|   | 2 | 4 | 8 |\n|   |   | 2 | 2 |\n|   |   |   | 1,024 |",
    "2|4|8|16\n |2|4|8\n | |2|2\n | | |1024",
    "+------+------+------+------+\n|    2 |    4 |    8 |   16 |\n+------+------+------+------+\n\
     |      |    2 |    4 |    8 |\n+------+------+------+------+\n\
     |      |      |    2 |    2 |\n+------+------+------+------+\n\
     |      |      |      | 1024 |\n+------+------+------+------+",
    "┌────┬────┬────┬────┐\n│ 2  │ 4  │ 8  │ 16 │\n├────┼────┼────┼────┤\n│    │ 2  │ 4  │ 8  │\n\
     ├────┼────┼────┼────┤\n│    │    │ 2  │ 2  │\n├────┼────┼────┼────┤\n│    │    │    │1024│\n\
     └────┴────┴────┴────┘",
    "╔═══════════════╗\n║ 2 4 8 16      ║\n║ · 2 4 8       ║\n║ · · 2 2       ║\n\
     ║ · · · 1024    ║\n╚═══════════════╝",
    // Markdown.
    "|   |   |   |   |\n|---|---|---|---|\n| 2 | 4 | 8 | 16 |\n| - | 2 | 4 | 8 |\n\
     | - | - | 2 | 2 |\n| - | - | - | **1024** |",
    "```\n2 4 8 16\n0 2 4 8\n0 0 2 2\n0 0 0 1024\n```",
    "> 2 4 8 16\n> 0 2 4 8\n> 0 0 2 2\n> 0 0 0 1024",
    "Score: 9,876\n\n2 4 8 16\n0 2 4 8\n0 0 2 2\n0 0 0 1024",
    "score 340, best 340, moves 60\n  2    4    8   16\n  .    2    4    8\n  .    .    2    2\n  .    .    . 1024\n",
    "2 4 8 16\n\n0 2 4 8\n\n0 0 2 2\n\n0 0 0 1024",
    "2 4 8 16 / 0 2 4 8 / 0 0 2 2 / 0 0 0 1024",
    "2,4,8,16;0,2,4,8;0,0,2,2;0,0,0,1024",
    // Lists of Python, NumPy, JavaScript, C, Java, Rust, tuples.
    "[[2, 4, 8, 16], [0, 2, 4, 8], [0, 0, 2, 2], [0, 0, 0, 1024]]",
    "board = [\n    [2, 4, 8, 16],\n    [None, 2, 4, 8],\n    [None, None, 2, 2],\n    [None, None, None, 1024],\n]",
    "[[   2    4    8   16]\n [   0    2    4    8]\n [   0    0    2    2]\n [   0    0    0 1024]]",
    "array([[   2.,    4.,    8.,   16.],\n       [   0.,    2.,    4.,    8.],\n       [   0.,    0.,    2.,    2.],\n\
     \x20      [   0.,    0.,    0., 1024.]], dtype=float32)",
    "var grid = [[2,4,8,16],[null,2,4,8],[null,null,2,2],[null,null,null,1024]];",
    "int board[4][4] = {\n  { 2, 4, 8, 16 },\n  { 0, 2, 4, 8 },\n  { 0, 0, 2, 2 },\n  { 0, 0, 0, 1024 },\n};",
    "int[][] b = new int[][]{{2,4,8,16},{0,2,4,8},{0,0,2,2},{0,0,0,1024}};",
    "let board: [[u32; 4]; 4] = [[2, 4, 8, 16], [0, 2, 4, 8], [0, 0, 2, 2], [0, 0, 0, 1024]];",
    "((2, 4, 8, 16), (0, 2, 4, 8), (0, 0, 2, 2), (0, 0, 0, 1024))",
    "[['2', '4', '8', '16'], ['', '2', '4', '8'], ['', '', '2', '2'], ['', '', '', '1K']]",
    // One line, or one list.
    "2 4 8 16 0 2 4 8 0 0 2 2 0 0 0 1024",
    "[2, 4, 8, 16, 0, 2, 4, 8, 0, 0, 2, 2, 0, 0, 0, 1024]",
    "2\n4\n8\n16\n0\n2\n4\n8\n0\n0\n2\n2\n0\n0\n0\n1024",
    // Ranks.
    "1 2 3 4\n0 1 2 3\n0 0 1 1\n0 0 0 10",
    "1234\n0123\n0011\n000a",
    "1234/.123/..11/...A",
    "123401230011000a",
    "0xa000110032104321",
];

#[test]
fn posted_forms_are_read() {
    for form in FORMS {
        assert_eq!(read(form), Ok(vec![board()]), "{form}");
    }
}

#[test]
fn other_sizes_and_several_boards_are_read() {
    for (text, expected) in [
        ("[[2, 0, 4], [0, 8, 0]]", vec!["2 . 4\n. 8 ."]),
        ("2 0 4 0 8 0 16 0 32", vec!["2 . 4\n. 8 .\n16 . 32"]),
        ("2 0\n0 2\n\n4 0\n2 0\n", vec!["2 .\n. 2", "4 .\n2 ."]),
        ("[[[2, 0], [0, 2]], [[4, 0], [2, 0]]]", vec!["2 .\n. 2", "4 .\n2 ."]),
        (
            "0x0000000000000021\n0x3",
            vec!["2 4 . .\n. . . .\n. . . .\n. . . .", "8 . . .\n. . . .\n. . . .\n. . . ."],
        ),
        ("131072 65536\n2 4", vec!["131072 65536\n2 4"]),
    ] {
        let expected = expected.iter().map(|board| board.parse().expect("a board")).collect();
        assert_eq!(read(text), Ok(expected), "{text}");
    }
}

#[test]
fn ranks_are_told_from_tiles() {
    let of =
        |text: &str, are_ranks| boards(text, are_ranks).expect("boards")[0].board.ranks().to_vec();
    // All of these can be tiles, and the early boards of games are such.
    assert_eq!(of("2 4\n0 16", false), [1, 2, 0, 4]);
    assert_eq!(of("2 4\n0 16", true), [2, 4, 0, 16]);
    assert_eq!(of("2 3\n0 16", false), [2, 3, 0, 16]);
    assert_eq!(of("1 2\n0 4", false), [1, 2, 0, 4]);
}

#[test]
fn errors_say_where() {
    for (text, expected) in [
        ("", "line 1, column 1: expected a board"),
        ("\n\n", "line 2, column 1: expected a board"),
        (
            "2 4 8\n2 6 1024",
            "line 2, column 3: expected a tile, a power of two, or . or 0 for an empty cell, found 6",
        ),
        (
            "2 4\n8 two",
            "line 2, column 3: expected a tile, a power of two, or . or 0 for an empty cell",
        ),
        ("2 4 8\n2 4", "line 2, column 3: expected 3 tiles in this row, as in the first"),
        ("2 4\n2 4 8", "line 2, column 5: expected 2 tiles in this row, as in the first"),
        ("2 4 8", "line 1, column 5: expected 2 to 8 rows"),
        ("2", "line 1, column 1: expected rows of 2 to 8 tiles, or 9, 16, 25, .. on one line"),
        ("[[2, 4], [8, 16]", "line 1, column 1: expected the end of this bracket"),
        ("[[2, 4], 8]", "line 1, column 10: expected rows of one list, each in brackets"),
        (
            "hello\nworld",
            "line 1, column 1: expected a tile, a power of two, or . or 0 for an empty cell",
        ),
        (
            "| 2 | 4 4 |\n| 2 | 8 |",
            "line 1, column 7: expected a tile, a power of two, or . or 0 for an empty cell",
        ),
        (
            "2 4\n1,02 4",
            "line 2, column 3: expected a tile, a power of two, or . or 0 for an empty cell",
        ),
        (
            "[[0, 2], [0, 2]]\n\n. 4\n2 .",
            "line 3, column 1: expected a list in brackets, like the others",
        ),
        (
            "moves: 12 3\n| 4 | 2 |\n[[0, 2], [0, 2]]",
            "line 2, column 3: expected a list in brackets, like the others",
        ),
        (
            "2 2 2 2 2 2 2 2 2 2\n2 2 2 2 2 2 2 2 2 2",
            "line 1, column 17: expected rows of 2 to 8 tiles, or 9, 16, 25, .. on one line",
        ),
    ] {
        assert_eq!(read(text), Err(expected.to_owned()), "{text:?}");
    }
}

/// No text makes it panic.
#[test]
fn any_text_is_read_or_refused() {
    let parts = [
        "2", " ", "\n", "|", "[", "]", "{", "0x", ",", "\t", "é", "1024", "=", ">", "/", "--", "(",
        ")", ".", "│", "a", "'", "*",
    ];
    let mut rng = bitcore::Rng::new(5);
    for _ in 0..20_000 {
        let length = rng.below(30);
        let text: String =
            (0..length).map(|_| parts[rng.below(parts.len() as u32) as usize]).collect();
        if let Err(error) = boards(&text, false) {
            let lines = text.lines().count().max(1);
            assert!((1..=lines).contains(&error.line) && error.column > 0, "{text:?}: {error}");
        }
    }
}
