//! The drawing of a [`Session`]: one or two fields with their panels.

use super::act::Act;
use super::opponent::Opponent;
use super::session::{GameResult, Mode, Phase, Session, TICKS};
use crate::games::tetris::field::{Canvas, Field, PIECE, ROWS, WIDTH, placed, scale_for};
use crate::screen::theme::{Theme, palette};
use crate::screen::widgets::{self, grouped};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use tetris::Piece;
use tetris::real_time::{Goal, Key};

const NEXT: usize = 5;
/// The row of the keys below the fields. If there is room, an empty one is above it.
const FOOTER: u16 = 1;
/// The sizes of the parts: cells are `scale` rows high and twice as many columns wide.
#[derive(Clone, Copy)]
struct Sizes {
    scale: u16,
    /// The columns of the left panel, of a bordered field, and of the right panel.
    left: u16,
    field: u16,
    right: u16,
    width: u16,
    height: u16,
}

impl Sizes {
    fn new(scale: u16, fields: u16) -> Self {
        let left = (PIECE * scale + 2).max(12);
        let field = WIDTH * scale + 2;
        let right = PIECE * scale + 1;
        let width = left + fields * (1 + field + 1 + right) - 1;
        Self { scale, left, field, right, width, height: (ROWS + 1) * scale + 1 }
    }
}

struct Side<'a> {
    field: Field<'a>,
    next: &'a [Piece],
    garbage: u32,
    name: String,
}

fn fields(session: &Session) -> u16 {
    if session.opponent.is_some() { 2 } else { 1 }
}

pub(super) fn size(session: &Session, scale: u16) -> (u16, u16) {
    let sizes = Sizes::new(scale, fields(session));
    (sizes.width, sizes.height + FOOTER)
}

/// Draws a session. Anything that would help to think is hidden while the clock is stopped.
pub(super) fn draw(session: &Session, frame: &mut Frame<'_>, theme: Theme) {
    let area = frame.area();
    let scale = scale_for((area.width, area.height), |scale| size(session, scale));
    let sizes = Sizes::new(scale, fields(session));
    let above_keys = area.height - FOOTER;
    let height = if above_keys > sizes.height { above_keys - 1 } else { above_keys };
    let above_keys = Rect { height, ..area };
    let middle = widgets::centered(above_keys, sizes.width, sizes.height);
    let mut canvas = Canvas { buffer: frame.buffer_mut(), area: middle, scale: sizes.scale, theme };
    let shown = session.shows_game();
    let hold = |held: Option<Piece>| held.filter(|_| shown);
    let x = middle.x + sizes.left + 1;
    let field = Rect { x, width: sizes.field, ..middle };
    draw_panel(&mut canvas, session, hold(session.game.held()), sizes.left);
    draw_side(&mut canvas, x, &player(session), shown);
    if let Some(bot) = &session.opponent {
        let x = x + sizes.field + sizes.right + 2;
        draw_side(&mut canvas, x, &opponent(session, bot), shown);
        let y = middle.y + 2 + NEXT as u16 * (2 * sizes.scale + 1);
        canvas.pieces(x + sizes.field + 1, y, "hold", hold(bot.held()).as_slice(), false);
    }
    draw_keys(frame, session, theme);
    if let Some(lines) = message(session) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        // Drawn over the field, to leave all figures visible.
        widgets::message(frame, field, theme, &lines);
    }
}

