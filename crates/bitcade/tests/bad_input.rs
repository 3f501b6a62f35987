//! Bad command lines and inputs, each with `bitcade`'s one-line answer.

use crate::common::{bitcade, folder, stderr, untimed};
use crate::help::{commands, flags};

/// Checks that a run ends with status 2 and one line on stderr, the program's name and the expected
/// text. If the text begins with `…`, the line must only contain the rest.
#[track_caller]
fn refused(line: &str, stdin: impl Into<Vec<u8>>, expected: &str) {
    if let Some(part) = expected.strip_prefix('…') {
        return bitcade(line).stdin(stdin).fails(2, part);
    }
    let output = bitcade(line).stdin(stdin).output();
    let told = (output.status.code(), stderr(&output));
    assert_eq!(told, (Some(2), format!("bitcade: {expected}\n")), "{line}");
    assert!(output.stdout.is_empty(), "{line}");
}

const ANY: &str = "expected a number from 0 to 18446744073709551615";
const POSITIVE: &str = "expected a number from 1 to 18446744073709551615";
const TIME: &str = "expected a time such as 90, 90s, 10m, 1h or 500ms";
const TIMES: &str = "-1 -1s 1d x inf s 1hs NaN é";
const LONGEST: &str = "expected a time of at most 8784000h (1000 years)";
const LONG: &str = "1e999 1e300 99999999999h 8784001h 31622400001";
const SIZES: &str = "0 4x x x4 4x4x4 40 -4 4,4 3x20";
const SQUARE: &str = "expected 5, 9, 13 or 19, the side of a square board such as 9 or 9x9";
const SQUARES: &str = "7 8 9x13 9x -9";
const WIDTHS: &str = "expected a width such as 500, or a list of runs such as 900x50,500, each width from 1 to 268435456";

