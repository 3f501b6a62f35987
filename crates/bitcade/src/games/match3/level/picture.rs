//! [`LevelPicture`]: the cells of a level with marks, drawn in pixels of half a row.

use super::animation::{Change, Effect, Step};
use super::cells::Cells;
use crate::games::match3::animation::At;
use crate::games::match3::pieces::{Canvas, Grid, LETTERS, Mark, SHAPES};
use crate::screen::picture::Picture;
use crate::screen::theme::{Rgb, Theme, palette};
use crate::screen::widgets::{mixed, shaded};
use match3::level::{Content, Cover, Gravity, Ground, Kind, Level, LevelCell};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::sync::Arc;

const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);
const FLOOR: Rgb = Rgb(0x2a, 0x2f, 0x38);
const WALL: Rgb = Rgb(0x6a, 0x71, 0x7d);
const JELLY: [Rgb; 3] = [Rgb(0x74, 0x30, 0x66), Rgb(0xa6, 0x3f, 0x91), Rgb(0xd9, 0x5c, 0xc0)];
const ICE: Rgb = Rgb(0xd4, 0xec, 0xff);
const LOCK: Rgb = Rgb(0x70, 0x77, 0x82);
const CRATE: Rgb = Rgb(0xa0, 0x70, 0x40);
const ITEM: Rgb = Rgb(0xf3, 0xe3, 0xc3);
const DARK: Rgb = Rgb(0x16, 0x18, 0x1c);

/// Symbols of colors beyond those with a shape.
const MORE: [&str; 7] = ["I", "J", "K", "L", "M", "N", "O"];
const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// The cells at rest, or a step of a move in progress, with marks.
pub(super) struct LevelPicture {
    pub(super) level: Arc<Level>,
    pub(super) cells: Cells,
    pub(super) step: Option<(Step, f64)>,
    pub(super) marks: Vec<(At, Mark)>,
    /// Cells that the previewed swap hits.
    pub(super) hit: Vec<At>,
}

impl LevelPicture {
    pub(super) fn grid(&self, area: Rect) -> Grid {
        Grid::new(self.cells.size(), area)
    }
}

impl Picture for LevelPicture {
    fn size(&self, (width, height): (u16, u16), _: Theme) -> (u16, u16) {
        Grid::fit(self.cells.size(), width, height)
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, theme: Theme) {
        let grid = self.grid(area);
        let mut painter = Painter { canvas: Canvas::new(&grid, theme), level: &self.level };
        match &self.step {
            Some((step, part)) => painter.step(step, *part),
            None => painter.at_rest(&self.cells, &self.hit),
        }
        painter.canvas.finish(buffer, &self.marks);
    }
}

/// Returns the symbol of a color, which is 0 for a random one.
pub(super) fn symbol_of(color: u8, theme: Theme) -> &'static str {
    let index = usize::from(color).wrapping_sub(1);
    match (LETTERS.get(index), index.checked_sub(LETTERS.len())) {
        (Some(letter), _) => theme.pick(SHAPES[index], letter),
        (None, Some(more)) if color > 0 => MORE[more.min(MORE.len() - 1)],
        _ => "?",
    }
}

fn color_of(color: u8) -> Rgb {
    match usize::from(color).checked_sub(1) {
        Some(index) if index < palette::KINDS.len() => palette::KINDS[index],
        Some(index) => shaded(palette::KINDS[index % palette::KINDS.len()]),
        None => palette::FAINT,
    }
}

/// Returns the characters on both sides of a special piece.
fn sides(kind: Kind, theme: Theme) -> [&'static str; 2] {
    match kind {
        Kind::Row => [theme.pick("←", "-"), theme.pick("→", "-")],
        Kind::Column => [theme.pick("↑", "|"), theme.pick("↓", "|")],
        Kind::Bomb => ["*", "*"],
        Kind::Color => ["@", "@"],
        Kind::Square => ["+", "+"],
    }
}

