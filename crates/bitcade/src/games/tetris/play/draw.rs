//! The picture of a [`Session`]: one or two fields with what stands beside them.

use super::cells::{Cells, Tile};
use super::opponent::Opponent;
use super::session::{GameResult, Mode, Phase, Session, TICKS};
use crate::games::tetris::tetromino::color_of;
use crate::screen::theme::{Rgb, Theme, palette};
use crate::screen::widgets::{self, grouped, mixed, shaded};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use tetris::real_time::Goal;
use tetris::{Location, Orientation, Piece};

const GARBAGE: Rgb = Rgb(0x7c, 0x84, 0x90);
const FLASH: Rgb = Rgb(0xf4, 0xf6, 0xfa);
/// The columns of an I, the widest piece, in cells of two characters.
const PIECE: u16 = 8;
const NEXT: usize = 5;
/// The visible rows.
const ROWS: u16 = tetris::Game::SKYLINE as u16;
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
        let (field, right) = (2 * tetris::Board::WIDTH as u16 * scale + 2, PIECE * scale + 1);
        let width = left + fields * (1 + field + 1 + right) - 1;
        Self { scale, left, field, right, width, height: (ROWS + 1) * scale + 1 }
    }

    fn fits(&self, area: Rect) -> bool {
        self.width <= area.width && self.height + FOOTER <= area.height
    }
}

struct Side<'a> {
    cells: &'a Cells,
    falling: Option<Location>,
    ghost: Option<Location>,
    garbage: u32,
    /// One bit for each row that flashes.
    flash: u64,
    name: String,
}

pub(super) struct Picture<'a> {
    pub(super) session: &'a Session,
    pub(super) theme: Theme,
}

impl Picture<'_> {
    pub(super) fn draw(&self, frame: &mut Frame<'_>) {
        let Self { session, theme } = *self;
        let area = frame.area();
        let fields = if session.opponent.is_some() { 2 } else { 1 };
        let [small, large] = [1, 2].map(|scale| Sizes::new(scale, fields));
        let sizes = if large.fits(area) { large } else { small };
        if widgets::too_small(frame, theme, (sizes.width, sizes.height + FOOTER)) {
            return;
        }
        let above_keys = Rect { height: area.height - FOOTER, ..area };
        let middle = widgets::centered(above_keys, sizes.width, sizes.height);
        let mut canvas = Canvas { buffer: frame.buffer_mut(), area: middle, scale: sizes.scale, theme };
        canvas.panel(session, sizes.left);
        let hidden = matches!(session.phase, Phase::Paused(_) | Phase::Asking(_));
        let mut x = middle.x + sizes.left + 1;
        let field = Rect { x, width: sizes.field, ..middle };
        canvas.field(x, &player(session), hidden);
        x += sizes.field + 1;
        canvas.next(x, session.game.next());
        if let Some(bot) = &session.opponent {
            x += sizes.right + 1;
            canvas.field(x, &opponent(session, bot), hidden);
            x += sizes.field + 1;
            canvas.next(x, bot.next());
            canvas.hold_below(x, bot.held());
        }
        let width: usize = KEYS.iter().map(|(key, meaning)| key.len() + meaning.len() + 3).sum();
        let last_row = Rect { y: area.bottom() - 1, height: 1, ..area };
        widgets::keys(frame, widgets::centered(last_row, width as u16, 1), &KEYS, theme);
        if let Some(lines) = message(session) {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            // Over the field, so that no figure is covered.
            widgets::message(frame, field, theme, &lines);
        }
    }
}

fn player(session: &Session) -> Side<'_> {
    let game = &session.game;
    // The cleared lines flash until the next piece comes.
    let flashes = session.phase == Phase::Running && game.falling().is_none() && game.game().combo() > 0;
    let (cells, flash) = match &session.cleared {
        (cells, flash) if flashes => (cells, *flash),
        _ => (&session.cells, 0),
    };
    let name = if session.opponent.is_some() { "YOU" } else { "" };
    let garbage = game.game().garbage().lines();
    Side { cells, falling: game.falling(), ghost: game.ghost(), garbage, flash, name: name.to_owned() }
}

fn opponent<'a>(session: &Session, bot: &'a Opponent) -> Side<'a> {
    let per_second = f64::from(TICKS) / f64::from(session.settings.interval);
    Side {
        cells: &bot.cells,
        falling: bot.falling(),
        ghost: None,
        garbage: bot.garbage(),
        flash: 0,
        name: format!("BOT {per_second:.1}/s"),
    }
}