/// Flags, in all commands with the given prefix, with rejected values and the expectation in the
/// answer: the bounds are spelled out, and match the help.
const VALUES: [(&str, &str, &str, &str); 45] = [
    ("", "--seed", "-1 x", ANY),
    ("", "--games --playouts --every --steps", "-1 0 1.5 x", POSITIVE),
    ("", "--threads", "0 1025 -1", "expected a number from 1 to 1024"),
    ("", "--time --save-every --seconds", TIMES, TIME),
    ("", "--time --save-every --seconds", LONG, LONGEST),
    ("", "--resign --least-probability", "-1 2 NaN", "expected a number from 0 to 1"),
    ("", "--memory", "0", "expected a number from 1 to 65536"),
    ("", "--komi", "nan 1e9", "expected a number from -361 to 361"),
    ("", "--suicide", "maybe", "expected forbidden, multi or all"),
    ("", "--ko", "7", "expected simple, positional or situational"),
    (
        "",
        "--ko",
        "super smple",
        "expected simple, positional or situational: did you mean 'simple'?",
    ),
    ("", "--color", "green", "expected black, b, white or w"),
    (
        "match3",
        "--size",
        SIZES,
        "expected a size N or NxM with numbers from 1 to 16, such as 16 or 16x16",
    ),
    ("match3", "--colors", "2 16 -3 256 3.0", "expected a number from 3 to 15"),
    ("play match3", "--colors", "2 9", "expected a number from 3 to 8"),
    (
        "2048",
        "--size",
        SIZES,
        "expected a size N or NxM with numbers from 2 to 8, such as 8 or 8x8",
    ),
    ("2048 perft", "--depth", "-1 0", "expected a number from 1 to 4294967295"),
    (
        "2048 train",
        "--minutes",
        "-3 0 x",
        "expected a number of minutes above 0, or a time such as 90s, 10m or 1h",
    ),
    ("2048 evaluate", "--depth", "9", "expected a number from 1 to 8"),
    ("2048 analyze", "--depth", "0 9", "expected a number from 1 to 8"),
    ("tetris", "--pieces", "-1 0 1.5 x", POSITIVE),
    ("tetris perft", "--depth", "-1 0", "expected a number from 1 to 99"),
    ("tetris perft", "--queue", "IOQ", "column 3: expected one of I O T S Z J L, found 'Q'"),
    ("tetris", "--board", "1,2,3", "line 1, column 6: expected 10 numbers, found 3"),
    (
        "tetris",
        "--board",
        "1,2,3,4,5,6,7,8,9,x",
        "line 1, column 19: expected a hexadecimal digit or a comma, found 'x'",
    ),
    (
        "tetris",
        "--board",
        "1,2,3,4,5,6,7,8,9,10000000000",
        "line 1, column 19: expected a column of at most 40 bits",
    ),
    (
        "tetris",
        "--board",
        "v115@vh_",
        "character 8: expected a letter, a digit, `+` or `/`, found '_'",
    ),
    (
        "tetris",
        "--board",
        "v109@vhAAgH",
        "expected `v115@` or `v110@`, or the same with m or d for v",
    ),
    ("tetris", "--board", "v115@", "expected a fumen of at least one page"),
    ("tetris moves", "--piece", "Q", "column 1: expected one of I O T S Z J L, found 'Q'"),
    ("tetris control", "--weights", "bcts", "expected dellacherie or dt20, found \"bcts\""),
    ("tetris tbp", "--nodes", "0", "expected a number from 1 to 4000000"),
    (
        "tetris tbp",
        "--milliseconds",
        "99999999999h 31622400000001 x",
        "expected whole milliseconds from 0 to 31622400000000, or a time such as 100ms or 2s",
    ),
    (
        "go perft",
        "--size",
        SIZES,
        "expected a size N or NxM with numbers from 1 to 19, such as 19 or 19x19",
    ),
    ("go perft", "--depth", "100 -1 0 4000000000", "expected a number from 1 to 99"),
    ("go gtp", "--size", SQUARES, SQUARE),
    ("go playouts", "--size", SQUARES, SQUARE),
    ("play go", "--size", SQUARES, SQUARE),
    ("contest solve", "--pieces", "0 10001", "expected a number from 1 to 10000"),
    ("contest solve", "--width", "999999999 0 9x 5,0x3", WIDTHS),
    ("contest solve", "--time", "0", "expected a time above 0"),
    ("contest solve", "--depth", "16", "expected a number from 1 to 15"),
    (
        "contest solve",
        "--early",
        "9",
        "expected PIECES:DEPTH such as 9:10, at least one piece and a depth from 1 to 15",
    ),
    ("contest replay", "--from", "0", "expected a number from 1 to 10000"),
    (
        "contest replay",
        "--delay",
        "60001 -1 61s 0.5ms x",
        "expected whole milliseconds from 0 to 60000, or a time such as 100ms or 2s",
    ),
];

/// A negative number, too, is answered like any other invalid value.
#[test]
fn values_of_flags() {
    let mut tried = [false; VALUES.len()];
    for name in commands() {
        for (flag, value) in flags(&name) {
            let of_flag = |case: &&(&str, &str, &str, &str)| {
                name.starts_with(case.0) && case.1.split(' ').any(|of_case| of_case == flag)
            };
            for (tried, case) in tried.iter_mut().zip(&VALUES).filter(|(_, case)| of_flag(case)) {
                *tried = true;
                let (.., bad, expected) = case;
                for bad in bad.split(' ') {
                    let told = format!(
                        "invalid value '{bad}' for '{flag} <{value}>': {expected} (see --help)"
                    );
                    refused(&format!("{name} {flag} {bad}"), "", &told);
                }
            }
        }
    }
    assert!(tried.iter().all(|&tried| tried), "no command has one of the flags: {tried:?}");
}

#[test]
fn sizes() {
    for line in ["go perft --depth 2 --size 2", "2048 solve --size 2"] {
        bitcade(format!("{line}X2")).prints(&bitcade(line).text());
    }
}

