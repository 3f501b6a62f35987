//! The looks of Tetris: pieces, and the stack without their colors.

use crate::screen::theme::{Rgb, Theme};
use tetris::Piece;

pub(crate) fn color_of(piece: Piece) -> Rgb {
    match piece {
        Piece::I => Rgb(0x4c, 0xc9, 0xf0),
        Piece::O => Rgb(0xf5, 0xd7, 0x4e),
        Piece::T => Rgb(0xb9, 0x6d, 0xf2),
        Piece::S => Rgb(0x6b, 0xd4, 0x7a),
        Piece::Z => Rgb(0xf0, 0x5d, 0x6c),
        Piece::J => Rgb(0x5b, 0x7d, 0xf5),
        Piece::L => Rgb(0xf7, 0x9a, 0x4b),
    }
}

/// The color of locked cells whose pieces are not known any more.
pub(crate) const STACK: Rgb = Rgb(0x6d, 0x75, 0x80);

/// Returns the two characters of a cell of a piece with this letter.
pub(crate) fn piece_text(letter: char, theme: Theme) -> String {
    if theme.needs_letters() { String::from_iter([letter; 2]) } else { "  ".to_owned() }
}

/// Returns the two characters of a locked cell.
pub(crate) fn stack_text(theme: Theme) -> &'static str {
    if theme.needs_letters() { "[]" } else { "  " }
}
