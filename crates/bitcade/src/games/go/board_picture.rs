//! [`BoardPicture`]: a drawing of a board with lines and coordinates.

use super::board_layout::BoardLayout;
use crate::screen::characters::{BLOCKS, LINES};
use crate::screen::picture::Picture;
use crate::screen::theme::{Colors, Rgb, Theme};
use crate::screen::widgets::{mixed, text};
use go_mc::{Board, Color, Ownership, Point};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

const WOOD: Rgb = Rgb::hex(0xb5833f);
const LINE: Rgb = Rgb::hex(0x4a3018);
const LABEL: Rgb = Rgb::hex(0x2a1a06);
/// The colors of the cursor and last-move marks, on a light and on a dark background.
const MARKS: [Rgb; 2] = Rgb::all([0x5f0000, 0xffd7d7]);
/// The colors of stones, Black first.
pub(crate) const STONES: [Rgb; 2] = Rgb::all([0x18181b, 0xf6f4ec]);

/// The share of a stone's color mixed into the wood of a certainly owned point, of 255.
const SHADE: u8 = 165;
/// The minimum ownership, of 1, at which a point counts as territory.
const OWNED: f64 = 0.3;

pub(crate) struct BoardPicture {
    pub(crate) board: Board,
    pub(crate) cursor: Option<Point>,
    pub(crate) last: Option<Point>,
    pub(crate) owners: Option<Ownership>,
}

impl Picture for BoardPicture {
    fn size(&self, (width, height): (u16, u16), theme: Theme) -> (u16, u16) {
        let Rect { width, height, .. } =
            self.layout(Rect { width, height, ..Rect::ZERO }, theme).area;
        (width, height)
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, theme: Theme) {
        let layout = &self.layout(area, theme);
        for (x, y) in layout.area.positions().map(|at| (at.x, at.y)) {
            let ground = layout.point(x, y).map_or(WOOD, |point| self.ground(point));
            if layout.scale == 1 || !self.draw_blocks(buffer, layout, (x, y), ground, theme) {
                let style = theme.surface(LINE, ground);
                text(buffer, layout.area, x, y, line_at(layout, x, y, theme), style);
            }
        }
        if layout.has_labels {
            self.draw_labels(buffer, layout, theme);
        }
        for point in layout.points() {
            self.draw_point(buffer, layout, point, theme);
        }
        // Large stones carry their mark in the middle.
        let last = self.last.filter(|_| layout.scale == 1);
        let brackets = if layout.scale == 1 { ["[", "]"] } else { ["▐", "▌"] };
        for ([left, right], point) in [(["(", ")"], last), (brackets, self.cursor)] {
            if let Some(point) = point {
                let (x, y) = layout.middle(point);
                let stone = self.board.at(point).filter(|_| layout.scale > 1);
                let ground =
                    stone.map_or_else(|| self.ground(point), |color| STONES[color as usize]);
                let style = mark(ground, theme);
                text(buffer, layout.area, x - layout.scale, y, left, style);
                text(buffer, layout.area, x + layout.scale, y, right, style);
            }
        }
    }
}

impl BoardPicture {
    fn layout(&self, room: Rect, theme: Theme) -> BoardLayout {
        BoardLayout::new(self.board.size().width(), room, theme)
    }

    /// Returns the expected ownership of a point, -1 (White) to 1 (Black).
    fn owner(&self, point: Point) -> f64 {
        self.owners.as_ref().map_or(0.0, |owners| owners.value(point))
    }

    /// Returns the color of the wood: tinted in the owner's color, except under the owner's own
    /// stones.
    fn ground(&self, point: Point) -> Rgb {
        let owner = self.owner(point);
        let color = if owner < 0.0 { Color::White } else { Color::Black };
        if self.board.at(point) == Some(color) {
            return WOOD;
        }
        // Undecided points keep the wood's color.
        let part = (owner.abs() - 0.15).max(0.0) / 0.85;
        mixed(WOOD, STONES[color as usize], (part * f64::from(SHADE)) as u8)
    }

