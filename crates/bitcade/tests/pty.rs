//! The real program in a pseudo-terminal: its screen, its keys, and the terminal that it leaves behind.
#![cfg(unix)]

#[path = "common/readme.rs"]
mod readme;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use std::fs;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use vt100::{MouseProtocolMode, Parser, Screen};

/// The time in which the program must show what is expected. A loaded machine needs some of it.
const LIMIT: Duration = Duration::from_secs(20);

/// The question that asks a terminal for its kind, and the answer of one that reports no releases of keys.
const QUESTION: &[u8] = b"\x1b[c";
const ANSWER: &[u8] = b"\x1b[?62;22c";

type Shared<T> = Arc<Mutex<T>>;

fn lock<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A terminal with the program in it.
struct Session {
    master: Box<dyn MasterPty + Send>,
    /// Open, so that the terminal outlives the program.
    slave: Box<dyn SlavePty + Send>,
    child: Box<dyn Child + Send + Sync>,
    writer: Shared<Box<dyn Write + Send>>,
    parser: Shared<Parser>,
    /// Set to end the reader after its next bytes.
    stop: Arc<AtomicBool>,
    reader: JoinHandle<()>,
    /// The folder in which the program runs, with the user's data.
    folder: TempDir,
    /// The modes of the terminal before the program, as text: echo, lines, signals.
    modes: String,
}

/// Starts the program in a terminal of 80x24.
fn start(arguments: &str) -> Session {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
    let (master, slave) = (pair.master, pair.slave);
    let modes = modes(&*master);
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_bitcade"));
    command.args(arguments.split_whitespace());
    command.cwd(folder.path());
    command.env("XDG_DATA_HOME", folder.path());
    command.env("TERM", "xterm-256color");
    command.env("LC_ALL", "C.UTF-8");
    command.env_remove("NO_COLOR");
    let child = slave.spawn_command(command).expect("the program starts");
    let writer = Arc::new(Mutex::new(master.take_writer().expect("a writer")));
    let (rows, columns) = (cells(24), cells(80));
    let parser = Arc::new(Mutex::new(Parser::new(rows, columns, 0)));
    let stop = Arc::new(AtomicBool::new(false));
    let mut output = master.try_clone_reader().expect("a reader");
    let reader = thread::spawn({
        let (writer, parser, stop) = (Arc::clone(&writer), Arc::clone(&parser), Arc::clone(&stop));
        move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut bytes) {
                let bytes = &bytes[..length];
                lock(&parser).process(bytes);
                if bytes.windows(QUESTION.len()).any(|window| window == QUESTION) {
                    lock(&writer).write_all(ANSWER).expect("the program reads");
                }
                if stop.load(Ordering::SeqCst) {
                    break;
                }
            }
        }
    });
    Session { master, slave, child, writer, parser, stop, reader, folder, modes }
}

fn cells(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).expect("not 0")
}

fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().expect("a terminal"))
}

