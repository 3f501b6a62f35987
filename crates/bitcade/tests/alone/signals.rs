//! Runs that a signal ends: soon, with their results so far printed, their state saved, and status 130 or
//! 143.
#![cfg(unix)]

use crate::common::bitcade;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
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

    /// Writes to the standard input of the program.
    fn write(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("open");
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).expect("it reads");
    }

    /// Reads the next line that the program prints.
    fn line(&mut self) -> String {
        let (mut line, mut byte) = (Vec::new(), [0]);
        let stdout = self.child.stdout.as_mut().expect("piped");
        while byte != *b"\n" && stdout.read(&mut byte).expect("it prints") == 1 {
            line.push(byte[0]);
        }
        String::from_utf8(line).expect("UTF-8")
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

/// The runs of many games print the means of the finished ones.
#[test]
fn games_so_far_are_printed() {
    let many = "--games 1000000000000";
    let rollout = "match3 play --agent rollout --size 16x16 --budget 100000";
    let endless = "match3 play --agent random --moves 4000000000 --games 100";
    for (signal, arguments, finishes) in [
        ("INT", rollout.to_owned(), false),
        ("TERM", endless.to_owned(), false),
        ("HUP", format!("match3 play --agent greedy {many}"), true),
        ("INT", format!("2048 playouts --size 8x8 {many}"), false),
        ("TERM", format!("2048 playouts --size 4x4 {many}"), true),
        ("INT", format!("2048 playouts --size 2x2 --level portable {many}"), true),
        ("TERM", format!("go playouts --size 19 {many}"), true),
        ("HUP", format!("tetris control --weights dt20 {many}"), false),
    ] {
        let ended = start(&arguments).ends_by(signal);
        let games = ended.number("games");
        assert!(games > 0.0 || !finishes, "{arguments}: {ended:?}");
        if !arguments.starts_with("tetris") {
            ended.remarks(&format!("interrupted after {games} of "));
        }
    }
}

#[test]
fn finished_depths_are_printed() {
    let folder = folder("perft");
    fs::write(folder.join("board"), "2 4 8 16\n. 2 4 8\n. . 2 2\n. . . 4\n").expect("written");
    for (signal, arguments) in [
        ("INT", "2048 perft --depth 40 board"),
        ("TERM", "tetris perft --queue IOTLJSZIOTLJSZ --depth 14"),
        ("HUP", "tetris perft --queue IOTLJSZIOTLJSZ --depth 14 --spins --level portable"),
        ("INT", "tetris perft --queue IOTLJSZIOTLJSZ --depth 14 --hard-drop"),
        ("TERM", "go perft --size 19x19 --depth 50 --passes"),
    ] {
        let mut running = start_in(&folder, arguments);
        assert!(running.line().starts_with("depth 1 "), "{arguments}");
        let ended = running.ends_by(signal);
        let finished = ended.stdout.lines().count() + 1;
        ended.remarks(&format!("interrupted in depth {}", finished + 1));
    }
}

#[test]
fn a_network_that_plays_prints_its_games() {
    let folder = folder("play");
    let net = folder.join("net");
    bitcade(["2048", "train", "--games", "10", "--out", net.to_str().expect("UTF-8")]).text();
    let ended = start_in(&folder, "2048 play --net net --depth 8 --games 100").ends_by("TERM");
    assert_eq!(ended.number("games").to_string(), "0");
}

#[test]
fn a_match_keeps_its_finished_games() {
    let bot = concat!(env!("CARGO_BIN_EXE_bitcade"), " tetris tbp --nodes 1000");
    for (signal, bot, pace) in [
        // No greeting, a pause between two moves, a think that takes too long.
        ("INT", "sleep 1000", "--patience 3600000"),
        ("TERM", bot, "--milliseconds 3600000"),
        (
            "HUP",
            &bot.replace("--nodes 1000", "--milliseconds 3600000"),
            "--patience 3600000 --milliseconds 0",
        ),
    ] {
        let folder = folder(&format!("match-{signal}"));
        let child = Command::new(env!("CARGO_BIN_EXE_bitcade"))
            .args(["tetris", "match", "--games", "5", "--out", "results", "--bot", bot, "--bot", bot])
            .args(pace.split(' '))
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        wait_for_handler(child.id());
        let ended = Running { child, arguments: format!("tetris match {pace}"), stdin: None }.ends_by(signal);
        assert_eq!((ended.number("games").to_string(), ended.stderr.as_str()), ("0".to_owned(), ""));
    }
}

#[test]
fn a_tetris_bot_ends_while_it_waits_and_while_it_thinks() {
    start("tetris tbp").ends_by("INT");
    let game = "{\"type\":\"rules\"}\n{\"type\":\"start\",\"hold\":null,\"queue\":[\"I\",\"O\",\"T\",\"S\",\"Z\"],\
                \"combo\":0,\"back_to_back\":false,\"board\":BOARD,\"randomizer\":{\"type\":\"unknown\"}}\n";
    let row = format!("[{}]", ["null"; 10].join(","));
    let game = game.replace("BOARD", &format!("[{}]", vec![row; 40].join(",")));
    let mut background = start("tetris tbp");
    background.write(&game);
    thread::sleep(Duration::from_millis(200));
    background.ends_by("HUP");
    let mut limited = start("tetris tbp --milliseconds 100000000");
    limited.write(&game);
    limited.write("{\"type\":\"suggest\"}\n");
    thread::sleep(Duration::from_millis(200));
    let ended = limited.ends_by("TERM");
    assert!(ended.stdout.contains("\"type\":\"suggestion\""), "the best so far: {ended:?}");
}

#[test]
fn a_go_engine_ends_while_it_waits_and_while_it_thinks() {
    start("go gtp").ends_by("INT");
    for (signal, budget) in
        [("TERM", "--seconds 1000"), ("HUP", "--playouts 1000000000000"), ("INT", "--threads 3")]
    {
        let mut engine = start(&format!("go gtp {budget}"));
        engine.write("time_settings 0 0 0\n");
        engine.write(if signal == "INT" { "lz-analyze 100\n" } else { "genmove b\n" });
        thread::sleep(Duration::from_millis(300));
        let ended = engine.ends_by(signal);
        let wanted = if signal == "INT" { "info move" } else { "\n= " };
        assert!(ended.stdout.contains(wanted) && ended.stdout.ends_with("\n\n"), "{ended:?}");
    }
}

#[test]
fn a_go_engine_whose_controller_is_gone_ends() {
    for (command, budget) in
        [("genmove b", "--seconds 1000"), ("kata-genmove_analyze b 100000", "--seconds 1000")]
    {
        let mut engine = start(&format!("go gtp {budget}"));
        engine.write(&format!("{command}\n"));
        thread::sleep(Duration::from_secs(1));
        engine.stdin = None;
        let ended = engine.wait();
        assert_eq!(ended.status, Some(0), "{ended:?}");
        assert!(ended.stdout.starts_with('='), "{ended:?}");
    }
    // A session that arrives as a whole is answered in full, by playouts or by time.
    let visits = |arguments: [&str; 4]| {
        let answer = bitcade(arguments).stdin("genmove b\nlz-analyze 1\n").text();
        let visits = answer.split("visits ").skip(1);
        visits.filter_map(|rest| rest.split(' ').next()?.parse::<u64>().ok()).sum::<u64>()
    };
    assert!(visits(["go", "gtp", "--playouts", "20000"]) > 1000);
    let begun = Instant::now();
    visits(["go", "gtp", "--seconds", "1"]);
    assert!(begun.elapsed() >= Duration::from_secs(1));
}

#[test]
fn a_go_game_ends_at_the_prompt_and_in_the_engines_turn() {
    let mut waiting = start("go play");
    waiting.write("c3\n");
    while !waiting.line().contains("black C3") {}
    waiting.ends_by("INT");
    start("go play --color white --seconds 1000").ends_by("TERM");
}

#[test]
fn the_tour_prints_its_finished_sections() {
    let mut tour = start("");
    while !tour.line().contains("perft 3 of this board") {}
    let ended = tour.ends_by("INT");
    ended.remarks("interrupted in section ");
    let table = ["checks hold", "match3 swaps 8x8"].iter().all(|text| ended.stdout.contains(text));
    assert!(table && !ended.stdout.contains("Next:"), "{ended:?}");
}

/// Runs that have nothing to save or to print leave signals alone.
#[test]
fn endless_input_ends_by_the_signal_itself() {
    for arguments in [&["match3", "swaps"][..], &["contest", "verify"], &["2048", "perft", "--depth", "2"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bitcade"))
            .args(arguments)
            .stdin(Stdio::piped())
            .spawn()
            .expect("the program starts");
        thread::sleep(Duration::from_millis(300));
        let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
        assert_eq!(child.wait().expect("it ends").signal(), Some(15), "{arguments:?}");
    }
}
