//! [`Pieces`]: a match-3 board with marks around its pieces, drawn in pixels of half a row, which are about
//! square.

use super::animation::{At, Change, Step};
use crate::screen::picture::Picture;
use crate::screen::theme::{Colors, Rgb, Theme, palette};
use crate::screen::widgets::{self, mixed};
use match3::{Board, Cell};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

pub(super) const LETTERS: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];
pub(super) const SHAPES: [&str; 8] = ["●", "■", "▲", "◆", "○", "▼", "□", "◇"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Cursor,
    Selected,
    Hint,
    Refused,
}

impl Mark {
    fn color(self) -> Rgb {
        match self {
            // Different from all piece colors.
            Self::Cursor => palette::TEXT,
            Self::Selected => Rgb(0xff, 0x3d, 0xf2),
            Self::Hint => Rgb(0x12, 0x9c, 0x46),
            Self::Refused => Rgb(0xa8, 0x12, 0x22),
        }
    }

    fn sides(self) -> [&'static str; 2] {
        match self {
            Self::Cursor => ["[", "]"],
            Self::Selected => ["<", ">"],
            Self::Hint => ["(", ")"],
            Self::Refused => ["!", "!"],
        }
    }
}

/// A board at rest, or a step of a swap in progress, with marks.
pub(crate) struct Pieces {
    pub(crate) board: Board,
    pub(crate) step: Option<(Step, f64)>,
    pub(crate) marks: Vec<(At, Mark)>,
}

impl Pieces {
    fn size(&self) -> (usize, usize) {
        (self.board.width(), self.board.height())
    }

    /// Returns the grid in an area of the size chosen by [`Picture::size`].
    pub(crate) fn grid(&self, area: Rect) -> Grid {
        Grid::new(self.size(), area)
    }
}

impl Picture for Pieces {
    fn size(&self, (width, height): (u16, u16), _: Theme) -> (u16, u16) {
        Grid::fit(self.size(), width, height)
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, theme: Theme) {
        let grid = self.grid(area);
        let mut canvas = Canvas::new(&grid, theme);
        match &self.step {
            Some((step, part)) => canvas.step(step, *part),
            None => canvas.board(&self.board, &[]),
        }
        canvas.finish(buffer, &self.marks);
    }
}

/// A board's position on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    area: Rect,
    /// The rows of a cell, which has twice as many columns, the last one empty.
    pub(super) rows: u16,
    size: (u16, u16),
}

const MAX_ROWS: u16 = 6;

impl Grid {
    fn extent((width, height): (usize, usize), rows: u16) -> (u16, u16) {
        // An empty column on the left and, below large cells, a row for the lower edge of marks.
        (2 * rows * width as u16 + 1, rows * height as u16 + u16::from(rows > 1))
    }

    pub(super) fn fit(size: (usize, usize), width: u16, height: u16) -> (u16, u16) {
        let fits = |&rows: &u16| {
            let extent = Self::extent(size, rows);
            extent.0 <= width && extent.1 <= height
        };
        Self::extent(size, (1..=MAX_ROWS).rev().find(fits).unwrap_or(1))
    }

    pub(crate) fn least_size(size: (usize, usize)) -> (u16, u16) {
        Self::extent(size, 1)
    }

    pub(super) fn new(size: (usize, usize), area: Rect) -> Self {
        let rows =
            (area.height / size.1 as u16).min(area.width / (2 * size.0 as u16)).clamp(1, MAX_ROWS);
        Self { area, rows, size: (size.0 as u16, size.1 as u16) }
    }

    pub(crate) fn cell_at(&self, column: u16, row: u16) -> Option<At> {
        let x = column.checked_sub(self.area.x + 1)?;
        let y = row.checked_sub(self.area.y)?;
        let x = x / (2 * self.rows);
        let y = y / self.rows;
        (x < self.size.0 && y < self.size.1).then_some((x.into(), y.into()))
    }
}

