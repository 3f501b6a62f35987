//! The real program in a pseudo-terminal: its screen, its keys, and the terminal's state
//! afterwards.
#![cfg(unix)]

mod input;
mod job_control;
mod saved_games;
pub(crate) mod session;

use crate::common::{PROGRAM, pages, prepare, words};
use portable_pty::{CommandBuilder, PtySize};
use session::{Session, lock, start, start_command, start_in, until, wait};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};
use vt100::{MouseProtocolMode, Screen};

fn start_2048(arguments: &str) -> Session {
    let session = start(&format!("play 2048 --seed 1 {arguments}"));
    session.shows("2048 on 4x4");
    session.shows("quit");
    session
}

const LEFT: &str = "\x1b[D";
const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";

#[test]
fn a_game_is_played_resized_and_quit() {
    let session = start_2048("");
    session.is_open();
    session.play(&[(DOWN, "moves      1")]);
    // Keys that arrive together are all played.
    session.press(&[LEFT, DOWN].concat().repeat(4));
    let moves = |screen: &Screen| {
        let text = screen.contents();
        let number =
            text.lines().find_map(|line| line.split_once("moves ")?.1.trim().parse::<u32>().ok());
        number.is_some_and(|number| (5..=9).contains(&number))
    };
    session.wait_for("more moves", moves);
    session.resize(40, 12);
    session.shows("2048 on 4x4  score ");
    session.resize(100, 30);
    session.play(&[("", "last move "), ("i", "points by the network"), ("q", "Quit this game?")]);
    session.press("n");
    session.wait_for("game without a question", |screen| !screen.contents().contains("Quit"));
    session.press("qy");
    let (text, folder) = session.ends(0);
    let score = text.lines().find_map(|line| line.strip_prefix("score ")?.parse::<u64>().ok());
    let best =
        fs::read_to_string(folder.path().join("bitcade/best-scores.json")).expect("the best score");
    let best: serde_json::Value = serde_json::from_str(&best).expect("JSON");
    assert_eq!(best["2048 4x4"].as_u64(), score, "{text}");
    assert!(score.is_some_and(|score| score > 0), "{text}");
}

/// The menu's first game is match-3; `?` shows the keys of the current screen.
#[test]
fn a_menu_starts_a_game_and_a_page_shows_its_keys() {
    let session = start("play");
    session.play(&[
        ("", "swap neighbors"),
        ("?", "enter  space"),
        (" ", "? keys"),
        ("2", "2048 on 4x4"),
    ]);
    session.play(&[("?", "backspace"), ("q", "? keys"), ("", "moves      0")]);
    // The board is random: at least one of the two moves is legal.
    session.press(&[UP, DOWN].concat());
    session.wait_for("a move", |screen| !screen.contents().contains("moves      0"));
    session.play(&[("q", "Quit this game?")]);
    session.press("q");
    assert!(session.ends(0).0.starts_with("score "));
    let session = start("play");
    session.play(&[("", "swap neighbors")]);
    session.press("q");
    assert_eq!(session.ends(0).0, "");
}

/// The user's file changes the keys that it names; an invalid file is an error before the screen.
#[test]
fn keys_are_the_users() {
    let keys = |text: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("bitcade")).expect("a folder");
        fs::write(folder.path().join("bitcade/keys.json"), text).expect("a file");
        folder
    };
    let session = start_in(
        keys("{\"2048\": {\"down\": [\"ы\"], \"undo\": [\"z\"]}}"),
        "play 2048 --seed 1",
        true,
    );
    session.shows("2048 on 4x4");
    // The arrow has lost its meaning.
    session.press(DOWN);
    session.play(&[("Ы", "moves      1"), ("z", "moves      0"), ("?", "ы"), (" ", "? keys")]);
    session.press("q");
    session.ends(0);
    for (text, expected) in [
        ("{\"2048\": {\"jump\": []}}", "2048: jump: expected one of left"),
        ("{", "line 1, column 1"),
    ] {
        let session = start_in(keys(text), "play 2048", true);
        let (output, _) = session.ends(2);
        assert!(output.contains("keys.json: ") && output.contains(expected), "{output}");
    }
}