/// Command lines that are refused as a whole, and the answer: meaningless flags are not ignored,
/// and a misspelled name is answered with the closest one.
const LINES: [(&str, &[&str]); 44] = [
    ("a subcommand is missing (see --help)", &["contest", "go", "2048", "tetris", "match3"]),
    ("…--out", &["contest solve", "2048 train --games 1"]),
    ("…--depth", &["go perft --size 3x3", "2048 perft"]),
    ("…--size", &["2048 solve"]),
    (
        "the following required arguments were not provided: <--minutes <T>|--games <G>> (see --help)",
        &["2048 train --out x"],
    ),
    ("…--queue", &["tetris perft --depth 1"]),
    ("…--piece", &["tetris moves"]),
    ("…--weights", &["tetris control"]),
    (
        "unexpected value '-1' for '--json' found; no more were expected (see --help)",
        &["2048 perft --json -1"],
    ),
    ("…--color", &["match3 swaps --color"]),
    ("--json: not for this command, which speaks the Go Text Protocol", &["go gtp --json"]),
    ("--json: not for this command, which speaks the Tetris Bot Protocol", &["tetris tbp --json"]),
    ("--json: not for this command, which is played on the screen", &["play tetris --json"]),
    ("--json: not for this command, which prints a manual page", &["man --json"]),
    ("…--json: not for this command", &["completions bash --json"]),
    ("…possible values: bash, elvish, fish, powershell, zsh", &["completions tcsh"]),
    ("…<SHELL>", &["completions"]),
    (
        "--budget: expected only with --agent rollout",
        &["match3 evaluate --agent greedy --budget 5", "match3 evaluate --agent random --budget 5"],
    ),
    ("…human", &["match3 evaluate --agent human"]),
    ("…no legal swap on any of 10000 random boards of 2 x 2", &["match3 evaluate --size 2x2"]),
    ("…expected a number from 3 to 15", &["match3 evaluate --colors 2"]),
    ("…4x3 has too many positions", &["2048 solve --size 4x3"]),
    (
        "…expected --size 4x4, found 5x5",
        &[
            "2048 train --games 1 --out x --size 5 --resume",
            "2048 train --games 1 --out x --size 5 --small",
            "2048 train --games 1 --out x --size 5 --late",
            "2048 train --games 1 --out x --size 5 --threads 2",
        ],
    ),
    (
        "--depth 3: expected a number from 1 to the length of the queue, 2",
        &["tetris perft --queue IO --depth 3"],
    ),
    (
        "…'--queue <QUEUE>': expected letters of I O T S Z J L, found none",
        &["tetris perft --queue '' --depth 1"],
    ),
    ("…line 1, column 1: expected 10 cells", &["tetris perft --queue I --depth 1 --board ''"]),
    ("…--hard-drop", &["tetris perft --queue I --depth 1 --spins --hard-drop"]),
    (
        "…page 1: expected a board of at most 23 rows, found 24",
        &["tetris moves --piece T --fumen --board ffffff,0,0,0,0,0,0,0,0,0"],
    ),
    ("…--milliseconds", &["tetris tbp --nodes 5 --milliseconds 5"]),
    ("…--seconds", &["go gtp --playouts 10 --seconds 1"]),
    ("…expected a terminal", &["play go --record game.gif"]),
    (
        "--record game.mp4: expected a name ending in .gif or .cast",
        &["play 2048 --record game.mp4", "contest replay --record game.mp4"],
    ),
    ("…--depth: the beam", &["contest solve --out x --depth 3 --search beam"]),
    ("…--width: the tree", &["contest solve --out x --width 9 --search tree"]),
    ("…--time", &["contest solve --out x --width 9 --time 3"]),
    (
        "…no-file: ",
        &[
            "contest verify no-file",
            "contest replay no-file",
            "match3 swaps no-file",
            "2048 perft --depth 1 no-file",
            "2048 analyze no-file",
            "tetris tbp --weights no-file",
            "2048 play --net no-file",
        ],
    ),
    ("unrecognized subcommand 'tetri': did you mean 'tetris'? (see --help)", &["tetri"]),
    (
        "unrecognized subcommand 'solv': did you mean 'solve'? (see --help)",
        &["contest solv --out x"],
    ),
    (
        "unexpected argument '--gamess' found: did you mean '--games'? (see --help)",
        &["2048 playouts --gamess 3"],
    ),
    (
        "invalid value 'bem' for '--search <SEARCH>' [possible values: beam, tree]: did you mean 'beam'? (see --help)",
        &["contest solve --out x --search bem"],
    ),
    ("…: did you mean 'portable'? (see --help)", &["2048 playouts --level portabel"]),
    ("…expected auto, portable, x86-64-v3-slow-pext", &["2048 playouts --level sse9"]),
    ("unrecognized subcommand 'xyz' (see --help)", &["xyz"]),
    ("unexpected argument '--qqq' found (see --help)", &["2048 playouts --qqq"]),
];

