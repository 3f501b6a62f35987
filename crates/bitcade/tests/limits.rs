//! Commands with little memory: one line and status 1 or 2, or a result; never an abort.
#![cfg(target_os = "linux")]

use crate::common::{Run, folder, prepare, short_or_full, stderr, stdout, tbp_start, under};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

/// A board with endless games.
const CORNERS: &str = "2 . . .\n. . . .\n. . . .\n. . . 2\n";

fn within_memory(megabytes: u32, line: &str) -> Run {
    under(&["sh", "-c", &format!("ulimit -v {}; exec \"$@\"", megabytes << 10), "sh"], line)
}

/// Runs a command in a folder with little memory. It succeeds as expected, or ends with status 1
/// and one line.
#[track_caller]
fn limited(folder: &Path, megabytes: u32, line: &str, stdin: &str, suffices: bool) -> Output {
    let output = within_memory(megabytes, line).within(folder).stdin(stdin).output();
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(i32::from(!suffices)), "{line}: {megabytes} MB: {told}");
    let in_words = told.lines().count() == 1 && told.contains("not enough memory");
    assert!(suffices || in_words, "{line}: {told}");
    output
}

/// A beam too wide for the memory saves its game, prints it, and can be resumed with a smaller
/// width.
#[test]
fn a_beam_too_wide() {
    let folder = folder("limits-beam");
    let line = "contest solve --width 3000000 --pieces 40 --threads 1 --force --out game";
    for megabytes in [150, 250] {
        let output = limited(&folder, megabytes, line, "", false);
        assert!(stdout(&output).contains("\nwidths 3000000x"), "{output:?}");
    }
    // The widths so far are part of the game; a smaller one follows them, as the message says.
    let text = folder.read("game");
    let widths = text.lines().nth(1).and_then(|line| line.rsplit(' ').next()).expect("widths");
    let widths = if widths == "-" { "9".to_owned() } else { format!("{widths},9") };
    let resumed = folder.run(format!("contest solve --resume --width {widths} --out game")).text();
    assert!(resumed.contains("\npieces 40\n"), "{resumed}");
}

/// The Go search tree stops growing, and the engine plays with what it has.
#[test]
fn a_tree_too_large() {
    let line = "go gtp --memory 65536 --playouts 60000 --size 5";
    let output = limited(&folder("limits-tree"), 90, line, "genmove b\ngenmove w\n", true);
    assert_eq!(stdout(&output).matches("= ").count(), 2, "{output:?}");
}

/// The bot answers with its best result so far.
#[test]
fn a_search_too_large() {
    let input = tbp_start() + "{\"type\":\"suggest\"}\n{\"type\":\"quit\"}\n";
    let output = limited(&folder("limits-search"), 120, "tetris tbp --nodes 4000000", &input, true);
    assert!(stdout(&output).contains("\"suggestion\""), "{output:?}");
}

#[test]
fn boards_without_end() {
    let folder = folder("limits-boards");
    let output = limited(&folder, 90, "2048 perft --depth 30 --threads 1", CORNERS, false);
    assert!(stdout(&output).starts_with("depth 1 nodes "), "{output:?}");
    for megabytes in [70, 100] {
        limited(&folder, megabytes, "2048 solve --size 3x3 --threads 1", "", false);
    }
}

/// Threads that can't be started for lack of memory are a remark.
#[test]
fn boards_without_end_on_threads() {
    let solve = ["2048 solve --size 3x3 --threads 2", "bitcade: not enough memory"];
    let perft = ["2048 perft --depth 30 --threads 2", "not enough memory for the distinct boards"];
    for (megabytes, [line, expected]) in [(70, solve), (100, solve), (200, perft)] {
        let output = within_memory(megabytes, line).stdin(CORNERS).output();
        let told = stderr(&output);
        let (remark, last) = told.trim_end().rsplit_once('\n').unwrap_or(("", told.trim_end()));
        let ended = (output.status.code(), last.ends_with(expected));
        assert_eq!(ended, (Some(1), true), "{line}: {megabytes}: {told}");
        let is_remark =
            !remark.contains('\n') && remark.contains("only 1 of 2 threads could be started");
        assert!(remark.is_empty() || is_remark, "{told}");
    }
}