/// Shift and Control alone, from a terminal that reports them, and function keys from any.
#[test]
fn modifiers_and_function_keys_are_bound() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("bitcade")).expect("a folder");
    let keys = "\u{feff}{\"2048\": {\"down\": [\"shift\"], \"undo\": [\"ctrl\", \"f5\"]}}";
    fs::write(folder.path().join("bitcade/keys.json"), keys).expect("a file");
    let session = start_in(folder, "play 2048 --seed 1", true);
    session.shows("2048 on 4x4");
    session.press("\x1b[?0u");
    session.play(&[("\x1b[57447;2:1u\x1b[57447;1:3u", "moves      1")]);
    session.play(&[
        ("\x1b[57442;5u\x1b[57442;1:3u", "moves      0"),
        ("\x1b[57441;2u", "moves      1"),
    ]);
    session.play(&[("\x1b[15~", "moves      0"), ("?", "shift")]);
    // A modifier is no answer.
    session.press("\x1b[57441;2u");
    thread::sleep(Duration::from_millis(200));
    session.play(&[("", "shift"), (" ", "? keys")]);
    session.press("\x1b[113u");
    session.ends(0);
}

#[test]
fn a_light_terminal_gets_darker_text() {
    let session = start_2048("");
    // The color of labels, before and after.
    let faint = |color: &str| {
        lock(&session.output).windows(color.len()).any(|bytes| bytes == color.as_bytes())
    };
    until("asked", || faint("\x1b]11;?\x07"));
    assert!(!faint("38;5;242;"));
    session.press("\x1b]11;rgb:ffff/ffff/ffff\x07");
    until("darker", || faint("38;5;242;"));
    session.press("q");
    session.ends(0);
}

/// It was quit, restarted or ended by a signal.
#[test]
fn a_marathon_of_tetris_is_a_best_score_however_it_ends() {
    for (keys, status) in [("qy", 0), ("ryq", 0), ("", 143)] {
        let session = start("play tetris --seed 5");
        session.shows("quit");
        // Before the first piece a hard drop has no effect.
        session.wait_for("a piece", |screen| !screen.contents().contains("Ready"));
        session.press(" ");
        let has_none = |line: &str| line.trim_start().starts_with("0  ");
        session.wait_for("points", |screen| !screen.contents().lines().any(has_none));
        match status {
            0 => keys.chars().for_each(|key| session.press(&key.to_string())),
            _ => session.send("TERM"),
        }
        let (text, folder) = session.ends(status);
        let best = fs::read_to_string(folder.path().join("bitcade/best-scores.json"))
            .expect("the best score");
        let best: serde_json::Value = serde_json::from_str(&best).expect("JSON");
        let best = best["tetris marathon"].as_u64().expect("a score");
        // After a restart the last game is not the best one.
        assert!(
            keys == "ryq" || text.contains(&format!("score {best}, ")),
            "{keys}: {best} {text}"
        );
    }
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
    session.play(&[(DOWN, "moves      1")]);
    session.press("\x03");
    session.ends(130);
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 143)] {
        let session = start_2048("");
        session.send(signal);
        session.ends(status);
    }
}

#[test]
fn a_terminal_that_is_gone_ends_the_program() {
    let session = start_2048("");
    session.stop.store(true, Ordering::SeqCst);
    session.press(DOWN);
    until("drawn", || session.reader.is_finished());
    let Session { master, slave, writer, mut child, .. } = session;
    drop((master, slave, writer));
    assert_eq!(wait(&mut *child), 143);
}

#[test]
fn a_recording_is_written() {
    for (name, begins) in [("game.gif", "GIF89a"), ("game.cast", "{")] {
        let session = start_2048(&format!("--record {name}"));
        session.play(&[(&[LEFT, DOWN].concat(), "moves      2")]);
        session.press("qq");
        let (_, folder) = session.ends(0);
        let written = fs::read(folder.path().join(name)).expect("a recording");
        let is_whole = written.starts_with(begins.as_bytes()) && written.len() > 500;
        assert!(is_whole, "{name}: {} bytes", written.len());
    }
}