/// A picture of a board in pixels of one column and half a row, with a character in the middle of
/// each piece.
pub(super) struct Canvas<'a> {
    pub(super) grid: &'a Grid,
    pub(super) theme: Theme,
    /// The pixels of a cell: as many columns as half rows.
    pub(super) side: i32,
    width: i32,
    pixels: Vec<Rgb>,
    /// Each character's column, row and color on its piece.
    pub(super) symbols: Vec<(i32, i32, &'static str, Rgb)>,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(grid: &'a Grid, theme: Theme) -> Self {
        let width = i32::from(grid.area.width);
        let pixels =
            vec![palette::GROUND; usize::from(grid.area.width) * 2 * usize::from(grid.area.height)];
        Self { grid, theme, side: 2 * i32::from(grid.rows), width, pixels, symbols: Vec::new() }
    }

    /// Returns whether pieces are filled with color; otherwise they are characters.
    pub(super) fn has_surfaces(&self) -> bool {
        self.grid.rows > 1 && self.theme.colors != Colors::None
    }

    /// Returns whether marks are frames; otherwise they are characters on both sides.
    fn has_frames(&self) -> bool {
        self.has_surfaces() && self.theme.unicode
    }

    pub(super) fn set(&mut self, x: i32, y: i32, color: Rgb) {
        if (0..self.width).contains(&x)
            && let Ok(y) = usize::try_from(y)
            && let Some(pixel) = self.pixels.get_mut(y * self.width as usize + x as usize)
        {
            *pixel = color;
        }
    }

    /// Returns a pixel's color; outside, that of the ground.
    pub(super) fn get(&self, x: i32, y: i32) -> Rgb {
        let index = usize::try_from(y * self.width + x).ok();
        let pixel = index.filter(|_| (0..self.width).contains(&x));
        pixel.and_then(|pixel| self.pixels.get(pixel)).copied().unwrap_or(palette::GROUND)
    }

    fn step(&mut self, step: &Step, part: f64) {
        let moving: &[At] = match &step.change {
            Change::Swap { cells, .. } => cells,
            Change::Clear { cells } => cells,
            Change::Fall { .. } | Change::Rest => &[],
        };
        self.board(&step.board, moving);
        match &step.change {
            Change::Swap { cells: [a, b], refused } => {
                // A refused swap turns around halfway.
                let part = if *refused { 0.5 - (part - 0.5).abs() } else { part };
                for (from, to) in [(a, b), (b, a)] {
                    let between =
                        |from: usize, to: usize| from as f64 + (to as f64 - from as f64) * part;
                    let place = (between(from.0, to.0), between(from.1, to.1));
                    self.piece(step.board[*from], place, 0.0);
                }
            }
            Change::Clear { cells } => {
                for &(x, y) in cells {
                    self.piece(step.board[(x, y)], (x as f64, y as f64), part);
                }
            }
            Change::Fall { pieces } => {
                for piece in pieces {
                    self.piece(piece.cell, (piece.x as f64, piece.row(pieces, part)), 0.0);
                }
            }
            Change::Rest => {}
        }
    }

    fn board(&mut self, board: &Board, without: &[At]) {
        for (y, row) in board.rows().enumerate() {
            for (x, &cell) in row.iter().enumerate() {
                if !without.contains(&(x, y)) {
                    self.piece(cell, (x as f64, y as f64), 0.0);
                }
            }
        }
    }

    /// Draws a piece at a position in cells. A partly cleared piece (`cleared` up to 1) flashes and
    /// shrinks.
    fn piece(&mut self, cell: Cell, place: (f64, f64), cleared: f64) {
        let Some(kind) = cell.color().map(|color| usize::from(color - 1) % LETTERS.len()) else {
            return;
        };
        let side = self.side;
        let pixel = |at: f64| (at * f64::from(side)).round() as i32;
        let left = 1 + pixel(place.0);
        let top = 1 + pixel(place.1);
        let length = side - 1;
        let shrunk = ((cleared - 0.4).max(0.0) / 0.6 * f64::from(length / 2 + 1)) as i32;
        let color = palette::KINDS[kind];
        let color = if cleared > 0.0 { mixed(color, Rgb(0xff, 0xff, 0xff), 170) } else { color };
        // Large pieces have round corners.
        let cut = if length < 7 { 0 } else { (length - 3) / 4 };
        if self.has_surfaces() {
            for y in shrunk..length - shrunk {
                for x in shrunk..length - shrunk {
                    let [near_x, near_y] = [x, y].map(|at| at.min(length - 1 - at));
                    let corner = near_x + near_y < cut;
                    if !corner {
                        self.set(left + x, top + y, color);
                    }
                }
            }
        }
        let symbol = match cleared {
            part if part >= 0.5 => self.theme.pick("·", "."),
            part if part > 0.0 => self.theme.pick("•", "*"),
            _ => self.theme.pick(SHAPES[kind], LETTERS[kind]),
        };
        // With filled pieces, a clear is visible by itself.
        if cleared == 0.0 || !self.has_surfaces() {
            let row = (top + length / 2).div_euclid(2);
            let row = if self.grid.rows == 1 { (top - 1).div_euclid(2) } else { row };
            let ink = if self.has_surfaces() { self.theme.ink(color) } else { color };
            self.symbols.push((left + (length - 1) / 2, row, symbol, ink));
        }
    }

    pub(super) fn finish(mut self, buffer: &mut Buffer, marks: &[(At, Mark)]) {
        if self.has_frames() {
            for &((x, y), mark) in marks {
                self.frame(self.side * x as i32, self.side * y as i32, mark.color());
            }
        }
        let area = self.grid.area;
        let theme = self.theme;
        let at = |x: u16, y: u16| usize::from(y) * usize::from(area.width) + usize::from(x);
        for y in 0..area.height {
            for x in 0..area.width {
                let upper = self.pixels[at(x, 2 * y)];
                let lower = self.pixels[at(x, 2 * y + 1)];
                // Without half blocks a low cell cannot show a gap.
                let surface = if self.grid.rows > 2 { upper } else { lower };
                let (symbol, style) = if upper == lower || !theme.unicode {
                    (" ", theme.surface(palette::TEXT, surface))
                } else {
                    ("▀", theme.surface(upper, lower))
                };
                let style = if self.has_surfaces() {
                    style
                } else {
                    theme.surface(palette::TEXT, palette::GROUND)
                };
                let symbol = if self.has_surfaces() { symbol } else { " " };
                widgets::text(buffer, area, area.x + x, area.y + y, symbol, style);
            }
        }
        let mut write = |x: i32, y: i32, text: &str, color: Rgb| {
            if let (Ok(x), Ok(y)) = (u16::try_from(x), u16::try_from(y)) {
                // Keeps the background, which is dark even in a light terminal.
                let style = Style::new().fg(theme.color(color)).add_modifier(Modifier::BOLD);
                widgets::text(buffer, area, area.x + x, area.y + y, text, style);
            }
        };
        for &(x, y, symbol, color) in &self.symbols {
            write(x, y, symbol, color);
        }
        if !self.has_frames() {
            let middle = i32::from(self.grid.rows) / 2;
            // Next to the piece, which is a character or filled.
            let (before, after) = if self.has_surfaces() {
                (0, self.side)
            } else {
                (self.side / 2 - 1, self.side / 2 + 1)
            };
            for &((x, y), mark) in marks {
                let x = self.side * x as i32;
                let y = i32::from(self.grid.rows) * y as i32 + middle;
                let [left, right] = mark.sides();
                write(x + before, y, left, mark.color());
                write(x + after, y, right, mark.color());
            }
        }
    }

    fn frame(&mut self, left: i32, top: i32, color: Rgb) {
        for i in 0..=self.side {
            self.set(left + i, top, color);
            self.set(left + i, top + self.side, color);
            self.set(left, top + i, color);
            self.set(left + self.side, top + i, color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_the_screen_are_cells() {
        let area = Rect { x: 3, y: 2, width: 33, height: 17 };
        let grid = Grid::new((8, 8), area);
        assert_eq!(grid.rows, 2);
        for ((x, y), cell) in [
            ((4, 2), Some((0, 0))),
            ((7, 3), Some((0, 0))),
            ((8, 4), Some((1, 1))),
            ((35, 17), Some((7, 7))),
            ((36, 17), None),
            ((35, 18), None),
            ((3, 2), None),
            ((4, 1), None),
        ] {
            assert_eq!(grid.cell_at(x, y), cell, "{x} {y}");
        }
        for (side, width, height, fit) in
            [(8, 50, 23, (33, 17)), (16, 50, 23, (33, 16)), (8, 131, 49, (97, 49))]
        {
            assert_eq!(Grid::fit((side, side), width, height), fit);
        }
    }

    #[test]
    fn each_color_has_its_own_shape() {
        for shapes in [LETTERS, SHAPES] {
            for (i, shape) in shapes.iter().enumerate() {
                assert!(!shapes[..i].contains(shape));
            }
        }
        assert_eq!(LETTERS.len(), palette::KINDS.len());
    }
}
