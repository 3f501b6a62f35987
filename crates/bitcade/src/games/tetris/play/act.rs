//! [`Act`]: the key actions of the game.

use crate::play::keys::Action;
use tetris::real_time::Key;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Play(Key),
    Pause,
    Restart,
    Undo,
}

impl Action for Act {
    const TABLE: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Play(Key::Left), "left", "left a h"),
        (Self::Play(Key::Right), "right", "right d l"),
        (Self::Play(Key::SoftDrop), "soft drop", "down s j"),
        (Self::Play(Key::HardDrop), "hard drop", "space w"),
        (Self::Play(Key::Cw), "rotate right", "x up e k"),
        (Self::Play(Key::Ccw), "rotate left", "z"),
        (Self::Play(Key::Half), "rotate 180", "v"),
        (Self::Play(Key::Hold), "hold", "c"),
        (Self::Pause, "pause", "p esc"),
        (Self::Restart, "restart", "r"),
        (Self::Undo, "undo", "u"),
    ];
}
