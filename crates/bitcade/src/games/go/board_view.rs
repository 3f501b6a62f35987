//! [`BoardView`]: the picture of a board. [`BoardLayout`] is its place on the screen.
//!
//! A point takes two columns and a row. On large screens it takes up to ten columns and five rows: then
//! stones are disks of quarters of characters.

use crate::screen::characters::{BLOCKS, LINES};
use crate::screen::theme::{Colors, Rgb, Theme};
use crate::screen::widgets::{mixed, text};
use go_mc::{Board, Color, Ownership, Point};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

const WOOD: Rgb = Rgb(0xd8, 0xa6, 0x5a);
const LINE: Rgb = Rgb(0x8a, 0x62, 0x2c);
const MARK: Rgb = Rgb(0xd0, 0x1f, 0x2e);
/// The colors of stones, Black's first.
pub(crate) const STONES: [Rgb; 2] = [Rgb(0x18, 0x18, 0x1b), Rgb(0xf6, 0xf4, 0xec)];
const LABEL: Rgb = Rgb(0x8a, 0x93, 0x9e);

/// The share of playouts from which on a point counts as owned, of 1.
const OWNED: f64 = 0.3;
/// The width of the row numbers with a space.
pub(crate) const NUMBERS: u16 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardLayout {
    side: u16,
    /// The rows of a point; its columns are twice as many.
    scale: u16,
    /// The character in the middle of the upper left point.
    left: u16,
    top: u16,
    /// The columns of the numbers, 0 for a board without numbers and letters.
    numbers: u16,
    /// The whole board with its numbers and letters.
    pub(crate) area: Rect,
}

impl BoardLayout {
    /// Returns the largest layout of a board that fits in an area, or the smallest one.
    pub(crate) fn new(side: usize, area: Rect, numbers: u16, theme: Theme) -> Self {
        // Without colors, disks of blocks would all look the same.
        let largest = if theme.unicode && theme.colors != Colors::None { 5 } else { 1 };
        let of_scale = |scale| Self::of_scale(side as u16, scale, area, numbers);
        let fits = |layout: &Self| layout.area.width <= area.width && layout.area.height <= area.height;
        let mut layout = (1..=largest).rev().map(of_scale).find(fits).unwrap_or_else(|| of_scale(1));
        if numbers == 0 {
            // The margin needs no room of its own.
            layout.area = layout.area.intersection(area);
        }
        layout
    }

    pub(crate) fn least_size(side: u16) -> (u16, u16) {
        let Rect { width, height, .. } = Self::of_scale(side, 1, Rect::ZERO, NUMBERS).area;
        (width, height)
    }

    pub(crate) fn of_scale(side: u16, scale: u16, area: Rect, numbers: u16) -> Self {
        let (across, above) = (scale, scale / 2);
        let width = numbers + (side - 1) * 2 * scale + 1 + 2 * across;
        let height = (side - 1) * scale + 1 + 2 * above + u16::from(numbers > 0);
        let (left, top) = (area.x + numbers + across, area.y + above);
        Self { side, scale, left, top, numbers, area: Rect { x: area.x, y: area.y, width, height } }
    }

    fn wood(&self) -> Rect {
        Rect {
            x: self.area.x + self.numbers,
            y: self.area.y,
            width: self.area.width - self.numbers,
            height: self.area.height - u16::from(self.numbers > 0),
        }
    }

    fn middle(&self, Point { x, y }: Point) -> (u16, u16) {
        let row = self.side - 1 - u16::from(y).min(self.side - 1);
        (self.left + u16::from(x) * 2 * self.scale, self.top + row * self.scale)
    }

    pub(crate) fn point(&self, x: u16, y: u16) -> Option<Point> {
        self.wood().contains((x, y).into()).then(|| {
            let column = (x + self.scale - 1).saturating_sub(self.left) / (2 * self.scale);
            let row = (y + (self.scale - 1) / 2).saturating_sub(self.top) / self.scale;
            let [column, row] = [column, row].map(|place| place.min(self.side - 1));
            Point { x: column as u8, y: (self.side - 1 - row) as u8 }
        })
    }
}

pub(crate) struct BoardView<'a> {
    pub(crate) board: &'a Board,
    pub(crate) cursor: Option<Point>,
    pub(crate) last: Option<Point>,
    pub(crate) owners: Option<&'a Ownership>,
}

