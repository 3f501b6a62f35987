//! Commands with little memory: one line and status 1 or 2, or a result; never an abort.
#![cfg(target_os = "linux")]

use crate::common::{Run, bitcade, folder, prepare, short_or_full, stderr, stdout, tbp_start, under};
use std::os::unix::process::ExitStatusExt;
use std::process::Output;
use std::time::Duration;

/// Returns a run with at most this many megabytes of address space.
fn within_memory(megabytes: u32, line: &str) -> Run {
    under(&["sh", "-c", &format!("ulimit -v {}; exec \"$@\"", megabytes << 10), "sh"], line)
}

fn limited(megabytes: u32, line: &str, stdin: &str) -> Output {
    within_memory(megabytes, line).stdin(stdin).output()
}

/// Checks that a run succeeded, or ended with status 1 and one line. Returns whether it succeeded.
#[track_caller]
fn ends_well(output: &Output, line: &str) -> bool {
    let stderr = stderr(output);
    let status = output.status.code();
    assert!(matches!(status, Some(0 | 1)), "{line}: {}: {stderr}", output.status);
    if status == Some(1) {
        assert!(stderr.lines().count() == 1 && stderr.contains("not enough memory"), "{line}: {stderr}");
    }
    status == Some(0)
}

/// A beam that is too wide for the memory saves its game, prints it, and can be resumed with a smaller width.
#[test]
fn a_beam_too_wide() {
    let path = folder("limits-beam").join("game");
    let name = path.to_str().expect("UTF-8");
    for megabytes in [150, 250] {
        let _ = std::fs::remove_file(&path);
        let line = format!("contest solve --width 3000000 --pieces 40 --threads 1 --out {name}");
        let output = limited(megabytes, &line, "");
        assert!(!ends_well(&output, &line), "{megabytes} MB suffice");
        assert!(stdout(&output).contains("\nwidths 3000000x"), "{output:?}");
    }
    // The widths so far are part of the game; a smaller one follows them, as the message says.
    let text = std::fs::read_to_string(&path).expect("written");
    let widths = text.lines().nth(1).and_then(|line| line.rsplit(' ').next()).expect("widths");
    let widths = if widths == "-" { "9".to_owned() } else { format!("{widths},9") };
    let resumed = bitcade(["contest", "solve", "--resume", "--width", &widths, "--out", name]).text();
    assert!(resumed.contains("\npieces 40\n"), "{resumed}");
}

/// The tree of Go stops growing, and the engine plays with what it has.
#[test]
fn a_tree_too_large() {
    let line = "go gtp --memory 65536 --playouts 60000 --size 5";
    let output = limited(90, line, "genmove b\ngenmove w\n");
    assert!(ends_well(&output, line));
    assert_eq!(stdout(&output).matches("= ").count(), 2, "{output:?}");
}

/// The bot answers with what it has searched.
#[test]
fn a_search_too_large() {
    let input = tbp_start() + "{\"type\":\"suggest\"}\n{\"type\":\"quit\"}\n";
    let line = "tetris tbp --nodes 4000000";
    let output = limited(120, line, &input);
    assert!(ends_well(&output, line));
    assert!(stdout(&output).contains("\"suggestion\""), "{output:?}");
}

#[test]
fn boards_without_end() {
    let perft = "2048 perft --depth 30 --threads 1";
    let output = limited(90, perft, "2 . . .\n. . . .\n. . . .\n. . . 2\n");
    assert!(!ends_well(&output, perft), "{output:?}");
    assert!(stdout(&output).starts_with("depth 1 nodes "), "{output:?}");
    let solve = "2048 solve --size 3x3 --threads 1";
    for megabytes in [70, 100] {
        assert!(!ends_well(&limited(megabytes, solve, ""), solve));
    }
}