#[test]
fn command_lines() {
    for (expected, lines) in LINES {
        for line in lines {
            refused(line, "", expected);
        }
    }
}

/// Inputs, and the reported position and problem.
const INPUTS: [(&str, &[(&str, &str)]); 9] = [
    (
        "match3 swaps",
        &[
            (
                "\u{feff}1?\n",
                "line 1, column 2: found '?', expected ., #, 1-9, a-z or ! before a color",
            ),
            ("", "…line 1, column 1: expected a board"),
        ],
    ),
    ("match3 hint", &[("1?\n", "…line 1, column 2: found '?'")]),
    (
        "2048 perft --depth 1",
        &[
            ("2 4\n. 3\n", "…line 2, column 3: expected a tile: a power of two from 2"),
            ("", "…line 1, column 1: expected a board"),
            ("2 2\n2 2\n\n2 2\n", "…line 4, column 1: expected nothing more"),
        ],
    ),
    (
        "2048 analyze",
        &[
            ("", "…line 1, column 1: expected a board"),
            ("2 4\n. 6\n1024 2", "…line 2, column 3: expected a tile, a power of two, or . or 0"),
            ("[[2, 4], [8]]", "…line 1, column 11: expected 2 tiles in this row"),
            (
                "2 2\n2 2\n\n2 2\n2 2\n\n2 4\n2 4",
                "…line 7, column 1: expected the board after a move from",
            ),
            ("{\"moves\": 3}", "…expected an object with"),
            ("{\"grid\": 3}", "…grid: expected \"size\", and \"cells\" with"),
            ("{\"seed\": 3}", "…line 1, column 11: missing field `format`"),
            ("{\"undo\":true}\n{\"move\":\"left\"}", "…line 2: expected a legal move of the board"),
        ],
    ),
    (
        "contest verify",
        &[
            ("", "…line 1, column 1, item 1: expected N"),
            ("N,D3,Q", "…line 1, column 6, item 3: expected N, or L, R, D or C"),
            (
                " N,D3,N,N,D1",
                "…line 1, column 7, item 3, piece 2: expected 1 to 100 key presses, found 0",
            ),
            // Lines after a record are a claim, remarks or blank; anything else means that the
            // record is damaged.
            ("N,D19\nfoo bar\n", "…line 2, column 1: expected a blank line or one"),
        ],
    ),
    (
        "contest replay",
        &[
            ("N,D19\nN,D19\n", "…line 2, column 1"),
            ("N,D19,N,C4294967295\n", "…expected 1 to 100 key presses"),
        ],
    ),
    (
        "tetris tbp --weights -",
        &[("{\"holes\":1}", "…line 1, column 8: unknown field `holes`, expected one of `plain`, ")],
    ),
    (
        "contest replay --from 3 --to 2",
        &[("N,D19,N,L2,D3,N,D10\n", "--from 3: expected at most --to, 2")],
    ),
    (
        "contest replay --from 3 --to 2 --json",
        &[("N,D19,N,L2,D3,N,D10\n", "--from 3: expected at most --to, 2")],
    ),
];