/// A terminal without a cursor shows text: a screen is refused, a record is printed.
#[test]
fn a_dumb_terminal_gets_no_sequences() {
    for (line, status, text) in [
        ("contest replay game.txt --delay 1", 0, "piece 1 "),
        ("play tetris", 2, "not TERM=dumb"),
        ("watch", 2, "not TERM=dumb"),
        ("contest --help", 0, "Usage"),
        ("2048 playouts --games 100", 0, "games"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        prepare(folder.path(), line);
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(words(line));
        // The last two usually mean that a terminal has colors; this one doesn't.
        for (name, value) in [("TERM", "dumb"), ("CI", "true"), ("CLICOLOR", "1")] {
            command.env(name, value);
        }
        let session = start_command(folder, command, true);
        let output = Arc::clone(&session.output);
        session.ends(status);
        let output = String::from_utf8_lossy(&lock(&output)).into_owned();
        assert!(output.contains(text) && !output.contains('\x1b'), "{line}: {output}");
    }
}

/// Even in a terminal, a game can be played line by line, and saved.
#[test]
fn go_is_played_line_by_line() {
    let session = start("play go --lines --size 5 --playouts 50");
    session.play(&[
        ("", "black>"),
        ("c3\r", "white "),
        ("c3\r", "C3: the point is occupied"),
        ("undo\r", "5 . . . . . 5"),
    ]);
    assert!(!lock(&session.parser).screen().alternate_screen());
    session.press("c2\rresign\r");
    let (text, folder) = session.ends(0);
    assert!(text.trim_end().ends_with("W+Resign"), "{text}");
    let record =
        fs::read_to_string(folder.path().join("bitcade/games/go-1.sgf")).expect("a record");
    assert!(record.contains("RE[W+Resign]") && record.contains(";B[cd]"), "{record}");
}

/// A file of best scores locked by another program does not delay the end.
#[cfg(target_os = "linux")]
#[test]
fn scores_of_another_program_delay_no_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let scores = folder.path().join("bitcade");
    fs::create_dir(&scores).expect("a folder");
    let name = format!(".bitcade-{:08x}-aB3dE6gH9jK2", crc32fast::hash(b"best-scores.json"));
    let file = fs::File::create(scores.join(name)).expect("a file");
    file.lock().expect("locked");
    let session = start_in(folder, "play 2048 --seed 1", true);
    session.shows("2048 on 4x4");
    session.press(&[DOWN, LEFT].concat().repeat(5));
    thread::sleep(Duration::from_millis(400));
    session.send("TERM");
    let begun = Instant::now();
    let (text, _) = session.ends(143);
    assert!(text.contains("best scores are not saved"), "{text}");
    // The wait for other games is ten times as long.
    assert!(begun.elapsed() < Duration::from_millis(2500), "{:?}", begun.elapsed());
}

/// The reported size of a terminal can be wrong.
#[test]
fn a_terminal_of_any_size_is_drawn() {
    for size in [0, u16::MAX] {
        let session = start_2048("");
        let told = PtySize { rows: size, cols: size, pixel_width: 0, pixel_height: 0 };
        session.master.resize(told).expect("the terminal is open");
        session.press(DOWN);
        // Time for a frame of that size.
        thread::sleep(Duration::from_millis(300));
        session.resize(80, 24);
        session.shows("moves      1");
        session.press("qq");
        session.ends(0);
    }
}

