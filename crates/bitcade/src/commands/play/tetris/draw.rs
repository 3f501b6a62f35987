//! The picture of a [`Session`]: one or two fields with what stands beside them.

use super::cells::{Cells, Tile};
use super::session::{Mode, Outcome, Session, Stage, TICKS};
use crate::screen::tetromino::color_of;
use crate::screen::theme::{Colors, Rgb, Theme, palette};
use crate::screen::widgets::{self, grouped, mixed, shaded};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use tetris::board::WIDTH;
use tetris::game::SKYLINE;
use tetris::{Location, Orientation, Piece};

const GARBAGE: Rgb = Rgb(0x7c, 0x84, 0x90);
const FLASH: Rgb = Rgb(0xf4, 0xf6, 0xfa);
/// The columns of an I, the widest piece, in cells of two characters.
const PIECE: u16 = 8;
/// The rows of the screen below the fields: an empty one and the keys.
const FOOTER: u16 = 2;
const KEYS: [(&str, &str); 7] = [
    ("arrows", "move"),
    ("space", "drop"),
    ("x z", "rotate"),
    ("c", "hold"),
    ("p", "pause"),
    ("r", "restart"),
    ("q", "quit"),
];

/// The sizes of the parts: cells are `scale` rows high and twice as many columns wide.
#[derive(Clone, Copy)]
struct Sizes {
    scale: u16,
    /// The columns of the panel at the left, of a field with its borders, and of the panel at its right.
    left: u16,
    field: u16,
    right: u16,
    width: u16,
    height: u16,
}

impl Sizes {
    fn new(scale: u16, fields: u16) -> Self {
        let left = if scale == 1 { 12 } else { 18 };
        let (field, right) = (2 * WIDTH as u16 * scale + 2, PIECE * scale + 1);
        let width = left + fields * (1 + field + 1 + right) - 1;
        Self { scale, left, field, right, width, height: (SKYLINE as u16 + 1) * scale + 1 }
    }

    fn fits(&self, area: Rect) -> bool {
        self.width <= area.width && self.height + FOOTER <= area.height
    }
}

/// One side as it is drawn.
struct Side<'a> {
    cells: &'a Cells,
    falling: Option<Location>,
    ghost: Option<Location>,
    garbage: u32,
    /// One bit for each row that flashes.
    flash: u64,
    name: String,
}

/// Draws the whole screen.
pub(super) fn session(session: &Session, frame: &mut Frame<'_>, theme: &Theme) {
    let area = frame.area();
    let fields = if session.opponent.is_some() { 2 } else { 1 };
    let [small, large] = [1, 2].map(|scale| Sizes::new(scale, fields));
    let sizes = if large.fits(area) { large } else { small };
    if !sizes.fits(area) {
        let size = format!("{}x{}", sizes.width, sizes.height + FOOTER);
        widgets::message(frame, theme, &["The terminal is too small", &format!("expected {size}")]);
        return;
    }
    let middle = widgets::centered(Rect { height: area.height - FOOTER, ..area }, sizes.width, sizes.height);
    let buffer = frame.buffer_mut();
    let x = middle.x;
    let game = &session.game;
    panel(session, buffer, Rect { width: sizes.left, ..middle }, sizes.scale, theme);
    // The cleared lines flash until the next piece comes.
    let flashes = game.falling().is_none() && session.stage == Stage::Running && !session.is_ready();
    let (cells, flash) = match &session.cleared {
        (cells, flash) if flashes && *flash != 0 && game.game().combo() > 0 => (cells, *flash),
        _ => (&session.cells, 0),
    };
    let side = Side {
        cells,
        falling: game.falling(),
        ghost: game.ghost(),
        garbage: game.game().garbage().lines(),
        flash,
        name: if fields == 2 { "YOU".to_owned() } else { String::new() },
    };
    let hidden = matches!(session.stage, Stage::Paused(_) | Stage::Asking(_));
    let field_x = x + sizes.left + 1;
    field(buffer, Rect { x: field_x, width: sizes.field, ..middle }, &sizes, &side, hidden, theme);
    let next_x = field_x + sizes.field + 1;
    let area_of = |x: u16, width: u16| Rect { x, width, ..middle };
    queue(buffer, area_of(next_x, sizes.right), sizes.scale, game.next(), None, theme);
    if let Some(bot) = &session.opponent {
        let per_second = f64::from(TICKS) / f64::from(session.settings.interval);
        let side = Side {
            cells: &bot.cells,
            falling: bot.falling(),
            ghost: None,
            garbage: bot.garbage(),
            flash: 0,
            name: format!("BOT {per_second:.1}/s"),
        };
        let field_x = next_x + sizes.right + 1;
        field(buffer, area_of(field_x, sizes.field), &sizes, &side, hidden, theme);
        let next_x = field_x + sizes.field + 1;
        queue(buffer, area_of(next_x, sizes.right), sizes.scale, bot.next(), Some(bot.held()), theme);
    }
    let width: usize = KEYS.iter().map(|(key, meaning)| key.len() + meaning.len() + 3).sum();
    let keys = widgets::centered(Rect { y: area.bottom() - 1, height: 1, ..area }, width as u16, 1);
    widgets::keys(frame, keys, &KEYS, theme);
    if let Some(lines) = message(session) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        widgets::message(frame, theme, &lines);
    }
}

