//! Every entry of `go-mc` for foreign text. What is taken is printed, and taken again.

use crate::session::session;
use fuzzkit::Input;
use go_mc::sgf::{MoveNode, Record};
use go_mc::{Board, Color, Game, Ko, Move, Point, Points, Position, Rules, Size, Suicide};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// The first byte of an input that is a saved value. The doors before it keep the meaning of their inputs.
const SAVED: u8 = 253;

/// The first byte of an input that is a file with a game record.
const FILE: u8 = 252;

/// Reads a saved value. One that is taken is written, and read again.
fn same_form<T: Serialize + DeserializeOwned>(text: &str) -> Option<T> {
    let value: T = serde_json::from_str(text).ok()?;
    let written = serde_json::to_string(&value).expect("a value that was read has a form");
    let again: T = serde_json::from_str(&written).expect("what was written is read");
    assert_eq!(serde_json::to_string(&again).expect("a form"), written, "{text:?}");
    Some(value)
}

/// Hands the bytes to one entry, chosen by the first one.
pub fn doors(data: &[u8]) {
    if let Some((&SAVED, rest)) = data.split_first() {
        return saved(&String::from_utf8_lossy(rest));
    }
    if let Some((&FILE, rest)) = data.split_first() {
        return file(rest);
    }
    let mut input = Input::new(data);
    match input.below(8) {
        0 | 1 => sgf(&input.text()),
        2 => same_again::<Board>(&input.text()),
        3 => names(&input.text()),
        4 => record(&mut input),
        _ => session(&mut input),
    }
}

fn saved(text: &str) {
    same_form::<Board>(text);
    same_form::<Rules>(text);
    same_form::<Move>(text);
    same_form::<Position<9>>(text);
    let Some(mut game) = same_form::<Game>(text) else { return };
    let size = game.board().size();
    for i in 0..4 {
        let (x, y) = ((3 * i % size.width()) as u8, (5 * i % size.height()) as u8);
        let _ = game.play(Move::Play(Point { x, y }));
        same_form::<Game>(&serde_json::to_string(&game).expect("a form"));
    }
}

/// Parses, prints, and parses again.
fn same_again<T: FromStr<Err: Debug + Display> + Display + PartialEq + Debug>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => {
            assert_eq!(value.to_string().parse::<T>().as_ref().ok(), Some(&value), "{text:?}");
        }
        Err(error) => assert!(error.to_string().starts_with("line "), "{error}"),
    }
}

fn names(text: &str) {
    same_again::<Point>(text);
    same_again::<Move>(text);
    same_again::<Color>(text);
    same_again::<Size>(text);
    same_again::<Ko>(text);
    same_again::<Suicide>(text);
}

fn sgf(text: &str) {
    match text.parse::<Record>() {
        Ok(record) => written_and_read(&record),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn file(bytes: &[u8]) {
    match Record::from_bytes(bytes) {
        Ok(record) => written_and_read(&record),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Writes a record and reads it again.
fn written_and_read(record: &Record) {
    let text = record.to_string();
    let again: Record = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(Record::from_bytes(text.as_bytes()).map(|record| record.to_string()), Ok(text.clone()));
    // A komi that is no number isn't equal to itself, but its text is.
    assert_eq!(again.to_string(), text);
    let sum = |record: &Record| (record.size, record.setup, record.to_move, record.moves.len());
    assert_eq!(sum(&again), sum(record), "{text}");
    for (a, b) in again.moves.iter().zip(&record.moves) {
        assert_eq!((a.color, a.mv), (b.color, b.mv));
    }
    assert_eq!(again.first_to_move(), record.first_to_move());
    for suicide in [Suicide::Forbidden, Suicide::Multi, Suicide::All] {
        assert_eq!(again.board(suicide), record.board(suicide));
    }
}

fn text(input: &mut Input) -> String {
    let length = input.below(12);
    (0..length)
        .map(|_| match input.byte() {
            byte @ 0..0xe0 => char::from(byte),
            0xe0..0xf0 => *input.pick(&[']', '\\', '[', ':', '\n', '\r', '\u{85}', '\u{2028}']),
            _ => char::from_u32(input.u32() & 0x1f_ffff).unwrap_or('\u{fffd}'),
        })
        .collect()
}

/// Takes a share in percent, or none.
fn percent(input: &mut Input) -> Option<f64> {
    let share = f64::from(input.u32()) / f64::from(u32::MAX);
    (share > 0.0).then_some(100.0 * share)
}

/// A record of any numbers and texts.
fn record(input: &mut Input) {
    let size = Size::new(1 + input.below(19), 1 + input.below(19)).expect("a size");
    let mut record = Record::new(size);
    let number = |input: &mut Input| {
        if input.flag() { f64::from(input.byte() as i8) / 2.0 } else { f64::from_bits(input.u64()) }
    };
    record.komi = input.flag().then(|| number(input)).filter(|komi| !komi.is_nan());
    record.player_names = [text(input), text(input)];
    record.result = text(input);
    record.comment = text(input);
    record.to_move = input.flag().then(|| *input.pick(&Color::ALL));
    record.black_win_percent = percent(input);
    let point =
        |input: &mut Input| Point { x: input.below(size.width()) as u8, y: input.below(size.height()) as u8 };
    for _ in 0..input.below(6) {
        let index = Points::<19>::index(point(input)).expect("on the board");
        let color = *input.pick(&Color::ALL);
        record.setup[color as usize].insert(index);
        record.setup[color.other() as usize].remove(index);
    }
    for _ in 0..input.below(10) {
        let color = *input.pick(&Color::ALL);
        let mv = if input.below(8) == 0 { Move::Pass } else { Move::Play(point(input)) };
        let win = percent(input);
        record.moves.push(MoveNode { color, mv, comment: text(input), black_win_percent: win });
    }
    written_and_read(&record);
}
