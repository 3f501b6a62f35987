//! Lanes, bit arithmetic, streams, the core of the games, and every parser and constructor for
//! untrusted text and numbers.

#[path = "../../crates/bitcore/tests/properties/mod.rs"]
mod properties;

#[path = "../../crates/bitcade-core/tests/properties/mod.rs"]
mod core_properties;

use bitcore::{Level, ParseLevelError};
use testkit::Input;

/// A program over registers, run on every level and on plain arrays.
pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(6) {
        0 => properties::words(&input),
        1 => properties::bytes(&input),
        2 => properties::u16s(&input),
        3 => properties::u32s(&input),
        4 => properties::u64s(&input),
        _ => properties::streams(&input),
    }
}

pub(crate) fn doors(data: &[u8]) {
    let input = Input::new(data);
    match input.below(4) {
        0 => level(&input.text()),
        1 => core_properties::shapes::run(&input),
        2 => properties::generators::run(&input),
        _ => core_properties::moments::run(&input),
    }
}

fn level(text: &str) {
    match text.parse::<Level>() {
        Ok(level) => {
            assert!(text == "auto" || level.to_string() == text);
            assert_eq!(level.to_string().parse(), Ok(level));
            assert!(Level::all().any(|other| other == level));
        }
        Err(ParseLevelError::Absent(name)) => {
            assert_eq!(text, name);
            assert!(Level::all().all(|level| level.name() != name));
        }
        Err(error) => assert_eq!(error, ParseLevelError::Unknown),
    }
}
