//! `bitcade tetris`: its output and errors.

use crate::common::bitcade;

fn numbers(json: &str, key: &str) -> Vec<u64> {
    let key = format!("\"{key}\":");
    let value = |line: &str| {
        let rest = line.split(&key).nth(1).expect("the key");
        rest.split([',', '}']).next().expect("a value").parse().expect("a number")
    };
    json.lines().map(value).collect()
}

#[test]
fn perft_counts_depth_by_depth() {
    let json = bitcade(["tetris", "perft", "--queue", "IOLJSZT", "--depth", "3", "--json"]).text();
    assert_eq!(numbers(&json, "depth"), [1, 2, 3]);
    assert_eq!(numbers(&json, "nodes"), [17, 153, 5266]);
    assert!(numbers(&json, "nodes_per_second").iter().all(|&speed| speed > 0));
    let text = bitcade(["tetris", "perft", "--queue", "IO", "--depth", "1"]).text();
    assert!(text.starts_with("depth 1 nodes 17 nodes_per_second "), "{text}");
}

#[test]
fn perft_by_hard_drops_on_every_level() {
    for level in bitcore::Level::all() {
        let run = [
            "tetris",
            "perft",
            "--queue",
            "IOLJ",
            "--depth",
            "4",
            "--hard-drop",
            "--json",
            "--level",
            level.name(),
        ];
        assert_eq!(numbers(&bitcade(run).text(), "nodes"), [17, 153, 5202, 176868]);
    }
}

#[test]
fn perft_on_a_board_with_spins() {
    const BOARD: &str = "3f,3f,1f,7,1,0,d,1f,3f,ff";
    let plain = ["tetris", "perft", "--queue", "iot", "--depth", "3", "--json", "--board", BOARD];
    assert_eq!(numbers(&bitcade(plain).text(), "nodes"), [17, 161, 6299]);
    let spins = ["tetris", "perft", "--queue", "IOT", "--depth", "3", "--json", "--board", BOARD, "--spins"];
    assert_eq!(numbers(&bitcade(spins).text(), "nodes"), [17, 161, 6436]);
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let perft = |queue, depth| bitcade(["tetris", "perft", "--queue", queue, "--depth", depth]);
    perft("IOQ", "1").fails(2, "column 3: expected one of I O T S Z J L, found 'Q'");
    perft("IOL", "4").fails(2, "--depth 4: expected a number from 1 to the length of the queue, 3");
    perft("IOL", "0").fails(2, "'--depth <DEPTH>': expected a number from 1 to 99");
    perft("", "1").fails(2, "'--queue <QUEUE>': expected letters of I O T S Z J L, found none");
    perft("IOL", "-1").fails(2, "-1");
    bitcade(["tetris", "perft", "--depth", "1"]).fails(2, "--queue");
    let on = |board| bitcade(["tetris", "perft", "--queue", "I", "--depth", "1", "--board", board]);
    on("1,2,3").fails(2, "line 1, column 6: expected 10 numbers, found 3");
    on("1,2,3,4,5,6,7,8,9,x").fails(2, "line 1, column 19: expected a hexadecimal digit");
    on("1,2,3,4,5,6,7,8,9,10000000000").fails(2, "line 1, column 19: expected a column of at most 40 bits");
    on("").fails(2, "line 1, column 1: expected 10 cells");
    bitcade(["tetris", "perft", "--queue", "I", "--depth", "1", "--spins", "--hard-drop"])
        .fails(2, "--hard-drop");
    bitcade(["tetris"]).fails(2, "subcommand");
}

#[test]
fn moves_with_keys() {
    let moves = |piece, more: &[&str]| {
        let start = ["tetris", "moves", "--board", "3f,3f,1f,7,1,0,d,1f,3f,ff", "--piece", piece];
        let mut run = bitcade(start);
        run.arguments(more.iter().copied());
        run.text()
    };
    assert_eq!(moves("T", &[]).lines().count(), 37);
    let spins = moves("T", &["--spins"]);
    assert_eq!(spins.lines().count(), 38);
    let full = spins.lines().filter(|line| line.contains(" spin full lines 2 keys "));
    assert!(full.clone().count() == 1 && full.clone().all(|line| line.ends_with(",cw,hard-drop")), "{spins}");
    for level in bitcore::Level::all() {
        assert_eq!(moves("T", &["--spins", "--level", level.name()]), spins, "{level}");
    }
    let json = moves("O", &["--json"]);
    let first: serde_json::Value = serde_json::from_str(json.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["orientation"], "north");
    assert_eq!((&first["x"], &first["y"], &first["spin"]), (&0.into(), &6.into(), &"none".into()));
    assert_eq!(first["keys"], serde_json::json!(["left", "left", "left", "left", "hard-drop"]));
    let fumen = moves("T", &["--spins", "--fumen"]);
    assert!(fumen.starts_with("v115@") && fumen.lines().count() == 1, "{fumen}");
    assert_eq!(
        moves("T", &["--spins", "--fumen", "--json"]),
        format!("{{\"fumen\":\"{}\"}}\n", fumen.trim())
    );
    let high = ["tetris", "moves", "--piece", "T", "--fumen", "--board", "ffffff,0,0,0,0,0,0,0,0,0"];
    bitcade(high).fails(2, "page 1: expected a board of at most 23 rows, found 24");
    // A blocked spawn has no placement.
    let blocked = "0,0,0,ffffffffff,ffffffffff,0,0,0,0,0";
    assert_eq!(bitcade(["tetris", "moves", "--piece", "I", "--board", blocked]).text(), "");
    bitcade(["tetris", "moves", "--piece", "Q"]).fails(2, "expected one of I O T S Z J L");
    bitcade(["tetris", "moves"]).fails(2, "--piece");
}

