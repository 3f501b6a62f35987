//! [`Keys`]: a game's key bindings, from its own table or from the user's file.
//!
//! The file `keys.json` in the user's configuration folder has an object for each game, with a list of keys
//! for each rebound action: `{"tetris": {"hard drop": ["space", "w"]}}`. `bitcade keys --json` prints all
//! bindings.

use crate::screen::view::{Input, Page};
use etcetera::BaseStrategy;
use ratatui::crossterm::event::{KeyCode, KeyEventKind, KeyModifiers};
use serde_json::{Map, Value};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

/// The action of a key in a game.
pub(crate) trait Action: Copy + PartialEq + 'static {
    /// Each action with its name and its default keys, separated by blanks.
    const TABLE: &'static [(Self, &'static str, &'static str)];
}

#[derive(Clone, Debug)]
pub(crate) struct Keys<A> {
    keys: Vec<(KeyCode, A)>,
}

/// The names of keys other than letters.
const NAMES: [(&str, KeyCode); 15] = [
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("space", KeyCode::Char(' ')),
    ("enter", KeyCode::Enter),
    ("tab", KeyCode::Tab),
    ("esc", KeyCode::Esc),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("page-up", KeyCode::PageUp),
    ("page-down", KeyCode::PageDown),
];

/// Keys used by all screens: quit, and the page of keys.
const RESERVED: [char; 2] = ['q', '?'];

fn code_of(name: &str) -> Option<KeyCode> {
    let named = NAMES.iter().find(|(known, _)| *known == name);
    let mut letters = name.chars().flat_map(char::to_lowercase);
    match (named, letters.next(), letters.next()) {
        (Some((_, code)), ..) => Some(*code),
        (None, Some(letter), None) if !letter.is_whitespace() => Some(KeyCode::Char(letter)),
        _ => None,
    }
}

fn name_of(code: KeyCode) -> String {
    match (NAMES.iter().find(|(_, known)| *known == code), code) {
        (Some((name, _)), _) => (*name).to_owned(),
        (None, KeyCode::Char(letter)) => letter.to_string(),
        _ => String::new(),
    }
}

/// Returns the code of a key that is pressed or repeated without Control or Alt, or released, with letters in
/// lower case.
fn plain(input: Input) -> Option<(KeyCode, KeyEventKind)> {
    let Input::Key(key) = input else { return None };
    let modified = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    if modified && key.kind != KeyEventKind::Release {
        return None;
    }
    let code = match key.code {
        KeyCode::Char(letter) => KeyCode::Char(letter.to_lowercase().next().unwrap_or(letter)),
        code => code,
    };
    Some((code, key.kind))
}

pub(crate) fn pressed(input: Input) -> Option<KeyCode> {
    plain(input).filter(|(_, kind)| *kind != KeyEventKind::Release).map(|(code, _)| code)
}

impl<A: Action> Keys<A> {
    pub(crate) fn usual() -> Self {
        let of = |&(action, _, keys): &(A, &str, &'static str)| {
            keys.split(' ').filter_map(code_of).map(move |code| (code, action))
        };
        Self { keys: A::TABLE.iter().flat_map(of).collect() }
    }

    /// Returns the default keys with the user's changes. The error describes the problem in the file, on one
    /// line.
    pub(crate) fn load(game: &str) -> Result<Self, String> {
        let Some(path) = path() else { return Ok(Self::usual()) };
        let changes = read(&path)?;
        let changed = changes.get(game).map_or(Ok(Self::usual()), |changes| Self::usual().changed(changes));
        changed.map_err(|error| format!("{}: {game}: {error}", path.display()))
    }

    pub(crate) fn changed(mut self, changes: &Value) -> Result<Self, String> {
        let expected = "expected an object such as {\"undo\": [\"u\", \"backspace\"]}";
        for (name, keys) in changes.as_object().ok_or(expected)? {
            let action = A::TABLE.iter().find(|(_, known, _)| known == name);
            let known = || A::TABLE.iter().map(|(_, name, _)| *name).collect::<Vec<_>>().join(", ");
            let (action, ..) = *action.ok_or_else(|| format!("{name}: expected one of {}", known()))?;
            let mut codes = Vec::new();
            for key in keys.as_array().ok_or_else(|| format!("{name}: expected a list of keys"))? {
                let code = key.as_str().and_then(code_of);
                let code = code.ok_or_else(|| {
                    let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
                    format!("{name}: {key}: expected a letter, or one of {}", names.join(", "))
                })?;
                if RESERVED.map(KeyCode::Char).contains(&code) {
                    return Err(format!("{name}: {key} is reserved by all screens"));
                }
                codes.push((code, action));
            }
            self.keys.retain(|(_, other)| *other != action);
            self.keys.extend(codes);
        }
        for (i, &(code, action)) in self.keys.iter().enumerate() {
            if let Some((_, other)) = self.keys[..i].iter().find(|(other, _)| *other == code) {
                let [a, b] = [*other, action].map(name);
                return Err(format!("{} is bound to both {a} and {b}", name_of(code)));
            }
        }
        Ok(self)
    }

