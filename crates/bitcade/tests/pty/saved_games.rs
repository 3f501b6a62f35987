//! Unfinished games of 2048 and match-3: saved, offered, continued.

use super::session::{Session, start, start_in};
use super::{DOWN, LEFT, RIGHT, UP};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn saved(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("bitcade/games").join(name)).expect("a saved game")
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
