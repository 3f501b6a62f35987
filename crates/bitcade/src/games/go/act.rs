//! [`Act`]: the key actions of `play go`.

use crate::play::keys::{Action, Keys};
use crate::play::panel::arrows;
use crate::screen::theme::Theme;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Left,
    Down,
    Up,
    Right,
    Play,
    Pass,
    Undo,
    Hint,
    Owners,
    Resign,
    Save,
    NewGame,
}

impl Action for Act {
    const TABLE: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Left, "left", "left h"),
        (Self::Down, "down", "down j"),
        (Self::Up, "up", "up k"),
        (Self::Right, "right", "right l"),
        (Self::Play, "play", "enter space"),
        (Self::Pass, "pass", "p"),
        (Self::Undo, "undo", "u backspace"),
        (Self::Hint, "hint", "i"),
        (Self::Owners, "territory", "o"),
        (Self::Resign, "resign", "r"),
        (Self::Save, "save", "s"),
        (Self::NewGame, "new game", "n"),
    ];
}

/// Returns the currently active keys and their effects, for the line of keys.
pub(crate) fn shown(keys: &Keys<Act>, is_over: bool, theme: Theme) -> Vec<(String, &'static str)> {
    let arrows =
        arrows(&[Act::Left, Act::Up, Act::Down, Act::Right].map(|act| keys.first(act)), theme);
    let of = |(act, effect)| (keys.first(act), effect);
    let [undo, owners, save, new] = [
        (Act::Undo, "undo"),
        (Act::Owners, "territory"),
        (Act::Save, "save"),
        (Act::NewGame, "new game"),
    ]
    .map(of);
    let page = ("?".to_owned(), "keys");
    let quit = ("q".to_owned(), "quit");
    if is_over {
        return vec![new, undo, owners, save, page, quit];
    }
    let [play, pass, resign, hint] =
        [(Act::Play, "play"), (Act::Pass, "pass"), (Act::Resign, "resign"), (Act::Hint, "hint")]
            .map(of);
    vec![(arrows, "move"), play, pass, undo, resign, hint, page, owners, new, save, quit]
}
