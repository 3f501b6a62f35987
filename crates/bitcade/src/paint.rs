//! Colours of boards. [`Output::picture`](crate::output::Output::picture) drops them where nobody would see them.

use anstyle::{Ansi256Color, Style};

/// Colours that are told apart on a dark and on a light ground.
const PALETTE: [u8; 7] = [203, 39, 42, 214, 170, 75, 142];
/// What is only background: walls, old stones.
pub(crate) const GREY: u8 = 244;

/// The `n`-th colour, beginning anew after the last.
pub(crate) fn nth(n: usize) -> u8 {
    PALETTE[n % PALETTE.len()]
}

fn paint(text: &str, colour: Option<u8>) -> String {
    let Some(colour) = colour else { return text.to_owned() };
    let style = Style::new().fg_color(Some(Ansi256Color(colour).into())).bold();
    format!("{style}{text}{style:#}")
}

/// A text with every character in its colour.
pub(crate) fn characters(text: &str, colour: impl Fn(char) -> Option<u8>) -> String {
    text.chars().map(|c| paint(c.encode_utf8(&mut [0; 4]), colour(c))).collect()
}

/// A text with every word in its colour.
pub(crate) fn words(text: &str, colour: impl Fn(&str) -> Option<u8>) -> String {
    let pieces = text.split_inclusive(|c: char| c.is_whitespace());
    pieces.map(|piece| paint(piece, colour(piece.trim_end()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_off_again() {
        let board = "1 . 12\n# 2 1";
        let painted = words(board, |word| word.parse().ok().map(nth));
        assert!(painted.contains("\x1b["));
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), board);
        let painted = characters(board, |c| c.to_digit(10).map(|n| nth(n as usize)));
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), board);
    }
}