fn draw_keys(frame: &mut Frame<'_>, session: &Session, theme: Theme) {
    let of = |acts: &[Act]| {
        let keys: Vec<String> = acts.iter().map(|&act| session.keys.first(act)).collect();
        keys.join(" ").trim().replace("left right", "arrows")
    };
    let play = Act::Play;
    let shown = [
        (of(&[play(Key::Left), play(Key::Right)]), "move"),
        (of(&[play(Key::HardDrop)]), "drop"),
        (of(&[play(Key::Cw), play(Key::Ccw)]), "rotate"),
        (of(&[play(Key::Hold)]), "hold"),
        (of(&[Act::Pause]), "pause"),
        if session.settings.mode == Mode::Practice {
            (of(&[Act::Undo]), "undo")
        } else {
            (of(&[Act::Restart]), "restart")
        },
        ("?".to_owned(), "keys"),
        ("q".to_owned(), "quit"),
    ];
    let shown: Vec<(&str, &str)> =
        shown.iter().map(|(key, meaning)| (key.as_str(), *meaning)).collect();
    let width: usize =
        shown.iter().map(|(key, meaning)| key.chars().count() + meaning.len() + 3).sum();
    let area = frame.area();
    let last_row = Rect { y: area.bottom() - 1, height: 1, ..area };
    widgets::keys(frame, widgets::centered(last_row, width as u16, 1), &shown, theme);
}

fn player(session: &Session) -> Side<'_> {
    let game = &session.game;
    // The cleared lines flash until the next piece comes.
    let flashes =
        session.phase == Phase::Running && game.falling().is_none() && game.game().combo() > 0;
    let (cells, flash) = match &session.cleared {
        (cells, flash) if flashes => (cells, *flash),
        _ => (&session.cells, 0),
    };
    let falling = game.falling().map(placed);
    let ghost = game.ghost().map(placed);
    let name = if session.opponent.is_some() { "YOU" } else { "" };
    let garbage = game.game().garbage().lines();
    let field = Field { cells, falling, ghost, flash };
    Side { field, next: game.next(), garbage, name: name.to_owned() }
}

fn opponent<'a>(session: &Session, bot: &'a Opponent) -> Side<'a> {
    let per_second = f64::from(TICKS) / f64::from(session.settings.interval);
    let falling = bot.falling().map(placed);
    Side {
        field: Field { cells: &bot.cells, falling, ghost: None, flash: 0 },
        next: bot.next(),
        garbage: bot.garbage(),
        name: format!("BOT {per_second:.1} PPS"),
    }
}

/// Returns the lines of the box over the field, at most twenty characters wide.
fn message(session: &Session) -> Option<Vec<String>> {
    let text = |line: &str| Some(line.to_owned());
    let lines = match session.phase {
        Phase::Running => match session.countdown()? {
            1 if session.game.ticks() == 0 => vec![text("Ready")],
            seconds => vec![Some(seconds.to_string())],
        },
        Phase::Paused => {
            let key = Some(session.keys.first(Act::Pause)).filter(|key| !key.is_empty());
            vec![text("Paused"), Some(key.unwrap_or("enter".to_owned()) + "  resume")]
        }
        Phase::Asking => vec![text("Start a new game?"), text("y / n")],
        Phase::Over(outcome) => {
            let time = minutes(session.milliseconds());
            let mode = session.settings.mode;
            let result = match outcome {
                GameResult::ToppedOut if mode == Mode::Survival => format!("Survived {time}"),
                GameResult::ToppedOut => "Game over".to_owned(),
                GameResult::Finished if mode == Mode::Ultra => "Two minutes are over".to_owned(),
                GameResult::Finished => format!("{} lines in {time}", session.game.lines()),
                GameResult::Won => format!("You win in {time}"),
                GameResult::Lost => "The bot wins".to_owned(),
            };
            let points =
                mode.counts_points().then(|| format!("{} points", grouped(session.game.score())));
            let best = session.is_best.then(|| "Your best result".to_owned());
            let again = Some(format!("{}  new game", session.keys.first(Act::Restart)));
            vec![Some(result), points, best, again, text("q  quit")]
        }
    };
    Some(lines.into_iter().flatten().collect())
}

/// Returns a time such as `1:02.45`.
pub(super) fn minutes(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let rest = milliseconds % 1000;
    format!("{}:{:02}.{:02}", seconds / 60, seconds % 60, rest / 10)
}

