//! [`Keys`]: a game's key bindings, from its own table or from the user's file.
//!
//! The file `keys.json` in the user's configuration folder has an object for each game, with a list
//! of keys for each rebound action: `{"tetris": {"hard drop": ["space", "w"]}}`.
//! `bitcade keys --json` prints all bindings.

use crate::io::input::{json_text, strip_byte_order_mark};
use crate::io::output::remark;
use crate::screen::view::Input;
use crate::screen::widgets::Page;
use etcetera::BaseStrategy;
use ratatui::crossterm::event::{KeyCode, KeyEventKind, KeyModifiers, ModifierKeyCode};
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The action of a key in a game.
pub(crate) trait Action: Copy + PartialEq + 'static {
    /// Each action with its name and its default keys, separated by blanks.
    const TABLE: &'static [(Self, &'static str, &'static str)];
}

#[derive(Clone, Debug)]
pub(crate) struct Keys<A> {
    keys: Vec<(KeyCode, A)>,
}

/// The names of keys other than letters and function keys. A modifier key is the left or the right
/// one.
const NAMES: [(&str, KeyCode); 19] = [
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
    ("shift", KeyCode::Modifier(ModifierKeyCode::LeftShift)),
    ("ctrl", CONTROL),
    ("control", CONTROL),
    ("alt", ALT),
];

const CONTROL: KeyCode = KeyCode::Modifier(ModifierKeyCode::LeftControl);
const ALT: KeyCode = KeyCode::Modifier(ModifierKeyCode::LeftAlt);

/// The number of function keys that terminals report.
const FUNCTION_KEYS: u8 = 24;

/// Keys used by all screens: quit, and the page of keys.
const RESERVED: [char; 2] = ['q', '?'];

fn code_of(name: &str) -> Option<KeyCode> {
    let named = NAMES.iter().find(|(known, _)| *known == name);
    let mut letters = name.chars().flat_map(char::to_lowercase);
    match (named, letters.next(), letters.next()) {
        (Some((_, code)), ..) => Some(*code),
        (None, Some(letter), None) if !letter.is_whitespace() => Some(KeyCode::Char(letter)),
        _ => (1..=FUNCTION_KEYS).find(|number| name == format!("f{number}")).map(KeyCode::F),
    }
}

fn name_of(code: KeyCode) -> String {
    match (NAMES.iter().find(|(_, known)| *known == code), code) {
        (Some((name, _)), _) => (*name).to_owned(),
        (None, KeyCode::Char(letter)) => letter.to_string(),
        (None, KeyCode::F(number)) => format!("f{number}"),
        _ => String::new(),
    }
}

/// Returns the code of a key that is pressed or repeated without one of the `modifiers`, or
/// released, with letters in lower case.
fn plain(input: Input, modifiers: KeyModifiers) -> Option<(KeyCode, KeyEventKind)> {
    let Input::Key(key) = input else { return None };
    let is_modifier = matches!(key.code, KeyCode::Modifier(_));
    if key.modifiers.intersects(modifiers) && key.kind != KeyEventKind::Release && !is_modifier {
        return None;
    }
    let code = match key.code {
        KeyCode::Char(letter) => KeyCode::Char(letter.to_lowercase().next().unwrap_or(letter)),
        code => code,
    };
    Some((code, key.kind))
}

/// Returns the code of a key that is pressed or repeated without Control or Alt. A modifier key
/// alone is none.
pub(crate) fn pressed(input: Input) -> Option<KeyCode> {
    let (code, kind) = plain(input, KeyModifiers::CONTROL | KeyModifiers::ALT)?;
    Some(code).filter(|code| kind != KeyEventKind::Release && !matches!(code, KeyCode::Modifier(_)))
}

impl<A: Action> Keys<A> {
    pub(crate) fn usual() -> Self {
        let of = |&(action, _, keys): &(A, &str, &'static str)| {
            keys.split(' ').filter_map(code_of).map(move |code| (code, action))
        };
        Self { keys: A::TABLE.iter().flat_map(of).collect() }
    }

