//! Standard streams that another program has made non-blocking.
#![cfg(target_os = "linux")]

use crate::common::{PROGRAM, folder, tbp_start, untimed, words};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// The capacity of a pipe.
const FULL: usize = 65_536;

/// How late the other end is.
const LATE: Duration = Duration::from_millis(300);

/// `dd` sets the flag of a shared descriptor, and leaves it.
const INPUT: &str = "dd iflag=nonblock count=0 2>/dev/null; exec \"$@\"";
const OUTPUT: &str = "head -c 65536 /dev/zero; dd oflag=nonblock count=0 2>/dev/null; exec \"$@\"";
const ERRORS: &str =
    "head -c 65536 /dev/zero >&2; dd oflag=nonblock count=0 >&2 2>/dev/null; exec \"$@\"";

/// Starts a command under a script with pipes.
fn start(folder: &Path, script: &str, line: &str) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", PROGRAM]).args(words(line)).current_dir(folder);
    command.env("XDG_CONFIG_HOME", folder).env("XDG_DATA_HOME", folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("sh")
}

fn read(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    pipe.expect("piped").read_to_end(&mut bytes).expect("read");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn session(line: &str, count: usize, end: &str) -> String {
    format!("{}{end}", format!("{line}\n").repeat(count))
}

/// Commands with their input, and what they write to a full pipe whose reader comes late is
/// complete.
#[test]
fn a_full_pipe_is_waited_for() {
    let folder = folder("non-blocking-output");
    let board = "1213\n3122\n2331\n\n".repeat(200);
    for (line, input) in [
        ("go gtp", session("showboard", 400, "quit\n")),
        ("match3 hint", board.clone()),
        ("match3 swaps --json", board),
        ("2048 perft --depth 2", "2 .\n. 2\n".to_owned()),
        ("play 2048 --seed 1 --lines", session("hint", 9, "q\n")),
        ("play go --size 5 --lines --playouts 9", "pass\nq\n".to_owned()),
        ("tetris tbp", tbp_start()),
        ("completions bash", String::new()),
        ("man", String::new()),
        ("keys", String::new()),
        ("contest solve --help", String::new()),
        ("contest solve --width 2 --pieces 5 --threads 1 --force --out -", String::new()),
        ("contest solve --width 2 --pieces 5 --threads 1 --force --out game", String::new()),
        ("contest replay game --svg -", String::new()),
        ("contest replay game --gif -", String::new()),
        ("contest replay game", String::new()),
    ] {
        let run = |script: &str, late: Duration| {
            let mut child = start(&folder, script, line);
            let mut stdin = child.stdin.take().expect("piped");
            let input = input.clone();
            let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
            thread::sleep(late);
            let printed = read(child.stdout.take());
            let said = read(child.stderr.take());
            // A command without input does not read it.
            let _ = writer.join().expect("it writes");
            assert!(child.wait().expect("a child").success(), "{line}: {said}");
            printed
        };
        // Figures that vary between runs.
        let lasting = |text: &str| {
            let text = untimed(text);
            text.lines().filter(|line| !line.contains("spent")).collect::<Vec<_>>().join("\n")
        };
        let printed = run(OUTPUT, LATE);
        let expected = run("exec \"$@\"", Duration::ZERO);
        assert!(!expected.is_empty(), "{line}");
        let of_file = |text: &str| text.lines().filter(|line| !line.contains("checksum")).count();
        assert_eq!(of_file(&printed[FULL..]), of_file(&expected), "{line}");
        if !line.contains("--out -") {
            assert!(
                lasting(&printed[FULL..]) == lasting(&expected),
                "{line}: {}",
                &printed[FULL..]
            );
        }
    }
}

/// Remarks of the program, and what a bot says, which the program passes on.
#[test]
fn full_standard_errors_are_waited_for() {
    let folder = folder("non-blocking-errors");
    let said = "sh -c 'yes abcdefghi | head -c 100000 >&2'";
    let bots = format!("tetris match --games 1 --out match --bot \"{said}\" --bot BOT");
    for (line, input, parts) in [
        (&*bots, "", 10_000),
        ("tetris tbp", &*session("{\"type\":", 30, ""), 21),
        ("contest verify", "N,D0", 1),
    ] {
        let mut child = start(&folder, ERRORS, line);
        child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("a reader");
        thread::sleep(LATE);
        let said = read(child.stderr.take());
        drop(read(child.stdout.take()));
        child.wait().expect("a child");
        let found =
            said[FULL..].matches("abcdefghi\n").count() + said[FULL..].matches("bitcade: ").count();
        assert!(found >= parts, "{line}: {found}: {}", &said[FULL..]);
    }
}

/// An input that comes late, and in parts.
#[test]
fn a_late_input_is_waited_for() {
    let folder = folder("non-blocking-input");
    for (line, parts, expected) in [
        ("match3 swaps", ["11", "21\n"], "2 0 H\n"),
        ("match3 swaps /dev/stdin", ["11", "21\n"], "2 0 H\n"),
        ("2048 perft --depth 1", ["2 .\n. ", "2\n"], "depth 1 "),
        ("contest verify", ["N,", "D19\n"], "score 0\n"),
        ("go gtp", ["na", "me\n"], "= bitcade\n"),
        ("tetris tbp", ["{\"type\":\"ru", "les\"}\n"], "\"ready\""),
        ("play 2048 --seed 1 --lines", ["he", "lp\n"], "> enter "),
        ("play match3 --seed 1 --lines", ["he", "lp\n"], "> enter "),
        ("play go --size 5 --lines", ["he", "lp\n"], "> enter "),
    ] {
        let mut child = start(&folder, INPUT, line);
        let mut stdin = child.stdin.take().expect("piped");
        for part in parts {
            thread::sleep(LATE);
            stdin.write_all(part.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
        drop(stdin);
        let printed = read(child.stdout.take());
        let said = read(child.stderr.take());
        assert!(child.wait().expect("a child").success(), "{line}: {said}");
        assert!(printed.contains(expected), "{line}: {printed}");
    }
}
