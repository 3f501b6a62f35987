//! `bitcade match3`, as a script sees it.

use crate::common::bitcade;

const BOARD: &str = "1121\n3213\n\n11\n11\n";

#[test]
fn swaps_are_listed() {
    bitcade(["match3", "swaps"]).stdin(BOARD).prints("2 0 H\n2 0 V\n\n");
    bitcade(["match3", "swaps", "-", "--json"])
        .stdin("1121")
        .prints("{\"board\":0,\"x\":2,\"y\":0,\"axis\":\"H\"}\n");
}

#[test]
fn counts() {
    let text = "boards 2\nswaps 2\nhorizontal 1\nvertical 1\ndead 1\nstable 2\nmatched_cells 0\n";
    bitcade(["match3", "swaps", "--count"]).stdin(BOARD).prints(text);
    let json = "{\"boards\":2,\"swaps\":2,\"horizontal\":1,\"vertical\":1,\"dead\":1,\"stable\":2,\"matched_cells\":0}\n";
    bitcade(["match3", "swaps", "--count", "--json"]).stdin(BOARD).prints(json);
}

#[test]
fn hints_come_best_first() {
    let board = "1213\n3122\n2331\n";
    bitcade(["match3", "hint"]).stdin(board).prints("1 0 V 60\n0 1 V 30\n");
    bitcade(["match3", "hint", "--json"])
        .stdin("1121")
        .prints("{\"board\":0,\"x\":2,\"y\":0,\"axis\":\"H\",\"score\":30,\"cleared\":3,\"levels\":1}\n");
    bitcade(["match3", "hint"]).stdin("11\n11\n\n1121\n").prints("\n2 0 H 30\n");
    bitcade(["match3", "hint"]).stdin("1?\n").fails(2, "line 1, column 2: found '?'");
}

#[test]
fn players_play() {
    // All but the time is the same at every level.
    let play = |options: &str| {
        let mut run = bitcade(["match3", "play"]);
        run.arguments(options.split(' '));
        run.text().lines().filter(|line| !line.starts_with("us_per_move")).collect::<Vec<_>>().join(" ")
    };
    let greedy = play("--games 5 --seed 3 --agent greedy");
    assert_eq!(play("--games 5 --seed 3 --agent greedy --level portable"), greedy);
    assert!(greedy.starts_with("mean_score ") && greedy.ends_with(" games 5"), "{greedy}");
    let options = "--games 2 --moves 3 --size 9x6 --colors 8 --agent rollout --budget 8";
    assert_eq!(play(options), play(&format!("{options} --level portable")));
    assert_ne!(play("--games 5 --seed 3 --agent random"), greedy);
    let colors = play("--games 2 --colors 15 --agent random");
    assert_eq!(colors, play("--games 2 --colors 15 --agent random --level portable --size 8"));
}

#[test]
fn what_no_one_can_play_is_refused() {
    bitcade(["match3", "play", "--size", "17x3"])
        .fails(2, "expected a size N or NxM with numbers from 1 to 16, such as 16 or 16x16");
    bitcade(["match3", "play", "--size", "2x2"])
        .fails(2, "no legal swap on any of 10000 random boards of 2 x 2");
    bitcade(["match3", "play", "--colors", "2"]).fails(2, "expected a number from 3 to 15");
    // The British spelling of the first release still works.
    bitcade(["match3", "play", "--colours", "2"]).fails(2, "expected a number from 3 to 15");
    bitcade(["match3", "play", "--colors", "16"]).fails(2, "expected a number from 3 to 15");
    bitcade(["match3", "play", "--agent", "human"]).fails(2, "human");
    bitcade(["match3", "play", "--games", "0"]).fails(2, "0");
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    bitcade(["match3", "swaps"]).stdin("112\n1?2\n").fails(2, "standard input: line 2, column 2: found '?'");
    bitcade(["match3", "swaps"]).stdin("112\n11\n").fails(2, "line 2: a row of 2 cells, expected 3");
    bitcade(["match3", "swaps"]).stdin("1!.2\n").fails(2, "line 1, column 3: expected a color");
    bitcade(["match3", "swaps"]).stdin("").fails(2, "line 1, column 1: expected a board");
    bitcade(["match3", "swaps"])
        .stdin(vec![b'1', b'\n', 0xff])
        .fails(2, "line 2, column 1: expected text in UTF-8");
    bitcade(["match3", "swaps", "no such file"]).fails(2, "no such file: ");
    bitcade(["match3", "swaps", "--color"]).fails(2, "--color");
    bitcade(["match3"]).fails(2, "subcommand");
    bitcade(["match3", "swaps", "--level", "sse9"]).fails(2, "expected auto, portable, x86-64-v3-slow-pext");
}