impl BoardView<'_> {
    pub(crate) fn draw(&self, buffer: &mut Buffer, layout: &BoardLayout, theme: Theme) {
        let wood = layout.wood();
        for y in wood.top()..wood.bottom() {
            for x in wood.left()..wood.right() {
                let ground = self.ground(layout, x, y);
                if layout.scale == 1 || !self.draw_blocks(buffer, layout, (x, y), ground, theme) {
                    let style = theme.surface(LINE, ground);
                    text(buffer, wood, x, y, line_at(layout, x, y, theme), style);
                }
            }
        }
        if layout.numbers > 0 {
            self.draw_labels(buffer, layout, theme);
        }
        for point in points(layout.side) {
            self.draw_point(buffer, layout, point, theme);
        }
        // Large stones have their mark in the middle.
        let last = self.last.filter(|_| layout.scale == 1);
        let brackets = if layout.scale == 1 { ["[", "]"] } else { ["▐", "▌"] };
        for ([left, right], point) in [(["(", ")"], last), (brackets, self.cursor)] {
            if let Some(point) = point {
                let (x, y) = layout.middle(point);
                let style = theme.surface(MARK, self.ground(layout, x, y)).add_modifier(Modifier::BOLD);
                text(buffer, wood, x - layout.scale, y, left, style);
                text(buffer, wood, x + layout.scale, y, right, style);
            }
        }
    }

    /// Returns the expected owner of a point, -1 (White) to 1 (Black).
    fn owner(&self, point: Point) -> f64 {
        self.owners.map_or(0.0, |owners| owners.value(point))
    }

    /// Returns the color of the wood: a shade of the owner's color.
    fn ground(&self, layout: &BoardLayout, x: u16, y: u16) -> Rgb {
        let owner = layout.point(x, y).map_or(0.0, |point| self.owner(point));
        let color = STONES[usize::from(owner < 0.0)];
        // Even chances leave the wood as it is.
        let part = (owner.abs() - 0.15).max(0.0) / 0.85;
        mixed(WOOD, color, (part * 165.0) as u8)
    }

    /// Draws a point where it takes a character: the stone, or the owner where there are no colors.
    fn draw_point(&self, buffer: &mut Buffer, layout: &BoardLayout, point: Point, theme: Theme) {
        let ((x, y), owner) = (layout.middle(point), self.owner(point));
        let area = layout.wood();
        let ground = self.ground(layout, x, y);
        let by_letter = theme.colors == Colors::None;
        match self.board.at(point) {
            Some(color) if layout.scale > 1 && self.last == Some(point) => {
                text(buffer, area, x, y, "●", theme.surface(MARK, STONES[color as usize]));
            }
            _ if layout.scale > 1 => {}
            Some(color) => {
                let style = theme.surface(STONES[color as usize], ground);
                let symbol = match (color, theme.unicode) {
                    (Color::White, true) if by_letter => "○",
                    (_, true) => "●",
                    (Color::Black, false) => "X",
                    (Color::White, false) => "O",
                };
                text(buffer, area, x, y, symbol, style.add_modifier(Modifier::BOLD));
                // A small letter beside a stone that is likely to be captured.
                if by_letter && owner.abs() > OWNED && (owner > 0.0) != (color == Color::Black) {
                    text(buffer, area, x + 1, y, owner_letter(owner), Style::new());
                }
            }
            None if by_letter && owner.abs() > OWNED => {
                text(buffer, area, x, y, owner_letter(owner), Style::new());
            }
            None => {}
        }
    }

    /// Draws the parts of stones in a character of a large board. Returns `false` if there are none.
    fn draw_blocks(
        &self,
        buffer: &mut Buffer,
        layout: &BoardLayout,
        (x, y): (u16, u16),
        ground: Rgb,
        theme: Theme,
    ) -> bool {
        // Upper left, upper right, lower left, lower right.
        let mut quarters = [0, 1, 2, 3].map(|i| self.stone_at(layout, 2 * x + (i & 1), 2 * y + (i >> 1)));
        let first = quarters.iter().flatten().next().copied();
        let Some(first) = first else { return false };
        if quarters.iter().flatten().any(|&color| color != first) {
            // A character has two colors: between two stones there is no wood left.
            for i in 0..4 {
                quarters[i] = quarters[i].or(quarters[i ^ 1]).or(quarters[i ^ 2]);
            }
        }
        let set = bits(quarters.map(|quarter| quarter == Some(first)));
        let other = quarters.iter().flatten().find(|&&color| color != first);
        let other = other.map_or(ground, |&color| STONES[color as usize]);
        let style = theme.surface(STONES[first as usize], other);
        text(buffer, layout.wood(), x, y, BLOCKS[set], style);
        true
    }

    /// Returns the stone that covers a quarter of a character: `x` counts half columns, `y` half rows.
    fn stone_at(&self, layout: &BoardLayout, x: u16, y: u16) -> Option<Color> {
        let scale = i32::from(layout.scale);
        // The distance from the middle of the upper left point, in sixteenths of a row's height: a quarter
        // of a character is 4 wide and 8 high.
        let dx = (i32::from(x) - 2 * i32::from(layout.left)) * 4 - 2;
        let dy = (i32::from(y) - 2 * i32::from(layout.top)) * 8 - 4;
        let pitch = 16 * scale;
        let nearest = |distance: i32| (distance + pitch / 2).div_euclid(pitch);
        let (column, row, last) = (nearest(dx), nearest(dy), i32::from(layout.side) - 1);
        if !(0..=last).contains(&column) || !(0..=last).contains(&row) {
            return None;
        }
        let (dx, dy) = (dx - column * pitch, dy - row * pitch);
        // A radius between the steps of the quarters, where disks look round.
        let radius = 8 * scale - 1;
        let color = self.board.at(Point { x: column as u8, y: (last - row) as u8 })?;
        (dx * dx + dy * dy < radius * radius).then_some(color)
    }

    fn draw_labels(&self, buffer: &mut Buffer, layout: &BoardLayout, theme: Theme) {
        let marked = |here: bool| if here { theme.strong() } else { theme.text(LABEL) };
        for i in 0..layout.side {
            let point = Point { x: i as u8, y: i as u8 };
            let ((x, _), (_, y)) = (layout.middle(point), layout.middle(point));
            let letter = &point.to_string()[..1];
            let bottom = layout.area.bottom() - 1;
            let at = |part: fn(Point) -> u8| self.cursor.is_some_and(|cursor| part(cursor) == i as u8);
            text(buffer, layout.area, x, bottom, letter, marked(at(|point| point.x)));
            let number = format!("{:2}", i + 1);
            text(buffer, layout.area, layout.area.x, y, &number, marked(at(|point| point.y)));
        }
    }
}