    /// Returns the default keys with the user's changes. The error describes the problem in the
    /// file, on one line.
    pub(crate) fn load(game: &str) -> Result<Self, String> {
        let Some(path) = path() else { return Ok(Self::usual()) };
        let changes = read_once(&path)?;
        let changed =
            changes.get(game).map_or(Ok(Self::usual()), |changes| Self::usual().changed(changes));
        changed.map_err(|error| format!("{}: {game}: {error}", path.display()))
    }

    pub(crate) fn changed(mut self, changes: &Value) -> Result<Self, String> {
        let expected = "expected an object such as {\"undo\": [\"u\", \"backspace\"]}";
        for (name, keys) in changes.as_object().ok_or(expected)? {
            let action = A::TABLE.iter().find(|(_, known, _)| known == name);
            let known = || A::TABLE.iter().map(|(_, name, _)| *name).collect::<Vec<_>>().join(", ");
            let (action, ..) =
                *action.ok_or_else(|| format!("{name}: expected one of {}", known()))?;
            let mut codes = Vec::new();
            for key in keys.as_array().ok_or_else(|| format!("{name}: expected a list of keys"))? {
                let code = key.as_str().and_then(code_of);
                let code = code.ok_or_else(|| {
                    let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
                    let names = names.join(", ");
                    format!("{name}: {key}: expected a letter, f1 to f{FUNCTION_KEYS}, or one of {names}")
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

    fn action(&self, code: KeyCode) -> Option<A> {
        self.keys.iter().find(|(known, _)| *known == code).map(|(_, action)| *action)
    }

    pub(crate) fn event(&self, input: Input) -> Option<(A, KeyEventKind)> {
        // A modifier key with its own action doesn't modify others.
        let modifiers = [(CONTROL, KeyModifiers::CONTROL), (ALT, KeyModifiers::ALT)].into_iter();
        let modifiers = modifiers.filter(|(code, _)| self.action(*code).is_none());
        let (code, kind) = plain(input, modifiers.map(|(_, modifier)| modifier).collect())?;
        Some((self.action(code)?, kind))
    }

    /// Returns the action of a key that is pressed or repeated.
    pub(crate) fn pressed(&self, input: Input) -> Option<A> {
        self.event(input)
            .filter(|(_, kind)| *kind != KeyEventKind::Release)
            .map(|(action, _)| action)
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
    match read_once(&path)?.keys().find(|name| !games.contains(&name.as_str())) {
        Some(other) => {
            Err(format!("{}: {other}: expected one of {}", path.display(), games.join(", ")))
        }
        None => Ok(()),
    }
}

/// The maximum size of the user's file in bytes, far more than all keys need.
const MAX_BYTES: u64 = 1 << 20;

/// Reads the user's file, at the first call.
fn read_once(path: &Path) -> Result<&'static Map<String, Value>, String> {
    static CHANGES: OnceLock<Result<Map<String, Value>, String>> = OnceLock::new();
    CHANGES.get_or_init(|| read(path)).as_ref().map_err(Clone::clone)
}

/// Reads the user's file. Without one, nothing changes; one that can't be read is reported.
fn read(path: &Path) -> Result<Map<String, Value>, String> {
    let name = path.display();
    let mut text = Vec::new();
    let mut read = || {
        if !fs::metadata(path)?.is_file() {
            return Ok(false);
        }
        File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut text).map(|_| true)
    };
    match read() {
        Ok(true) => {}
        Ok(false) => return Err(format!("{name}: expected a regular file")),
        Err(error) => {
            // A folder that is a file has no files: `HOME=/dev/null` is an account without a home.
            if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                remark(format_args!("{name}: {error}; the default keys are used"));
            }
            return Ok(Map::new());
        }
    }
    if text.len() as u64 > MAX_BYTES {
        return Err(format!("{name}: expected at most {MAX_BYTES} bytes"));
    }
    strip_byte_order_mark(&mut text);
    let failed = |error: serde_json::Error| {
        let line = error.line();
        let column = error.column();
        let why =
            if error.is_data() { json_text(&error) } else { format!("expected {}", EXPECTED[0]) };
        format!("{name}: line {line}, column {column}: {why}")
    };
    serde_json::from_slice::<Distinct<Distinct<IgnoredAny, 1>, 0>>(&text).map_err(failed)?;
    serde_json::from_slice(&text).map_err(failed)
}

/// The objects of the file, from outside.
const EXPECTED: [&str; 2] = [
    "an object of games, such as {\"tetris\": {\"hold\": [\"c\"]}}",
    "an object of actions, such as {\"undo\": [\"u\", \"backspace\"]}",
];

/// An object whose names are distinct: of two lists of keys with the same name, one would be lost.
struct Distinct<V, const DEPTH: usize>(PhantomData<V>);

impl<'de, V: Deserialize<'de>, const DEPTH: usize> Deserialize<'de> for Distinct<V, DEPTH> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self(PhantomData))
    }
}

impl<'de, V: Deserialize<'de>, const DEPTH: usize> Visitor<'de> for Distinct<V, DEPTH> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED[DEPTH])
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self, M::Error> {
        let mut names = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if names.contains(&name) {
                return Err(Error::custom(format!("{name:?} is there twice")));
            }
            map.next_value::<V>()?;
            names.insert(name);
        }
        Ok(self)
    }
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
        let changed =
            usual.clone().changed(&json!({"left": ["Ф", "page-up"]})).expect("valid keys");
        assert_eq!(plain(&changed, KeyCode::Char('ф')), Some(Act::Left));
        assert_eq!(plain(&changed, KeyCode::Char('Ф')), Some(Act::Left));
        assert_eq!(plain(&changed, KeyCode::Left), None);
        assert_eq!(plain(&changed, KeyCode::Char('u')), Some(Act::Undo));
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

    /// Each works while the other one is held, and neither changes the other keys.
    #[test]
    fn modifiers_and_function_keys_are_keys() {
        let changes = json!({"left": ["shift", "ctrl", "f1"], "take back": ["alt", "u", "f24"]});
        let keys = Keys::<Act>::usual().changed(&changes).expect("valid keys");
        assert_eq!(keys.names(Act::Left), ["shift", "ctrl", "f1"]);
        let event = |code, modifiers| keys.pressed(Input::Key(KeyEvent::new(code, modifiers)));
        let all = KeyModifiers::all();
        let shift = KeyCode::Modifier(ModifierKeyCode::LeftShift);
        for (code, expected) in [
            (shift, Act::Left),
            (CONTROL, Act::Left),
            (ALT, Act::Undo),
            (KeyCode::F(1), Act::Left),
            (KeyCode::F(24), Act::Undo),
            (KeyCode::Char('u'), Act::Undo),
            (KeyCode::Char('U'), Act::Undo),
        ] {
            for modifiers in [KeyModifiers::NONE, all] {
                assert_eq!(event(code, modifiers), Some(expected), "{code:?} {modifiers:?}");
            }
        }
        // Questions are not answered by a modifier key alone.
        assert_eq!(pressed(Input::Key(KeyEvent::new(shift, KeyModifiers::SHIFT))), None);
        let release = KeyEvent::new_with_kind(CONTROL, KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(keys.event(Input::Key(release)), Some((Act::Left, KeyEventKind::Release)));
        let both = Keys::<Act>::usual().changed(&json!({"left": ["ctrl", "control"]}));
        assert!(both.expect_err("one key").contains("ctrl is bound to both left and left"));
    }

    #[test]
    fn errors_say_where() {
        for (changes, expected) in [
            (json!(3), "expected an object such as"),
            (json!({"jump": ["x"]}), "jump: expected one of left, take back"),
            (json!({"left": "x"}), "left: expected a list of keys"),
            (
                json!({"left": ["f25"]}),
                "left: \"f25\": expected a letter, f1 to f24, or one of left, right",
            ),
            (json!({"left": ["f01"]}), "left: \"f01\": expected a letter, f1 to f24"),
            (json!({"left": [""]}), "left: \"\": expected a letter"),
            (json!({"left": ["Q"]}), "left: \"Q\" is reserved by all screens"),
            (json!({"left": ["u"]}), "u is bound to both"),
        ] {
            let error = Keys::<Act>::usual().changed(&changes).expect_err("wrong");
            assert!(error.contains(expected), "{changes}: {error}");
        }
    }
}