/// Returns the lines of the box over the field.
fn message(session: &Session) -> Option<Vec<String>> {
    let lines: &[&str] = match session.stage {
        Stage::Running if session.is_ready() => &["Ready"],
        Stage::Running => return None,
        Stage::Paused(_) => &["Paused", "p  resume"],
        Stage::Asking(_) => &["Start a new game?  y / n"],
        Stage::Over(outcome) => {
            let time = minutes(session.milliseconds());
            let result = match outcome {
                Outcome::ToppedOut if session.settings.mode == Mode::Marathon => {
                    format!("Game over: {} points", grouped(session.game.score()))
                }
                Outcome::ToppedOut => "Game over".to_owned(),
                Outcome::Finished => format!("{} lines in {time}", session.game.lines()),
                Outcome::Won => format!("You win in {time}"),
                Outcome::Lost => "The bot wins".to_owned(),
            };
            let best = session.is_best.then(|| "Your best result".to_owned());
            return Some(
                [Some(result), best, Some("r  new game   q  quit".to_owned())]
                    .into_iter()
                    .flatten()
                    .collect(),
            );
        }
    };
    Some(lines.iter().map(|&line| line.to_owned()).collect())
}

/// Returns a time such as `1:02.45`.
pub(super) fn minutes(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    format!("{}:{:02}.{:02}", seconds / 60, seconds % 60, rest / 10)
}

/// Draws hold and numbers.
fn panel(session: &Session, buffer: &mut Buffer, area: Rect, scale: u16, theme: &Theme) {
    let game = &session.game;
    let text = |buffer: &mut Buffer, y: u16, text: &str, style| {
        widgets::text(buffer, area, area.x, area.y + y, text, style);
    };
    text(buffer, 0, "hold", theme.faint());
    if let Some(piece) = game.held() {
        draw_piece(
            buffer,
            area,
            area.x,
            area.y + 1,
            scale,
            piece,
            game.can_hold() || game.falling().is_none(),
            theme,
        );
    }
    let best = session.best.best();
    let (time, is_marathon) = (minutes(session.milliseconds()), session.settings.mode == Mode::Marathon);
    let best = best
        .map_or_else(|| "none".to_owned(), |best| if is_marathon { grouped(best) } else { minutes(best) });
    let mut y = 2 * scale + 2;
    for (label, value) in [("score", grouped(game.score())), ("time", time), ("best", best)] {
        text(buffer, y, label, theme.faint());
        text(buffer, y + 1, &value, theme.strong());
        y += if scale > 1 { 3 } else { 2 };
    }
    let lines = match game.rules().goal {
        tetris::real_time::Goal::Lines(goal) => format!("{}/{goal}", game.lines()),
        tetris::real_time::Goal::Endless => game.lines().to_string(),
    };
    let seconds = session.milliseconds() as f64 / 1000.0;
    let pieces = game.game().pieces();
    let per_second = if seconds > 0.0 { pieces as f64 / seconds } else { 0.0 };
    let (combo, chain) = (game.game().combo(), game.game().back_to_back());
    let number = |number: u32| if number > 1 { (number - 1).to_string() } else { String::new() };
    for (label, value) in [
        ("level", game.level().to_string()),
        ("lines", lines),
        ("pieces/s", format!("{per_second:.1}")),
        ("combo", number(combo)),
        ("b2b", number(chain)),
    ] {
        if !value.is_empty() {
            text(buffer, y, label, theme.faint());
            let x = area.x + area.width.saturating_sub(value.len() as u16);
            widgets::text(buffer, area, x, area.y + y, &value, theme.strong());
        }
        y += 1;
    }
    y += 1;
    for (y, line) in (y..).zip(session.words()) {
        text(buffer, y, line, theme.text(palette::WARM).add_modifier(Modifier::BOLD));
    }
}

/// Draws the preview, and a hold below it.
fn queue(
    buffer: &mut Buffer,
    area: Rect,
    scale: u16,
    next: &[Piece],
    held: Option<Option<Piece>>,
    theme: &Theme,
) {
    let (x, mut y) = (area.x, area.y);
    widgets::text(buffer, area, x, y, "next", theme.faint());
    y += 1;
    for &piece in next.iter().take(5) {
        draw_piece(buffer, area, x, y, scale, piece, true, theme);
        y += 2 * scale + 1;
    }
    if let Some(held) = held {
        widgets::text(buffer, area, x, y + 1, "hold", theme.faint());
        if let Some(piece) = held {
            draw_piece(buffer, area, x, y + 2, scale, piece, true, theme);
        }
    }
}

