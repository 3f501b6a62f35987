//! Every entry of `go-mc` for foreign text. What is taken is printed, and taken again.

use super::session::session;
use crate::kit::{Input, read_as, same_again, same_form};
use go_mc::sgf::{Action, Node, Property, Record, Setup};
use go_mc::{Board, Color, Game, Ko, Move, Point, Points, Position, Rules, Size, Suicide};
use std::fmt::{Debug, Display};
use std::str::FromStr;

pub(crate) fn doors(data: &[u8]) {
    match data {
        [253, text @ ..] => return saved(&String::from_utf8_lossy(text)),
        [252, file @ ..] => return read(file),
        _ => {}
    }
    let input = Input::new(data);
    match input.below(8) {
        0 | 1 => read(input.text().as_bytes()),
        2 => placed::<Board>(&input.text()),
        3 => names(&input.text()),
        4 => record(&input),
        _ => session(&input),
    }
}

fn saved(text: &str) {
    read_as!(same_form(text): Board, Rules, Move, Position<9>);
    let Some([mut game, _]) = same_form::<Game>(text) else { return };
    let size = game.board().size();
    for i in 0..4 {
        let (x, y) = ((3 * i % size.width()) as u8, (5 * i % size.height()) as u8);
        let _ = game.play(Move::Play(Point { x, y }));
        same_form::<Game>(&serde_json::to_string(&game).expect("a form"));
    }
}

/// Reads a text, whose errors say where they are.
fn placed<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) {
    if let Err(error) = same_again::<T>(text) {
        assert!(error.starts_with("line "), "{error}");
    }
}

fn names(text: &str) {
    read_as!(placed(text): Point, Move, Color, Size, Ko, Suicide);
}

fn read(file: &[u8]) {
    match Record::from_bytes(file) {
        Ok(reading) => {
            for remark in &reading.remarks {
                assert!(remark.line > 0 && remark.column > 0 && !remark.to_string().is_empty());
            }
            written_and_read(&reading.record);
            // A part of the record is read as the whole is.
            let moves = reading.record.moves().count() / 2;
            let part = Record::from_bytes_to_move(file, moves).expect("a part").record;
            assert!(part.moves().zip(reading.record.moves()).all(|(a, b)| a == b));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn written_and_read(record: &Record) {
    let read = |record: &Record| {
        let text = record.to_string();
        let reading = Record::from_bytes(text.as_bytes());
        let reading = reading.unwrap_or_else(|error| panic!("{error}: {text}"));
        (reading.record, reading.remarks.is_empty())
    };
    let (again, _) = read(record);
    assert!(again.moves().eq(record.moves()), "{again}");
    assert_eq!(again.board(), record.board(), "{again}");
    // A record that was read has all in the form that is written, unless the reader remarks on it.
    let (third, is_whole) = read(&again);
    assert_eq!(third.first_to_move(), again.first_to_move());
    assert!(!is_whole || third.to_string() == again.to_string(), "{again}\n{third}");
}

fn text(input: &Input) -> String {
    let letter = || match input.byte() {
        byte @ 0..0xe0 => char::from(byte),
        0xe0..0xf0 => *input.pick(&[']', '\\', '[', ':', '\n', '\r', '\u{85}', '\u{2028}']),
        _ => char::from_u32(input.u32() & 0x1f_ffff).unwrap_or('\u{fffd}'),
    };
    (0..input.below(12)).map(|_| letter()).collect()
}

fn record(input: &Input) {
    let size = Size::new(1 + input.below(19), 1 + input.below(19)).expect("a size");
    let color = || *input.pick(&Color::ALL);
    let point = || Point { x: input.below(size.width()) as u8, y: input.below(size.height()) as u8 };
    // A share in percent, or none.
    let percent = || {
        let share = f64::from(input.u32()) / f64::from(u32::MAX);
        (share > 0.0).then_some(100.0 * share)
    };
    let mut record = Record::new(size);
    let number =
        || if input.flag() { f64::from(input.byte() as i8) / 2.0 } else { f64::from_bits(input.u64()) };
    record.komi = input.flag().then(number).filter(|komi| !komi.is_nan());
    record.player_names = [text(input), text(input)];
    record.result = text(input);
    let node = || Node {
        action: match input.below(8) {
            0 => Action::None,
            1 => {
                let points =
                    || input.list(input.below(4), || Points::<19>::index(point()).expect("on the board"));
                let [black, white, empty]: [Points<19>; 3] =
                    [points(), points(), points()].map(|list| list.into_iter().collect());
                let (black, white) = (black - white, white);
                Action::Setup(Box::new(Setup { black, white, empty: empty - black - white }))
            }
            2 => Action::Move(color(), Move::Pass),
            _ => Action::Move(color(), Move::Play(point())),
        },
        to_move: input.flag().then(color),
        comment: text(input),
        black_win_percent: percent(),
        properties: input.list(input.below(3), || Property {
            name: input.pick(&["RU", "HA", "LB", "B", "x"]).to_string(),
            values: input.list(input.below(3), || text(input)),
        }),
    };
    record.nodes = input.list(input.below(10), node);
    written_and_read(&record);
}
