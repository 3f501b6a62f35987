//! Runs that a signal ends: soon, with their results so far printed, their state saved, and status 130 or
//! 143.
#![cfg(unix)]

mod common;

use common::bitcade;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The time in which a run must end after the signal. A loaded machine needs most of it; a quiet one ends
/// each run within half a second.
const LIMIT: Duration = Duration::from_secs(8);

/// A run of the program that takes longer than any test.
struct Running {
    child: Child,
    arguments: String,
    /// Open until the run has ended.
    stdin: Option<ChildStdin>,
}

/// The end of a run.
#[derive(Debug)]
struct Ended {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Starts `bitcade ARGUMENTS` and waits until it records signals. Its standard input stays open.
fn start(arguments: &str) -> Running {
    start_in(Path::new("."), arguments)
}

fn start_in(folder: &Path, arguments: &str) -> Running {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bitcade"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    wait_for_handler(child.id());
    let stdin = child.stdin.take();
    Running { child, arguments: arguments.to_owned(), stdin }
}

/// Waits until the process catches SIGTERM; where that can't be seen, a second.
fn wait_for_handler(process: u32) {
    const SIGTERM_BIT: u64 = 1 << 14;
    let status = format!("/proc/{process}/status");
    let catches = || {
        let status = fs::read_to_string(&status).ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        Some(u64::from_str_radix(mask.trim(), 16).ok()? & SIGTERM_BIT != 0)
    };
    let begun = Instant::now();
    while catches() == Some(false) {
        assert!(begun.elapsed() < Duration::from_mins(1), "the program does not catch SIGTERM");
        thread::sleep(Duration::from_millis(5));
    }
    // The work begins after the handler.
    thread::sleep(Duration::from_millis(if catches().is_some() { 300 } else { 1000 }));
}

impl Running {
    /// Sends a signal, as `INT`.
    fn send(&self, signal: &str) {
        let process = self.child.id().to_string();
        let kill = Command::new("kill").args([&format!("-{signal}"), &process]).status();
        assert!(kill.expect("kill runs").success(), "{}: ended before its signal", self.arguments);
    }

    /// Waits for the end of the run.
    fn wait(mut self) -> Ended {
        let mut pipes = (self.child.stdout.take().expect("piped"), self.child.stderr.take().expect("piped"));
        let stdout = thread::spawn(move || read(&mut pipes.0));
        let stderr = thread::spawn(move || read(&mut pipes.1));
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            if begun.elapsed() > LIMIT {
                let _ = self.child.kill();
                panic!("{}: alive {LIMIT:?} after the signal", self.arguments);
            }
            thread::sleep(Duration::from_millis(1));
        };
        if std::env::var_os("BITCADE_TEST_DELAYS").is_some() {
            println!("{:4} ms: {}", begun.elapsed().as_millis(), self.arguments);
        }
        drop(self.stdin.take());
        let join = |thread: thread::JoinHandle<String>| thread.join().expect("it reads");
        Ended { status: status.code(), stdout: join(stdout), stderr: join(stderr) }
    }

    /// Sends a signal, waits for the end of the run, and checks its status.
    fn ends_by(self, signal: &str) -> Ended {
        self.send(signal);
        let arguments = self.arguments.clone();
        let ended = self.wait();
        let status = if signal == "INT" { 130 } else { 143 };
        assert_eq!(ended.status, Some(status), "{arguments}: {ended:?}");
        ended
    }
}

fn read(pipe: &mut impl Read) -> String {
    let mut text = String::new();
    pipe.read_to_string(&mut text).expect("UTF-8");
    text
}

impl Ended {
    /// Checks that the only line on standard error contains `text`.
    fn remarks(&self, text: &str) -> &Self {
        let line = self.stderr.strip_suffix('\n').filter(|line| !line.contains('\n'));
        assert!(line.is_some_and(|line| line.starts_with("bitcade: ") && line.contains(text)), "{self:?}");
        self
    }

    /// Returns the number of a line `NAME NUMBER` on standard output.
    fn number(&self, name: &str) -> f64 {
        let line = self.stdout.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no {name}: {self:?}"))
    }
}

/// Returns a new, empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signals").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn a_learning_network_is_saved() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = folder(&format!("train-{signal}"));
        let ended = start_in(&folder, "2048 train --minutes 100 --out net").ends_by(signal);
        let (net, games) = (folder.join("net"), ended.number("games"));
        assert!(games > 0.0);
        let [net, games] = [net.to_str().expect("UTF-8"), &games.to_string()];
        let resumed = bitcade(["2048", "train", "--resume", "--games", games, "--out", net]).text();
        assert!(resumed.contains(&format!("games {games}\n")), "all its games were saved: {resumed}");
    }
}

#[test]
fn a_contest_game_is_saved() {
    for (signal, search) in [("INT", "beam"), ("TERM", "tree"), ("HUP", "beam"), ("TERM", "beam")] {
        let folder = folder(&format!("solve-{search}-{signal}"));
        let depth = if search == "tree" { " --depth 6" } else { " --time 1000" };
        let arguments = format!("contest solve --search {search} --out game{depth}");
        let ended = start_in(&folder, &arguments).ends_by(signal);
        ended.remarks("--resume continues it");
        let game = folder.join("game");
        let verified = bitcade(["contest", "verify", game.to_str().expect("UTF-8")]).text();
        let score = |text: &str| text.lines().find(|line| line.starts_with("score ")).map(str::to_owned);
        assert_eq!(score(&verified), score(&ended.stdout), "{ended:?}");
    }
}

#[test]
fn an_exact_solution_is_not_bad_usage() {
    let ended = start("2048 solve --size 3x3").ends_by("INT");
    assert_eq!(ended.remarks("interrupted").stdout, "");
}

/// `timeout` sends its signal to the program and to its group, that is, twice.
#[test]
fn a_signal_that_is_sent_twice_saves_too() {
    for _ in 0..5 {
        let folder = folder("twice");
        let running = start_in(&folder, "2048 train --minutes 100 --out net");
        running.send("TERM");
        running.ends_by("TERM");
        assert!(folder.join("net").exists());
    }
}

#[test]
fn nohup_is_respected() {
    let running = Command::new("nohup")
        .args([env!("CARGO_BIN_EXE_bitcade"), "tetris", "control", "--weights", "dt20", "--time", "1000"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let child = running.expect("nohup runs");
    wait_for_handler(child.id());
    let running = Running { child, arguments: "control".to_owned(), stdin: None };
    running.send("HUP");
    thread::sleep(Duration::from_millis(300));
    let ended = running.ends_by("TERM");
    assert!(ended.number("pieces") > 0.0);
}