struct Painter<'a> {
    canvas: Canvas<'a>,
    level: &'a Level,
}

impl Painter<'_> {
    fn at_rest(&mut self, cells: &Cells, hit: &[At]) {
        self.floor(cells);
        for (at, cell) in cells.all() {
            self.content(cell.content, place(at), 1.0, 0);
            self.prefix(at, cell);
        }
        for &at in hit {
            self.flash(at, 0.4);
        }
    }

    fn step(&mut self, step: &Step, part: f64) {
        let cells = &step.cells;
        self.floor(cells);
        let moving: &[At] = match &step.change {
            Change::Swap { cells, .. } => cells,
            Change::Hit { cleared, .. } => cleared,
            Change::Fall { .. } | Change::Limit | Change::Shuffle { .. } => &[],
        };
        if !matches!(step.change, Change::Shuffle { .. }) {
            for (at, cell) in cells.all().filter(|(at, _)| !moving.contains(at)) {
                self.content(cell.content, place(at), 1.0, 0);
                self.prefix(at, cell);
            }
        }
        match &step.change {
            Change::Swap { cells: [a, b], refused } => {
                // A refused swap turns around halfway.
                let part = if *refused { 0.5 - (part - 0.5).abs() } else { part };
                for (from, to) in [(*a, *b), (*b, *a)] {
                    let between =
                        |from: usize, to: usize| from as f64 + (to as f64 - from as f64) * part;
                    let place = (between(from.0, to.0), between(from.1, to.1));
                    self.content(step.cells.get(from).content, place, 1.0, 0);
                }
            }
            Change::Hit { cleared, hit, created, effects } => {
                self.hit(step, part, cleared, hit, created, effects);
            }
            Change::Fall { moving, units } => {
                let time = part * units;
                for one in moving {
                    let Some(at) = one.place(time) else { continue };
                    let start = one.path.first().map_or(0.0, |&(_, start)| start);
                    let scale = if one.grows { (time - start).clamp(0.3, 1.0) } else { 1.0 };
                    self.content(one.content, at, scale, 0);
                }
            }
            Change::Shuffle { next } => {
                // The pieces shrink, and the new ones grow.
                let (shown, scale) = match part {
                    part if part < 0.4 => (cells, 1.0),
                    part if part < 0.7 => (cells, (0.7 - part) / 0.3),
                    part => (next, (part - 0.7) / 0.3),
                };
                for (at, cell) in shown.all() {
                    let is_piece = matches!(cell.content, Content::Piece { .. });
                    self.content(cell.content, place(at), if is_piece { scale } else { 1.0 }, 0);
                    self.prefix(at, cell);
                }
            }
            Change::Limit => {}
        }
    }

    fn hit(
        &mut self,
        step: &Step,
        part: f64,
        cleared: &[At],
        hit: &[At],
        created: &[(At, Content)],
        effects: &[Effect],
    ) {
        // With effects, what they hit goes in the second half.
        let begin = if effects.is_empty() { 0.0 } else { 0.4 };
        let gone = ((part - begin) / (1.0 - begin)).clamp(0.0, 1.0);
        for &at in cleared {
            let content = step.cells.get(at).content;
            let scale = 1.0 - ((gone - 0.4).max(0.0) / 0.6);
            let flash = if part > 0.0 { 170 } else { 0 };
            self.content(content, place(at), scale, flash);
        }
        for &at in hit {
            self.flash(at, 0.7 * (1.0 - part));
        }
        for effect in effects {
            match *effect {
                Effect::Area { from, columns, rows } => self.area(part, from, columns, rows),
                Effect::Flight { from, to, color } => {
                    let part = (part / 0.6).min(1.0);
                    let between =
                        |from: usize, to: usize| from as f64 + (to as f64 - from as f64) * part;
                    // An arc that rises by up to a cell.
                    let rise = 4.0 * part * (1.0 - part);
                    let at = (between(from.0, to.0), between(from.1, to.1) - rise);
                    let special = Some(Kind::Square);
                    if part < 1.0 {
                        let cover = Cover::None;
                        self.content(Content::Piece { color, special, cover }, at, 0.8, 0);
                    } else {
                        self.flash(to, 0.8 * (1.0 - gone));
                    }
                }
            }
        }
        if gone > 0.5 {
            for &(at, content) in created {
                self.content(content, place(at), (gone - 0.5) / 0.5, 0);
            }
        }
    }

    /// A flash that spreads from a cell to columns and rows, and fades.
    fn area(&mut self, part: f64, from: At, columns: (usize, usize), rows: (usize, usize)) {
        let spread = (part / 0.45).min(1.0);
        let strength = 0.75 * (1.0 - ((part - 0.45).max(0.0) / 0.55));
        let reach = |from: usize, end: usize| from as f64 + (end as f64 - from as f64) * spread;
        for y in rows.0..=rows.1 {
            for x in columns.0..=columns.1 {
                let is_in = |at: usize, from: usize, (first, last): (usize, usize)| {
                    let at = at as f64;
                    at >= reach(from, first) - 0.5 && at <= reach(from, last) + 0.5
                };
                if is_in(x, from.0, columns) && is_in(y, from.1, rows) {
                    self.flash((x, y), strength);
                }
            }
        }
    }

    /// Lightens an open cell, by 0 to 1.
    fn flash(&mut self, (x, y): At, strength: f64) {
        let spec = self.level.spec();
        let is_void = spec.cells[y * spec.width + x].ground == Ground::Void;
        if is_void || !self.canvas.has_surfaces() {
            return;
        }
        let side = self.canvas.side;
        let part = (strength.clamp(0.0, 1.0) * 255.0) as u8;
        for row in 0..side {
            for column in 0..side {
                let x = side * x as i32 + column + 1;
                let y = side * y as i32 + row + 1;
                let color = mixed(self.canvas.get(x, y), WHITE, part);
                self.canvas.set(x, y, color);
            }
        }
    }

    /// Draws walls, open cells, jelly, exits and portals.
    fn floor(&mut self, cells: &Cells) {
        let side = self.canvas.side;
        for (at, cell) in cells.all() {
            if !self.canvas.has_surfaces() {
                self.symbols_of_ground(at, cell);
                continue;
            }
            let color = match cell.ground {
                Ground::Void => continue,
                Ground::Wall => WALL,
                Ground::Open => match cell.jelly {
                    0 => FLOOR,
                    layers => JELLY[usize::from(layers - 1).min(2)],
                },
            };
            let (left, top) = (side * at.0 as i32, side * at.1 as i32);
            for y in 0..=side {
                for x in 0..=side {
                    let (x, y) = (left + x, top + y);
                    let is_joint = cell.ground == Ground::Wall && is_joint(x, y, side);
                    self.canvas.set(x, y, if is_joint { shaded(WALL) } else { color });
                }
            }
        }
        if self.canvas.has_surfaces() {
            self.edges();
        }
    }

    /// Marks where items leave and where portals begin and end, on the side where things come or go.
    fn edges(&mut self) {
        let spec = self.level.spec();
        let (up, down) = match spec.gravity {
            Gravity::Down => (Side::Top, Side::Bottom),
            Gravity::Up => (Side::Bottom, Side::Top),
            Gravity::Left => (Side::Right, Side::Left),
            Gravity::Right => (Side::Left, Side::Right),
        };
        for &exit in &spec.exits {
            self.edge(exit, down, palette::GOOD);
        }
        for (color, portal) in (1..).zip(&spec.portals) {
            let color = color_of(1 + (color + 4) % 8);
            self.edge(portal.entrance, down, color);
            self.edge(portal.exit, up, color);
        }
    }

    fn edge(&mut self, at: At, on: Side, color: Rgb) {
        let side = self.canvas.side;
        let (left, top) = (side * at.0 as i32, side * at.1 as i32);
        for i in 0..=side {
            let (x, y) = match on {
                Side::Top => (left + i, top),
                Side::Bottom => (left + i, top + side),
                Side::Left => (left, top + i),
                Side::Right => (left + side, top + i),
            };
            self.canvas.set(x, y, color);
        }
    }

    /// Without surfaces, walls and empty cells are characters.
    fn symbols_of_ground(&mut self, (x, y): At, cell: LevelCell) {
        let side = self.canvas.side;
        let rows = i32::from(self.canvas.grid.rows);
        let wall = self.canvas.theme.pick("▒", "#");
        if cell.ground == Ground::Wall {
            for row in 0..rows {
                for column in 1..side.max(2) {
                    let x = side * x as i32 + column;
                    self.canvas.symbols.push((x, rows * y as i32 + row, wall, palette::FAINT));
                }
            }
        } else if cell.ground == Ground::Open && cell.content == Content::Empty {
            let x = side * x as i32 + side / 2;
            let row = rows * y as i32 + (rows - 1) / 2 + i32::from(rows == 2);
            self.canvas.symbols.push((x, row, ".", palette::FAINT));
        }
    }

    /// Without surfaces, writes what covers a piece or is under it in front of it.
    fn prefix(&mut self, at: At, cell: LevelCell) {
        if self.canvas.has_surfaces() {
            return;
        }
        let spec = self.level.spec();
        let is_small = self.canvas.grid.rows == 1;
        let cover = match cell.content {
            Content::Piece { cover: Cover::Lock, .. } => Some("!"),
            Content::Piece { cover: Cover::Ice(layers), .. } => {
                Some(if layers == 1 { "'" } else { "\"" })
            }
            Content::Piece { special: Some(kind), .. } if is_small => {
                Some(sides(kind, self.canvas.theme)[0])
            }
            _ => None,
        };
        let jelly = match cell.jelly {
            0 => None,
            1 => Some(":"),
            _ => Some("%"),
        };
        let exit = spec.exits.contains(&at).then_some("_");
        let portal = spec.portals.iter().find_map(|portal| {
            let end = (portal.exit == at).then_some("o");
            if portal.entrance == at { Some("O") } else { end }
        });
        if let Some(character) = cover.or(jelly).or(exit).or(portal) {
            let side = self.canvas.side;
            let rows = i32::from(self.canvas.grid.rows);
            let row = rows * at.1 as i32 + rows / 2;
            self.canvas.symbols.push((side * at.0 as i32, row, character, palette::TEXT));
        }
    }

    /// Draws what is in a cell, at a place in cells, smaller by `scale` and lighter by `flash`.
    fn content(&mut self, content: Content, at: (f64, f64), scale: f64, flash: u8) {
        let side = self.canvas.side;
        let theme = self.canvas.theme;
        let length = side - 1;
        let pixel = |at: f64| (at * f64::from(side)).round() as i32;
        let left = 1 + pixel(at.0);
        let top = 1 + pixel(at.1);
        let shrunk = ((1.0 - scale.clamp(0.0, 1.0)) * f64::from(length / 2 + 1)) as i32;
        let (base, symbol) = match content {
            Content::Empty => return,
            Content::Item => (ITEM, "o"),
            Content::Crate(layers) => (CRATE, DIGITS[usize::from(layers.min(9))]),
            Content::Piece { color, .. } => (color_of(color), symbol_of(color, theme)),
        };
        let base = if flash > 0 { mixed(base, WHITE, flash) } else { base };
        let surfaces = self.canvas.has_surfaces();
        if surfaces {
            for y in shrunk..length - shrunk {
                for x in shrunk..length - shrunk {
                    if let Some(color) = texture(content, base, length, x, y) {
                        self.canvas.set(left + x, top + y, color);
                    }
                }
            }
        }
        if flash > 0 && surfaces || scale < 0.6 {
            return;
        }
        let row = (top + length / 2).div_euclid(2);
        let row = if self.canvas.grid.rows == 1 { (top - 1).div_euclid(2) } else { row };
        let middle = left + (length - 1) / 2;
        let mut write = |x: i32, text: &'static str| {
            let ink = if surfaces { theme.ink(self.canvas.get(x, 2 * row + 1)) } else { base };
            self.canvas.symbols.push((x, row, text, ink));
        };
        // A plain crate is its planks.
        if !surfaces || content != Content::Crate(1) {
            write(middle, symbol);
        }
        if let Content::Piece { special: Some(kind), .. } = content
            && (3..6).contains(&length)
        {
            let [before, after] = sides(kind, theme);
            write(middle - 1, before);
            write(middle + 1, after);
        }
    }
}