impl Session {
    /// Waits until the screen is as expected. Returns its text.
    fn wait_for(&self, expected: &str, holds: impl Fn(&Screen) -> bool) -> String {
        let begun = Instant::now();
        loop {
            {
                let parser = lock(&self.parser);
                if holds(parser.screen()) {
                    return parser.screen().contents();
                }
                let text = parser.screen().contents();
                assert!(begun.elapsed() < LIMIT, "no {expected} in {LIMIT:?}:\n{text}");
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the screen shows a text, and returns all that it shows.
    fn shows(&self, text: &str) -> String {
        self.wait_for(text, |screen| screen.contents().contains(text))
    }

    fn press(&self, keys: &str) {
        lock(&self.writer).write_all(keys.as_bytes()).expect("the program reads");
    }

    fn resize(&self, columns: u16, rows: u16) {
        lock(&self.parser).screen_mut().set_size(cells(rows), cells(columns));
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).expect("the terminal is open");
    }

    /// Sends a signal to the program, as `TERM`.
    fn send(&self, signal: &str) {
        let process = self.child.process_id().expect("the program runs").to_string();
        let kill = Command::new("kill").args([&format!("-{signal}"), &process]).status();
        assert!(kill.expect("kill runs").success());
    }

    /// Waits for the end of the program, and checks its status and that the terminal is as it was. Returns
    /// what the terminal shows.
    fn ends(mut self, status: u32) -> (String, TempDir) {
        assert_eq!(wait(&mut *self.child), status);
        assert_eq!(modes(&*self.master), self.modes, "the modes of the terminal");
        // The reader ends with the terminal, after all that the program has written.
        drop((self.slave, self.master));
        self.reader.join().expect("it reads");
        let parser = lock(&self.parser);
        let screen = parser.screen();
        let mouse = screen.mouse_protocol_mode() != MouseProtocolMode::None;
        let text = screen.contents();
        assert_eq!((screen.alternate_screen(), screen.hide_cursor(), mouse), (false, false, false), "{text}");
        drop(parser);
        (text, self.folder)
    }
}

/// Waits for the end of the program. Returns its status.
fn wait(child: &mut dyn Child) -> u32 {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.exit_code();
        }
        if begun.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("the program runs after {LIMIT:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Starts a game of 2048 and waits for its screen.
fn start_2048(arguments: &str) -> Session {
    let session = start(&format!("play 2048 --seed 1 {arguments}"));
    session.shows("2048 on 4x4");
    session.shows("quit");
    session
}

const LEFT: &str = "\x1b[D";
const DOWN: &str = "\x1b[B";

#[test]
fn a_game_is_played_resized_and_quit() {
    let session = start_2048("");
    session.wait_for("screen of its own", |screen| screen.alternate_screen() && screen.hide_cursor());
    assert_ne!(modes(&*session.master), session.modes, "no echo while the game runs");
    session.press(DOWN);
    session.shows("moves      1");
    // Keys that arrive at once are all played.
    session.press(&[LEFT, DOWN].concat().repeat(4));
    let moves = |screen: &Screen| {
        let text = screen.contents();
        let number = text.lines().find_map(|line| line.split_once("moves ")?.1.trim().parse::<u32>().ok());
        number.is_some_and(|number| (5..=9).contains(&number))
    };
    session.wait_for("more moves", moves);
    session.resize(40, 12);
    session.shows("2048 on 4x4  score ");
    session.resize(100, 30);
    session.shows("last move ");
    session.press("h");
    session.shows("points by random play");
    session.press("q");
    session.shows("Quit this game?");
    session.press("n");
    session.wait_for("game without a question", |screen| !screen.contents().contains("Quit"));
    session.press("qy");
    let (text, folder) = session.ends(0);
    let score = text.trim().strip_prefix("score ").and_then(|score| score.parse::<u64>().ok());
    let best = fs::read_to_string(folder.path().join("bitcade/best-scores.json")).expect("the best score");
    let best: serde_json::Value = serde_json::from_str(&best).expect("JSON");
    assert_eq!((best["2048 4x4"].as_u64(), score.is_some_and(|score| score > 0)), (score, true), "{text}");
}

#[test]
fn a_game_without_moves_is_quit_at_once() {
    let session = start_2048("--ascii");
    session.press("q");
    assert_eq!(session.ends(0).0.trim(), "score 0");
}

#[test]
fn control_c_and_signals_restore_the_terminal() {
    let session = start_2048("");
    session.press(DOWN);
    session.shows("moves      1");
    session.press("\x03");
    session.ends(130);
    for signal in ["INT", "TERM", "HUP"] {
        let session = start_2048("");
        session.send(signal);
        session.ends(if signal == "INT" { 130 } else { 143 });
    }
}

#[test]
fn a_terminal_that_is_gone_ends_the_program() {
    let session = start_2048("");
    session.stop.store(true, Ordering::SeqCst);
    session.press(DOWN);
    let begun = Instant::now();
    while !session.reader.is_finished() {
        assert!(begun.elapsed() < LIMIT, "the program draws nothing");
        thread::sleep(Duration::from_millis(2));
    }
    let Session { master, slave, writer, mut child, .. } = session;
    drop((master, slave, writer));
    assert_eq!(wait(&mut *child), 143);
}

#[test]
fn a_recording_is_written() {
    for (name, begins) in [("game.gif", "GIF89a"), ("game.cast", "{")] {
        let session = start_2048(&format!("--record {name}"));
        session.press(&[LEFT, DOWN].concat());
        session.shows("moves      2");
        session.press("qq");
        let (_, folder) = session.ends(0);
        let written = fs::read(folder.path().join(name)).expect("a recording");
        assert!(
            written.starts_with(begins.as_bytes()) && written.len() > 500,
            "{name}: {} bytes",
            written.len()
        );
    }
}

#[test]
fn match3_is_played_with_the_mouse() {
    let session = start("play match3 --seed 1 --ascii");
    session.shows("match-3 on 8x8");
    session.wait_for("mouse", |screen| screen.mouse_protocol_mode() != MouseProtocolMode::None);
    session.press("h");
    session.shows("Hint: 110 points");
    // The hint of this seed: the sixth and seventh piece of the fifth row.
    let row = session.wait_for("marks", |screen| screen.contents().contains('('));
    let (row, line) = row.lines().enumerate().find(|(_, line)| line.contains('(')).expect("a marked row");
    let columns: Vec<usize> = line.match_indices('(').map(|(column, _)| column + 2).collect();
    for column in columns {
        // Places count from 1.
        session.press(&format!("\x1b[<0;{};{}M\x1b[<0;{0};{1}m", column + 1, row + 1));
    }
    session.shows("moves left 29 of 30");
    session.press("qy");
    session.ends(0);
}

#[test]
fn every_screen_of_the_readme_opens_and_is_quit() {
    let commands = readme::commands();
    let screens: Vec<&str> =
        commands.iter().filter_map(|command| readme::screen_arguments(command)).collect();
    assert!(screens.len() >= 5, "{screens:?}");
    for arguments in screens {
        let session = start(arguments);
        session.wait_for("screen of its own", Screen::alternate_screen);
        session.shows("quit");
        // A game in progress asks first; then the second key says yes.
        session.press("qy");
        session.ends(0);
    }
}

#[test]
fn bad_arguments_leave_the_terminal_alone() {
    for (arguments, message) in [
        ("play 2048 --net none --size 5", "--net plays on 4x4"),
        ("play 2048 --net none", "none: "),
        ("play match3 --colors 9", "expected a number from 3 to 8"),
        ("play 2048 --record game.mp4", "expected a name in .gif or .cast"),
    ] {
        let (text, _) = start(arguments).ends(2);
        assert!(text.contains(message), "{arguments}: {text}");
    }
}