#[test]
fn networks_too_large() {
    let folder = folder("limits-network");
    for megabytes in [100, 400, 1000] {
        limited(&folder, megabytes, "2048 train --games 1 --out net", "", false);
        assert!(!folder.join("net").exists());
    }
    // An endless file is refused by its first bytes, and a file with an excessive claimed length
    // before memory is requested.
    folder.write("net", [&b"2048-net\x01\0\0\0"[..], &u64::MAX.to_le_bytes()].concat());
    for (megabytes, line, message) in [
        (
            100,
            "2048 evaluate --net /dev/zero",
            "offset 0: expected a file that begins with \"2048-net\"",
        ),
        (200, "2048 evaluate --net net", "offset 12: expected a possible file length"),
        (200, "contest verify /dev/zero", ""),
        (200, "match3 swaps /dev/zero", ""),
        (200, "tetris tbp --weights /dev/zero", ""),
    ] {
        within_memory(megabytes, line).within(&folder).fails(2, message);
    }
}

/// Commands that ask for much, and their input.
pub(crate) const GREEDY: [(&str, &str); 16] = [
    ("contest solve --width 3000000 --pieces 40 --threads 1 --out game", ""),
    ("contest solve --width 268435456 --pieces 9 --threads 1 --out game", ""),
    ("contest solve --time 2 --threads 1024 --pieces 500 --out game", ""),
    ("contest solve --depth 15 --steps 3 --threads 2 --out game", ""),
    ("2048 solve --size 3x3", ""),
    ("2048 train --games 300 --out net", ""),
    ("2048 evaluate --net net --games 3 --depth 3", ""),
    ("2048 perft --depth 30", CORNERS),
    ("2048 playouts --size 8x8 --games 1", ""),
    ("match3 evaluate --agent rollout --size 16x16 --budget 4000000000 --moves 1 --games 1", ""),
    ("tetris perft --queue IOLJSZTIOLJSZT --depth 14", ""),
    ("tetris match --bot BOT --bot BOT --games 1 --pieces 3 --milliseconds 0 --out match", ""),
    ("go gtp --size 19 --threads 1024 --playouts 2000000000", "genmove b\nquit\n"),
    ("go perft --size 19x19 --depth 5", ""),
    ("go playouts --size 19 --games 2000", ""),
    ("tetris tbp --nodes 4000000", "START\n{\"type\":\"suggest\"}\n"),
];

/// Runs a greedy command under a limit, and asks it to end if it still works after some time. It
/// manages with less, or says what is missing.
pub(crate) fn does_with_less(run: Run, line: &str, input: &str) {
    let mut running = run.stdin(input.replace("START", &tbp_start())).start();
    running.stdin = None;
    let asked = running
        .ends_within(short_or_full(Duration::from_millis(200), Duration::from_secs(4)))
        .is_none();
    if asked {
        running.send("TERM");
    }
    let output = running.wait(Duration::from_mins(1));
    let told = stderr(&output);
    // Missing threads are a remark, not a failure.
    let said: Vec<&str> =
        told.lines().filter(|line| !line.contains(" threads could be started")).collect();
    let in_words = said.len() == 1 && said[0].starts_with("bitcade: ");
    assert!(!told.contains("see --help"), "{line}: these arguments are refused: {told}");
    let held = match (output.status.code(), output.status.signal()) {
        (Some(0), _) => true,
        (Some(1 | 2), _) => in_words,
        // A program that does not record signals yet ends by this one; a crash has another one.
        (Some(143), _) | (_, Some(15)) => asked && !told.contains("panicked"),
        _ => false,
    };
    assert!(held, "{line}: {output:?}");
}

#[test]
fn greedy_commands_do_with_less_memory() {
    let limits = short_or_full(&[150][..], &[60, 150, 400, 1000]);
    for (i, (line, input)) in GREEDY.into_iter().enumerate() {
        for &megabytes in limits {
            let folder = folder(&format!("limits-{i}"));
            prepare(&folder, line);
            does_with_less(within_memory(megabytes, line).within(&folder), line, input);
        }
    }
}
