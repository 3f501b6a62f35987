//! The number of threads changes no result: each command prints the same on 1, 2, 3 and 7 threads.

use crate::common::{bitcade, folder, stderr, stdout, untimed};

/// `--games 70000` takes two blocks of games, the second one incomplete.
const LINES: [&str; 22] = [
    "2048 playouts --games 70000 --seed 3",
    "2048 playouts --games 10 --level portable",
    "2048 playouts --size 2x3 --games 5000",
    "2048 playouts --size 5x6 --games 40",
    "2048 perft --depth 4 board",
    "2048 perft --depth 3 --json --level portable board",
    "2048 solve --size 2x2",
    "2048 solve --size 2x3",
    "match3 evaluate --agent random --games 1000",
    "match3 evaluate --agent greedy --games 100 --size 9x7 --colors 5",
    "match3 evaluate --agent rollout --budget 32 --games 5 --moves 10",
    "go playouts --games 5000",
    "go playouts --size 19 --games 300",
    "go playouts --size 5 --games 3000 --suicide all",
    "go perft --size 3x3 --depth 5",
    "go perft --size 2x3 --depth 5 --ko situational --suicide all --passes",
    "go perft --size 4 --depth 3 --json --level portable",
    "tetris perft --queue IOLJSZT --depth 5",
    "tetris perft --queue IOTLJSZ --depth 4 --board 3f,3f,1f,7,1,0,d,1f,3f,ff --spins",
    "tetris perft --queue IOLJSZT --depth 5 --hard-drop",
    "tetris control --weights dellacherie --pieces 20000",
    "tetris control --weights dt20 --pieces 1000 --two-piece",
];

/// Runs every second line, to share the work between two tests.
fn check_from(first: usize) {
    let folder = folder(&format!("threads-{first}"));
    folder.write("board", "2 . . .\n. . . .\n. . . .\n. . . 2\n");
    for line in LINES.iter().skip(first).step_by(2) {
        let printed = |threads| {
            let text = folder.run(format!("{line} --threads {threads}")).text();
            // The speed of perft is at the end of a line.
            let ends =
                text.lines().map(|line| line.split(" nodes_per_second").next().unwrap_or(line));
            untimed(&ends.collect::<Vec<_>>().join("\n"))
        };
        let expected = printed(1);
        assert!(!expected.is_empty(), "{line}");
        for threads in [2, 3, 7] {
            assert_eq!(printed(threads), expected, "{line} --threads {threads}");
        }
    }
}

#[test]
fn even_lines() {
    check_from(0);
}

#[test]
fn odd_lines() {
    check_from(1);
}

#[test]
fn a_time_limit_names_the_run_that_repeats_it() {
    let output = bitcade("tetris control --weights dt20 --time 0.2 --threads 3").output();
    let told = stderr(&output);
    let pieces =
        told.split("--pieces ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a remark");
    let line = format!("tetris control --weights dt20 --threads 1 --pieces {pieces}");
    assert_eq!(untimed(&stdout(&output)), untimed(&bitcade(line).text()));
}
