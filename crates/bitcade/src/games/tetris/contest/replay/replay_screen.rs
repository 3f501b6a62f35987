//! [`ReplayScreen`]: a record's game on the screen and in recordings.

use super::snapshot::Snapshot;
use crate::games::tetris::field::{Canvas, Field, color_of, scale_for};
use crate::io::interrupt;
use crate::io::output::Failure;
use crate::screen::record::Recorder;
use crate::screen::terminal::TerminalView;
use crate::screen::theme::{Theme, palette};
use crate::screen::view::{self, Flow, Input, Screen};
use crate::screen::widgets::{self, grouped};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEventKind};
use ratatui::layout::Rect;
use std::time::Duration;
use tetris_ai::contest::{COLUMNS, ROWS};

/// The minimum columns and rows of the picture: the bordered board and the caption next to it.
pub(super) const SIZE: (u16, u16) = (bordered(1).0 + CAPTION, bordered(1).1);
const CAPTION: u16 = 24;
/// The line of keys, and its columns.
const HELP: [(&str, &str); 5] =
    [("space", "pause"), ("arrows", "step"), ("+ -", "speed"), ("home end", "jump"), ("q", "quit")];
const HELP_WIDTH: u16 = 60;

/// The bounds of the time between two pieces.
const DELAYS: [Duration; 2] = [Duration::from_millis(5), Duration::from_secs(10)];

const fn bordered(scale: u16) -> (u16, u16) {
    (2 * COLUMNS as u16 * scale + 2, ROWS as u16 * scale + 2)
}

pub(super) struct ReplayScreen<'a> {
    boards: Vec<&'a Snapshot>,
    /// The number of pieces of the whole game.
    pieces: usize,
    at: usize,
    delay: Duration,
    /// The time of the next board; `None` while the replay is paused.
    next: Option<Duration>,
    /// `false` in recordings, which need no help.
    shows_keys: bool,
}

impl<'a> ReplayScreen<'a> {
    pub(super) fn new(
        boards: Vec<&'a Snapshot>,
        pieces: usize,
        delay: Duration,
        shows_keys: bool,
    ) -> Self {
        let next = (boards.len() > 1).then_some(delay);
        Self { boards, pieces, at: 0, delay, next, shows_keys }
    }

    /// Records all boards without waiting for real time. A signal ends the recording early.
    pub(super) fn record(
        mut self,
        mut recorder: Recorder,
        size: (u16, u16),
        theme: Theme,
    ) -> Result<(), Failure> {
        let interrupted = interrupt::install_handler();
        let failed = |error: std::io::Error| Failure::Check(format!("recording: {error}"));
        recorder.keep_all_frames();
        let mut view = TerminalView::hidden(size);
        for at in 0..self.boards.len() {
            if interrupted() {
                break;
            }
            self.at = at;
            let buffer = view.draw(|frame| view::draw(&self, frame, theme)).map_err(failed)?;
            recorder.frame(self.delay * at as u32, buffer);
        }
        recorder.finish()
    }

    fn last(&self) -> usize {
        self.boards.len().saturating_sub(1)
    }

    fn stop_at(&mut self, board: usize) {
        (self.at, self.next) = (board.min(self.last()), None);
    }

    fn set_delay(&mut self, delay: Duration, now: Duration) {
        self.delay = delay.clamp(DELAYS[0], DELAYS[1]);
        self.next = self.next.map(|_| now + self.delay);
    }

    fn draw_caption(&self, buffer: &mut Buffer, area: Rect, shown: &Snapshot, theme: Theme) {
        let kind = shown.falling.piece.kind();
        let ratio = (shown.bound > 0).then(|| shown.score as f64 / shown.bound as f64);
        let text = theme.text(palette::TEXT);
        let color = theme.text(color_of(kind)).patch(theme.strong());
        let of = format!("of {}", grouped(self.pieces as u64));
        let lines = [
            ("piece", grouped(shown.piece as u64), theme.strong()),
            ("", of, theme.faint()),
            ("shape", kind.to_string(), color),
            ("", String::new(), text),
            ("score", grouped(shown.score), theme.text(palette::WARM).patch(theme.strong())),
            ("bound", grouped(shown.bound), text),
            ("ratio", ratio.map_or_else(|| "none".to_owned(), |ratio| format!("{ratio:.4}")), text),
        ];
        let mut y = area.y;
        for (label, value, style) in &lines {
            widgets::text(buffer, area, area.x, y, label, theme.faint());
            widgets::text(buffer, area, area.x + 7, y, value, *style);
            y += 1;
        }
        let bar = |y| Rect { y, height: 1, ..area };
        widgets::bar(buffer, bar(y), ratio.unwrap_or(0.0), palette::WARM, theme);
        for (label, value) in
            [("lines", grouped(shown.total_lines.into())), ("keys", shown.keys.clone())]
        {
            y += if label == "lines" { 2 } else { 1 };
            widgets::text(buffer, area, area.x, y, label, theme.faint());
            widgets::text(buffer, area, area.x + 7, y, &value, text);
        }
        if self.shows_keys {
            let state = match self.next {
                Some(_) => format!("{:.1} PPS", 1.0 / self.delay.as_secs_f64().max(0.001)),
                None if self.at == self.last() => "the end".to_owned(),
                None => "paused".to_owned(),
            };
            widgets::text(buffer, area, area.x, y + 2, &state, theme.text(palette::ACCENT));
        }
        let done = (self.at + 1) as f64 / self.boards.len() as f64;
        widgets::bar(buffer, bar(area.bottom() - 1), done, palette::ACCENT, theme);
    }
}

