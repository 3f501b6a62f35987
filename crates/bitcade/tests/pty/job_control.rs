//! Signals from outside, the shell's job control, and the answers of terminals.

use super::session::{LIMIT, Session, modes, start, wait};
use super::{DOWN, start_2048};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};
use vt100::Screen;

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LIMIT, "not {what} in {LIMIT:?}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Returns the state of the process, as `T` for a stopped one.
fn state(session: &Session) -> Option<char> {
    let process = session.child.process_id()?;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

#[test]
fn sigquit_restores_the_terminal() {
    let mut session = start_2048("");
    session.send("QUIT");
    until("ended", || session.has_ended());
    until("restored", || session.is_restored());
}

/// A program whose terminal takes no more bytes hears no first signal; the second ends it, modes restored.
#[test]
fn the_second_signal_ends_a_program_that_is_stuck() {
    let mut session = start("watch --seed 1");
    session.shows("quit");
    session.stop.store(true, Ordering::SeqCst);
    until("deaf", || session.reader.is_finished());
    // Time to fill what the system keeps for a terminal.
    thread::sleep(Duration::from_secs(3));
    session.send("TERM");
    thread::sleep(Duration::from_millis(600));
    if !session.has_ended() {
        session.send("TERM");
    }
    assert_eq!(wait(&mut *session.child), 143);
    assert_eq!(modes(&*session.master), session.modes);
}

/// Control-S, as a broken connection: the progress isn't seen, the work goes on, and a signal saves it.
#[test]
fn a_terminal_that_takes_no_bytes_stops_no_work() {
    let mut session = start("2048 train --minutes 100 --out net");
    session.shows(" left");
    session.press("\x13");
    // Time for more lines.
    thread::sleep(Duration::from_millis(500));
    session.send("TERM");
    let net = session.folder.path().join("net");
    until("saved", || net.exists());
    // The results wait for the terminal.
    thread::sleep(Duration::from_millis(400));
    session.send("TERM");
    assert_eq!(wait(&mut *session.child), 143);
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_screen_is_drawn_again() {
    let session = start_2048("");
    session.press(DOWN);
    session.shows("moves      1");
    session.send("TSTP");
    until("stopped", || state(&session) == Some('T'));
    until("restored for the shell", || session.is_restored());
    session.send("CONT");
    session.wait_for("screen of its own", Screen::alternate_screen);
    session.shows("moves      1");
    assert_ne!(modes(&*session.master), session.modes, "no echo while the game runs");
    session.press("q");
    session.shows("Quit this game?");
    session.press("y");
    session.ends(0);
}

/// SIGSTOP can't be seen; after it a shell may have used the terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_screen_takes_its_terminal_back_after_sigstop() {
    let session = start_2048("");
    session.send("STOP");
    until("stopped", || state(&session) == Some('T'));
    // What a shell does.
    super::session::lock(&session.parser).process(b"\x1b[?1049l\x1b[?25h$ ");
    session.send("CONT");
    session.shows("2048 on 4x4");
    session.wait_for("screen of its own", |screen| screen.alternate_screen() && screen.hide_cursor());
    session.press("q");
    session.ends(0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_game_stands_still() {
    let begun = Instant::now();
    let session = start("play tetris --seed 1");
    session.shows("quit");
    session.send("STOP");
    until("stopped", || state(&session) == Some('T'));
    let stop = Duration::from_secs(3);
    thread::sleep(stop);
    session.send("CONT");
    session.press(" ");
    session.shows("lines");
    session.press("qy");
    let (text, _) = session.ends(0);
    // "score 36, 0 lines, 0:01.23"
    let time = text.trim().rsplit(", ").next().and_then(|time| time.split_once(':')).expect("minutes");
    let played = 60.0 * time.0.parse::<f64>().expect("minutes") + time.1.parse::<f64>().expect("seconds");
    assert!(played < begun.elapsed().as_secs_f64() - 0.8 * stop.as_secs_f64(), "{text}");
}

/// The terminal is asked for releases of keys, and its answer may come at any time.
#[test]
fn releases_are_reported_to_who_can_report_them() {
    const ASKED: &[u8] = b"\x1b[?u";
    const PUSHED: &[u8] = b"\x1b[>15u";
    const POPPED: &[u8] = b"\x1b[<1u";
    let session = start("play tetris --seed 1");
    session.shows("quit");
    until("asked", || session.has_written(ASKED));
    assert!(!session.has_written(PUSHED), "nothing is known of this terminal");
    session.press("\x1b[?0u");
    until("pushed", || session.has_written(PUSHED));
    // A key that is held and released.
    session.press("\x1b[97;1:1u\x1b[97;1:2u\x1b[97;1:3u");
    session.send("TERM");
    until("popped", || session.has_written(POPPED));
    session.ends(143);
}

/// A stopped screen hears the signal that comes before it is continued.
#[cfg(target_os = "linux")]
#[test]
fn a_stopped_screen_ends_when_it_is_continued() {
    for stop in ["TSTP", "STOP"] {
        let session = start_2048("");
        session.send(stop);
        until("stopped", || state(&session) == Some('T'));
        session.send("TERM");
        session.send("CONT");
        session.ends(143);
    }
}

/// A shell that controls jobs gets the terminal at Control-Z, and gives it back.
#[cfg(target_os = "linux")]
#[test]
fn control_z_stops_a_screen() {
    let mut shell = portable_pty::CommandBuilder::new("sh");
    let script = "set -m; \"$0\" play 2048 --seed 1; echo stopped $?; fg >/dev/null; echo ended $?";
    shell.args(["-c", script, env!("CARGO_BIN_EXE_bitcade")]);
    let session = super::session::start_command(tempfile::tempdir().expect("a folder"), shell, true);
    session.shows("2048 on 4x4");
    session.press(DOWN);
    session.shows("moves      1");
    session.press("\x1a");
    // 128 and the number of SIGSTOP.
    until("stopped", || session.has_written(b"stopped 147"));
    session.wait_for("screen of its own", Screen::alternate_screen);
    session.shows("moves      1");
    session.press("qy");
    let (text, _) = session.ends(0);
    assert!(text.contains("ended 0"), "{text}");
}

/// Signals of batch systems and of limits end a screen as SIGTERM does; those that dump a core restore it first.
#[cfg(target_os = "linux")]
#[test]
fn every_signal_that_ends_a_program_restores_the_terminal() {
    for signal in ["USR1", "USR2", "XCPU", "ALRM", "VTALRM", "PROF", "IO", "PWR", "STKFLT"] {
        let session = start_2048("");
        session.send(signal);
        session.ends(143);
    }
    // The last one comes while the screen takes the terminal again.
    for (signal, stopped) in [("ABRT", false), ("TRAP", false), ("SYS", false), ("SYS", true), ("SYS", true)]
    {
        let mut session = start_2048("");
        if stopped {
            session.send("STOP");
            until("stopped", || state(&session) == Some('T'));
        }
        session.send(signal);
        if stopped {
            session.send("CONT");
        }
        until("ended", || session.has_ended());
        until("restored", || session.is_restored());
    }
}

/// One push and one pop of the keyboard protocol, also around stops.
#[cfg(target_os = "linux")]
#[test]
fn the_keyboard_protocol_is_popped_as_often_as_pushed() {
    for stop in ["TSTP", "STOP"] {
        let session = start_2048("");
        session.press("\x1b[?0u");
        until("pushed", || session.has_written(b"\x1b[>15u"));
        session.send(stop);
        until("stopped", || state(&session) == Some('T'));
        session.send("CONT");
        session.shows("2048 on 4x4");
        // With the protocol on, a q on a Cyrillic layout.
        session.press("\x1b[1081::113u");
        let output = std::sync::Arc::clone(&session.output);
        session.ends(0);
        let output = super::session::lock(&output);
        let count = |bytes: &[u8]| output.windows(bytes.len()).filter(|window| *window == bytes).count();
        assert_eq!(count(b"\x1b[>15u"), count(b"\x1b[<1u"), "{stop}");
    }
}

/// A budget of time doesn't count a stop.
#[cfg(target_os = "linux")]
#[test]
fn a_stopped_search_loses_no_time() {
    let folder = crate::common::folder("stopped-search");
    let line = "contest solve --time 3 --threads 1 --json --out game";
    let running = crate::common::bitcade_line(line).within(&folder).start();
    thread::sleep(Duration::from_millis(700));
    running.send("STOP");
    thread::sleep(Duration::from_secs(4));
    running.send("CONT");
    let begun = Instant::now();
    let output = running.wait(Duration::from_mins(1));
    assert!(output.status.success() && begun.elapsed() > Duration::from_millis(1500), "{output:?}");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(result["seconds"].as_f64().is_some_and(|seconds| seconds < 5.0), "{result}");
}
