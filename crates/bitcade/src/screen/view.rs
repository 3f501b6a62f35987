//! The trait of screens.

use super::theme::Theme;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A key that is pressed, repeated or released. Releases and repeats only come after
    /// [`Input::KeyReleases`]; other terminals send presses alone. Never `q` or Control-C.
    Key(KeyEvent),
    /// The terminal reports the release of keys from now on.
    KeyReleases,
    /// The ground of the terminal is light, or dark. Not for screens.
    Ground { light: bool },
    /// An event of the mouse, from screens that [ask for it](Screen::wants_mouse).
    Mouse(MouseEvent),
}

/// What keys do: actions, each with the names of its keys.
pub(crate) type Page = Vec<(&'static str, Vec<String>)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Continue,
    /// The screen ends, with exit status 0.
    End,
}

/// A state that is shown, takes keys, and moves with time. It knows no clock: every call has the time since
/// the start, which stands still while the user is asked whether to quit. So tests are exact.
pub(crate) trait Screen {
    fn advance(&mut self, now: Duration);

    /// Draws the screen. A terminal can be of any size, also too small for everything.
    fn draw(&self, frame: &mut Frame<'_>, theme: Theme);

    fn input(&mut self, input: Input, now: Duration) -> Flow;

    /// Returns the time of the next change without an input, or `None`. A time in the past is due.
    fn next_change(&self) -> Option<Duration>;

    /// Returns the question before `q` ends the screen, as `Quit this game?`, or `None` if nothing is lost.
    fn quit_question(&self) -> Option<String> {
        None
    }

    /// Returns whether the screen has ended by itself.
    fn ended(&self) -> bool {
        false
    }

    /// Pauses a game in real time, before a question or a page covers it, and when the program is stopped.
    fn pause(&mut self, _now: Duration) {}

    /// Returns what the keys do, for the page that `?` shows. The clock of the screen stands still meanwhile.
    fn page(&self) -> Page {
        Vec::new()
    }

    fn wants_mouse(&self) -> bool {
        false
    }
}
