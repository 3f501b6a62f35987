//! `bitcade 2048`: its output and errors.

use crate::common::bitcade;

const CORNERS: &str = "2 .\n. 2\n";

#[test]
fn perft_by_depth() {
    bitcade(["2048", "perft", "--depth", "4"]).stdin(CORNERS).prints(
        "depth 1 nodes 16 distinct 12 gain 0 dead 0\n\
         depth 2 nodes 208 distinct 34 gain 768 dead 0\n\
         depth 3 nodes 1792 distinct 74 gain 16384 dead 8\n\
         depth 4 nodes 12160 distinct 106 gain 171008 dead 112\n",
    );
    bitcade(["2048", "perft", "--depth", "1", "-", "--json"])
        .stdin("2 0 0\n. . .\n0 . 2")
        .prints("{\"depth\":1,\"nodes\":56,\"distinct\":52,\"gain\":0,\"dead\":0}\n");
    // A board without a legal move has one dead sequence, of length 0.
    bitcade(["2048", "perft", "--depth", "9"])
        .stdin("2 4\n4 2")
        .prints("depth 1 nodes 0 distinct 0 gain 0 dead 1\n");
}

#[test]
fn tiles_beyond_four_bits() {
    bitcade(["2048", "perft", "--depth", "1"])
        .stdin("32768 32768\n65536 65536")
        .prints("depth 1 nodes 8 distinct 8 gain 1572864 dead 0\n");
}

/// All keys except the speed have the same values on every level.
#[test]
fn playouts_repeat() {
    let run = |level| {
        let json = bitcade([
            "2048", "playouts", "--size", "3x2", "--games", "1500", "--seed", "7", "--json", "--level", level,
        ]);
        let text = json.text();
        let record: serde_json::Value = serde_json::from_str(&text).expect("one JSON object");
        let mut record = record.as_object().expect("an object").clone();
        let keys: Vec<String> = record.keys().cloned().collect();
        for key in ["games", "mean_score", "stderr_score", "mean_moves", "stderr_moves", "moves_per_second"] {
            assert!(keys.iter().any(|found| found == key), "{key} in {text}");
        }
        assert!(
            record.remove("moves_per_second").and_then(|speed| speed.as_u64()).is_some_and(|speed| speed > 0)
        );
        record
    };
    let record = run("auto");
    assert_eq!(record, run("portable"));
    assert_eq!(record["games"], 1500);
    let number = |key: &str| record[key].as_f64().expect("a number");
    assert!((number("mean_score") - 61.1689).abs() < 5.0 * number("stderr_score"));
    assert!((number("mean_moves") - 13.5278).abs() < 5.0 * number("stderr_moves"));
}

#[test]
fn playouts_as_text() {
    let text = bitcade(["2048", "playouts", "--size", "2x2", "--games", "1", "--seed", "1"]).text();
    let keys: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    let expected = ["games", "mean_score", "stderr_score", "mean_moves", "stderr_moves", "moves_per_second"];
    assert_eq!(keys, expected);
    assert!(text.starts_with("games 1\n") && text.contains("\nstderr_score none\n"), "{text}");
}

#[test]
fn solved() {
    bitcade(["2048", "solve", "--size", "2x2"]).prints(
        "states 662\ncanonical 110\nexpected_score 66.9641494571\nrandom_score 19.6565401755\n\
         random_moves 5.6007230007\n",
    );
    let json = bitcade(["2048", "solve", "--size", "2x3", "--json"]).text();
    let record: serde_json::Value = serde_json::from_str(&json).expect("one JSON object");
    assert_eq!(record["canonical"], 21752);
    assert!(record["expected_score"].as_f64().is_some_and(|score| (score - 480.258_271_776).abs() < 1e-9));
    bitcade(["2048", "solve", "--size", "4x3"]).fails(2, "4x3 has too many positions");
    bitcade(["2048", "solve"]).fails(2, "--size");
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let perft = || bitcade(["2048", "perft", "--depth", "1"]);
    perft()
        .stdin("2 4\n. 3\n")
        .fails(2, "standard input: line 2, column 3: expected a tile: a power of two from 2");
    perft().stdin("2 4\n. 2 2\n").fails(2, "line 2, column 5: expected 2 tiles in this row");
    perft().stdin("2 4\n").fails(2, "line 2, column 1: expected 2 to 8 rows");
    perft().stdin("").fails(2, "line 1, column 1: expected a board");
    perft().stdin("2 2\n2 2\n\n2 2\n").fails(2, "line 4, column 1: expected nothing more");
    perft().stdin(vec![b'2', b'\n', 0xff]).fails(2, "line 2, column 1: expected text in UTF-8");
    bitcade(["2048", "perft", "--depth", "1", "no such file"]).fails(2, "no such file: ");
    bitcade(["2048", "perft"]).fails(2, "--depth");
    bitcade(["2048", "perft", "--depth", "0"]).fails(2, "--depth");
    bitcade(["2048"]).fails(2, "subcommand");
    bitcade(["2048", "playouts", "--size", "9x9"])
        .fails(2, "expected a size N or NxM with numbers from 2 to 8");
    bitcade(["2048", "playouts", "--games", "0"]).fails(2, "--games");
    bitcade(["2048", "playouts", "--seed", "x"]).fails(2, "--seed");
    bitcade(["2048", "playouts", "--level", "sse9"]).fails(2, "expected auto, portable, x86-64-v3-slow-pext");
}