fn points(side: u16) -> impl Iterator<Item = Point> {
    let side = side as u8;
    (0..side).flat_map(move |y| (0..side).map(move |x| Point { x, y }))
}

fn owner_letter(owner: f64) -> &'static str {
    if owner > 0.0 { "x" } else { "o" }
}

fn line_at(layout: &BoardLayout, x: u16, y: u16, theme: Theme) -> &'static str {
    let (right, bottom) = (2 * layout.scale * (layout.side - 1), layout.scale * (layout.side - 1));
    let (Some(dx), Some(dy)) = (x.checked_sub(layout.left), y.checked_sub(layout.top)) else { return " " };
    if dx > right || dy > bottom {
        return " ";
    }
    let (column, row) = (dx % (2 * layout.scale) == 0, dy % layout.scale == 0);
    let star = column && row && is_star(layout.side, dx / (2 * layout.scale), dy / layout.scale);
    if !theme.unicode {
        return match (column && row, star) {
            (true, true) => "+",
            (true, false) => ".",
            _ => " ",
        };
    }
    if star {
        return "•";
    }
    LINES[bits([column && dy > 0, row && dx < right, column && dy < bottom, row && dx > 0])]
}

/// Returns the number with these bits, the lowest one first.
fn bits(set: [bool; 4]) -> usize {
    (0..4).map(|i| usize::from(set[i]) << i).sum()
}

/// Returns whether a point is one of the marked ones, on the handicap lines or in the middle.
fn is_star(side: u16, x: u16, y: u16) -> bool {
    let edge = if side > 12 { 3 } else { 2 };
    let (middle, far) = (side / 2, side - 1 - edge);
    let line = |place: u16| side > 5 && (place == edge || place == far);
    let between = |place: u16| side > 13 && place == middle;
    let on = |place: u16| line(place) || between(place);
    on(x) && on(y) || x == middle && y == middle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mouse_finds_every_point() {
        for (side, width, height, scale) in [
            (19, 80, 24, 1),
            (9, 80, 22, 2),
            (13, 80, 22, 1),
            (9, 160, 48, 5),
            (19, 160, 48, 2),
            (5, 10, 3, 1),
        ] {
            let area = Rect::new(2, 1, width, height);
            let layout = BoardLayout::new(side, area, NUMBERS, Theme::FULL);
            assert_eq!(layout.scale, scale, "{side} {width}x{height}");
            for point in points(side as u16) {
                let (x, y) = layout.middle(point);
                assert_eq!(layout.point(x, y), Some(point));
            }
            assert_eq!(layout.point(1, 1), None);
            assert_eq!(BoardLayout::new(side, area, NUMBERS, Theme::PLAIN).scale, 1);
        }
    }

    #[test]
    fn stars_are_where_they_belong() {
        let stars = |side: u16| {
            let all = (0..side * side).filter(|at| is_star(side, at % side, at / side));
            all.map(|at| (at % side, at / side)).collect::<Vec<_>>()
        };
        assert_eq!([5, 9, 13, 19].map(|side| stars(side).len()), [1, 5, 5, 9]);
        assert_eq!(stars(9), [(2, 2), (6, 2), (4, 4), (2, 6), (6, 6)]);
        assert!(stars(19).contains(&(3, 9)) && stars(13).contains(&(3, 3)));
    }
}
