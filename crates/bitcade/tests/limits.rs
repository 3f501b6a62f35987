//! Commands with little memory: one line and status 1 or 2, or a result; never an abort.
#![cfg(target_os = "linux")]

use crate::common::bitcade;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs `bitcade` with at most this many megabytes of address space.
fn limited(megabytes: u32, line: &str, stdin: &str) -> Output {
    let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes << 10);
    let mut child = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_bitcade")])
        .args(line.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the shell starts");
    // A program that rejects its arguments does not read its input.
    let _ = child.stdin.take().expect("piped").write_all(stdin.as_bytes());
    child.wait_with_output().expect("the program ends")
}

/// Checks that a run succeeded, or ended with status 1 and one line. Returns whether it succeeded.
#[track_caller]
fn ends_well(output: &Output, line: &str) -> bool {
    let stderr = String::from_utf8_lossy(&output.stderr);
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
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits-beam.txt");
    let name = path.to_str().expect("UTF-8");
    for megabytes in [150, 250, 400] {
        let _ = std::fs::remove_file(&path);
        let line = format!("contest solve --width 3000000 --pieces 40 --threads 1 --out {name}");
        let output = limited(megabytes, &line, "");
        assert!(!ends_well(&output, &line), "{megabytes} MB suffice");
        assert!(String::from_utf8_lossy(&output.stdout).contains("\nwidths 3000000x"), "{output:?}");
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
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("= ").count(), 2, "{output:?}");
}

/// The bot answers with what it has searched.
#[test]
fn a_search_too_large() {
    let row = format!("[{}]", ["null"; 10].join(","));
    let board = format!("[{}]", vec![row; 40].join(","));
    let queue = "\"I\",\"O\",\"T\",\"S\",\"Z\",\"J\",\"L\",\"I\",\"O\"";
    let input = format!(
        "{{\"type\":\"rules\"}}\n{{\"type\":\"start\",\"board\":{board},\"queue\":[{queue}],\"hold\":null,\
         \"combo\":0,\"back_to_back\":false}}\n{{\"type\":\"suggest\"}}\n{{\"type\":\"quit\"}}\n"
    );
    let line = "tetris tbp --nodes 4000000";
    let output = limited(120, line, &input);
    assert!(ends_well(&output, line));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"suggestion\""), "{output:?}");
}

#[test]
fn boards_without_end() {
    let perft = "2048 perft --depth 30 --threads 1";
    let output = limited(90, perft, "2 . . .\n. . . .\n. . . .\n. . . 2\n");
    assert!(!ends_well(&output, perft), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("depth 1 nodes "), "{output:?}");
    let solve = "2048 solve --size 3x3 --threads 1";
    for megabytes in [70, 160] {
        assert!(!ends_well(&limited(megabytes, solve, ""), solve));
    }
}

/// Threads that can't be started, since their own memory can't be had, are a remark.
#[test]
fn boards_without_end_on_threads() {
    let solve = ["2048 solve --size 3x3 --threads 2", "bitcade: not enough memory"];
    let perft = ["2048 perft --depth 30 --threads 2", "not enough memory for the distinct boards"];
    for (megabytes, [line, expected]) in [(70, solve), (160, solve), (400, perft)] {
        let output = limited(megabytes, line, "2 . . .\n. . . .\n. . . .\n. . . 2\n");
        let stderr = String::from_utf8_lossy(&output.stderr);
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
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits.net");
    let name = path.to_str().expect("UTF-8");
    // Left by an earlier run.
    let _ = std::fs::remove_file(&path);
    for megabytes in [100, 400, 1000] {
        let line = format!("2048 train --games 1 --out {name}");
        assert!(!ends_well(&limited(megabytes, &line, ""), &line));
        assert!(!path.exists());
    }
    // An endless file is refused by its first bytes.
    let output = limited(100, "2048 evaluate --net /dev/zero", "");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
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
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "{line}: {output:?}");
    }
}
