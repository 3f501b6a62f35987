//! Signals from outside, the shell's job control, and the responses of terminals.

use super::session::{count, lock, modes, start, start_command, until, wait};
use super::{DOWN, start_2048};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// The keyboard protocol is queried, pushed and popped.
const ASKED: &[u8] = b"\x1b[?u";
const PUSHED: &[u8] = b"\x1b[>15u";
const POPPED: &[u8] = b"\x1b[<1u";

#[test]
fn sigquit_restores_the_terminal() {
    let mut session = start_2048("");
    session.send("QUIT");
    until("ended", || session.has_ended());
    until("restored", || session.is_restored());
}

/// A shell without job control starts its background programs with some signals ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_screen_ignores_what_was_ignored_at_its_start() {
    let mut shell = portable_pty::CommandBuilder::new("sh");
    let script = "trap '' INT QUIT TERM TSTP; exec \"$0\" play 2048 --seed 1";
    shell.args(["-c", script, crate::common::PROGRAM]);
    let session = start_command(tempfile::tempdir().expect("a folder"), shell, true);
    session.shows("2048 on 4x4");
    session.is_open();
    for signal in ["QUIT", "TERM", "INT", "TSTP"] {
        session.send(signal);
    }
    thread::sleep(Duration::from_millis(400));
    session.play(&[(DOWN, "moves      1"), ("q", "Quit this game?")]);
    session.press("y");
    session.ends(0);
}

/// A terminal that another program has made non-blocking gets frames larger than its buffer.
#[cfg(target_os = "linux")]
#[test]
fn a_non_blocking_terminal_is_waited_for() {
    let mut shell = portable_pty::CommandBuilder::new("sh");
    let script = "dd iflag=nonblock count=0 2>/dev/null; exec \"$0\" watch --seed 1";
    shell.args(["-c", script, crate::common::PROGRAM]);
    let session = start_command(tempfile::tempdir().expect("a folder"), shell, true);
    session.shows("quit");
    for (columns, rows) in [(400, 150), (80, 24), (401, 151)] {
        session.resize(columns, rows);
        let written = session.written();
        until("drawn", || session.written() > written + 5000);
    }
    session.press("q");
    session.ends(0);
}

/// A program on a blocked terminal misses the first signal; the second one ends it, with the modes
/// restored.
#[test]
fn the_second_signal_ends_a_program_that_is_stuck() {
    let mut session = start("watch --seed 1");
    session.shows("quit");
    session.stop.store(true, Ordering::SeqCst);
    until("deaf", || session.reader.is_finished());
    // Time to fill the system's terminal buffer.
    thread::sleep(Duration::from_secs(3));
    session.send("TERM");
    thread::sleep(Duration::from_millis(600));
    if !session.has_ended() {
        session.send("TERM");
    }
    assert_eq!(wait(&mut *session.child), 143);
    assert_eq!(modes(&*session.master), session.modes);
}

/// Control-S, like a broken connection, hides the progress, but the work continues, and a signal
/// saves it.
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
    session.play(&[(DOWN, "moves      1")]);
    session.stop("TSTP");
    until("restored for the shell", || session.is_restored());
    session.send("CONT");
    session.is_open();
    session.play(&[("", "moves      1"), ("q", "Quit this game?")]);
    session.press("y");
    session.ends(0);
}

