//! Every entry of `match3` for foreign text and numbers. What is taken is printed, and taken again.

use fuzzkit::Input;
use match3::journal::{ParseEventError, parse_journal};
use match3::special::{Special, SpecialBoard, SpecialEvent};
use match3::text::parse_boards;
use match3::{Board, Event, replay};
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Hands the bytes to one entry, chosen by the first one.
pub fn doors(data: &[u8]) {
    let mut input = Input::new(data);
    match input.below(6) {
        0 => board(&input.text()),
        1 => boards(&input.text()),
        2 => drop(journal::<Event>(&input.text())),
        3 => drop(journal::<SpecialEvent>(&input.text())),
        4 => replays(&input.text()),
        _ => names(&input.text()),
    }
}

/// Parses, prints, and parses again.
fn same_again<T: FromStr<Err: Debug + Display> + Display + PartialEq + Debug>(text: &str) -> Option<T> {
    match text.parse::<T>() {
        Ok(value) => {
            assert_eq!(value.to_string().parse::<T>().as_ref().ok(), Some(&value), "{text:?}");
            Some(value)
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            None
        }
    }
}

fn board(text: &str) {
    if let Some(board) = same_again::<Board>(text) {
        assert_eq!(parse_boards(text), Ok(vec![board]));
    }
}

fn boards(text: &str) {
    if let Ok(boards) = parse_boards(text) {
        let printed: Vec<String> = boards.iter().map(ToString::to_string).collect();
        assert_eq!(parse_boards(&printed.join("\n\n")).as_ref(), Ok(&boards));
    }
}

fn journal<E: FromStr<Err = ParseEventError> + Display + PartialEq + Debug>(text: &str) -> Option<Vec<E>> {
    let events = parse_journal::<E>(text).ok()?;
    let printed: String = events.iter().map(|event| format!("{event}\n")).collect();
    assert_eq!(parse_journal::<E>(&printed).as_ref(), Ok(&events));
    Some(events)
}

/// A board, a line `-`, and a journal.
fn replays(text: &str) {
    let Some((start, events)) = text.split_once("\n-\n") else { return };
    let Ok(start) = start.parse::<Board>() else { return };
    if let Some(events) = journal::<Event>(events) {
        let mut board = start.clone();
        // A refused journal changes nothing; up to the event that was refused it can be replayed.
        if let Err(error) = replay(&mut board, &events) {
            assert_eq!(board, start);
            assert_eq!(replay(&mut board, &events[..error.index]), Ok(()));
        }
    } else if let Some(events) = journal::<SpecialEvent>(events) {
        let start = SpecialBoard::new(start);
        let mut board = start.clone();
        if let Err(error) = board.replay(&events) {
            assert_eq!(board, start);
            assert_eq!(board.replay(&events[..error.index]), Ok(()));
        }
    }
}

fn names(text: &str) {
    same_again::<Event>(text);
    same_again::<SpecialEvent>(text);
    same_again::<Special>(text);
    same_again::<match3::groups::Shape>(text);
}
