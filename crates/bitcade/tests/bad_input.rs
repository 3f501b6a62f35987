//! Bad command lines and inputs, each with the one line that `bitcade` answers.

use crate::common::{bitcade, bitcade_line, stderr};

/// Checks that a command line ends with status 2 and exactly this line on stderr, without the program's name.
#[track_caller]
fn refused(line: &str, expected: &str) {
    refused_with(line, "", expected);
}

/// Checks as [`refused`], with a standard input.
#[track_caller]
fn refused_with(line: &str, stdin: &str, expected: &str) {
    let output = bitcade_line(line).stdin(stdin).output();
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(2), format!("bitcade: {expected}\n")),
        "{line}"
    );
    assert!(output.stdout.is_empty(), "{line}");
}

/// Checks the message about a flag's value.
#[track_caller]
fn invalid(line: &str, value: &str, flag: &str, expected: &str) {
    refused(line, &format!("invalid value '{value}' for '{flag}': {expected} (see --help)"));
}

const ANY: &str = "expected a number from 0 to 18446744073709551615";
const POSITIVE: &str = "expected a number from 1 to 18446744073709551615";
const LONGEST: &str = "expected a time of at most 8784000h, which are 1000 years";
const TIME: &str = "expected a time such as 90, 90s, 10m, 1h or 500ms";

/// A negative number is answered as any other number out of range.
#[test]
fn negative_numbers() {
    for (command, flag) in [
        ("match3 evaluate", "--seed <SEED>"),
        ("2048 playouts", "--seed <SEED>"),
        ("2048 train --games 1 --out x", "--seed <SEED>"),
        ("2048 evaluate --net x", "--seed <SEED>"),
        ("tetris control --weights dt20", "--seed <SEED>"),
        ("tetris match --bot a --bot b --out x", "--seed <SEED>"),
        ("go gtp", "--seed <SEED>"),
        ("go playouts", "--seed <S>"),
        ("contest solve --out x", "--seed <SEED>"),
        ("contest verify", "--seed <SEED>"),
        ("contest replay", "--seed <SEED>"),
    ] {
        invalid(&format!("{command} --seed -1"), "-1", flag, ANY);
    }
    for (command, name, value) in [
        ("match3 evaluate", "--games", "GAMES"),
        ("2048 playouts", "--games", "GAMES"),
        ("2048 evaluate --net x", "--games", "GAMES"),
        ("2048 train --out x", "--games", "G"),
        ("tetris control --weights dt20", "--pieces", "PIECES"),
        ("tetris match --bot a --bot b --out x", "--pieces", "PIECES"),
        ("go playouts", "--games", "G"),
        ("go gtp", "--playouts", "PLAYOUTS"),
        ("contest replay", "--every", "N"),
    ] {
        for number in ["-1", "0", "1.5", "x"] {
            invalid(&format!("{command} {name} {number}"), number, &format!("{name} <{value}>"), POSITIVE);
        }
    }
    for (command, name) in [
        ("tetris control --weights dt20", "--time"),
        ("contest solve --out x", "--time"),
        ("contest solve --out x", "--save-every"),
        ("2048 train --games 1 --out x", "--save-every"),
        ("go gtp", "--seconds"),
    ] {
        for time in ["-1", "-1s", "1d", "x", "inf"] {
            invalid(&format!("{command} {name} {time}"), time, &format!("{name} <T>"), TIME);
        }
        for time in ["1e999", "99999999999h"] {
            invalid(&format!("{command} {name} {time}"), time, &format!("{name} <T>"), LONGEST);
        }
    }
    invalid(
        "2048 train --out x --minutes -3",
        "-3",
        "--minutes <T>",
        "expected a number of minutes above 0, or a time such as 90s, 10m or 1h",
    );
    refused(
        "2048 perft --json -1",
        "unexpected value '-1' for '--json' found; no more were expected (see --help)",
    );
}

