//! `bitcade tetris`: its output and errors.

use crate::common::bitcade;
use serde_json::{Value, json};

/// A board with room for spins.
const BOARD: &str = "3f,3f,1f,7,1,0,d,1f,3f,ff";

#[test]
fn perft_counts_depth_by_depth() {
    let spins = format!("--queue iot --depth 3 --board {BOARD}");
    for (flags, nodes) in [
        ("--queue IOLJSZT --depth 3", &[17, 153, 5266][..]),
        ("--queue IOLJ --depth 4 --hard-drop", &[17, 153, 5202, 176_868]),
        (&spins, &[17, 161, 6299]),
        (&format!("{spins} --spins"), &[17, 161, 6436]),
    ] {
        for level in bitcore::Level::all() {
            let text =
                bitcade(format!("tetris perft {flags} --json --level {}", level.name())).text();
            let lines: Vec<Value> =
                text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            assert_eq!(lines.len(), nodes.len(), "{text}");
            for ((line, nodes), depth) in lines.iter().zip(nodes).zip(1..) {
                assert_eq!(&line["depth"], &json!(depth), "{flags} {level}");
                assert_eq!(&line["nodes"], &json!(nodes), "{flags} {level}");
                assert!(line["nodes_per_second"].as_u64() > Some(0), "{line}");
            }
        }
    }
    let text = bitcade("tetris perft --queue IO --depth 1").text();
    assert!(text.starts_with("depth 1 nodes 17 nodes_per_second "), "{text}");
}

fn moves(board: &str, flags: &str) -> String {
    bitcade(format!("tetris moves --board '{board}' --piece {flags}")).text()
}

#[test]
fn moves_with_keys() {
    assert_eq!(moves(BOARD, "T").lines().count(), 37);
    let spins = moves(BOARD, "T --spins");
    assert_eq!(spins.lines().count(), 38);
    let full: Vec<&str> =
        spins.lines().filter(|line| line.contains(" spin full lines 2 keys ")).collect();
    assert!(full.len() == 1 && full[0].ends_with(",cw,hard-drop"), "{spins}");
    for level in bitcore::Level::all() {
        assert_eq!(moves(BOARD, &format!("T --spins --level {}", level.name())), spins, "{level}");
    }
    let json = moves(BOARD, "O --json");
    let first: Value = serde_json::from_str(json.lines().next().expect("a line")).expect("JSON");
    for (key, expected) in [
        ("orientation", json!("north")),
        ("x", json!(0)),
        ("y", json!(6)),
        ("spin", json!("none")),
        ("keys", json!(["left", "left", "left", "left", "hard-drop"])),
    ] {
        assert_eq!(first[key], expected, "{key}");
    }
    // A blocked spawn has no placement.
    assert_eq!(moves("0,0,0,ffffffffff,ffffffffff,0,0,0,0,0", "I"), "");
}

/// `--board` accepts the output of `--fumen`, and links to fumens.
#[test]
fn moves_on_the_board_of_a_fumen() {
    let expected = moves(BOARD, "T --spins");
    let fumen = moves(BOARD, "T --spins --fumen");
    let fumen = fumen.strip_suffix('\n').expect("a line");
    assert_eq!(moves(BOARD, "T --spins --fumen --json"), format!("{{\"fumen\":\"{fumen}\"}}\n"));
    let code = fumen.strip_prefix("v115@").filter(|code| !code.contains('\n')).expect("a fumen");
    for board in [
        fumen,
        &format!("m115@{code}"),
        &format!("https://fumen.example/#?d=v115%40{code}&lang=en"),
        &format!("[board](https://fumen.example/?v115@{code})"),
    ] {
        assert_eq!(moves(board, "T --spins"), expected, "{board}");
        assert_eq!(moves(board, "T --spins --fumen").trim_end(), fumen);
    }
    assert_eq!(moves("v110@7eAA4G", "T"), moves("0,0,0,0,0,0,0,0,0,0", "T"));
    let counts = |board: &str| {
        let text = bitcade(format!("tetris perft --queue TIO --depth 2 --board {board}")).text();
        text.split(' ').take(4).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(counts(fumen), counts(BOARD));
    let help = bitcade("tetris moves --help").text();
    assert!(help.contains("bottom row, or a fumen"), "{help}");
}

#[test]
fn control_plays_by_pieces_and_by_games() {
    let control = |flags: &str| {
        bitcade(format!("tetris control --weights dt20 --seed 5 --json {flags}")).json()
    };
    let run = control("--pieces 25000");
    assert_eq!(
        [&run["games"], &run["unfinished_games"], &run["pieces"], &run["mean_lines"]],
        [&json!(0), &json!(25), &json!(25_000), &Value::Null]
    );
    let lines = run["lines"].as_u64().expect("a number");
    // Each of the 25 boards has cells of some pieces left.
    assert!((9_500..=10_000).contains(&lines) && run["unfinished_lines"] == lines, "{run}");
    for level in bitcore::Level::all() {
        let again = control(&format!("--pieces 25000 --level {}", level.name()));
        assert_eq!(
            [&again["lines"], &again["placements"]],
            [&run["lines"], &run["placements"]],
            "{level}"
        );
    }
    let run = control("--pieces 500 --two-piece");
    assert_eq!([&run["pieces"], &run["two_piece"]], [&json!(500), &json!(true)]);
}