#[test]
fn inputs() {
    for (line, inputs) in INPUTS {
        for &(stdin, expected) in inputs {
            let named = if expected.starts_with("line ") { "standard input: " } else { "" };
            refused(line, stdin, &format!("{named}{expected}"));
        }
    }
    // Like any other byte, a byte that is not text is reported with its line and column.
    for line in [
        "match3 swaps",
        "match3 hint",
        "2048 perft --depth 1",
        "2048 analyze",
        "contest verify",
        "contest replay",
    ] {
        let expected = "standard input: line 2, column 3: expected text in UTF-8";
        refused(line, b"12\n\xc3\xa9 \xff\n", expected);
    }
    // A range of pieces outside the game is refused, with the actual number of pieces.
    for range in ["--from 9000", "--to 4"] {
        let expected = format!("{range}: expected a number from 1 to 3, the pieces of this game");
        refused(&format!("contest replay {range}"), "N,D19,N,L2,D3,N,D10\n", &expected);
    }
}

/// A byte order mark before a text is skipped.
#[test]
fn byte_order_marks() {
    for (line, stdin) in [
        ("match3 swaps", "1121\r\n3213\r\n"),
        ("match3 hint", "1121\n3213\n"),
        ("2048 perft --depth 1", "2 .\n. 2\n"),
        ("2048 analyze", "2 .\n. 2\n"),
        ("contest verify", "N,D19,N,L2,D3\n"),
        ("contest replay", "N,D19,N,L2,D3\n"),
        ("tetris tbp --weights -", "{\"covered\": -7}"),
    ] {
        let text = |stdin: String| untimed(&bitcade(line).stdin(stdin).text());
        assert_eq!(text(format!("\u{feff}{stdin}")), text(stdin.to_owned()), "{line}");
    }
}

/// Files of the wrong kind or content, with the position inside them.
#[test]
fn files() {
    let folder = folder("bad-files");
    let header =
        |version: u8, length: u8| [b"2048-net", &[version, 0, 0, 0, length][..], &[0; 15]].concat();
    let [evaluate, resume] =
        ["2048 play --games 1 --net file", "2048 train --games 9 --resume --out net"];
    for (line, name, content, expected) in [
        (
            "tetris tbp --weights file",
            "file",
            b"{\n\"covered\": 1e3\n}".to_vec(),
            "line 2, column 14: invalid type: floating point `1000.0`, expected i32",
        ),
        (evaluate, "file", b"".to_vec(), "offset 0: expected a file that begins with"),
        (
            evaluate,
            "file",
            b"2048-nut".to_vec(),
            "offset 0: expected a file that begins with \"2048-net\"",
        ),
        (evaluate, "file", b"2048-net".to_vec(), "offset 8: expected 28 bytes in all"),
        (evaluate, "file", header(3, 0), "offset 8: expected version 2, found 3"),
        (evaluate, "file", header(1, 29), "offset 28: expected 29 bytes in all"),
        (evaluate, "file", header(1, 28), "offset 20: expected the checksum"),
        (
            resume,
            "net.learner",
            header(1, 0),
            "offset 0: expected a file that begins with \"2048-lrn\"",
        ),
    ] {
        folder.write(name, content);
        folder.run(line).fails(2, &format!("{name}: {expected}"));
        folder.remove(name);
    }
    folder.run(resume).fails(2, "net.learner: ");
    folder.run("play go --size 9 --load file").fails(2, "cannot be used with");
    for (record, expected) in [
        ("(;SZ[7])", "a board of 7 x 7: expected a side of 5, 9, 13 or 19"),
        ("no game", "not an SGF record"),
    ] {
        folder.write("file", record);
        folder.run("play go --load file").fails(2, expected);
    }
    folder.run("play go --sgf file").fails(2, "is not empty; --force replaces it");
}
