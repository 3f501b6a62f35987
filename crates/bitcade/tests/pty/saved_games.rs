//! Unfinished games of 2048 and match-3: saved, offered, continued.

use super::session::{Session, start, start_in};
use super::{DOWN, LEFT, RIGHT, UP};
use crate::common::{bitcade, names, stderr, stdout};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn saved(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("bitcade/games").join(name)).expect("a saved game")
}

fn files(folder: &Path) -> Vec<String> {
    names(&folder.join("bitcade/games"))
}

const KEYS: [&str; 8] = [DOWN, LEFT, DOWN, LEFT, DOWN, RIGHT, UP, LEFT];

/// Plays the seed 1 to its eighth key.
fn play_eight() -> Session {
    let session = start("play 2048 --seed 1");
    session.shows("2048 on 4x4");
    session.press(&KEYS.concat());
    // The page of keys opens after all moves.
    session.play(&[("?", "backspace"), (" ", "? keys")]);
    session
}

fn leave(session: Session, way: &str) -> (String, TempDir) {
    match way {
        "q" => {
            session.play(&[("q", "Quit this game? It will be saved.")]);
            session.press("y");
            session.ends(0)
        }
        "control-c" => {
            session.press("\x03");
            session.ends(130)
        }
        "INT" => {
            session.send("INT");
            session.ends(130)
        }
        signal => {
            session.send(signal);
            session.ends(143)
        }
    }
}

