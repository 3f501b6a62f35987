//! Every parser of `go-mc` for untrusted text. Accepted text is printed and parsed again.

use super::{properties::values::rules, records, sessions};
use crate::kit::{Input, read_as, same_again, same_form};
use go_mc::{Board, Color, Game, Ko, Komi, Move, Point, Position, Rules, Size, Suicide};
use std::fmt::{Debug, Display};
use std::str::FromStr;

pub(crate) fn doors(data: &[u8]) {
    match data {
        [253, text @ ..] => return saved(&String::from_utf8_lossy(text)),
        [252, file @ ..] => return records::read(file),
        [251, data @ ..] => return records::plain_record(&Input::new(data)),
        _ => {}
    }
    let input = Input::new(data);
    match input.below(8) {
        0 | 1 => records::read(input.text().as_bytes()),
        2 => placed::<Board>(&input.text()),
        3 => names(&input.text()),
        4 => records::any_record(&input),
        _ => drop(sessions::session(&input, rules)),
    }
}

fn saved(text: &str) {
    read_as!(same_form(text): Board, Rules, Move, Position<9>);
    let Some([mut game, _]) = same_form::<Game>(text) else { return };
    let size = game.board().size();
    for i in 0..4 {
        let x = (3 * i % size.width()) as u8;
        let y = (5 * i % size.height()) as u8;
        let _ = game.play(Move::Play(Point { x, y }));
        same_form::<Game>(&serde_json::to_string(&game).expect("a form"));
    }
}

/// Reads a text; errors must give their position.
fn placed<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) {
    if let Err(error) = same_again::<T>(text) {
        assert!(error.starts_with("line "), "{error}");
    }
}

fn names(text: &str) {
    read_as!(placed(text): Point, Move, Color, Size, Ko, Komi, Suicide);
}
