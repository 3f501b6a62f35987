//! The trait of screens.

use super::theme::Theme;
use super::widgets::{self, Page};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A key press, repeat or release. Releases and repeats only come after [`Input::KeyReleases`];
    /// other terminals only send presses. Never `q` or Control-C.
    Key(KeyEvent),
    /// Whether the terminal reports key releases from now on.
    KeyReleases(bool),
    /// The active flags of kitty's keyboard protocol, which the terminal supports. Not for screens.
    KeyboardFlags(u16),
    /// The terminal's background is light, or dark. Not for screens.
    Ground { light: bool },
    /// A mouse event, for screens that [request them](Screen::wants_mouse).
    Mouse(MouseEvent),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Continue,
    /// The screen ends, with exit status 0.
    End,
}

/// A visible state that takes keys and moves with time. It has no clock, which makes tests exact:
/// every call gets the time since the start, which stops while the user is asked whether to quit.
pub(crate) trait Screen {
    fn advance(&mut self, now: Duration);

    /// Returns the minimum columns and rows. A smaller terminal shows a notice; the screen is
    /// paused and gets no keys, which nobody could see at work.
    fn least_size(&self, _theme: Theme) -> (u16, u16) {
        (0, 0)
    }

    /// Draws the screen, in any size from the [minimum](Self::least_size) up.
    fn draw(&self, frame: &mut Frame<'_>, theme: Theme);

    fn input(&mut self, input: Input, now: Duration) -> Flow;

    /// Returns the time of the next change without an input, or `None`. A time in the past is due.
    fn next_change(&self) -> Option<Duration>;

    /// Returns the question before `q` ends the screen, such as `Quit this game?`, or `None` if
    /// nothing would be lost.
    fn quit_question(&self) -> Option<String> {
        None
    }

    /// Returns whether the screen has ended by itself.
    fn ended(&self) -> bool {
        false
    }

    /// Pauses a real-time game, before a question or a page covers it, when the terminal becomes
    /// too small, and when the program is stopped.
    fn pause(&mut self, _now: Duration) {}

    /// Returns the actions of keys, for the page that `?` shows. The screen's clock is stopped
    /// meanwhile.
    fn page(&self) -> Page {
        Vec::new()
    }

    fn wants_mouse(&self) -> bool {
        false
    }
}

/// Draws a screen, or the size that it needs if the terminal is smaller.
pub(crate) fn draw(screen: &(impl Screen + ?Sized), frame: &mut Frame<'_>, theme: Theme) {
    if !widgets::too_small(frame, theme, screen.least_size(theme)) {
        screen.draw(frame, theme);
    }
}