impl Screen for ReplayScreen<'_> {
    fn advance(&mut self, now: Duration) {
        while let Some(next) = self.next.filter(|&next| next <= now) {
            self.at = (self.at + 1).min(self.last());
            self.next = (self.at < self.last()).then(|| next + self.delay.max(DELAYS[0]));
        }
    }

    fn next_change(&self) -> Option<Duration> {
        self.next
    }

    fn least_size(&self, _: Theme) -> (u16, u16) {
        (SIZE.0, SIZE.1 + u16::from(self.shows_keys))
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        let Some(shown) = self.boards.get(self.at) else { return };
        let help = u16::from(self.shows_keys);
        let whole = frame.area();
        let scale = scale_for((whole.width - CAPTION, whole.height - help), bordered);
        let (width, height) = bordered(scale);
        let area = widgets::centered(whole, width + CAPTION, height + help);
        let board = widgets::panel(frame, Rect { width, height, ..area }, "contest", theme);
        let caption =
            Rect { x: area.x + width + 2, width: CAPTION - 3, y: board.y, height: board.height };
        let mut canvas = Canvas { buffer: frame.buffer_mut(), area: board, scale, theme };
        let falling = Some(shown.placed());
        let field = Field { cells: &shown.cells, falling, ghost: None, flash: 0 };
        canvas.field(board.x, board.bottom(), Some(&field));
        self.draw_caption(canvas.buffer, caption, shown, theme);
        if self.shows_keys {
            let line = Rect { y: area.y + height, height: 1, ..whole };
            widgets::keys(frame, widgets::centered(line, HELP_WIDTH, 1), &HELP, theme);
        }
    }

    fn input(&mut self, input: Input, now: Duration) -> Flow {
        if let Input::Key(key) = input
            && key.kind != KeyEventKind::Release
        {
            match key.code {
                KeyCode::Char(' ') if self.next.is_some() => self.next = None,
                KeyCode::Char(' ') => {
                    // Restarts after the end.
                    self.at = if self.at == self.last() { 0 } else { self.at };
                    self.next = (self.at < self.last()).then_some(now + self.delay);
                }
                KeyCode::Left => self.stop_at(self.at.saturating_sub(1)),
                KeyCode::Right => self.stop_at(self.at + 1),
                KeyCode::Up | KeyCode::PageUp => self.stop_at(self.at.saturating_sub(100)),
                KeyCode::Down | KeyCode::PageDown => self.stop_at(self.at + 100),
                KeyCode::Home => self.stop_at(0),
                KeyCode::End => self.stop_at(self.last()),
                KeyCode::Char('+' | '=') => self.set_delay(self.delay / 2, now),
                KeyCode::Char('-') => self.set_delay(self.delay * 2, now),
                _ => {}
            }
        }
        Flow::Continue
    }
}

/// The first forty pieces of a game by tree search.
const RECORD: &str = "\
    N,L3,D19,N,D19,N,R3,D19,N,C1,R2,D18,N,C2,R5,D17,N,R1,D17,N,C1,L2,D17,N,C1,L4,D16,N,R2,D16,\
    N,C1,D14,N,C1,L2,D15,N,L2,D13,N,R4,D16,N,C1,R2,D14,N,L4,D12,N,R1,D12,N,R4,D14,N,C2,R5,D12,\
    N,L3,D11,N,C2,R2,D11,N,C1,R5,D10,N,L1,D11,N,C1,R3,D11,N,C1,L4,D11,N,R2,D11,N,R2,D9,N,C1,L1\
    ,D12,N,C1,L2,D12,N,C1,R5,D12,N,R4,D10,N,C1,R2,D9,N,C1,R5,D10,N,C1,R4,D8,N,R2,D7,N,C1,L3,D1\
    0,N,C1,L2,D9,N,C1,R4,D6,N,L4,D8,N,C1,D13,N,C1,R3,D7";

