//! Drawing code shared by several screens.

use super::theme::{Rgb, Theme, palette};
use indicatif::HumanCount;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Widget};

/// Writes text at a position, cut off at the right edge of `area`. Nothing is drawn outside the
/// area.
pub(crate) fn text(buffer: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, style: Style) {
    let area = area.intersection(buffer.area);
    if area.contains(Position { x, y }) {
        buffer.set_stringn(x, y, text, usize::from(area.right() - x), style);
    }
}

/// Returns a darker shade of a color, for letters and edges on it.
pub(crate) fn shaded(Rgb(red, green, blue): Rgb) -> Rgb {
    let darker = |part: u8| (u16::from(part) * 11 / 16) as u8;
    Rgb(darker(red), darker(green), darker(blue))
}

/// Returns a mix of two colors, `part` / 256 of the way from the first to the second.
pub(crate) fn mixed(a: Rgb, b: Rgb, part: u8) -> Rgb {
    let mix = |a: u8, b: u8| {
        let a = i32::from(a);
        let b = i32::from(b);
        let part = i32::from(part);
        (a + (b - a) * part / 255) as u8
    };
    Rgb(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

pub(crate) fn panel(frame: &mut Frame<'_>, area: Rect, title: &str, theme: Theme) -> Rect {
    let title = Span::styled(format!(" {title} "), theme.strong());
    let block = Block::new()
        .borders(Borders::ALL)
        .border_set(theme.border())
        .border_style(theme.faint())
        .title(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    inner
}

pub(crate) fn centered(area: Rect, width: u16, height: u16) -> Rect {
    let width = width.min(area.width);
    let height = height.min(area.height);
    area.centered(Constraint::Length(width), Constraint::Length(height))
}

/// Draws a line of keys and their effects, such as `[("arrows", "move")]`. The last entry is always
/// shown, the first ones as far as they fit. An entry without a key is left out.
pub(crate) fn keys(frame: &mut Frame<'_>, area: Rect, keys: &[(&str, &str)], theme: Theme) {
    let Some((last, others)) = keys.split_last() else { return };
    let width = |(key, meaning): &(&str, &str)| key.chars().count() + 1 + meaning.chars().count();
    let mut room = usize::from(area.width).saturating_sub(width(last));
    let fits = |key: &&(&str, &str)| {
        let left = room.checked_sub(width(key) + 2);
        room = left.unwrap_or_default();
        left.is_some()
    };
    let others = others.iter().filter(|(key, _)| !key.is_empty());
    let shown: Vec<_> = others.take_while(fits).chain([last]).collect();
    let mut spans = Vec::new();
    for (key, meaning) in shown {
        spans.push(Span::styled((*key).to_owned(), theme.text(palette::ACCENT)));
        spans.push(Span::styled(format!(" {meaning}  "), theme.faint()));
    }
    Paragraph::new(Line::from(spans)).render(area, frame.buffer_mut());
}

/// Draws a bar filled to `part` of 1.
pub(crate) fn bar(buffer: &mut Buffer, area: Rect, part: f64, color: Rgb, theme: Theme) {
    let filled = (part.clamp(0.0, 1.0) * f64::from(area.width)).round() as u16;
    for x in 0..area.width {
        let full = x < filled;
        let symbol = if full { theme.pick("█", "#") } else { theme.pick("░", ".") };
        let color = if full { color } else { palette::GRID };
        text(buffer, area, area.x + x, area.y, symbol, theme.text(color));
    }
}

/// Draws a yes/no question over everything else.
pub(crate) fn question(frame: &mut Frame<'_>, theme: Theme, question: &str) {
    let line = format!("{question}  y / n");
    let words: Vec<&str> = question.split(' ').chain(["y / n"]).collect();
    first_that_fits(frame, theme, &[&[&line], &[question, "y / n"], &words, &["y / n"]]);
}

/// The actions of keys, each with the names of its keys.
pub(crate) type Page = Vec<(&'static str, Vec<String>)>;

/// Draws a page of keys over everything else, with as many lines as fit.
pub(crate) fn page(frame: &mut Frame<'_>, theme: Theme, page: &Page) {
    let line = |(action, keys): &(&str, Vec<String>)| {
        let keys = if keys.is_empty() { "-".to_owned() } else { keys.join("  ") };
        format!("{action:<16}{keys}")
    };
    let mut lines: Vec<String> = page.iter().map(line).collect();
    lines.push(format!("{:<16}q", "quit"));
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = lines.into_iter().map(|line| format!("{line:<width$}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    message(frame, frame.area(), theme, &lines);
}

/// Draws a notice instead of a screen that needs this many columns and rows, if the terminal is
/// smaller. Returns whether it is. The notice is complete from 10 columns and one row up.
pub(crate) fn too_small(frame: &mut Frame<'_>, theme: Theme, (width, height): (u16, u16)) -> bool {
    let area = frame.area();
    if area.width >= width && area.height >= height {
        return false;
    }
    let size = format!("{width}x{height}");
    let expected = format!("expected {size}");
    let need = format!("need {size}");
    let notices: [&[&str]; 6] = [
        &["The terminal is too small", &expected],
        &["The terminal", "is too small", &expected],
        &["too small", &need],
        &[&need],
        &["need", &size],
        &[&size],
    ];
    first_that_fits(frame, theme, &notices);
    true
}

fn first_that_fits(frame: &mut Frame<'_>, theme: Theme, texts: &[&[&str]]) {
    let area = frame.area();
    let fits =
        |text: &&&[&str]| widest(text) <= area.width && text.len() <= usize::from(area.height);
    if let Some(text) = texts.iter().find(fits).or(texts.last()) {
        message(frame, area, theme, text);
    }
}

fn widest(lines: &[&str]) -> u16 {
    lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) as u16
}

/// Draws lines in the middle of an area, in a box if it fits.
pub(crate) fn message(frame: &mut Frame<'_>, area: Rect, theme: Theme, lines: &[&str]) {
    let width = widest(lines);
    let height = lines.len() as u16;
    let boxed = area.width >= width + 2 && area.height >= height + 2;
    let area =
        if boxed { centered(area, width + 6, height + 2) } else { centered(area, width, height) };
    frame.render_widget(Clear, area);
    let block = Block::new()
        .borders(if boxed { Borders::ALL } else { Borders::NONE })
        .border_set(theme.border())
        .border_style(theme.text(palette::ACCENT));
    let lines: Vec<Line<'_>> = lines.iter().map(|line| Line::from(*line).centered()).collect();
    let style = Style::new().add_modifier(Modifier::BOLD);
    frame.render_widget(Paragraph::new(lines).block(block).style(style), area);
}

/// Returns a number with thousands separators, such as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// Returns a number in at most four characters, such as `950`, `12k` or `3.4M`.
pub(crate) fn short(number: f64) -> String {
    match number {
        n if n < 999.5 => format!("{n:.0}"),
        n if n < 9_950.0 => format!("{:.1}k", n / 1e3),
        n if n < 999_500.0 => format!("{:.0}k", n / 1e3),
        n if n < 9_950_000.0 => format!("{:.1}M", n / 1e6),
        n => format!("{:.0}M", n / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::text_of;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    #[test]
    fn numbers_for_people() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        let numbers = [0.4, 999.0, 1000.0, 12_345.0, 999_499.0, 1_000_000.0, 81_700_000.0];
        assert_eq!(numbers.map(short), ["0", "999", "1.0k", "12k", "999k", "1.0M", "82M"]);
    }

    fn text_drawn(width: u16, height: u16, draw: impl FnOnce(&mut Frame<'_>)) -> String {
        let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
        let Ok(frame) = terminal.draw(draw);
        text_of(frame.buffer)
    }

    #[test]
    fn a_notice_fits_every_terminal_of_ten_columns() {
        let notice = |width, height| {
            text_drawn(width, height, |frame| {
                assert_eq!(too_small(frame, Theme::PLAIN, (80, 24)), width < 80 || height < 24);
            })
        };
        for (width, height) in (1..80).flat_map(|width| (1..24).map(move |height| (width, height)))
        {
            let text = notice(width, height);
            assert!(width < 10 || text.contains("80x24"), "{width}x{height}:\n{text}");
            // No line is cut.
            let whole =
                ["The terminal is too small", "The terminal", "is too small", "too small", ""];
            let sizes = ["expected 80x24", "need 80x24", "need", "80x24"];
            let known = |line: &str| {
                let text = line.trim_matches(['|', ' ']);
                whole.contains(&text) || sizes.contains(&text) || text.starts_with('+')
            };
            assert!(width < 5 || text.lines().all(known), "{width}x{height}:\n{text}");
        }
        assert_eq!(notice(10, 1), "need 80x24\n");
        for line in [
            "+------------------+",
            "|   The terminal   |",
            "|   is too small   |",
            "|  expected 80x24  |",
        ] {
            assert!(notice(20, 5).contains(line), "{}", notice(20, 5));
        }
        notice(80, 24);
    }

    #[test]
    fn a_question_fits_small_terminals() {
        for (width, height) in [(80, 24), (28, 3), (26, 1), (20, 5), (15, 2), (10, 4), (5, 1)] {
            let text =
                text_drawn(width, height, |frame| question(frame, Theme::PLAIN, "Quit this game?"));
            let whole = text.contains("y / n") && (width < 10 || text.contains("Quit"));
            assert!(whole, "{width}x{height}:\n{text}");
        }
    }

    #[test]
    fn keys_are_left_out_whole() {
        for (width, expected) in [
            (28, "arrows move  p pause  q quit\n"),
            (27, "arrows move  q quit\n"),
            (19, "arrows move  q quit\n"),
            (18, "q quit\n"),
            (6, "q quit\n"),
        ] {
            let list = [("arrows", "move"), ("", "hold"), ("p", "pause"), ("q", "quit")];
            let text = text_drawn(width, 1, |frame| keys(frame, frame.area(), &list, Theme::PLAIN));
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn colors_are_mixed() {
        let a = Rgb(0, 100, 255);
        let b = Rgb(255, 200, 0);
        assert_eq!([0, 128, 255].map(|part| mixed(a, b, part)), [a, Rgb(128, 150, 127), b]);
    }
}
