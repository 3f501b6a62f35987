//! [`Panel`]: the figures and messages beside the board of a puzzle, and the areas of both.

use crate::screen::theme::{Rgb, Theme, palette};
use crate::screen::widgets;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

/// The columns of the panel, and those between it and the board.
const WIDTH: u16 = 26;
const GAP: u16 = 3;

/// The figures and messages of a game.
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) figures: Vec<(&'static str, String)>,
    /// The part of the goal that is reached.
    pub(super) progress: Option<f64>,
    /// Messages; the first is the most important one.
    pub(super) messages: Vec<(String, Tone)>,
}

/// The tone of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Good,
    Bad,
    Plain,
    Faint,
}

impl Tone {
    fn style(self, theme: &Theme) -> Style {
        let color = |color: Rgb| theme.strong().patch(theme.text(color));
        match self {
            Self::Good => color(palette::GOOD),
            Self::Bad => color(palette::BAD),
            Self::Plain => theme.text(palette::TEXT),
            Self::Faint => theme.faint(),
        }
    }
}

/// The areas of the parts of a screen.
pub(super) struct Areas {
    pub(super) board: Rect,
    panel: Rect,
    /// `true` if the panel is beside the board; otherwise it is two lines above.
    beside: bool,
    keys: Rect,
}

/// Returns the areas of a board, its panel and the line of keys. `fit` returns the size of the board within a
/// width and a height. A panel that leaves less than `least` columns for the board is above it.
pub(super) fn areas(area: Rect, least: u16, fit: impl Fn(u16, u16) -> (u16, u16)) -> Areas {
    let rows = area.height.saturating_sub(1);
    let keys = Rect { y: area.y + rows, height: area.height - rows, ..area };
    let beside = area.width >= least + GAP + WIDTH;
    let (right, above) = if beside { (GAP + WIDTH, 0) } else { (0, rows.min(2)) };
    let room = Rect { y: area.y + above, height: rows - above, ..area };
    let (width, height) = fit(room.width - right, room.height);
    let all = widgets::centered(room, width + right, height);
    let board = Rect { width: width.min(all.width), ..all };
    let panel = if beside {
        let x = all.x + width + GAP;
        // A low board leaves the panel its full height.
        Rect { x, y: all.y, width: WIDTH, height: (room.bottom() - all.y).max(all.height) }
    } else {
        Rect { height: above, ..area }
    };
    Areas { board, panel: panel.intersection(area), beside, keys }
}

impl Panel {
    /// Draws the panel and the line of keys.
    pub(super) fn draw(&self, frame: &mut Frame<'_>, areas: &Areas, keys: &[(&str, &str)], theme: &Theme) {
        widgets::keys(frame, areas.keys, keys, theme);
        let area = areas.panel;
        if areas.beside { self.draw_beside(frame, area, theme) } else { self.draw_above(frame, area, theme) }
    }

    fn draw_beside(&self, frame: &mut Frame<'_>, area: Rect, theme: &Theme) {
        let mut lines = vec![Line::styled(self.title.clone(), theme.strong()), Line::default()];
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
        let used = lines.len() as u16 + if self.progress.is_some() { 2 } else { 1 };
        Paragraph::new(lines).render(area, frame.buffer_mut());
        let rest =
            Rect { y: area.y + used.min(area.height), height: area.height.saturating_sub(used), ..area };
        let messages: Vec<Line<'_>> =
            self.messages.iter().map(|(text, tone)| Line::styled(text.as_str(), tone.style(theme))).collect();
        Paragraph::new(messages).wrap(Wrap { trim: false }).render(rest, frame.buffer_mut());
    }

    fn draw_above(&self, frame: &mut Frame<'_>, area: Rect, theme: &Theme) {
        let mut spans = vec![Span::styled(self.title.clone(), theme.strong())];
        for (label, value) in &self.figures {
            spans.push(Span::styled(format!("  {label} "), theme.faint()));
            spans.push(Span::styled(value.clone(), theme.strong()));
        }
        let mut lines = vec![Line::from(spans)];
        lines
            .extend(self.messages.first().map(|(text, tone)| Line::styled(text.as_str(), tone.style(theme))));
        Paragraph::new(lines).render(area, frame.buffer_mut());
    }
}
