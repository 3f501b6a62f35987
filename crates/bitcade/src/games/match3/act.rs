//! The actions of a person who plays match-3, and swaps as they are written for people: counted
//! from 1.

use super::animation::At;
use crate::play::keys::Action;
use match3::{Swap, SwapError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Left,
    Up,
    Down,
    Right,
    Take,
    Cancel,
    Undo,
    Hint,
    New,
}

pub(super) const ARROWS: [Act; 4] = [Act::Left, Act::Up, Act::Down, Act::Right];

impl Action for Act {
    const TABLE: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Left, "left", "left a h"),
        (Self::Up, "up", "up w k"),
        (Self::Down, "down", "down s j"),
        (Self::Right, "right", "right d l"),
        (Self::Take, "select", "space enter"),
        (Self::Cancel, "cancel", "esc"),
        (Self::Undo, "undo", "u backspace"),
        (Self::Hint, "hint", "i"),
        (Self::New, "new", "n"),
    ];
}

pub(super) fn reason(error: SwapError) -> &'static str {
    match error {
        SwapError::SameColor(_) => "both are the same kind.",
        SwapError::NoRun(_) => "it makes no three in a row.",
        _ => "these pieces cannot be swapped.",
    }
}

/// Parses a swap whose columns and rows count from 1, as people count; [`Swap`] counts from 0.
pub(super) fn parse_from_1(line: &str) -> Option<Swap> {
    let Swap { x, y, axis } = line.to_uppercase().parse().ok()?;
    Some(Swap { x: x.checked_sub(1)?, y: y.checked_sub(1)?, axis })
}

pub(super) fn counted_from_1(swap: Swap) -> String {
    Swap { x: swap.x + 1, y: swap.y + 1, ..swap }.to_string()
}

pub(super) fn told_from_1(error: SwapError) -> SwapError {
    let counted = |(x, y): At| (x.saturating_add(1), y.saturating_add(1));
    match error {
        SwapError::Outside(at) => SwapError::Outside(counted(at)),
        SwapError::Empty(at) => SwapError::Empty(counted(at)),
        SwapError::Blocked(at) => SwapError::Blocked(counted(at)),
        SwapError::Locked(at) => SwapError::Locked(counted(at)),
        SwapError::SameColor(at) => SwapError::SameColor(counted(at)),
        SwapError::NoRun(at) => SwapError::NoRun(counted(at)),
        other => other,
    }
}