/// Returns the lines of the box over the field, which has room for twenty characters.
fn message(session: &Session) -> Option<Vec<String>> {
    let lines: &[&str] = match session.phase {
        Phase::Running if session.is_ready() => &["Ready"],
        Phase::Running => return None,
        Phase::Paused(_) => &["Paused", "p  resume"],
        Phase::Asking(_) => &["Start a new game?", "y / n"],
        Phase::Over(outcome) => {
            let time = minutes(session.milliseconds());
            let result = match outcome {
                GameResult::ToppedOut => "Game over".to_owned(),
                GameResult::Finished => format!("{} lines in {time}", session.game.lines()),
                GameResult::Won => format!("You win in {time}"),
                GameResult::Lost => "The bot wins".to_owned(),
            };
            let points = (session.settings.mode == Mode::Marathon)
                .then(|| format!("{} points", grouped(session.game.score())));
            let best = session.is_best.then(|| "Your best result".to_owned());
            let keys = ["r  new game", "q  quit"].map(|key| Some(key.to_owned()));
            return Some([Some(result), points, best].into_iter().chain(keys).flatten().collect());
        }
    };
    Some(lines.iter().map(|&line| line.to_owned()).collect())
}

/// Returns a time such as `1:02.45`.
pub(super) fn minutes(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    format!("{}:{:02}.{:02}", seconds / 60, seconds % 60, rest / 10)
}

struct Canvas<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
    scale: u16,
    theme: Theme,
}

