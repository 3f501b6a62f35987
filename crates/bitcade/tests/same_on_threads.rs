//! The number of threads changes no result: each command prints the same on 1, 2, 3 and 7 threads.

use crate::common::{bitcade, bitcade_line};

/// Returns what a command prints, without its times.
fn printed(line: &str, threads: u32) -> String {
    let text = bitcade_line(&format!("{line} --threads {threads}")).text();
    let timed = |line: &str| line.contains("per_second") || line.contains("us_per_move");
    let untimed = text.lines().map(|line| {
        // The speed of perft stands at the end of the line.
        if line.starts_with("depth ") { line.split(" nodes_per_second").next().unwrap_or(line) } else { line }
    });
    untimed.filter(|line| !timed(line)).collect::<Vec<_>>().join("\n")
}

fn check(line: &str) {
    let expected = printed(line, 1);
    assert!(!expected.is_empty(), "{line}");
    for threads in [2, 3, 7] {
        assert_eq!(printed(line, threads), expected, "{line} --threads {threads}");
    }
}

#[test]
fn playouts_of_2048() {
    // Two blocks of games, the second one not whole.
    check("2048 playouts --games 70000 --seed 3");
    check("2048 playouts --games 10 --level portable");
    check("2048 playouts --size 2x3 --games 5000");
    check("2048 playouts --size 5x6 --games 40");
}

#[test]
fn perft_of_2048() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("threads-board.txt");
    std::fs::write(&path, "2 . . .\n. . . .\n. . . .\n. . . 2\n").expect("a file");
    let name = path.to_str().expect("UTF-8");
    check(&format!("2048 perft --depth 4 {name}"));
    check(&format!("2048 perft --depth 3 --json --level portable {name}"));
}

#[test]
fn solutions_of_2048() {
    check("2048 solve --size 2x2");
    check("2048 solve --size 2x3");
}

#[test]
fn players_of_match3() {
    check("match3 evaluate --agent random --games 1000");
    check("match3 evaluate --agent greedy --games 100 --size 9x7 --colors 5");
    check("match3 evaluate --agent rollout --budget 32 --games 5 --moves 10");
}

#[test]
fn playouts_of_go() {
    check("go playouts --games 5000");
    check("go playouts --size 19 --games 300");
    check("go playouts --size 5 --games 3000 --suicide all");
}

#[test]
fn perft_of_go() {
    check("go perft --size 3x3 --depth 5");
    check("go perft --size 2x3 --depth 5 --ko situational --suicide all --passes");
    check("go perft --size 4 --depth 3 --json --level portable");
}

#[test]
fn tetris() {
    check("tetris perft --queue IOLJSZT --depth 5");
    check("tetris perft --queue IOTLJSZ --depth 4 --board 3f,3f,1f,7,1,0,d,1f,3f,ff --spins");
    check("tetris perft --queue IOLJSZT --depth 5 --hard-drop");
    check("tetris control --weights dellacherie --pieces 20000");
    check("tetris control --weights dt20 --pieces 1000 --two-piece");
}

#[test]
fn a_time_limit_names_the_run_that_repeats_it() {
    let output =
        bitcade(["tetris", "control", "--weights", "dt20", "--time", "0.2", "--threads", "3"]).output();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let pieces = stderr.split("--pieces ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a remark");
    let printed = String::from_utf8_lossy(&output.stdout);
    let repeated =
        bitcade(["tetris", "control", "--weights", "dt20", "--threads", "1", "--pieces", pieces]).text();
    let lines = |text: &str| {
        text.lines().filter(|line| !line.contains("per_second")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&printed), lines(&repeated));
}