/// The bounds are words, and are those of the help.
#[test]
fn numbers_out_of_range() {
    invalid("go perft --size 3 --depth 100", "100", "--depth <D>", "expected a number from 1 to 99");
    invalid("go perft --size 3 --depth -1", "-1", "--depth <D>", "expected a number from 1 to 99");
    invalid("go gtp --resign -1", "-1", "--resign <WIN_RATE>", "expected a number from 0 to 1");
    invalid("go gtp --threads 1025", "1025", "--threads <THREADS>", "expected a number from 1 to 1024");
    invalid("go gtp --memory 0", "0", "--memory <MB>", "expected a number from 1 to 65536");
    invalid("2048 perft --depth -1", "-1", "--depth <DEPTH>", "expected a number from 1 to 4294967295");
    invalid("2048 evaluate --net x --depth 9", "9", "--depth <DEPTH>", "expected a number from 1 to 8");
    let colors = "expected a number from 3 to 15";
    for count in ["2", "16", "-3"] {
        invalid(&format!("match3 play --colors {count}"), count, "--colors <COLORS>", colors);
    }
    invalid("tetris perft --queue I --depth -1", "-1", "--depth <DEPTH>", "expected a number from 1 to 99");
    refused(
        "tetris perft --queue IO --depth 3",
        "--depth 3: expected a number from 1 to the length of the queue, 2",
    );
    let pieces = "expected a number from 1 to 10000";
    invalid("contest solve --out x --pieces 0", "0", "--pieces <PIECES>", pieces);
    invalid("contest replay --from 0", "0", "--from <PIECE>", pieces);
    let widths =
        "expected a width such as 500, or widths piece by piece such as 900x50,500, each from 1 to 268435456";
    for width in ["999999999", "0", "9x", "5,0x3"] {
        invalid(&format!("contest solve --out x --width {width}"), width, "--width <WIDTHS>", widths);
    }
    invalid("contest solve --out x --time 0", "0", "--time <T>", "expected a time above 0");
    invalid("contest solve --out x --steps 0", "0", "--steps <STEPS>", POSITIVE);
    let milliseconds = "expected whole milliseconds from 0 to 31622400000000, or a time such as 100ms or 2s";
    for time in ["99999999999h", "31622400000001", "x"] {
        invalid(&format!("tetris tbp --milliseconds {time}"), time, "--milliseconds <T>", milliseconds);
    }
    let milliseconds = "expected whole milliseconds from 0 to 60000, or a time such as 100ms or 2s";
    for delay in ["60001", "-1", "61s", "0.5ms", "x"] {
        invalid(&format!("contest replay --delay {delay}"), delay, "--delay <T>", milliseconds);
    }
}

/// Sizes are one number or two, everywhere.
#[test]
fn sizes() {
    let sizes = |least, most| {
        format!(
            "expected a size N or NxM with numbers from {least} to {most}, such as {most} or {most}x{most}"
        )
    };
    for size in ["0", "4x", "x", "4x4x4", "40", "-4", "4,4"] {
        invalid(&format!("match3 play --size {size}"), size, "--size <NxM>", &sizes(1, 16));
        invalid(&format!("2048 playouts --size {size}"), size, "--size <NxM>", &sizes(2, 8));
        invalid(&format!("2048 solve --size {size}"), size, "--size <NxM>", &sizes(2, 8));
        invalid(&format!("go perft --depth 1 --size {size}"), size, "--size <NxM>", &sizes(1, 19));
    }
    for size in ["7", "9x13", "9x", "-9"] {
        let square = "expected 5, 9, 13 or 19, the side of a square board such as 9 or 9x9";
        for command in ["gtp", "play", "playouts"] {
            invalid(&format!("go {command} --size {size}"), size, "--size <N>", square);
        }
    }
    let perft = bitcade(["go", "perft", "--depth", "2", "--size", "2"]).text();
    bitcade(["go", "perft", "--depth", "2", "--size", "2X2"]).prints(&perft);
    let solved = bitcade(["2048", "solve", "--size", "2"]).text();
    bitcade(["2048", "solve", "--size", "2X2"]).prints(&solved);
}

/// Flags and inputs that make no sense are refused instead of ignored.
#[test]
fn flags_without_a_use() {
    refused("go gtp --json", "--json: not for this command, which speaks the Go Text Protocol");
    refused("tetris tbp --json", "--json: not for this command, which speaks the Tetris Bot Protocol");
    for game in ["2048", "match3", "tetris"] {
        refused(
            &format!("play {game} --json"),
            "--json: not for this command, which is played on the screen",
        );
    }
    for agent in ["greedy", "random"] {
        refused(
            &format!("match3 play --agent {agent} --budget 5"),
            "--budget: expected only with --agent rollout",
        );
    }
    refused(
        "2048 train --out x",
        "the following required arguments were not provided: <--minutes <T>|--games <G>> (see --help)",
    );
}