/// SIGSTOP is invisible to the program; afterwards a shell may have used the terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_screen_takes_its_terminal_back_after_sigstop() {
    let session = start_2048("");
    session.stop("STOP");
    // A shell's output.
    lock(&session.parser).process(b"\x1b[?1049l\x1b[?25h$ ");
    session.send("CONT");
    session.shows("2048 on 4x4");
    session.is_open();
    session.press("q");
    session.ends(0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_game_stands_still() {
    let begun = Instant::now();
    let session = start("play tetris --seed 1");
    session.shows("quit");
    session.stop("STOP");
    let stop = Duration::from_secs(3);
    thread::sleep(stop);
    session.send("CONT");
    session.play(&[(" ", "lines")]);
    session.press("qy");
    let (text, _) = session.ends(0);
    // "score 36, 0 lines, 0:01.23"
    let time =
        text.trim().rsplit(", ").next().and_then(|time| time.split_once(':')).expect("minutes");
    let played =
        60.0 * time.0.parse::<f64>().expect("minutes") + time.1.parse::<f64>().expect("seconds");
    assert!(played < begun.elapsed().as_secs_f64() - 0.8 * stop.as_secs_f64(), "{text}");
}

/// The terminal is asked to report key releases, and may answer at any time.
#[test]
fn releases_are_reported_to_who_can_report_them() {
    let session = start("play tetris --seed 1");
    session.shows("quit");
    until("asked", || session.count_written(ASKED) > 0);
    assert_eq!(session.count_written(PUSHED), 0, "nothing is known of this terminal");
    session.press("\x1b[?0u");
    until("pushed", || session.count_written(PUSHED) > 0);
    // A key that is held and released.
    session.press("\x1b[97;1:1u\x1b[97;1:2u\x1b[97;1:3u");
    session.send("TERM");
    until("popped", || session.count_written(POPPED) > 0);
    session.ends(143);
}

/// A stopped screen notices a signal that arrives before it is continued.
#[cfg(target_os = "linux")]
#[test]
fn a_stopped_screen_ends_when_it_is_continued() {
    for stop in ["TSTP", "STOP"] {
        let session = start_2048("");
        session.stop(stop);
        session.send("TERM");
        session.send("CONT");
        session.ends(143);
    }
}

/// A shell with job control gets the terminal at Control-Z, and gives it back.
#[cfg(target_os = "linux")]
#[test]
fn control_z_stops_a_screen() {
    let mut shell = portable_pty::CommandBuilder::new("sh");
    let script = "set -m; \"$0\" play 2048 --seed 1; echo stopped $?; fg >/dev/null; echo ended $?";
    shell.args(["-c", script, crate::common::PROGRAM]);
    let session = start_command(tempfile::tempdir().expect("a folder"), shell, true);
    session.play(&[("", "2048 on 4x4"), (DOWN, "moves      1")]);
    session.press("\x1a");
    // 128 plus the number of SIGSTOP.
    until("stopped", || session.count_written(b"stopped 147") > 0);
    session.is_open();
    session.shows("moves      1");
    session.press("qy");
    let (text, _) = session.ends(0);
    assert!(text.contains("ended 0"), "{text}");
}

/// Signals of batch systems and resource limits end a screen like SIGTERM; signals that dump core
/// restore it first.
#[cfg(target_os = "linux")]
#[test]
fn every_signal_that_ends_a_program_restores_the_terminal() {
    for signal in ["USR1", "USR2", "XCPU", "ALRM", "VTALRM", "PROF", "IO", "PWR", "STKFLT"] {
        let session = start_2048("");
        session.send(signal);
        session.ends(143);
    }
    // The last one arrives while the screen reopens the terminal.
    for (signal, stopped) in
        [("ABRT", false), ("TRAP", false), ("SYS", false), ("SYS", true), ("SYS", true)]
    {
        let mut session = start_2048("");
        if stopped {
            session.stop("STOP");
        }
        session.send(signal);
        if stopped {
            session.send("CONT");
        }
        until("ended", || session.has_ended());
        until("restored", || session.is_restored());
    }
}

/// With the protocol on, but without alternate keys, Control-C on another layout would be another
/// letter.
#[test]
fn a_terminal_without_alternate_keys_keeps_its_old_keyboard() {
    let session = start_2048("");
    until("asked", || session.count_written(ASKED) == 1);
    session.press("\x1b[?0u");
    until("pushed, and asked again", || session.count_written(ASKED) == 2);
    // A late answer to the first question, and one to the second.
    session.press("\x1b[?0u\x1b[?11u");
    until("popped", || session.count_written(POPPED) == 1);
    session.press("\x1b[?0u");
    session.play(&[(DOWN, "moves      1")]);
    session.press("\x03");
    let output = Arc::clone(&session.output);
    session.ends(130);
    let output = lock(&output);
    assert_eq!(count(&output, PUSHED), 1);
    assert_eq!(count(&output, POPPED), 1);
    drop(output);

    let session = start_2048("");
    session.press("\x1b[?1u");
    until("pushed", || session.count_written(PUSHED) == 1);
    session.press("\x1b[?15u");
    session.play(&[(DOWN, "moves      1")]);
    assert_eq!(session.count_written(POPPED), 0);
    session.press("\x1b[1089::99;5u");
    session.ends(130);
}

/// One push and one pop of the keyboard protocol, even across stops.
#[cfg(target_os = "linux")]
#[test]
fn the_keyboard_protocol_is_popped_as_often_as_pushed() {
    for stop in ["TSTP", "STOP"] {
        let session = start_2048("");
        session.press("\x1b[?0u");
        until("pushed", || session.count_written(PUSHED) > 0);
        session.stop(stop);
        session.send("CONT");
        session.shows("2048 on 4x4");
        // With the protocol on, a q on a Cyrillic layout.
        session.press("\x1b[1081::113u");
        let output = Arc::clone(&session.output);
        session.ends(0);
        let output = lock(&output);
        assert_eq!(count(&output, PUSHED), count(&output, POPPED), "{stop}");
    }
}

/// A time budget doesn't count a stop.
#[cfg(target_os = "linux")]
#[test]
fn a_stopped_search_loses_no_time() {
    let begun = Instant::now();
    let stop = Duration::from_secs(4);
    let folder = crate::common::folder("stopped-search");
    let running = folder.run("contest solve --time 3 --threads 1 --json --out game").start();
    thread::sleep(Duration::from_millis(700));
    running.send("STOP");
    thread::sleep(stop);
    running.send("CONT");
    let continued = Instant::now();
    let output = running.wait(Duration::from_mins(1));
    assert!(
        output.status.success() && continued.elapsed() > Duration::from_millis(1500),
        "{output:?}"
    );
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // A loaded machine is late, but not by the time of the stop.
    let without_stop = begun.elapsed().as_secs_f64() - 0.8 * stop.as_secs_f64();
    assert!(result["seconds"].as_f64().is_some_and(|seconds| seconds < without_stop), "{result}");
}