#[derive(Clone, Copy)]
enum Side {
    Top,
    Bottom,
    Left,
    Right,
}

fn place((x, y): At) -> (f64, f64) {
    (x as f64, y as f64)
}

/// Returns whether a pixel of a wall is between its bricks.
fn is_joint(x: i32, y: i32, side: i32) -> bool {
    let height = (side / 2).max(2);
    let width = 2 * height;
    let row = y.div_euclid(height);
    y.rem_euclid(height) == 0 || (x + row % 2 * height).rem_euclid(width) == 0
}

/// Returns the color of a pixel of a content that is `length` pixels wide and high. Round corners
/// have none.
fn texture(content: Content, base: Rgb, length: i32, x: i32, y: i32) -> Option<Rgb> {
    // Distances from the middle, in half pixels.
    let [dx, dy] = [x, y].map(|at| (2 * at - length + 1).abs());
    let edge = dx.max(dy) == length - 1;
    let [near_x, near_y] = [x, y].map(|at| at.min(length - 1 - at));
    let cut = if length < 7 { 0 } else { (length - 3) / 4 };
    let is_corner = near_x + near_y < cut;
    let light = mixed(base, WHITE, 150);
    match content {
        Content::Empty => None,
        Content::Item => {
            let leaf = length > 3 && y == 0 && dx < 2;
            (!is_corner).then_some(if leaf { palette::GOOD } else { base })
        }
        Content::Crate(layers) => {
            let plank = match layers {
                1 => dx == dy && length > 3,
                2 => dy < 2 && length > 3,
                _ => (dx < 2 || dy < 2) && length > 3,
            };
            Some(if edge || plank { shaded(base) } else { base })
        }
        Content::Piece { special, cover, .. } => {
            let stripe = |d: i32| {
                let d = f64::from(d) / 2.0;
                (d - f64::from(length) * 0.25).abs() < (f64::from(length) * 0.09).max(0.5)
            };
            let is_right = x >= length / 2;
            let is_upper = y < length / 2;
            let hue = usize::from(is_right) + 2 * usize::from(dy > dx) + 4 * usize::from(is_upper);
            let color = match special {
                Some(Kind::Row) if stripe(dy) => light,
                Some(Kind::Column) if stripe(dx) => light,
                Some(Kind::Bomb) if edge => light,
                Some(Kind::Bomb) if length > 5 && dx.max(dy) <= 2 => DARK,
                Some(Kind::Square) if (x < length / 2) == (y < length / 2) => light,
                Some(Kind::Color) if dx.max(dy) * 5 < length * 2 => DARK,
                Some(Kind::Color) => palette::KINDS[hue % palette::KINDS.len()],
                _ => base,
            };
            // A small piece shows its color between two sides.
            let edge = edge && (length > 3 || x != 1);
            match cover {
                Cover::None => (!is_corner).then_some(color),
                Cover::Lock if edge => Some(LOCK),
                Cover::Lock => Some(shaded(color)),
                Cover::Ice(layers) if edge && (layers > 1 || (x + y) % 2 == 0) => Some(ICE),
                Cover::Ice(layers) if layers > 2 && near_x.min(near_y) == 1 && length > 5 => {
                    Some(ICE)
                }
                Cover::Ice(_) => Some(mixed(color, ICE, 110)),
            }
        }
    }
}