    pub(crate) fn action(&self, code: KeyCode) -> Option<A> {
        self.keys.iter().find(|(known, _)| *known == code).map(|(_, action)| *action)
    }

    pub(crate) fn event(&self, input: Input) -> Option<(A, KeyEventKind)> {
        let (code, kind) = plain(input)?;
        Some((self.action(code)?, kind))
    }

    pub(crate) fn names(&self, action: A) -> Vec<String> {
        self.keys.iter().filter(|(_, of)| *of == action).map(|(code, _)| name_of(*code)).collect()
    }

    /// Returns the first key of an action for the line of keys, or an empty text.
    pub(crate) fn first(&self, action: A) -> String {
        self.names(action).into_iter().next().unwrap_or_default()
    }

    pub(crate) fn page(&self) -> Page {
        A::TABLE.iter().map(|&(action, name, _)| (name, self.names(action))).collect()
    }
}

fn name<A: Action>(action: A) -> &'static str {
    A::TABLE.iter().find(|(of, ..)| *of == action).map_or("", |(_, name, _)| name)
}

/// Returns the path of the user's file, or `None` without a configuration folder.
pub(crate) fn path() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.config_dir().join("bitcade").join("keys.json"))
}

/// Checks that the user's file names only these games.
pub(crate) fn check_games(games: &[&str]) -> Result<(), String> {
    let Some(path) = path() else { return Ok(()) };
    match read(&path)?.keys().find(|name| !games.contains(&name.as_str())) {
        Some(other) => Err(format!("{}: {other}: expected one of {}", path.display(), games.join(", "))),
        None => Ok(()),
    }
}

/// Reads the user's file; without one nothing changes.
fn read(path: &PathBuf) -> Result<Map<String, Value>, String> {
    let name = path.display();
    let text = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Map::new()),
        Ok(found) if !found.is_file() => Err(format!("{name}: expected a regular file"))?,
        _ => fs::read(path).map_err(|error| format!("{name}: {error}"))?,
    };
    serde_json::from_slice(&text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        format!("{name}: line {line}, column {column}: expected an object of games, such as {{\"tetris\": {{\"hold\": [\"c\"]}}}}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::crossterm::event::KeyEvent;
    use serde_json::json;

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Act {
        Left,
        Undo,
    }

    impl Action for Act {
        const TABLE: &'static [(Self, &'static str, &'static str)] =
            &[(Self::Left, "left", "left a h"), (Self::Undo, "take back", "u backspace")];
    }

    #[test]
    fn keys_are_those_of_the_table_or_of_the_file() {
        let press = |keys: &Keys<Act>, code, modifiers| {
            keys.event(Input::Key(KeyEvent::new(code, modifiers))).map(|(act, _)| act)
        };
        let usual = Keys::<Act>::usual();
        let plain = |keys: &Keys<Act>, code| press(keys, code, KeyModifiers::NONE);
        for code in [KeyCode::Left, KeyCode::Char('a'), KeyCode::Char('H')] {
            assert_eq!(plain(&usual, code), Some(Act::Left));
        }
        assert_eq!(plain(&usual, KeyCode::Backspace), Some(Act::Undo));
        assert_eq!(press(&usual, KeyCode::Char('u'), KeyModifiers::CONTROL), None);
        let changed = usual.clone().changed(&json!({"left": ["Ф", "page-up"]})).expect("valid keys");
        assert_eq!(plain(&changed, KeyCode::Char('ф')), Some(Act::Left));
        assert_eq!(plain(&changed, KeyCode::Char('Ф')), Some(Act::Left));
        assert_eq!(
            (plain(&changed, KeyCode::Left), plain(&changed, KeyCode::Char('u'))),
            (None, Some(Act::Undo))
        );
        assert_eq!(
            changed.page(),
            [
                ("left", vec!["ф".to_owned(), "page-up".to_owned()]),
                ("take back", vec!["u".to_owned(), "backspace".to_owned()]),
            ]
        );
        assert_eq!(changed.first(Act::Left), "ф");
        assert_eq!(usual.changed(&json!({"left": []})).expect("valid keys").first(Act::Left), "");
    }

    #[test]
    fn errors_say_where() {
        for (changes, expected) in [
            (json!(3), "expected an object such as"),
            (json!({"jump": ["x"]}), "jump: expected one of left, take back"),
            (json!({"left": "x"}), "left: expected a list of keys"),
            (json!({"left": ["f13"]}), "left: \"f13\": expected a letter, or one of left, right"),
            (json!({"left": [""]}), "left: \"\": expected a letter"),
            (json!({"left": ["Q"]}), "left: \"Q\" is reserved by all screens"),
            (json!({"left": ["u"]}), "u is bound to both"),
        ] {
            let error = Keys::<Act>::usual().changed(&changes).expect_err("wrong");
            assert!(error.contains(expected), "{changes}: {error}");
        }
    }
}