#[test]
fn a_game_is_saved_however_it_is_left() {
    for way in ["q", "control-c", "INT", "TERM", "HUP"] {
        let session = play_eight();
        let (text, folder) = leave(session, way);
        assert!(
            text.contains("the game is saved; the next one offers to continue it"),
            "{way}: {text}"
        );
        let game = saved(folder.path(), "2048-4x4-1.json");
        assert!(
            game.contains(r#""rules":"2048 4x4","seed":1,"stream":0,"moves":["down""#),
            "{way}: {game}"
        );
        let session = start_in(folder, "play 2048", true);
        session.shows("Continue your game of ");
        session.press("q");
        session.ends(0);
    }
}

/// A game that is left and continued becomes the same game as one that isn't left.
#[test]
fn a_continued_game_is_the_same_game() {
    let more = [UP, LEFT, DOWN, LEFT, RIGHT, DOWN].concat();
    let play_on = |session: &Session| {
        session.press(&more);
        session.play(&[("?", "backspace"), (" ", "? keys")]);
    };
    let whole = play_eight();
    play_on(&whole);
    let (_, whole) = leave(whole, "q");
    let session = play_eight();
    let (_, folder) = leave(session, "q");
    let session = start_in(folder, "play 2048", true);
    session.play(&[("", "Continue your game of "), ("y", "last move ")]);
    play_on(&session);
    let (_, folder) = leave(session, "TERM");
    assert_eq!(files(folder.path()), ["2048-4x4-1.json"]);
    assert_eq!(saved(folder.path(), "2048-4x4-1.json"), saved(whole.path(), "2048-4x4-1.json"));
}

/// One key starts a new game. Other sizes and a seed aren't asked.
#[test]
fn a_saved_game_is_never_in_the_way() {
    let session = play_eight();
    let (_, folder) = leave(session, "q");
    let first = saved(folder.path(), "2048-4x4-1.json");
    let mut folder = folder;
    for arguments in ["--seed 1", "--size 5"] {
        let session = start_in(folder, &format!("play 2048 {arguments}"), true);
        let text = session.shows("moves      0");
        assert!(!text.contains("Continue"), "{arguments}: {text}");
        session.press("q");
        folder = session.ends(0).1;
    }
    let session = start_in(folder, "play", true);
    session.play(&[("", "swap neighbors"), ("2", "Continue your game of "), ("n", "moves      0")]);
    session.press(&[DOWN, LEFT, UP, RIGHT].concat());
    session.wait_for("a move", |screen| !screen.contents().contains("moves      0"));
    let (_, folder) = leave(session, "q");
    assert_eq!(files(folder.path()), ["2048-4x4-1.json", "2048-4x4-2.json"]);
    assert_eq!(saved(folder.path(), "2048-4x4-1.json"), first);
    // The latest game is offered. A new game in its place gives it up, after a question.
    let session = start_in(folder, "play 2048", true);
    session.play(&[
        ("", "Continue your game of "),
        ("y", "2048 on 4x4"),
        ("n", "Give up this game for a new one?"),
        ("y", "moves      0"),
    ]);
    session.press("q");
    let (_, folder) = session.ends(0);
    assert_eq!(files(folder.path()), ["2048-4x4-1.json"]);
}

/// A program continues a game in the terminal; others don't see it meanwhile, and lose nothing.
#[test]
fn a_game_is_continued_by_one_program() {
    let session = play_eight();
    let (_, folder) = leave(session, "q");
    let first = saved(folder.path(), "2048-4x4-1.json");
    let session = start_in(folder, "play 2048", true);
    session.play(&[("", "Continue your game of "), ("y", "last move ")]);
    let folder = session.folder.path().to_owned();
    let play = |lines: &str| {
        bitcade("play 2048 --lines").env("XDG_DATA_HOME", &folder).stdin(lines).output()
    };
    let other = play("left\nup\nright\ndown\n");
    assert!(!stdout(&other).contains("Continue"), "{other:?}");
    assert!(
        stdout(&other).ends_with("the game is saved; the next one offers to continue it\n"),
        "{other:?}"
    );
    assert_eq!(stderr(&other), "");
    assert!(files(&folder).contains(&"2048-4x4-2.json".to_owned()));
    assert_eq!(saved(&folder, "2048-4x4-1.json"), first);
    assert!(stdout(&play("quit\n")).contains("Continue"));
    leave(session, "q");
}

#[test]
fn match3_is_saved_and_continued() {
    let session = start("play match3 --seed 1 --ascii");
    session.play(&[("", "match-3 on 8x8"), ("i", "Hint: 150 points")]);
    let text = session.wait_for("marks", |screen| screen.contents().contains('('));
    for (row, line) in text.lines().enumerate() {
        for (column, _) in line.match_indices('(') {
            session.press(&format!("\x1b[<0;{};{}M\x1b[<0;{0};{1}m", column + 2, row + 1));
        }
    }
    session.shows("moves left 29 of 30");
    let (_, folder) = leave(session, "q");
    let name = "match3-8x8-6-colors-30-moves-1.json";
    let first = saved(folder.path(), name);
    // A goal of one's own is another game.
    let session = start_in(folder, "play match3 --goal 77", true);
    session.play(&[("", "moves left 30 of 30")]);
    assert!(!session.text().contains("Continue"));
    session.press("q");
    let (_, folder) = session.ends(0);
    let session = start_in(folder, "play match3", true);
    session.play(&[("", "Continue your game of "), ("y", "moves left 29 of 30")]);
    let (_, folder) = leave(session, "TERM");
    assert_eq!(saved(folder.path(), name), first);
}

/// In a terminal, the end of the input is Control-D.
#[test]
fn a_game_of_lines_is_saved_at_the_end_of_the_input() {
    let session = start("play 2048 --lines --seed 1");
    session.play(&[("", "> "), ("down\r", "moves 1")]);
    session.press("\x04");
    let (text, folder) = session.ends(0);
    assert!(text.contains("the game is saved"), "{text}");
    let session = start_in(folder, "play 2048 --lines", true);
    session.play(&[
        ("", "points? Enter continue, or play this new one."),
        ("continue\r", "moves 1"),
        ("new\r", "Give up this game for a new one? Enter yes or no."),
        ("no\r", "> no"),
        ("undo\r", "move undone"),
        ("quit\r", "score 0"),
    ]);
    let (_, folder) = session.ends(0);
    assert!(files(folder.path()).is_empty());
}
