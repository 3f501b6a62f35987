//! [`SidePanel`]: players, chances and moves, beside the board.

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
pub(crate) const ROWS: u16 = 12;
/// The columns of the bar of chances.
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
            let names: String = turn.iter().map(|played| format!(" {:5}", played.mv.to_string())).collect();
            lines.push(Line::styled(format!("{:3}.{names}", 2 * i + 1), theme.faint()));
        }
        Paragraph::new(lines).render(area.intersection(buffer.area), buffer);
    }

    fn figures(&self, theme: Theme) -> Vec<Line<'static>> {
        let (state, plain, faint) = (self.state, theme.text(palette::TEXT), theme.faint());
        let size = state.game().board().size().width();
        let mut lines = vec![
            Line::styled(format!("Go {size}x{size}"), theme.strong()),
            Line::styled(format!("komi {}   move {}", self.komi, state.played().len()), faint),
            Line::default(),
        ];
        for color in Color::ALL {
            let to_move = !state.is_over() && state.game().to_move() == color;
            let marker = if to_move { theme.pick("▶", ">") } else { " " };
            let name = if color == state.user { "you" } else { "bitcade" };
            let style = if to_move { theme.strong() } else { plain };
            lines.push(Line::from(vec![
                Span::styled(format!("{marker} {} {name:10}", initial(color)), style),
                Span::styled(format!("captured {}", state.captures(color)), faint),
            ]));
        }
        lines.push(Line::default());
        if let Some(result) = state.result() {
            lines.push(Line::styled(
                outcome(result, state.user),
                theme.text(palette::WARM).patch(theme.strong()),
            ));
            lines.push(Line::default());
        }
        let Some(Chance { black, visits, line: best, .. }) = self.chance else {
            lines.push(Line::styled(if self.is_busy { "thinking" } else { "" }, faint));
            lines.push(Line::default());
            return lines;
        };
        let percent = (100.0 * black).round();
        let verb = if self.is_busy && state.result().is_none() { "thinking" } else { "thought" };
        let moves: Vec<String> = best.iter().take(5).map(ToString::to_string).collect();
        lines.extend([
            Line::styled("chance to win", faint),
            chance_bar(*black, theme),
            Line::styled(format!("B {percent}%   W {}%", 100.0 - percent), plain),
            Line::default(),
            Line::styled(format!("{verb}: {} playouts", short(*visits as f64)), faint),
            Line::styled(format!("expects {}", moves.join(" ")), faint),
            Line::default(),
        ]);
        lines
    }
}

/// Returns both chances as one bar, Black's part first.
fn chance_bar(black: f64, theme: Theme) -> Line<'static> {
    let filled = (black * f64::from(BAR)).round() as u16;
    // Black would not be seen on a dark screen.
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

/// Returns what a result such as `W+2.5` means for the user.
fn outcome(result: &str, user: Color) -> String {
    let Some((winner, by)) = result.split_once('+') else { return "a draw".to_owned() };
    let won = if winner.starts_with(initial(user)) { "you win" } else { "bitcade wins" };
    if by == "Resign" { format!("{result}: {won}") } else { format!("{result}: {won} by {by}") }
}