/// What the player can't see waits, and takes no keys.
#[test]
fn a_terminal_that_becomes_too_small_pauses_the_game() {
    for (arguments, size) in
        [("play tetris --seed 5", "44x23"), ("play tetris --mode versus", "77x23")]
    {
        let session = start(arguments);
        session.wait_for("a piece", |screen| !screen.contents().contains("Ready"));
        session.resize(60, 20);
        session.shows(size);
        let before = lock(&session.output).len();
        session.press("   ");
        thread::sleep(Duration::from_millis(500));
        // Nothing moves: the notice is drawn again at most, for the keys.
        assert!(lock(&session.output).len() - before < 1000, "{}", session.text());
        session.resize(80, 24);
        session.shows("Paused");
        session.press("p");
        session.shows(" 3 ");
        // No piece was dropped: nothing would be lost.
        session.press("q");
        session.ends(0);
    }
    let session = start_2048("");
    session.resize(18, 6);
    session.shows("20x7");
    session.press(&[LEFT, DOWN].concat());
    // Keys that are read after the size has changed again would count.
    thread::sleep(Duration::from_millis(500));
    session.resize(80, 24);
    session.shows("moves      0");
    session.press("q");
    session.ends(0);
}

#[test]
fn levels_are_chosen_from_a_list() {
    let session = start("play match3 --levels --seed 1 --ascii");
    session.shows("Keep");
    session.press("1");
    session.shows("moves left 20 of 20");
    session.press("\x1b");
    session.shows("Keep");
    session.press("2");
    session.shows("moves left 32 of 32");
    session.press("q");
    session.ends(0);
}

/// Whatever other programs have written to the terminal goes away, on every screen and under a
/// question.
#[test]
fn control_l_redraws() {
    for arguments in
        ["play", "play 2048", "play match3", "play tetris", "play go --size 5", "watch"]
    {
        let session = start(arguments);
        session.shows("quit");
        for keys in ["\x0c", "?\x0c"] {
            lock(&session.parser).process(b"\x1b[3;1HWritten by another program");
            session.press(keys);
            session.wait_for("clean screen", |screen| !screen.contents().contains("Written by"));
        }
        session.press("\x03");
        session.ends(130);
    }
}

/// An animation has the largest size of its terminal.
#[test]
fn an_animation_grows_with_its_terminal() {
    let size = |rows, columns| {
        let session = start_2048("--record game.gif");
        // Time for a frame of the old size.
        thread::sleep(Duration::from_millis(300));
        session.resize(columns, rows);
        session.play(&[(DOWN, "moves      1")]);
        session.resize(80, 24);
        session.press("qq");
        let (_, folder) = session.ends(0);
        let written = fs::read(folder.path().join("game.gif")).expect("a recording");
        [u16::from_le_bytes([written[6], written[7]]), u16::from_le_bytes([written[8], written[9]])]
    };
    let [width, height] = size(24, 80);
    assert_eq!(size(36, 120), [width / 80 * 120, height / 24 * 36]);
}

#[test]
fn match3_is_played_with_the_mouse() {
    let session = start("play match3 --seed 1 --ascii");
    session.shows("match-3 on 8x8");
    session.wait_for("mouse", |screen| screen.mouse_protocol_mode() != MouseProtocolMode::None);
    session.play(&[("i", "Hint: 150 points")]);
    let text = session.wait_for("marks", |screen| screen.contents().contains('('));
    for (row, line) in text.lines().enumerate() {
        for (column, _) in line.match_indices('(') {
            // Positions count from 1; the piece follows its mark.
            session.press(&format!("\x1b[<0;{};{}M\x1b[<0;{0};{1}m", column + 2, row + 1));
        }
    }
    session.shows("moves left 29 of 30");
    session.press("qy");
    session.ends(0);
}

#[test]
fn every_screen_of_the_readme_opens_and_is_quit() {
    let commands = pages::readme();
    let screens: Vec<&str> =
        commands.iter().filter_map(|command| pages::screen_arguments(command)).collect();
    assert!(screens.len() >= 5, "{screens:?}");
    for arguments in screens {
        let session = start(arguments);
        session.is_open();
        session.shows("quit");
        // A game in progress asks first; then the second key says yes.
        session.press("qy");
        session.ends(0);
    }
}

/// Refused arguments are in `bad_input.rs`.
#[test]
fn bad_arguments_leave_the_terminal_alone() {
    let (text, _) = start("play 2048 --net none").ends(2);
    assert!(text.contains("none: "), "{text}");
}
