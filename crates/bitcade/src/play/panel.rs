//! [`Panel`]: the figures and messages next to a puzzle's board, and the layout of both.

use crate::screen::theme::{Rgb, Theme, palette};
use crate::screen::widgets;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

/// The columns of the panel, and of the gap to the board.
const WIDTH: u16 = 26;
const GAP: u16 = 3;

pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) figures: Vec<(&'static str, String)>,
    /// The reached share of the goal.
    pub(crate) progress: Option<f64>,
    /// Messages, most important first.
    pub(crate) messages: Vec<(String, Tone)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    Plain,
    Faint,
}

impl Tone {
    fn style(self, theme: Theme) -> Style {
        let bold = |color: Rgb| theme.strong().patch(theme.text(color));
        match self {
            Self::Good => bold(palette::GOOD),
            Self::Bad => bold(palette::BAD),
            Self::Plain => theme.text(palette::TEXT),
            Self::Faint => theme.faint(),
        }
    }
}

pub(crate) struct Areas {
    pub(crate) board: Rect,
    panel: Rect,
    /// `true` if the panel is next to the board; otherwise it is two lines above.
    beside: bool,
    keys: Rect,
}

/// The rows of the longest panel, with and without blank lines.
const ROWS: u16 = 15;
const MIN_ROWS: u16 = 12;
/// The rows of a panel above the board.
const ABOVE: u16 = 2;
/// The minimum columns of a panel above the board: enough for the score.
const MIN_WIDTH: u16 = 20;

pub(crate) fn least_size(board: (u16, u16)) -> (u16, u16) {
    (board.0.max(MIN_WIDTH), board.1 + ABOVE + 1)
}

/// Returns the areas of a board, its panel and the line of keys. `fit` returns the board's size
/// within a width and a height. The panel goes above a board of `least` columns if it does not fit
/// next to it.
pub(crate) fn areas(area: Rect, least: u16, fit: impl Fn(u16, u16) -> (u16, u16)) -> Areas {
    let rows = area.height.saturating_sub(1);
    let keys = Rect { y: area.y + rows, height: area.height - rows, ..area };
    let beside = area.width >= least + GAP + WIDTH && rows >= MIN_ROWS;
    let (right, above) = if beside { (GAP + WIDTH, 0) } else { (0, rows.min(ABOVE)) };
    let room = Rect { y: area.y + above, height: rows - above, ..area };
    let (width, height) = fit(room.width - right, room.height);
    let all = widgets::centered(room, width + right, height);
    let board = Rect { width: width.min(all.width), ..all };
    let panel = if beside {
        let x = all.x + width + GAP;
        // A low board leaves the panel its full height.
        let y = all.y.min(room.bottom().saturating_sub(ROWS)).max(room.y);
        Rect { x, y, width: WIDTH, height: room.bottom() - y }
    } else {
        Rect { height: above, ..area }
    };
    Areas { board, panel: panel.intersection(area), beside, keys }
}

/// Returns the keys left, up, down and right for the line of keys, with arrow keys as arrow signs.
pub(crate) fn arrows(keys: &[String; 4], theme: Theme) -> String {
    if *keys == ["left", "up", "down", "right"] {
        theme.pick("←↑↓→", "arrows").to_owned()
    } else {
        keys.join(" ")
    }
}

impl Panel {
    pub(crate) fn draw(
        &self,
        frame: &mut Frame<'_>,
        areas: &Areas,
        keys: &[(&str, &str)],
        theme: Theme,
    ) {
        widgets::keys(frame, areas.keys, keys, theme);
        let area = areas.panel;
        if areas.beside {
            self.draw_beside(frame, area, theme);
        } else {
            self.draw_above(frame, area, theme);
        }
    }

    fn draw_beside(&self, frame: &mut Frame<'_>, area: Rect, theme: Theme) {
        let blank = u16::from(area.height >= ROWS);
        let mut lines = vec![Line::styled(self.title.clone(), theme.strong())];
        lines.extend((0..blank).map(|_| Line::default()));
        for (label, value) in &self.figures {
            lines.push(Line::from(vec![
                Span::styled(format!("{label:<11}"), theme.faint()),
                Span::styled(value.clone(), theme.strong()),
            ]));
        }
        if let Some(progress) = self.progress {
            let y = area.y + lines.len() as u16;
            let bar = Rect { y, height: 1, width: area.width.min(20), ..area };
            let color = if progress < 1.0 { palette::ACCENT } else { palette::GOOD };
            widgets::bar(frame.buffer_mut(), bar.intersection(area), progress, color, theme);
        }
        let used = lines.len() as u16 + u16::from(self.progress.is_some()) + blank;
        Paragraph::new(lines).render(area, frame.buffer_mut());
        let rest = Rect {
            y: area.y + used.min(area.height),
            height: area.height.saturating_sub(used),
            ..area
        };
        let messages = self.messages.iter().filter(|(text, _)| blank > 0 || !text.is_empty());
        let messages: Vec<Line<'_>> =
            messages.map(|(text, tone)| Line::styled(text.as_str(), tone.style(theme))).collect();
        Paragraph::new(messages).wrap(Wrap { trim: false }).render(rest, frame.buffer_mut());
    }

    fn draw_above(&self, frame: &mut Frame<'_>, area: Rect, theme: Theme) {
        // Figures that do not fit are left out. The score comes before the title.
        let width = |(label, value): &(&str, String)| label.len() + 1 + value.chars().count();
        let mut room = usize::from(area.width);
        let mut take = |width: usize| {
            let left = room.checked_sub(width);
            room = left.unwrap_or(room);
            left.is_some()
        };
        let score = self.figures.first().is_some_and(|figure| take(width(figure)));
        let title = take(self.title.chars().count() + 2);
        let mut spans = vec![Span::styled(if title { &self.title } else { "" }, theme.strong())];
        for (i, figure @ (label, value)) in self.figures.iter().enumerate() {
            if if i == 0 { score } else { take(width(figure) + 2) } {
                let gap = if i > 0 || title { "  " } else { "" };
                spans.push(Span::styled(format!("{gap}{label} "), theme.faint()));
                spans.push(Span::styled(value, theme.strong()));
            }
        }
        let mut lines = vec![Line::from(spans)];
        lines.extend(self.messages.first().map(|(text, tone)| {
            let width = usize::from(area.width);
            let cut = text.chars().count() > width;
            let text = if cut {
                text.chars().take(width - 3).chain("...".chars()).collect()
            } else {
                text.clone()
            };
            Line::styled(text, tone.style(theme))
        }));
        Paragraph::new(lines).render(area, frame.buffer_mut());
    }
}