/// `--board` takes what `--fumen` writes, and links to fumens.
#[test]
fn moves_on_the_board_of_a_fumen() {
    let columns = "3f,3f,1f,7,1,0,d,1f,3f,ff";
    let moves = |board: &str, more: &[&str]| {
        let mut run = bitcade(["tetris", "moves", "--piece", "T", "--spins", "--board", board]);
        run.arguments(more.iter().copied());
        run.text()
    };
    let (expected, fumen) = (moves(columns, &[]), moves(columns, &["--fumen"]));
    let code = fumen.trim().strip_prefix("v115@").expect("a fumen");
    for board in [
        fumen.clone(),
        format!("m115@{code}"),
        format!("https://fumen.example/#?d=v115%40{code}&lang=en"),
        format!("[board](https://fumen.example/?v115@{code})"),
    ] {
        assert_eq!(moves(&board, &[]), expected, "{board}");
        assert_eq!(moves(&board, &["--fumen"]), fumen);
    }
    assert_eq!(moves("v110@7eAA4G", &[]), moves("0,0,0,0,0,0,0,0,0,0", &[]));
    let fails = |board: &str, message| {
        bitcade(["tetris", "moves", "--piece", "T", "--board", board]).fails(2, message);
    };
    fails("v115@vh_", "'--board <COLS>': character 8: expected a letter, a digit, `+` or `/`, found '_'");
    fails("v109@vhAAgH", "'--board <COLS>': expected `v115@` or `v110@`");
    fails("v115@", "'--board <COLS>': expected a fumen of at least one page");
    fails("1,2,3", "line 1, column 6: expected 10 numbers, found 3");
    let counts = |board: &str| {
        let text = bitcade(["tetris", "perft", "--queue", "TIO", "--depth", "2", "--board", board]).text();
        text.split(' ').take(4).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(counts(&fumen), counts(columns));
    let help = bitcade(["tetris", "moves", "--help"]).text();
    assert!(help.contains("bottom row, or a fumen"), "{help}");
}

#[test]
fn control_plays_by_pieces_and_by_games() {
    let control = |more: &[&str]| {
        let mut run = bitcade(["tetris", "control", "--weights", "dt20", "--seed", "5", "--json"]);
        run.arguments(more.iter().copied());
        serde_json::from_str::<serde_json::Value>(&run.text()).expect("JSON")
    };
    let run = control(&["--pieces", "25000"]);
    assert_eq!((&run["games"], &run["pieces"], &run["mean_lines"]), (&0.into(), &25_000.into(), &().into()));
    let lines = run["lines"].as_u64().expect("a number");
    assert!((9_980..=10_000).contains(&lines) && run["unfinished_lines"] == lines, "{run}");
    for level in bitcore::Level::all() {
        let again = control(&["--pieces", "25000", "--level", level.name()]);
        assert_eq!((&again["lines"], &again["placements"]), (&run["lines"], &run["placements"]), "{level}");
    }
    let run = control(&["--pieces", "500", "--two-piece"]);
    assert_eq!((&run["pieces"], &run["two_piece"]), (&500.into(), &true.into()));
    bitcade(["tetris", "control", "--weights", "bcts"])
        .fails(2, "expected dellacherie or dt20, found \"bcts\"");
    bitcade(["tetris", "control", "--weights", "dt20", "--pieces", "0"]).fails(2, "--pieces");
    bitcade(["tetris", "control", "--weights", "dt20", "--time", "x"])
        .fails(2, "expected a time such as 90, 90s");
    bitcade(["tetris", "control"]).fails(2, "--weights");
}
