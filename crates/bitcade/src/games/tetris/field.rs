//! Tetris drawings at any scale: fields, hold and preview, for play, `watch` and replays.

use super::cells::{Cells, Tile};
use crate::screen::theme::{Rgb, Theme, palette};
use crate::screen::widgets::{self, mixed, shaded};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use tetris::{Board, Game, Location, Orientation, Piece};

const GARBAGE: Rgb = Rgb(0x7c, 0x84, 0x90);
const FLASH: Rgb = Rgb(0xf4, 0xf6, 0xfa);

/// The visible rows.
pub(super) const ROWS: u16 = Game::SKYLINE as u16;
/// The columns of a field and of an I, the widest piece, at scale 1.
pub(super) const WIDTH: u16 = 2 * Board::WIDTH as u16;
pub(super) const PIECE: u16 = 8;

pub(super) fn color_of(piece: Piece) -> Rgb {
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

pub(super) fn scale_for(room: (u16, u16), size: impl Fn(u16) -> (u16, u16)) -> u16 {
    let fits = |&scale: &u16| {
        let (width, height) = size(scale);
        width <= room.0 && height <= room.1
    };
    (1..=8).rev().find(fits).unwrap_or(1)
}

pub(super) type Placed = (Piece, [(i32, i32); 4]);

pub(super) fn placed(at: Location) -> Placed {
    (at.piece, at.cells())
}

pub(super) struct Field<'a> {
    pub(super) cells: &'a Cells,
    pub(super) falling: Option<Placed>,
    pub(super) ghost: Option<Placed>,
    /// One bit for each flashing row.
    pub(super) flash: u64,
}

/// An area with cells that are `scale` rows high and twice as many columns wide.
pub(super) struct Canvas<'a> {
    pub(super) buffer: &'a mut Buffer,
    pub(super) area: Rect,
    pub(super) scale: u16,
    pub(super) theme: Theme,
}

