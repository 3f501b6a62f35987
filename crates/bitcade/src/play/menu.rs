//! [`Menu`]: the games of `bitcade play`, or the levels of one.

use crate::play::keys::pressed;
use crate::screen::theme::{Theme, palette};
use crate::screen::view::{Flow, Input, Screen};
use crate::screen::widgets::{self, Page};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use ratatui::layout::Rect;
use std::cell::Cell;
use std::time::Duration;

/// Titles to choose from, each with a description line.
pub(crate) struct Menu {
    title: &'static str,
    entries: Vec<(String, String)>,
    cursor: usize,
    chosen: bool,
    /// The first entry's position in the last frame, for the mouse.
    place: Cell<Rect>,
}

/// The columns of the titles.
const TITLES: u16 = 10;
/// The minimum columns and rows around the entries.
const AROUND: (u16, u16) = (TITLES + 4, 4);

impl Menu {
    pub(crate) fn new(title: &'static str, entries: Vec<(String, String)>) -> Self {
        Self { title, entries, cursor: 0, chosen: false, place: Cell::default() }
    }

    pub(crate) fn chosen(&self) -> Option<usize> {
        self.chosen.then_some(self.cursor)
    }

    /// Returns to the choice, with other descriptions.
    pub(crate) fn again(&mut self, entries: Vec<(String, String)>) {
        (self.entries, self.chosen) = (entries, false);
    }

    fn choose(&mut self, entry: usize) -> Flow {
        if entry >= self.entries.len() {
            return Flow::Continue;
        }
        (self.cursor, self.chosen) = (entry, true);
        Flow::End
    }
}

impl Screen for Menu {
    fn advance(&mut self, _: Duration) {}

    fn next_change(&self) -> Option<Duration> {
        None
    }

    fn wants_mouse(&self) -> bool {
        true
    }

    fn page(&self) -> Page {
        let keys = |keys: &str| keys.split(' ').map(str::to_owned).collect();
        vec![("choose", keys("up down k j")), ("play", keys("enter space 1-9"))]
    }

    fn least_size(&self, _: Theme) -> (u16, u16) {
        (AROUND.0, self.entries.len() as u16 + AROUND.1)
    }

    fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        let rows = self.entries.len() as u16;
        let about =
            self.entries.iter().map(|(_, about)| about.chars().count()).max().unwrap_or(0) as u16;
        let area = widgets::centered(frame.area(), AROUND.0 + 2 + about, rows + AROUND.1);
        let inner = widgets::panel(frame, Rect { height: rows + 2, ..area }, self.title, theme);
        self.place.set(Rect { height: rows, ..inner });
        let buffer = frame.buffer_mut();
        for (i, (y, (title, about))) in (inner.y..).zip(&self.entries).enumerate() {
            let here = i == self.cursor;
            let style = if here {
                theme.strong().patch(theme.text(palette::ACCENT))
            } else {
                theme.strong()
            };
            let mark = if here { theme.pick("▶", ">") } else { " " };
            widgets::text(buffer, inner, inner.x, y, &format!("{mark} {title}"), style);
            widgets::text(buffer, inner, inner.x + 2 + TITLES, y, about, theme.text(palette::TEXT));
        }
        let keys = Rect { y: area.bottom() - 1, height: 1, ..area };
        let up_down = (theme.pick("↑↓", "arrows"), "choose");
        widgets::keys(
            frame,
            keys,
            &[up_down, ("enter", "play"), ("?", "keys"), ("q", "quit")],
            theme,
        );
    }

    fn input(&mut self, input: Input, _: Duration) -> Flow {
        if let Input::Mouse(mouse) = input
            && mouse.kind == MouseEventKind::Down(MouseButton::Left)
            && self.place.get().contains((mouse.column, mouse.row).into())
        {
            return self.choose(usize::from(mouse.row - self.place.get().y));
        }
        match pressed(input) {
            Some(KeyCode::Up | KeyCode::Char('k')) => self.cursor = self.cursor.saturating_sub(1),
            Some(KeyCode::Down | KeyCode::Char('j')) => {
                self.cursor = (self.cursor + 1).min(self.entries.len().saturating_sub(1));
            }
            Some(KeyCode::Enter | KeyCode::Char(' ')) => return self.choose(self.cursor),
            Some(KeyCode::Char(digit @ '1'..='9')) => {
                return self.choose(digit as usize - '1' as usize);
            }
            Some(KeyCode::Esc) => return Flow::End,
            _ => {}
        }
        Flow::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::{Driver, check_sizes, code_of, has_all, key};
    use ratatui::crossterm::event::{KeyModifiers, MouseEvent};

    fn menu() -> Menu {
        let entry = |title: &str, about: &str| (title.to_owned(), about.to_owned());
        Menu::new("bitcade play", vec![entry("one", "the first"), entry("two", "the second")])
    }

    #[test]
    fn keys_and_the_mouse_choose() {
        let press = |keys: &str| {
            let mut menu = menu();
            let ended = keys
                .chars()
                .filter(|&of| menu.input(key(code_of(of)), Duration::ZERO) == Flow::End)
                .count();
            (menu.chosen(), ended)
        };
        assert_eq!(press("\n"), (Some(0), 1));
        assert_eq!(press("↓↓ "), (Some(1), 1));
        assert_eq!(press("jk\n"), (Some(0), 1));
        assert_eq!(press("92"), (Some(1), 1));
        assert_eq!(press("\x1b"), (None, 1));
        let mut menu = Driver::new(menu());
        let text = menu.text();
        let row =
            text.lines().position(|line| line.contains("the second")).expect("an entry") as u16;
        let click = |row| MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: 40,
            row,
            modifiers: KeyModifiers::NONE,
        };
        menu.input(Input::Mouse(click(0)));
        assert_eq!(Screen::input(&mut *menu, Input::Mouse(click(row)), Duration::ZERO), Flow::End);
        assert_eq!(menu.chosen(), Some(1));
    }

    #[test]
    fn sizes() {
        let least = (AROUND.0, 2 + AROUND.1);
        check_sizes(&menu(), least, |text, _| has_all(text, &["> one", "two", "q quit"]));
    }
}
