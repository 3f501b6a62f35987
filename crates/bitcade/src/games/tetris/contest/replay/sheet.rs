//! [`sheet`]: boards in a grid, as an SVG picture.

use super::snapshot::{Cell, Snapshot};
use crate::games::tetris::field::color_of;
use crate::screen::theme::Rgb;
use std::fmt::Write;
use tetris_ai::contest::{COLUMNS, ROWS};

/// The pixels of a cell: all but one in its color.
const SIDE: usize = 8;
const PER_ROW: usize = 10;

const GROUND: &str = "1b1e23";
const STACK: &str = "8a939e";

/// Draws boards in rows of ten.
///
/// A run of cells of one color is a dashed line, one dash per cell, in units of a cell: `M3 19h4`
/// for the cells 3 to 6 of the lowest row. This takes a tenth of the bytes of one rectangle per
/// cell.
pub(super) fn sheet(boards: &[&Snapshot]) -> String {
    let wide = COLUMNS * SIDE + 16;
    let high = ROWS * SIDE + 40;
    let columns = boards.len().clamp(1, PER_ROW);
    let width = columns * wide;
    let height = boards.len().div_ceil(columns).max(1) * high;
    let mut texts = String::new();
    let mut grounds = String::new();
    let mut cells = String::new();
    for (i, shown) in boards.iter().enumerate() {
        let left = i % columns * wide + 8;
        let top = i / columns * high + 28;
        let kind = shown.falling.piece.kind();
        let Rgb(red, green, blue) = color_of(kind);
        let _ = writeln!(
            texts,
            "<text x=\"{left}\" y=\"{}\">piece {} {kind}</text><text x=\"{left}\" y=\"{}\">{}</text>",
            top - 16,
            shown.piece,
            top - 5,
            shown.score,
        );
        let board_width = COLUMNS * SIDE;
        let board_height = ROWS * SIDE;
        let _ = write!(grounds, "M{left} {top}h{board_width}v{board_height}h-{board_width}z");
        // Half a pixel less than half a cell: the middle of a line without its gap.
        let middle = top as f64 + (SIDE - 1) as f64 / 2.0;
        let _ = writeln!(
            cells,
            "<g transform=\"translate({left} {middle})scale({SIDE})\"><path d=\"{}\"/>\
             <path stroke=\"#{red:02x}{green:02x}{blue:02x}\" d=\"{}\"/></g>",
            runs(shown, Cell::Stack),
            runs(shown, Cell::Piece),
        );
    }
    let dash = (SIDE - 1) as f64 / SIDE as f64;
    let gap = 1.0 - dash;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"9\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         {texts}<path fill=\"#{GROUND}\" d=\"{grounds}\"/>\n\
         <g fill=\"none\" stroke=\"#{STACK}\" stroke-width=\"{dash}\" stroke-dasharray=\"{dash} {gap}\">\n\
         {cells}</g>\n</svg>\n"
    )
}

fn runs(shown: &Snapshot, kind: Cell) -> String {
    let mut path = String::new();
    for y in 0..ROWS {
        let mut x = 0;
        while x < COLUMNS {
            let length = (x..COLUMNS).take_while(|&x| shown.cell(x as i8, y as i8) == kind).count();
            if length > 0 {
                let _ = write!(path, "M{x} {y}h{length}");
            }
            x += length + 1;
        }
    }
    path
}