/// A misspelled command, flag or value is answered with the name that was probably meant.
#[test]
fn misspelled_names() {
    for (line, expected) in [
        ("tetri", "unrecognized subcommand 'tetri': did you mean 'tetris'?"),
        ("contest solv --out x", "unrecognized subcommand 'solv': did you mean 'solve'?"),
        ("2048 playouts --gamess 3", "unexpected argument '--gamess' found: did you mean '--games'?"),
        ("2048 playouts --jsn", "unexpected argument '--jsn' found: did you mean '--json'?"),
        (
            "contest solve --out x --search bem",
            "invalid value 'bem' for '--search <SEARCH>' [possible values: beam, tree]: did you mean 'beam'?",
        ),
        (
            "go perft --depth 1 --ko smple",
            "invalid value 'smple' for '--ko <RULE>': expected simple, positional or situational: did you mean 'simple'?",
        ),
        // Nothing is like these.
        ("xyz", "unrecognized subcommand 'xyz'"),
        ("2048 playouts --qqq", "unexpected argument '--qqq' found"),
        (
            "go perft --depth 1 --ko 7",
            "invalid value '7' for '--ko <RULE>': expected simple, positional or situational",
        ),
    ] {
        refused(line, &format!("{expected} (see --help)"));
    }
    bitcade(["2048", "playouts", "--level", "portabel"]).fails(2, ": did you mean 'portable'? (see --help)");
}

/// A byte order mark before a text is skipped.
#[test]
fn byte_order_marks() {
    let same = |line: &str, stdin: &str| {
        let text = |stdin: String| {
            let text = bitcade_line(line).stdin(stdin).text();
            text.lines().filter(|line| !line.starts_with("seconds ")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(text(format!("\u{feff}{stdin}")), text(stdin.to_owned()), "{line}");
    };
    same("match3 swaps", "1121\r\n3213\r\n");
    same("match3 hint", "1121\n3213\n");
    same("2048 perft --depth 1", "2 .\n. 2\n");
    same("contest verify", "N,D19,N,L2,D3\n");
    same("contest replay", "N,D19,N,L2,D3\n");
    refused_with(
        "match3 swaps",
        "\u{feff}1?\n",
        "standard input: line 1, column 2: found '?', expected ., #, 1-9, a-z or ! before a color",
    );
}

/// A byte that is no text is named by its line and column, like any other.
#[test]
fn text_that_is_not_utf_8() {
    for command in [["match3", "swaps"], ["match3", "hint"], ["contest", "verify"], ["contest", "replay"]] {
        bitcade(command)
            .stdin(b"12\n\xc3\xa9 \xff\n")
            .fails(2, "standard input: line 2, column 3: expected text in UTF-8");
    }
}

/// A range of pieces that the game doesn't have is refused, with the real number of pieces.
#[test]
fn pieces_beyond_the_record() {
    const GAME: &str = "N,D19,N,L2,D3,N,D10\n";
    let pieces = "expected a number from 1 to 3, the pieces of this game";
    refused_with("contest replay --from 9000", GAME, &format!("--from 9000: {pieces}"));
    refused_with("contest replay --to 4", GAME, &format!("--to 4: {pieces}"));
    refused_with("contest replay --from 3 --to 2", GAME, "--from 3: expected at most --to, 2");
    refused_with("contest replay --from 3 --to 2 --json", GAME, "--from 3: expected at most --to, 2");
    let no_press = "item 5, piece 2: expected 1 to 100 key presses, found 4294967295";
    let endless = bitcade(["contest", "replay"]).stdin("N,D19,N,C4294967295\n").output();
    assert_eq!(endless.status.code(), Some(2), "{no_press}: {endless:?}");
}

/// Weights in JSON are refused with the place and what was expected there.
#[test]
fn weights() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad-weights.json");
    let name = path.to_str().expect("UTF-8");
    let weights = |text: &str, expected: &str| {
        std::fs::write(&path, text).expect("written");
        refused(&format!("tetris tbp --weights {name}"), &format!("{name}: {expected}"));
    };
    let object = "expected an object of weights such as {\"covered\": -20}";
    weights("", &format!("line 1, column 1: {object}"));
    weights("[1]", &format!("line 1, column 1: {object}"));
    weights("{\"covered\": 1,}", "line 1, column 15: trailing comma");
    weights(
        "{\n\"covered\": 1e3\n}",
        "line 2, column 14: invalid type: floating point `1000.0`, expected i32",
    );
    std::fs::write(&path, "\u{feff}{\"covered\": -7}").expect("written");
    bitcade(["tetris", "tbp", "--weights", name]).stdin("{\"type\":\"quit\"}\n").text();
}
