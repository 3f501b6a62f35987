//! Argument values of the Go commands.

use crate::arguments::{named, parse_sides};
use clap::builder::TypedValueParser;
use go_mc::{Color, Error, Ko, Suicide};

/// Parses the side of a square Go board that supports playouts: `N` or `NxN`.
pub(crate) fn parse_go_side(text: &str) -> Result<usize, String> {
    let square = parse_sides(text, 5..=19).ok().filter(|(width, height)| width == height);
    let side = square.map(|(width, _)| width).filter(|side| [5, 9, 13, 19].contains(side));
    side.ok_or_else(|| {
        "expected 5, 9, 13 or 19, the side of a square board such as 9 or 9x9".to_owned()
    })
}

pub(crate) fn ko_rule() -> impl TypedValueParser<Value = Ko> {
    named(&["simple", "positional", "situational"], |text: &str| {
        text.parse().map_err(without_place)
    })
}

pub(crate) fn suicide_rule() -> impl TypedValueParser<Value = Suicide> {
    named(&["forbidden", "multi", "all"], |text: &str| text.parse().map_err(without_place))
}

pub(crate) fn go_color() -> impl TypedValueParser<Value = Color> {
    named(&["black", "white"], |text: &str| text.parse().map_err(without_place))
}

fn without_place(error: Error) -> String {
    match error {
        Error::Text { expected, .. } => format!("expected {expected}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rejected values are in `tests/bad_input.rs`.
    #[test]
    fn sides_are_taken() {
        for (text, side) in [("9", 9), ("9x9", 9), ("19X19", 19)] {
            assert_eq!(parse_go_side(text), Ok(side));
        }
    }
}
