//! Board colors. [`Output::colored`](crate::io::output::Output::colored) strips them unless the
//! output is a terminal.

use anstyle::{Ansi256Color, Style};

/// Terminal colors that are easy to distinguish on dark and light backgrounds.
const PALETTE: [u8; 7] = [203, 39, 42, 214, 170, 75, 142];
/// The color of the background, such as walls and old stones.
pub(crate) const GRAY: u8 = 244;

pub(crate) fn palette(n: usize) -> u8 {
    PALETTE[n % PALETTE.len()]
}

fn paint(text: &str, color: Option<u8>) -> String {
    let Some(color) = color else { return text.to_owned() };
    let style = Style::new().fg_color(Some(Ansi256Color(color).into())).bold();
    format!("{style}{text}{style:#}")
}

pub(crate) fn characters(text: &str, color: impl Fn(char) -> Option<u8>) -> String {
    text.chars().map(|c| paint(c.encode_utf8(&mut [0; 4]), color(c))).collect()
}

pub(crate) fn words(text: &str, color: impl Fn(&str) -> Option<u8>) -> String {
    let pieces = text.split_inclusive(|c: char| c.is_whitespace());
    pieces.map(|piece| paint(piece, color(piece.trim_end()))).collect()
}

/// Returns whether the terminal can move its cursor. If not, it gets plain text only.
pub(crate) fn moves_cursor() -> bool {
    cfg!(windows) || std::env::var("TERM").is_ok_and(|term| !["", "dumb"].contains(&term.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_come_off_again() {
        let board = "1 . 12\n# 2 1";
        let painted = words(board, |word| word.parse().ok().map(palette));
        assert!(painted.contains("\x1b["));
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), board);
        let painted = characters(board, |c| c.to_digit(10).map(|n| palette(n as usize)));
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), board);
    }
}
