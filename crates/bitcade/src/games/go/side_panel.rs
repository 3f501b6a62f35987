//! [`SidePanel`]: players, win rates and moves, next to the board or above it.

use super::board_picture::STONES;
use super::game_state::{GameState, Played};
use super::thinker::Chance;
use crate::screen::theme::{Colors, Theme, palette};
use crate::screen::widgets::short;
use go_mc::Color;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

/// The columns of the panel, and its rows without the list of moves.
pub(crate) const WIDTH: u16 = 32;
pub(crate) const ROWS: u16 = 11;
/// The rows of the panel above the board, and its minimum columns: for two players.
pub(crate) const ABOVE: u16 = 2;
pub(crate) const MIN_WIDTH: u16 = 24;
/// The minimum columns above the board at which the figures are labeled.
const WIDE: u16 = 34;
/// The columns of the win-rate bar.
const BAR: u16 = WIDTH - 4;

pub(crate) struct SidePanel<'a> {
    pub(crate) state: &'a GameState,
    pub(crate) komi: f64,
    pub(crate) chance: Option<&'a Chance>,
    pub(crate) is_busy: bool,
}

impl SidePanel<'_> {
    pub(crate) fn draw(&self, buffer: &mut Buffer, area: Rect, theme: Theme) {
        let mut lines = self.figures(theme);
        let turns: Vec<&[Played]> = self.state.played().chunks(2).collect();
        let rows = usize::from(area.height).saturating_sub(lines.len());
        for (i, turn) in turns.iter().enumerate().skip(turns.len().saturating_sub(rows)) {
            let names: String =
                turn.iter().map(|played| format!(" {:5}", played.mv.to_string())).collect();
            lines.push(Line::styled(format!("{:3}.{names}", 2 * i + 1), theme.faint()));
        }
        Paragraph::new(lines).render(area.intersection(buffer.area), buffer);
    }

    /// Draws two lines: the players or the result, and the message or the win rates.
    pub(crate) fn draw_above(&self, buffer: &mut Buffer, area: Rect, message: &str, theme: Theme) {
        let end = if area.width < WIDE { "" } else { " captured" };
        let players = Color::ALL.map(|color| self.player(color, 0, "", theme));
        let first = match self.state.result() {
            Some(result) if self.state.ends_record() => record_end(result, theme),
            Some(result) => outcome(result, theme, self.state.user),
            None => players.into_iter().chain([Span::raw(end)]).collect(),
        };
        let second = match self.chance {
            Some(chance) if message.is_empty() => {
                Line::styled(format!("win rate: {}", percents(chance)), theme.text(palette::TEXT))
            }
            _ => Line::styled(message, theme.text(palette::WARM)),
        };
        Paragraph::new(vec![first, second]).render(area, buffer);
    }

    fn player(&self, color: Color, width: usize, label: &str, theme: Theme) -> Span<'static> {
        let state = self.state;
        let name = if color == state.user { "you" } else { "bitcade" };
        let (marker, style) = if !state.is_over() && state.game().to_move() == color {
            (theme.pick("▶", ">"), theme.strong())
        } else {
            (" ", theme.text(palette::TEXT))
        };
        let initial = initial(color);
        let captures = state.captures(color);
        Span::styled(format!("{marker} {initial} {name:width$} {label}{captures}"), style)
    }

    fn figures(&self, theme: Theme) -> Vec<Line<'static>> {
        let state = self.state;
        let plain = theme.text(palette::TEXT);
        let faint = theme.faint();
        let size = state.game().board().size().width();
        let bonus = match state.handicap_bonus() {
            0 => String::new(),
            bonus => format!(", bonus {bonus}"),
        };
        let mut lines = vec![
            Line::styled(format!("Go {size}x{size}"), theme.strong()),
            Line::styled(
                format!("komi {}{bonus}   move {}", self.komi, state.played().len()),
                faint,
            ),
            Line::default(),
        ];
        lines.extend(Color::ALL.map(|color| self.player(color, 9, "captured ", theme).into()));
        lines.push(Line::default());
        if let Some(result) = state.result().filter(|_| state.ends_record()) {
            lines.extend([record_end(result, theme), Line::default()]);
        } else if let Some(result) = state.result() {
            lines.extend([outcome(result, theme, state.user), Line::default()]);
        }
        let Some(chance) = self.chance else {
            lines.extend([
                Line::styled(if self.is_busy { "thinking" } else { "" }, faint),
                Line::default(),
            ]);
            return lines;
        };
        let verb = if self.is_busy && state.result().is_none() { "thinking" } else { "thought" };
        lines.extend([
            Line::styled("win rate", faint),
            chance_bar(chance.black, theme),
            Line::styled(percents(chance), plain),
            Line::default(),
            Line::styled(format!("{verb}: {} playouts", short(chance.visits as f64)), faint),
            Line::default(),
        ]);
        lines
    }
}

/// Returns both win rates as one bar, Black first.
fn chance_bar(black: f64, theme: Theme) -> Line<'static> {
    let filled = (black * f64::from(BAR)).round() as u16;
    // Black would be invisible on a dark screen.
    let parts = [("#", filled, palette::GRID), (".", BAR - filled.min(BAR), STONES[1])];
    let part = |(letter, columns, ground)| {
        let symbol: &str = if theme.colors == Colors::None { letter } else { " " };
        Span::styled(symbol.repeat(usize::from(columns)), theme.surface(palette::FAINT, ground))
    };
    Line::from(parts.map(part).to_vec())
}

pub(crate) fn initial(color: Color) -> char {
    if color == Color::Black { 'B' } else { 'W' }
}

fn percents(chance: &Chance) -> String {
    let black = (100.0 * chance.black).round();
    format!("B {black}%   W {}%", 100.0 - black)
}

/// Returns the result of a finished record, of players that may be others.
fn record_end(result: &str, theme: Theme) -> Line<'static> {
    Line::styled(format!("record: {result}"), theme.text(palette::WARM).patch(theme.strong()))
}

fn outcome(result: &str, theme: Theme, user: Color) -> Line<'static> {
    let text = match result.split_once('+') {
        Some((winner, _)) if winner.starts_with(initial(user)) => format!("{result}: you win"),
        Some(_) => format!("{result}: bitcade wins"),
        None => "a draw".to_owned(),
    };
    Line::styled(text, theme.text(palette::WARM).patch(theme.strong()))
}