/// Draws a piece as it spawns, with its upper row at `y`.
#[expect(clippy::too_many_arguments, reason = "a place and a look")]
fn draw_piece(
    buffer: &mut Buffer,
    area: Rect,
    x: u16,
    y: u16,
    scale: u16,
    piece: Piece,
    bright: bool,
    theme: &Theme,
) {
    let color = if bright { color_of(piece) } else { mixed(color_of(piece), palette::GROUND, 150) };
    // An I has one row: it is drawn in the lower one, with the others' feet.
    for (dx, dy) in piece.cells(Orientation::North) {
        let place = (x + 2 * scale * (dx + 1) as u16, y + scale * (1 - dy) as u16);
        block(buffer, area, place, scale, color, theme);
    }
}

/// Draws a field: twenty rows with walls and floor, and one row above them.
fn field(buffer: &mut Buffer, area: Rect, sizes: &Sizes, side: &Side<'_>, hidden: bool, theme: &Theme) {
    let scale = sizes.scale;
    let rows = SKYLINE as u16;
    let (left, right) = (area.x, area.x + area.width - 1);
    let floor = area.y + sizes.height - 1;
    let border = theme.border();
    let faint = theme.faint();
    let waiting = (side.garbage.min(SKYLINE as u32) as u16) * scale;
    for y in area.y + scale..floor {
        let (symbol, style) = if floor - y <= waiting {
            (theme.pick("█", "#"), theme.text(palette::BAD))
        } else {
            (border.vertical_left, faint)
        };
        widgets::text(buffer, area, left, y, symbol, style);
        widgets::text(buffer, area, right, y, border.vertical_right, faint);
    }
    let line = border.horizontal_bottom.repeat(usize::from(area.width - 2));
    widgets::text(buffer, area, left, floor, border.bottom_left, faint);
    widgets::text(buffer, area, left + 1, floor, &line, faint);
    widgets::text(buffer, area, right, floor, border.bottom_right, faint);
    if !side.name.is_empty() {
        let name = format!(" {} ", side.name);
        let x = left + (area.width - name.len() as u16) / 2;
        widgets::text(buffer, area, x, floor, &name, theme.strong());
    }
    let cells_of = |at: Option<Location>| at.map(Location::cells);
    let (falling, ghost) = (cells_of(side.falling), cells_of(side.ghost));
    for row in 0..=rows {
        for column in 0..WIDTH as u16 {
            let at = (i32::from(column), i32::from(row));
            let place = (left + 1 + 2 * scale * column, area.y + scale * (rows - row));
            let on = |cells: Option<[(i32, i32); 4]>| cells.is_some_and(|cells| cells.contains(&at));
            let tile = if hidden { Tile::Empty } else { side.cells.tile(at.0, at.1) };
            let piece = side.falling.or(side.ghost).map(|at| at.piece);
            if let Some(piece) = piece.filter(|_| on(falling) && !hidden) {
                block(buffer, area, place, scale, color_of(piece), theme);
            } else if side.flash >> row & 1 == 1 {
                block(buffer, area, place, scale, FLASH, theme);
            } else if let Tile::Of(piece) = tile {
                block(buffer, area, place, scale, color_of(piece), theme);
            } else if tile == Tile::Garbage {
                block(buffer, area, place, scale, GARBAGE, theme);
            } else if let Some(piece) = piece.filter(|_| on(ghost) && !hidden) {
                let style = theme.surface(color_of(piece), palette::GROUND);
                let texture = theme.pick("░", ":").repeat(2 * usize::from(scale));
                fill(buffer, area, place, scale, [&texture; 2], style);
            } else if row < rows {
                let style = theme.surface(palette::GRID, palette::GROUND);
                let (dot, blank) = match scale {
                    1 => (theme.pick("· ", ". "), "  "),
                    _ => (theme.pick("·   ", ".   "), "    "),
                };
                fill(buffer, area, place, scale, [blank, dot], style);
            }
        }
    }
}

/// Draws a filled cell.
fn block(buffer: &mut Buffer, area: Rect, place: (u16, u16), scale: u16, color: Rgb, theme: &Theme) {
    let style = theme.surface(shaded(color), color);
    let plain = theme.colors == Colors::None || !theme.unicode;
    let texture = match scale {
        1 => ["[]"; 2],
        _ if plain => ["[  ]"; 2],
        _ => ["┌──┐", "└──┘"],
    };
    fill(buffer, area, place, scale, texture, style);
}

/// Fills a cell with a text for its upper row, if it has two, and one for its lower row.
fn fill(
    buffer: &mut Buffer,
    area: Rect,
    (x, y): (u16, u16),
    scale: u16,
    [upper, lower]: [&str; 2],
    style: ratatui::style::Style,
) {
    if scale > 1 {
        widgets::text(buffer, area, x, y, upper, style);
    }
    widgets::text(buffer, area, x, y + scale - 1, lower, style);
}
