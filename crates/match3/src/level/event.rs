//! [`LevelEvent`]: what happens in a level, its line of text, and its replay.

use super::goals::Outcome;
use super::kind::Kind;
use crate::board::{At, Cell};
use crate::cells::groups::Group;
use crate::swap::Swap;
use alloc::vec::Vec;

/// A layer that a hit takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "names")]
pub enum Coat {
    Crate,
    Ice,
    Jelly,
}

crate::text::names! {
    Coat: "layer", ParseCoatError, "crate, ice or jelly",
    Crate "crate", Ice "ice", Jelly "jelly"
}

/// What a spawner brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spawned {
    /// A piece of this color.
    Piece(u8),
    /// An item.
    Item,
}

/// One event in a level. Cells are (x, y), counted from 0; cascade levels count from 1.
///
/// The text of an event is one line:
///
/// ```text
/// swap 2 0 H
/// match 1 line3 4 0,0 1,0 2,0
/// setoff 1 2,3 bomb 4
/// pair 1 2,3 row 2,2 bomb
/// change 1 2,3 row
/// fly 1 2,3 5,6
/// clear 1 0,0 !4
/// clear 1 2,3 4 bomb
/// layer 1 0,1 crate 2
/// create 1 2,3 row 4
/// fall 0,1 0,2 0,3
/// spawn 5 0,0 0,1
/// spawn item 3,0
/// collect 0,7
/// goal 0
/// limit 100
/// shuffle 0,0 3 1,0 2 row 2,0 2
/// bonus 3 300
/// over won
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants explain their fields")]
pub enum LevelEvent {
    /// What is in two cells trades places.
    Swap(Swap),
    /// A group is matched.
    Match { level: u64, group: Group },
    /// A special piece is set off. For a color piece, `color` is the color it hits; for other
    /// kinds, the piece's own color.
    SetOff { level: u64, at: At, special: Kind, color: u8 },
    /// Two special pieces that were swapped are set off together: the effect is at the second cell
    /// of the swap, `at`, which has a piece of the kind `special` after the swap.
    Pair { level: u64, at: At, special: Kind, other: At, other_special: Kind },
    /// A plain piece becomes special by the effect of a pair.
    Change { level: u64, at: At, special: Kind },
    /// A square piece flies to a cell.
    Fly { level: u64, from: At, to: At },
    /// A piece is removed, with its lock.
    Clear { level: u64, at: At, cell: Cell, special: Option<Kind> },
    /// A layer is taken; `left` remain.
    Layer { level: u64, at: At, coat: Coat, left: u8 },
    /// A group makes a special piece of its color in one of its just-cleared cells.
    Create { level: u64, at: At, special: Kind, color: u8 },
    /// A piece or an item falls along these cells, from the first to the last.
    Fall { path: Vec<At> },
    /// A spawner in the first cell brings something, which falls to the last.
    Spawn { spawned: Spawned, path: Vec<At> },
    /// An item leaves.
    Collect { at: At },
    /// A goal is reached: its index.
    Goal { index: usize },
    /// The cascade ends at this level because of the bound, with matches on the board.
    CascadeLimit { level: u64 },
    /// No swap was legal, so the pieces were rearranged or recolored: all pieces by row, with their
    /// colors and kinds. Locks and ice stay in their cells.
    Shuffle { pieces: Vec<(At, u8, Option<Kind>)> },
    /// Points for the moves or seconds left.
    Bonus { left: u32, points: u64 },
    /// The game is over.
    Over(Outcome),
}
