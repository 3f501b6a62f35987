//! [`pressed`]: the keys of the puzzle games.

use crate::screen::view::Input;
use ratatui::crossterm::event::{KeyCode, KeyEventKind, KeyModifiers};

/// Returns the code of a pressed or repeated key without Control or Alt: letters in lower case, and the arrow
/// in place of `w`, `a`, `s` and `d`.
pub(super) fn pressed(input: Input) -> Option<KeyCode> {
    let Input::Key(key) = input else { return None };
    if key.kind == KeyEventKind::Release
        || key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
    {
        return None;
    }
    Some(match key.code {
        KeyCode::Char(letter) => match letter.to_ascii_lowercase() {
            'w' => KeyCode::Up,
            'a' => KeyCode::Left,
            's' => KeyCode::Down,
            'd' => KeyCode::Right,
            lower => KeyCode::Char(lower),
        },
        code => code,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::crossterm::event::KeyEvent;

    #[test]
    fn letters_are_arrows() {
        let key = |code, modifiers| pressed(Input::Key(KeyEvent::new(code, modifiers)));
        let plain = |code| key(code, KeyModifiers::NONE);
        assert_eq!(plain(KeyCode::Char('W')), Some(KeyCode::Up));
        assert_eq!(plain(KeyCode::Char('d')), Some(KeyCode::Right));
        assert_eq!(plain(KeyCode::Char('H')), Some(KeyCode::Char('h')));
        assert_eq!(plain(KeyCode::Left), Some(KeyCode::Left));
        assert_eq!(key(KeyCode::Char('u'), KeyModifiers::CONTROL), None);
    }
}
