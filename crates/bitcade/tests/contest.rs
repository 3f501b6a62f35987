//! `bitcade contest`, as a script sees it.

mod common;
use common::bitcade;
use std::path::PathBuf;

/// A file of its own for each test.
fn file(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("contest-{name}.txt"));
    let _ = std::fs::remove_file(&path);
    let text = path.to_str().expect("UTF-8").to_owned();
    (path, text)
}

/// The value of a key in a text result.
fn value<'a>(text: &'a str, key: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {key} in {text}"))
}

#[test]
fn records_are_verified() {
    let text = bitcade(["contest", "verify"]).stdin("N,D19,N,L2,D3").text();
    for (key, expected) in [("score", "0"), ("bound", "0"), ("ratio", "1.0000"), ("clears", "0 0 0 0")] {
        assert_eq!(value(&text, key), expected);
    }
    for (key, expected) in [("pieces", "2"), ("hovers", "1"), ("cells_left", "8"), ("over", "goes on")] {
        assert_eq!(value(&text, key), expected);
    }
    let json = bitcade(["contest", "verify", "-", "--seed", "1", "--json"]).stdin("N,D1").text();
    assert!(json.starts_with(
        "{\"score\":0,\"width\":null,\"bound\":0,\"ratio\":1.0,\"lines\":0,\"clears\":[0,0,0,0],"
    ));
    assert!(json.contains("\"pieces\":1,\"seconds\":"), "{json}");
}

#[test]
fn a_game_is_solved_in_parts() {
    let (whole, whole_name) = file("whole");
    let (parts, parts_name) = file("parts");
    let text = bitcade([
        "contest",
        "solve",
        "--depth",
        "3",
        "--pieces",
        "60",
        "--threads",
        "1",
        "--out",
        &whole_name,
    ]);
    let text = text.text();
    assert_eq!((value(&text, "pieces"), value(&text, "width")), ("60", "3"));
    let solve =
        ["contest", "solve", "--depth", "3", "--threads", "2", "--level", "portable", "--out", &parts_name];
    let [a, b, c, d, e, f, g, h, i, j] = solve;
    bitcade([a, b, c, d, e, f, g, h, i, j, "--pieces", "20"]).text();
    bitcade([a, b, c, d, e, f, g, h, i, j, "--resume", "--steps", "41"]).text();
    bitcade([a, b, "--out", j, "--resume", "--pieces", "60"]).text();
    let (whole, parts) = (std::fs::read_to_string(whole), std::fs::read_to_string(parts));
    let whole = whole.expect("written");
    assert_eq!(whole, parts.expect("written"));

    let verified = bitcade(["contest", "verify", &whole_name]).text();
    for key in ["score", "bound", "ratio", "lines", "clears", "pieces", "over"] {
        assert_eq!(value(&verified, key), value(&text, key));
    }
    bitcade([a, b, "--out", j, "--resume", "--depth", "4"])
        .fails(2, "line 2: this game was begun with --seed 12358");
}

#[test]
fn time_keeps_what_was_reached() {
    let (path, name) = file("time");
    let solve =
        ["contest", "solve", "--depth", "12", "--time", "0.2", "--threads", "2", "--out", &name, "--json"];
    let json = bitcade(solve).text();
    assert!(json.contains("\"width\":11"), "{json}");
    let state = std::fs::read_to_string(path).expect("written");
    assert!(state.contains("# tree search: seed 12358 depth 12 most 12"), "{state}");
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let verify = |text: &str, message| bitcade(["contest", "verify"]).stdin(text).fails(2, message);
    verify("", "standard input: line 1, column 1, item 1: expected N");
    verify("N,D3,N,L", "line 1, column 8, item 4: expected a count");
    verify("N,D3,Q", "line 1, column 6, item 3: expected N, or L, R, D or C");
    verify(" N,D3,N,N,D1", "line 1, column 7, item 3, piece 2: expected 1 to 100 key presses, found 0");
    bitcade(["contest", "verify", "no such file"]).fails(2, "no such file: ");
    bitcade(["contest", "verify", "--seed", "x"]).fails(2, "--seed");
    bitcade(["contest"]).fails(2, "subcommand");
    bitcade(["contest", "solve"]).fails(2, "--out");
    bitcade(["contest", "solve", "--out", "no/such/folder/file"]).fails(2, "no/such/folder/file: ");
    bitcade(["contest", "solve", "--out", "."]).fails(2, ".: ");
    for flags in
        [["--depth", "16"], ["--pieces", "0"], ["--pieces", "10001"], ["--early", "9"], ["--time", "-1"]]
    {
        let [flag, number] = flags;
        let flag_with_number = format!("{flag}={number}");
        bitcade(["contest", "solve", "--out", "x", &flag_with_number]).fails(2, flag);
    }
    let (_, missing) = file("missing");
    bitcade(["contest", "solve", "--resume", "--out", &missing]).fails(2, "missing");
    let (broken, broken_name) = file("broken");
    std::fs::write(broken, "N,D1,N\n# tree search: seed 1\n").expect("written");
    bitcade(["contest", "solve", "--resume", "--out", &broken_name])
        .fails(2, "line 2: expected \"# tree search:\"");
}