pub(crate) fn fuzzed(_: u64) -> Box<dyn Screen> {
    use super::snapshot::snapshots;
    static BOARDS: std::sync::OnceLock<Vec<Snapshot>> = std::sync::OnceLock::new();
    let boards = BOARDS.get_or_init(|| {
        snapshots(&RECORD.parse().expect("a record"), &tetris_ai::contest::Sequence::contest())
    });
    Box::new(ReplayScreen::new(
        boards.iter().collect(),
        boards.len(),
        Duration::from_millis(80),
        true,
    ))
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{Cell, snapshots};
    use super::*;
    use crate::screen::testing::{Driver, check_sizes, drawn, has_all, press_random_keys};
    use tetris_ai::contest::Sequence;

    fn boards() -> Vec<Snapshot> {
        let boards = snapshots(&RECORD.parse().expect("a record"), &Sequence::contest());
        assert_eq!(boards.len(), 40);
        boards
    }

    fn screen(boards: &[Snapshot], delay: u64) -> ReplayScreen<'_> {
        ReplayScreen::new(boards.iter().collect(), 40, Duration::from_millis(delay), true)
    }

    #[test]
    fn boards_follow_the_clock_and_the_keys() {
        let boards = boards();
        let mut screen = Driver::new(screen(&boards, 100));
        let at = |screen: &mut Driver<ReplayScreen<'_>>, milliseconds| {
            screen.advance_to(milliseconds);
            screen.at
        };
        assert_eq!([99, 100, 450].map(|time| at(&mut screen, time)), [0, 1, 4]);
        screen.press(" ");
        assert_eq!(at(&mut screen, 9000), 4);
        assert_eq!(screen.next_change(), None);
        screen.press_at(450, "→→←");
        assert_eq!(screen.at, 5);
        screen.press("+ ");
        assert_eq!([499, 500, 550].map(|time| at(&mut screen, time)), [5, 6, 7]);
        assert_eq!(at(&mut screen, 60_000), 39);
        assert_eq!(screen.next_change(), None);
        screen.press(" ");
        assert_eq!(screen.at, 0);
        assert_eq!(screen.next_change(), Some(Duration::from_millis(60_050)));
    }

    #[test]
    fn screens() {
        let boards = boards();
        let mut screen = Driver::new(ReplayScreen::new(
            boards.iter().collect(),
            10_000,
            Duration::from_millis(80),
            true,
        ));
        screen.looks_as("replay-start");
        screen.press("↘←");
        screen.looks_as("replay-paused");
    }

    #[test]
    fn stack_and_piece_are_seen_without_colors() {
        let boards = boards();
        let mut screen = Driver::new(screen(&boards, 0));
        screen.at = 30;
        let cells = (0..ROWS as i8).flat_map(|y| (0..COLUMNS as i8).map(move |x| (x, y)));
        let stack = cells.filter(|&(x, y)| boards[30].cell(x, y) == Cell::Stack).count();
        let piece = boards[30].falling.piece.kind().to_string().repeat(2);
        screen.check_without_colors(&[(80, 24)], |text, _| {
            assert_eq!(text.matches("[]").count(), stack, "{text}");
            assert_eq!(text.matches(&piece).count(), 4, "{text}");
        });
        assert!(stack > 40);
    }

    #[test]
    fn the_stack_is_that_of_the_game() {
        let boards = boards();
        let sequence = Sequence::contest();
        let mut game = tetris_ai::contest::Game::new(&sequence);
        let record: tetris_ai::contest::Record = RECORD.parse().expect("a record");
        for (shown, turn) in boards.iter().zip(record.turns()) {
            for (x, y) in (0..COLUMNS as i8).flat_map(|x| (0..ROWS as i8).map(move |y| (x, y))) {
                let stack =
                    shown.cell(x, y) != Cell::Empty && !shown.falling.cells().contains(&(x, y));
                assert_eq!(stack, game.board().filled(x, y), "piece {}: {x} {y}", shown.piece);
            }
            assert_eq!(game.play(turn), Some(shown.falling));
        }
        assert!(boards[39].total_lines > 5);
    }

    #[test]
    fn sizes() {
        let boards = boards();
        let words = ["contest", "piece", "shape", "score", "bound", "ratio", "lines", "keys"];
        for (shows_keys, height) in [(true, 23), (false, 22)] {
            let screen = ReplayScreen::new(boards.iter().collect(), 40, Duration::ZERO, shows_keys);
            check_sizes(&screen, (46, height), |text, _| {
                // All cells except the first piece's.
                let dots = text.matches(". ").count() >= 196;
                dots && has_all(text, &words) && (!shows_keys || has_all(text, &["PPS", "q quit"]))
            });
        }
    }

    #[test]
    fn random_keys() {
        let boards = boards();
        assert_eq!(press_random_keys(|| screen(&boards, 80), "←→↑↓↖↘ +-\t", 20_000, 7), 1);
        // A game without pieces has nothing to draw.
        for (width, height) in [(80, 24), (0, 0), SIZE] {
            drawn(
                &ReplayScreen::new(Vec::new(), 0, Duration::ZERO, true),
                Theme::FULL,
                width,
                height,
            );
        }
    }
}