fn draw_panel(canvas: &mut Canvas<'_>, session: &Session, held: Option<Piece>, width: u16) {
    let game = &session.game;
    let faint = canvas.theme.faint();
    let strong = canvas.theme.strong();
    let Rect { x, y: top, .. } = canvas.area;
    let scale = canvas.scale;
    canvas.pieces(x, top, "hold", held.as_slice(), !game.can_hold() && game.falling().is_some());
    let mut y = top + 2 * scale + 2;
    for (label, value) in figures(session) {
        canvas.text(x, y, label, faint);
        canvas.text(x, y + 1, &value, strong);
        y += 1 + scale.min(2);
    }
    for (label, value) in counts(session) {
        if !value.is_empty() {
            canvas.text(x, y, label, faint);
            canvas.text(x + width.saturating_sub(value.len() as u16), y, &value, strong);
        }
        y += 1;
    }
    let style = canvas.theme.text(palette::WARM).add_modifier(Modifier::BOLD);
    for (y, line) in (y + 1..).zip(session.words()) {
        canvas.text(x, y, line, style);
    }
}

/// Returns the figures with labels above them.
fn figures(session: &Session) -> [(&'static str, String); 3] {
    let points = session.settings.mode.counts_points();
    let best = session.best.best().map_or_else(
        || "none".to_owned(),
        |best| if points { grouped(best) } else { minutes(best) },
    );
    let (label, time) = match session.game.rules().goal {
        Goal::Ticks(ticks) => ("time left", u64::from(ticks).saturating_sub(session.game.ticks())),
        _ => ("time", session.milliseconds()),
    };
    [("score", grouped(session.game.score())), (label, minutes(time)), ("best", best)]
}

/// Returns the one-line figures, including empty ones.
fn counts(session: &Session) -> Vec<(&'static str, String)> {
    let game = &session.game;
    let lines = match game.rules().goal {
        Goal::Lines(goal) => format!("{}/{goal}", game.lines()),
        Goal::Endless | Goal::Ticks(_) => game.lines().to_string(),
    };
    let seconds = session.milliseconds() as f64 / 1000.0;
    let pieces = game.game().pieces() as f64;
    let per = |number: f64, all: f64| if all > 0.0 { number / all } else { 0.0 };
    let after_first =
        |number: u32| if number > 1 { (number - 1).to_string() } else { String::new() };
    let mut counts = vec![
        ("level", game.level().to_string()),
        ("lines", lines),
        ("PPS", format!("{:.1}", per(pieces, seconds))),
    ];
    if session.opponent.is_some() {
        let attack = session.attack as f64;
        counts.push(("APM", format!("{:.1}", per(attack, seconds / 60.0))));
        counts.push(("APP", format!("{:.2}", per(attack, pieces))));
    }
    counts.push(("combo", after_first(game.game().combo())));
    counts.push(("b2b", after_first(game.game().back_to_back())));
    counts
}

/// Draws a field with walls and floor, one row above them, and the preview on the right.
fn draw_side(canvas: &mut Canvas<'_>, left: u16, side: &Side<'_>, shown: bool) {
    let scale = canvas.scale;
    let theme = canvas.theme;
    let top = canvas.area.y;
    let width = WIDTH * scale;
    let right = left + width + 1;
    let floor = top + (ROWS + 1) * scale;
    let border = theme.border();
    let faint = theme.faint();
    let waiting = side.garbage.min(ROWS.into()) as u16 * scale;
    for y in top + scale..floor {
        if floor - y <= waiting {
            canvas.text(left, y, theme.pick("█", "#"), theme.text(palette::BAD));
        } else {
            canvas.text(left, y, border.vertical_left, faint);
        }
        canvas.text(right, y, border.vertical_right, faint);
    }
    let line = border.horizontal_bottom.repeat(width.into());
    canvas.text(left, floor, border.bottom_left, faint);
    canvas.text(left + 1, floor, &line, faint);
    canvas.text(right, floor, border.bottom_right, faint);
    if !side.name.is_empty() {
        let name = format!(" {} ", side.name);
        canvas.text(left + (width + 2 - name.len() as u16) / 2, floor, &name, theme.strong());
    }
    canvas.field(left + 1, floor, shown.then_some(&side.field));
    let next = if shown { &side.next[..side.next.len().min(NEXT)] } else { &[] };
    canvas.pieces(right + 2, top, "next", next, false);
}