/// Threads that can't be started, since their own memory can't be had, are a remark.
#[test]
fn boards_without_end_on_threads() {
    let solve = ["2048 solve --size 3x3 --threads 2", "bitcade: not enough memory"];
    let perft = ["2048 perft --depth 30 --threads 2", "not enough memory for the distinct boards"];
    for (megabytes, [line, expected]) in [(70, solve), (100, solve), (200, perft)] {
        let output = limited(megabytes, line, "2 . . .\n. . . .\n. . . .\n. . . 2\n");
        let stderr = stderr(&output);
        let (last, remarks) = match *stderr.lines().collect::<Vec<_>>() {
            [last] => (last, ""),
            [remark, last] => (last, remark),
            _ => panic!("{stderr}"),
        };
        assert_eq!(
            (output.status.code(), last.ends_with(expected)),
            (Some(1), true),
            "{line}: {megabytes}: {last}"
        );
        assert!(remarks.is_empty() || remarks.contains("only 1 of 2 threads could be started"), "{remarks}");
    }
}

#[test]
fn networks_too_large() {
    let path = folder("limits-network").join("net");
    let name = path.to_str().expect("UTF-8");
    for megabytes in [100, 400, 1000] {
        let line = format!("2048 train --games 1 --out {name}");
        assert!(!ends_well(&limited(megabytes, &line, ""), &line));
        assert!(!path.exists());
    }
    // An endless file is refused by its first bytes.
    let output = limited(100, "2048 evaluate --net /dev/zero", "");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "bitcade: /dev/zero: offset 0: expected a file that begins with \"2048-net\"\n"
    );
    // So is one that claims to be long, before memory is asked for.
    let claim = [&b"2048-net\x01\0\0\0"[..], &u64::MAX.to_le_bytes()].concat();
    std::fs::write(&path, claim).expect("written");
    bitcade(["2048", "evaluate", "--net", name])
        .fails(2, "offset 12: expected a possible length of the file");
    for line in ["contest verify /dev/zero", "match3 swaps /dev/zero", "tetris tbp --weights /dev/zero"] {
        let output = limited(200, line, "");
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        assert_eq!(stderr(&output).lines().count(), 1, "{line}: {output:?}");
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
    ("2048 perft --depth 30", "2 . . .\n. . . .\n. . . .\n. . . 2\n"),
    ("2048 playouts --size 8x8 --games 1", ""),
    ("match3 evaluate --agent rollout --size 16x16 --budget 4000000000 --moves 1 --games 1", ""),
    ("tetris perft --queue IOLJSZTIOLJSZT --depth 14", ""),
    ("tetris match --bot BOT --bot BOT --games 1 --pieces 3 --milliseconds 0 --out match", ""),
    ("go gtp --size 19 --threads 1024 --playouts 2000000000", "genmove b\nquit\n"),
    ("go perft --size 19x19 --depth 5", ""),
    ("go playouts --size 19 --games 2000", ""),
    ("tetris tbp --nodes 4000000", "START\n{\"type\":\"suggest\"}\n"),
];

/// Runs a greedy command under a limit; one that still works after some time is asked to end. It does with
/// less, or says in words what is missing.
pub(crate) fn does_with_less(run: Run, line: &str, input: &str) {
    let mut running = run.stdin(input.replace("START", &tbp_start())).start();
    running.stdin = None;
    let asked =
        running.ends_within(short_or_full(Duration::from_millis(200), Duration::from_secs(4))).is_none();
    if asked {
        running.send("TERM");
    }
    let output = running.wait(Duration::from_mins(1));
    let told = stderr(&output);
    // That threads are missing is a remark, and no failure.
    let said: Vec<&str> = told.lines().filter(|line| !line.contains(" threads could be started")).collect();
    let in_words = said.len() == 1 && said[0].starts_with("bitcade: ");
    assert!(!told.contains("see --help"), "{line}: these arguments are refused: {told}");
    let held = match (output.status.code(), output.status.signal()) {
        (Some(0), _) => true,
        (Some(1 | 2), _) => in_words,
        // Whoever does not record signals yet ends by this one; a crash has another one.
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