impl Canvas<'_> {
    pub(super) fn text(&mut self, x: u16, y: u16, text: &str, style: Style) {
        widgets::text(self.buffer, self.area, x, y, text, style);
    }

    /// Draws the rows of a field, and one above them, as far as they fit above `floor`. Without a
    /// field all cells are empty.
    pub(super) fn field(&mut self, left: u16, floor: u16, field: Option<&Field<'_>>) {
        for row in 0..=ROWS {
            let y = floor.checked_sub(self.scale * (row + 1)).filter(|&y| y >= self.area.y);
            let Some(y) = y else { break };
            for column in 0..Board::WIDTH as u16 {
                self.cell((left + 2 * self.scale * column, y), (column.into(), row.into()), field);
            }
        }
    }

    fn cell(&mut self, place: (u16, u16), at: (i32, i32), field: Option<&Field<'_>>) {
        let Some(field) = field else { return self.empty(place, at.1) };
        let piece_at = |placed: Option<Placed>| placed.filter(|(_, cells)| cells.contains(&at));
        let tile = field.cells.tile(at.0, at.1);
        match (piece_at(field.falling), tile, piece_at(field.ghost)) {
            (Some((piece, _)), ..) => self.block(place, color_of(piece), Some(piece)),
            _ if field.flash >> at.1 & 1 == 1 => self.block(place, FLASH, None),
            (_, Tile::Of(piece), _) => self.block(place, color_of(piece), None),
            (_, Tile::Garbage, _) => self.block(place, GARBAGE, None),
            (_, Tile::Empty, Some((piece, _))) => {
                let style = self.theme.surface(color_of(piece), palette::GROUND);
                let texture = if self.theme.unicode { '░' } else { ':' };
                self.fill(place, [[texture; 3]; 3], style);
            }
            (_, Tile::Empty, None) => self.empty(place, at.1),
        }
    }

    /// Draws an empty cell, which has no background above the visible rows.
    fn empty(&mut self, place: (u16, u16), row: i32) {
        if row < ROWS.into() {
            let style = self.theme.surface(palette::GRID, palette::GROUND);
            let dot = if self.theme.unicode { '·' } else { '.' };
            self.fill(place, [[' '; 3], [' '; 3], [dot, ' ', ' ']], style);
        }
    }

    /// Draws a cell in a color. A piece that isn't locked is lighter; without colors its cells are
    /// letters.
    fn block(&mut self, place: (u16, u16), color: Rgb, piece: Option<Piece>) {
        let texture = match (self.theme.needs_letters(), piece) {
            (true, Some(piece)) => {
                return self.fill(place, [[piece.letter(); 3]; 3], self.theme.on(color));
            }
            (false, _) if self.scale > 1 => [['┌', '─', '┐'], ['│', ' ', '│'], ['└', '─', '┘']],
            _ => [['[', ' ', ']']; 3],
        };
        let edges = if piece.is_some() { mixed(color, palette::TEXT, 150) } else { shaded(color) };
        self.fill(place, texture, self.theme.surface(edges, color));
    }

    /// Fills a cell with the characters of its first, middle and last rows and columns.
    fn fill(&mut self, (x, y): (u16, u16), texture: [[char; 3]; 3], style: Style) {
        let last = self.scale - 1;
        for row in 0..=last {
            let [left, middle, right] =
                texture[if row == last { 2 } else { usize::from(row.min(1)) }];
            let middle = middle.to_string().repeat(2 * usize::from(last));
            self.text(x, y + row, &format!("{left}{middle}{right}"), style);
        }
    }

    /// Draws a label with pieces in spawn orientation below it. Unavailable pieces are darker.
    pub(super) fn pieces(&mut self, x: u16, y: u16, label: &str, pieces: &[Piece], dark: bool) {
        self.text(x, y, label, self.theme.faint());
        let scale = self.scale;
        for (&piece, top) in pieces.iter().zip((y + 1..).step_by(usize::from(2 * scale + 1))) {
            let color = color_of(piece);
            let color = if dark { mixed(color, palette::GROUND, 150) } else { color };
            for (dx, dy) in piece.cells(Orientation::North) {
                let place = (x + 2 * scale * (dx + 1) as u16, top + scale * (1 - dy) as u16);
                self.block(place, color, Some(piece));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_grow_with_the_terminal() {
        let mut cells = Cells::default();
        cells.place(Piece::Z, [(0, 0), (1, 0), (9, 3), (5, 19)]);
        cells.shift(0, 1);
        let size = |scale| (WIDTH * scale, ROWS * scale);
        for (room, expected) in
            [((3, 3), 1), ((39, 99), 1), ((40, 40), 2), ((300, 100), 5), ((900, 900), 8)]
        {
            assert_eq!(scale_for(room, size), expected, "{room:?}");
            let (width, height) = size(expected);
            let area = Rect::new(2, 1, width, height);
            for theme in [Theme::FULL, Theme::PLAIN] {
                let mut buffer = Buffer::empty(Rect::new(0, 0, width + 4, height + 2));
                let mut canvas = Canvas { buffer: &mut buffer, area, scale: expected, theme };
                let falling = Some((Piece::L, [(4, 10), (5, 10), (6, 10), (6, 11)]));
                let ghost = Some((Piece::L, [(4, 1), (5, 1), (6, 1), (9, 1)]));
                let field = Field { cells: &cells, falling, ghost, flash: 1 << 2 };
                canvas.field(area.x, area.bottom(), Some(&field));
                let at = |x: u16, y: u16| {
                    let cell =
                        &buffer[(area.x + 2 * expected * x, area.bottom() - 1 - expected * y)];
                    (cell.symbol(), cell.bg)
                };
                let (sign, ghost) = if theme.unicode { ("└", "░") } else { ("[", ":") };
                let sign = if expected == 1 { "[" } else { sign };
                for (x, y, symbol, color) in [
                    (0, 0, sign, GARBAGE),
                    (0, 1, sign, color_of(Piece::Z)),
                    (9, 4, sign, color_of(Piece::Z)),
                    (2, 2, sign, FLASH),
                    (4, 10, if theme.unicode { sign } else { "L" }, color_of(Piece::L)),
                    (5, 1, ghost, palette::GROUND),
                    (9, 1, ghost, palette::GROUND),
                    (3, 8, theme.pick("·", "."), palette::GROUND),
                ] {
                    assert_eq!(at(x, y), (symbol, theme.color(color)), "{expected} {x} {y}");
                }
                // The row above the area is outside.
                let outside = buffer
                    .content()
                    .iter()
                    .zip(0..)
                    .filter(|(_, i)| !area.contains(buffer.pos_of(*i).into()));
                assert!(
                    outside.into_iter().all(|(cell, _)| *cell == ratatui::buffer::Cell::default())
                );
            }
        }
    }
}