    /// Draws a one-character point: the stone, or the owner on screens without colors.
    fn draw_point(&self, buffer: &mut Buffer, layout: &BoardLayout, point: Point, theme: Theme) {
        let (x, y) = layout.middle(point);
        let owner = self.owner(point);
        let area = layout.area;
        let by_letter = theme.colors == Colors::None;
        match self.board.at(point) {
            Some(color) if layout.scale > 1 && self.last == Some(point) => {
                text(buffer, area, x, y, "●", mark(STONES[color as usize], theme));
            }
            _ if layout.scale > 1 => {}
            Some(color) => {
                let style = theme.surface(STONES[color as usize], self.ground(point));
                let symbol = match (color, theme.unicode) {
                    (Color::White, true) if by_letter => "○",
                    (_, true) => "●",
                    (Color::Black, false) => "X",
                    (Color::White, false) => "O",
                };
                text(buffer, area, x, y, symbol, style.add_modifier(Modifier::BOLD));
                // A small letter next to a stone that is likely to be captured.
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

    /// Returns `false` if no stone covers a part of the character.
    fn draw_blocks(
        &self,
        buffer: &mut Buffer,
        layout: &BoardLayout,
        (x, y): (u16, u16),
        ground: Rgb,
        theme: Theme,
    ) -> bool {
        // Upper left, upper right, lower left, lower right.
        let mut quarters =
            [0, 1, 2, 3].map(|i| self.stone_at(layout, 2 * x + (i & 1), 2 * y + (i >> 1)));
        let first = quarters.iter().flatten().next().copied();
        let Some(first) = first else { return false };
        if quarters.iter().flatten().any(|&color| color != first) {
            // A character has two colors: between two stones no wood remains.
            for i in 0..4 {
                quarters[i] = quarters[i].or(quarters[i ^ 1]).or(quarters[i ^ 2]);
            }
        }
        let set = bits(quarters.map(|quarter| quarter == Some(first)));
        let other = quarters.iter().flatten().find(|&&color| color != first);
        let other = other.map_or(ground, |&color| STONES[color as usize]);
        let style = theme.surface(STONES[first as usize], other);
        text(buffer, layout.area, x, y, BLOCKS[set], style);
        true
    }

    /// Returns the stone covering a quarter of a character: `x` counts half columns, `y` half rows.
    fn stone_at(&self, layout: &BoardLayout, x: u16, y: u16) -> Option<Color> {
        let scale = i32::from(layout.scale);
        // The distance from the center of the upper left point, in sixteenths of a row's height: a
        // quarter of a character is 4 wide and 8 high.
        let dx = (i32::from(x) - 2 * i32::from(layout.left)) * 4 - 2;
        let dy = (i32::from(y) - 2 * i32::from(layout.top)) * 8 - 4;
        let pitch = 16 * scale;
        let nearest = |distance: i32| (distance + pitch / 2).div_euclid(pitch);
        let column = nearest(dx);
        let row = nearest(dy);
        let last = i32::from(layout.side) - 1;
        if !(0..=last).contains(&column) || !(0..=last).contains(&row) {
            return None;
        }
        let dx = dx - column * pitch;
        let dy = dy - row * pitch;
        // A radius between the quarter steps, at which disks look round.
        let radius = 8 * scale - 1;
        let color = self.board.at(Point { x: column as u8, y: (last - row) as u8 })?;
        (dx * dx + dy * dy < radius * radius).then_some(color)
    }

    fn draw_labels(&self, buffer: &mut Buffer, layout: &BoardLayout, theme: Theme) {
        let style = theme.surface(LABEL, WOOD);
        let marked = |here: bool| {
            if here { style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED) } else { style }
        };
        for i in 0..layout.side {
            let point = Point { x: i as u8, y: i as u8 };
            let (x, _) = layout.middle(point);
            let (_, y) = layout.middle(point);
            let letter = &point.to_string()[..1];
            let bottom = layout.area.bottom() - 1;
            let at =
                |part: fn(Point) -> u8| self.cursor.is_some_and(|cursor| part(cursor) == i as u8);
            text(buffer, layout.area, x, bottom, letter, marked(at(|point| point.x)));
            let number = format!("{:2}", i + 1);
            text(buffer, layout.area, layout.area.x, y, &number, marked(at(|point| point.y)));
        }
    }
}

fn mark(ground: Rgb, theme: Theme) -> Style {
    let [dark, light] = MARKS;
    let color = if dark.contrast(ground) > light.contrast(ground) { dark } else { light };
    theme.surface(color, ground).add_modifier(Modifier::BOLD)
}

fn owner_letter(owner: f64) -> &'static str {
    if owner > 0.0 { "x" } else { "o" }
}

fn line_at(layout: &BoardLayout, x: u16, y: u16, theme: Theme) -> &'static str {
    let right = 2 * layout.scale * (layout.side - 1);
    let bottom = layout.scale * (layout.side - 1);
    let (Some(dx), Some(dy)) = (x.checked_sub(layout.left), y.checked_sub(layout.top)) else {
        return " ";
    };
    if dx > right || dy > bottom {
        return " ";
    }
    let column = dx % (2 * layout.scale) == 0;
    let row = dy % layout.scale == 0;
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

/// Returns the number with these bits, lowest first.
fn bits(set: [bool; 4]) -> usize {
    (0..4).map(|i| usize::from(set[i]) << i).sum()
}

/// Returns whether a point is a star point: on the handicap lines or in the middle.
fn is_star(side: u16, x: u16, y: u16) -> bool {
    let edge = if side > 12 { 3 } else { 2 };
    let middle = side / 2;
    let far = side - 1 - edge;
    let line = |place: u16| side > 5 && (place == edge || place == far);
    let between = |place: u16| side > 13 && place == middle;
    let on = |place: u16| line(place) || between(place);
    on(x) && on(y) || x == middle && y == middle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::theme::indexed;

    /// Labels have the contrast of text; stones, lines and marks have the contrast of graphics
    /// (approximately, in 256 colors).
    #[test]
    fn everything_is_seen() {
        for colors in [Colors::True, Colors::Indexed] {
            let theme = Theme { colors, ..Theme::FULL };
            let contrast = |style: Style| {
                let [a, b] = [style.fg, style.bg].map(|color| match color {
                    Some(ratatui::style::Color::Rgb(r, g, b)) => Rgb(r, g, b),
                    Some(ratatui::style::Color::Indexed(index)) => {
                        let [r, g, b] = indexed(index);
                        Rgb(r, g, b)
                    }
                    other => panic!("{other:?}"),
                });
                a.contrast(b)
            };
            assert!(contrast(theme.surface(LABEL, WOOD)) >= 4.5);
            assert!(contrast(theme.surface(LINE, WOOD)) >= 3.0);
            for stone in STONES {
                assert!(contrast(theme.surface(stone, WOOD)) >= 2.8, "{stone:?}");
                for ground in (0..=SHADE).map(|part| mixed(WOOD, stone, part)) {
                    let contrast = contrast(mark(ground, theme));
                    assert!(contrast >= 3.0, "{colors:?} {ground:?}: {contrast}");
                }
                assert!(contrast(mark(stone, theme)) >= 4.5);
            }
        }
    }

    #[test]
    fn a_picture_takes_what_it_asks_for() {
        let first = Point { x: 0, y: 0 };
        let last = Point { x: 8, y: 8 };
        let picture = BoardPicture {
            board: Board::new(go_mc::Size::square(9).expect("a size")),
            cursor: Some(first),
            last: Some(last),
            owners: None,
        };
        for room in (1..=70).flat_map(|width| (1..=40).map(move |height| (width, height))) {
            let size = picture.size(room, Theme::FULL);
            assert!(
                size.0 <= room.0 && size.1 <= room.1 && picture.size(size, Theme::FULL) == size,
                "{room:?}"
            );
            let whole = Rect::new(0, 0, room.0 + 6, room.1 + 6);
            let mut buffer = Buffer::empty(whole);
            let area = Rect::new(3, 3, size.0, size.1);
            picture.draw(&mut buffer, area, Theme::FULL);
            let is_drawn =
                |at: ratatui::layout::Position| buffer[at] != ratatui::buffer::Cell::EMPTY;
            assert!(whole.positions().all(|at| is_drawn(at) == area.contains(at)), "{room:?}");
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