impl Canvas<'_> {
    fn text(&mut self, x: u16, y: u16, text: &str, style: Style) {
        widgets::text(self.buffer, self.area, x, y, text, style);
    }

    /// Draws hold, numbers and words at the left border.
    fn panel(&mut self, session: &Session, width: u16) {
        let game = &session.game;
        let (faint, strong) = (self.theme.faint(), self.theme.strong());
        let (x, top, scale) = (self.area.x, self.area.y, self.scale);
        self.text(x, top, "hold", faint);
        if let Some(piece) = game.held() {
            // A piece that can't be taken now is darker.
            let bright = game.can_hold() || game.falling().is_none();
            let color = color_of(piece);
            self.piece(x, top + 1, piece, if bright { color } else { mixed(color, palette::GROUND, 150) });
        }
        let is_marathon = session.settings.mode == Mode::Marathon;
        let best = session.best.best().map_or_else(
            || "none".to_owned(),
            |best| if is_marathon { grouped(best) } else { minutes(best) },
        );
        let mut y = top + 2 * scale + 2;
        let time = minutes(session.milliseconds());
        for (label, value) in [("score", grouped(game.score())), ("time", time), ("best", best)] {
            self.text(x, y, label, faint);
            self.text(x, y + 1, &value, strong);
            y += 1 + scale;
        }
        let lines = match game.rules().goal {
            Goal::Lines(goal) => format!("{}/{goal}", game.lines()),
            Goal::Endless => game.lines().to_string(),
        };
        let seconds = session.milliseconds() as f64 / 1000.0;
        let per_second = if seconds > 0.0 { game.game().pieces() as f64 / seconds } else { 0.0 };
        let after_first = |number: u32| if number > 1 { (number - 1).to_string() } else { String::new() };
        for (label, value) in [
            ("level", game.level().to_string()),
            ("lines", lines),
            ("pieces/s", format!("{per_second:.1}")),
            ("combo", after_first(game.game().combo())),
            ("b2b", after_first(game.game().back_to_back())),
        ] {
            if !value.is_empty() {
                self.text(x, y, label, faint);
                self.text(x + width.saturating_sub(value.len() as u16), y, &value, strong);
            }
            y += 1;
        }
        let style = self.theme.text(palette::WARM).add_modifier(Modifier::BOLD);
        for (y, line) in (y + 1..).zip(session.words()) {
            self.text(x, y, line, style);
        }
    }

    fn next(&mut self, x: u16, next: &[Piece]) {
        self.text(x, self.area.y, "next", self.theme.faint());
        for (i, &piece) in (0..).zip(next.iter().take(NEXT)) {
            self.piece(x, self.area.y + 1 + i * (2 * self.scale + 1), piece, color_of(piece));
        }
    }

    fn hold_below(&mut self, x: u16, held: Option<Piece>) {
        let y = self.area.y + 2 + NEXT as u16 * (2 * self.scale + 1);
        self.text(x, y, "hold", self.theme.faint());
        if let Some(piece) = held {
            self.piece(x, y + 1, piece, color_of(piece));
        }
    }

    /// Draws a piece as it spawns, with its upper row at `y`. An I is in the lower row.
    fn piece(&mut self, x: u16, y: u16, piece: Piece, color: Rgb) {
        for (dx, dy) in piece.cells(Orientation::North) {
            let place = (x + 2 * self.scale * (dx + 1) as u16, y + self.scale * (1 - dy) as u16);
            self.block(place, color);
        }
    }

    /// Draws a field: twenty rows with walls and floor, and one row above them.
    fn field(&mut self, left: u16, side: &Side<'_>, hidden: bool) {
        let (scale, theme, top) = (self.scale, self.theme, self.area.y);
        let width = 2 * tetris::Board::WIDTH as u16 * scale;
        let (right, floor) = (left + width + 1, top + (ROWS + 1) * scale);
        let (border, faint) = (theme.border(), theme.faint());
        let waiting = side.garbage.min(ROWS.into()) as u16 * scale;
        for y in top + scale..floor {
            if floor - y <= waiting {
                self.text(left, y, theme.pick("█", "#"), theme.text(palette::BAD));
            } else {
                self.text(left, y, border.vertical_left, faint);
            }
            self.text(right, y, border.vertical_right, faint);
        }
        let line = border.horizontal_bottom.repeat(width.into());
        self.text(left, floor, border.bottom_left, faint);
        self.text(left + 1, floor, &line, faint);
        self.text(right, floor, border.bottom_right, faint);
        if !side.name.is_empty() {
            let name = format!(" {} ", side.name);
            self.text(left + (width + 2 - name.len() as u16) / 2, floor, &name, theme.strong());
        }
        for row in 0..=ROWS {
            for column in 0..tetris::Board::WIDTH as u16 {
                let place = (left + 1 + 2 * scale * column, top + scale * (ROWS - row));
                if hidden {
                    self.empty(place, row);
                } else {
                    self.cell(place, row, column, side);
                }
            }
        }
    }

    fn cell(&mut self, place: (u16, u16), row: u16, column: u16, side: &Side<'_>) {
        let at = (i32::from(column), i32::from(row));
        let piece_at = |piece: Option<Location>| piece.filter(|piece| piece.cells().contains(&at));
        if let Some(falling) = piece_at(side.falling) {
            self.block(place, color_of(falling.piece));
        } else if side.flash >> row & 1 == 1 {
            self.block(place, FLASH);
        } else {
            match (side.cells.tile(at.0, at.1), piece_at(side.ghost)) {
                (Tile::Of(piece), _) => self.block(place, color_of(piece)),
                (Tile::Garbage, _) => self.block(place, GARBAGE),
                (Tile::Empty, Some(ghost)) => {
                    let style = self.theme.surface(color_of(ghost.piece), palette::GROUND);
                    let texture = self.theme.pick("░", ":").repeat(2 * usize::from(self.scale));
                    self.fill(place, [&texture; 2], style);
                }
                (Tile::Empty, None) => self.empty(place, row),
            }
        }
    }

    /// Draws an empty cell, which has no ground above the twenty rows.
    fn empty(&mut self, place: (u16, u16), row: u16) {
        if row < ROWS {
            let style = self.theme.surface(palette::GRID, palette::GROUND);
            let texture = match self.scale {
                1 => ["  ", self.theme.pick("· ", ". ")],
                _ => ["    ", self.theme.pick("·   ", ".   ")],
            };
            self.fill(place, texture, style);
        }
    }

    fn block(&mut self, place: (u16, u16), color: Rgb) {
        let style = self.theme.surface(shaded(color), color);
        let texture = match self.scale {
            1 => ["[]"; 2],
            _ if self.theme.needs_letters() => ["[  ]"; 2],
            _ => ["┌──┐", "└──┘"],
        };
        self.fill(place, texture, style);
    }

    /// Fills a cell with a text for its upper row, if it has two, and one for its lower row.
    fn fill(&mut self, (x, y): (u16, u16), [upper, lower]: [&str; 2], style: Style) {
        if self.scale > 1 {
            self.text(x, y, upper, style);
        }
        self.text(x, y + self.scale - 1, lower, style);
    }
}
