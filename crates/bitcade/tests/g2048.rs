//! `bitcade 2048`: its output and errors.

use crate::common::{bitcade, keys};

const KEYS: [&str; 6] =
    ["games", "mean_score", "stderr_score", "mean_moves", "stderr_moves", "moves_per_second"];

#[test]
fn perft_by_depth() {
    for (flags, board, counts) in [
        (
            "--depth 4",
            "2 .\n. 2\n",
            "depth 1 nodes 16 distinct 12 gain 0 dead 0\n\
             depth 2 nodes 208 distinct 34 gain 768 dead 0\n\
             depth 3 nodes 1792 distinct 74 gain 16384 dead 8\n\
             depth 4 nodes 12160 distinct 106 gain 171008 dead 112\n",
        ),
        (
            "--depth 1 - --json",
            "2 0 0\n. . .\n0 . 2",
            "{\"depth\":1,\"nodes\":56,\"distinct\":52,\"gain\":0,\"dead\":0}\n",
        ),
        // A board without a legal move has one dead sequence, of length 0.
        ("--depth 9", "2 4\n4 2", "depth 1 nodes 0 distinct 0 gain 0 dead 1\n"),
        // Tiles beyond four bits.
        ("--depth 1", "32768 32768\n65536 65536", "depth 1 nodes 8 distinct 8 gain 1572864 dead 0\n"),
    ] {
        bitcade(format!("2048 perft {flags}")).stdin(board).prints(counts);
    }
}

/// All keys except the speed have the same values on every level.
#[test]
fn playouts_repeat() {
    let run = |level| {
        let line = format!("2048 playouts --size 3x2 --games 1500 --seed 7 --json --level {level}");
        let mut record = bitcade(line).json();
        assert!(KEYS.iter().all(|key| record.get(key).is_some()), "{record}");
        let speed = record.as_object_mut().expect("an object").remove("moves_per_second");
        assert!(speed.and_then(|speed| speed.as_u64()).is_some_and(|speed| speed > 0));
        record
    };
    let record = run("auto");
    assert_eq!(record, run("portable"));
    assert_eq!(record["games"], 1500);
    let number = |key: &str| record[key].as_f64().expect("a number");
    for (key, exact) in [("score", 61.1689), ("moves", 13.5278)] {
        let error = number(&format!("mean_{key}")) - exact;
        assert!(error.abs() < 5.0 * number(&format!("stderr_{key}")), "{record}");
    }
}

#[test]
fn playouts_as_text() {
    let text = bitcade("2048 playouts --size 2x2 --games 1 --seed 1").text();
    assert_eq!(keys(&text), KEYS);
    assert!(text.starts_with("games 1\n") && text.contains("\nstderr_score none\n"), "{text}");
}

#[test]
fn solved() {
    bitcade("2048 solve --size 2x2").prints(
        "states 662\ncanonical 110\nexpected_score 66.9641494571\nrandom_score 19.6565401755\n\
         random_moves 5.6007230007\n",
    );
    let record = bitcade("2048 solve --size 2x3 --json").json();
    assert_eq!(record["canonical"], 21752);
    assert!(record["expected_score"].as_f64().is_some_and(|score| (score - 480.258_271_776).abs() < 1e-9));
}
