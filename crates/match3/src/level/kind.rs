//! [`Kind`]: the kinds of special pieces in levels.

use crate::cells::groups::{Group, Shape};

/// The kind of a special piece in a level: those of [`Special`](crate::special::Special), and the
/// square piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Hits its row (`row`).
    Row,
    /// Hits its column (`column`).
    Column,
    /// Hits the 3 x 3 cells around it (`bomb`).
    Bomb,
    /// Hits all pieces of a color (`color`).
    Color,
    /// Hits its four neighbors, then flies to a goal (`square`).
    Square,
}

crate::text::names! {
    Kind: "kind", ParseKindError, "row, column, bomb, color or square",
    Row "row", Column "column", Bomb "bomb", Color "color", Square "square"
}

impl Kind {
    /// Returns the special piece that a group makes, or `None` for a line of three.
    pub fn of(group: &Group) -> Option<Self> {
        let cells = group.cells();
        match group.shape() {
            Shape::Line3 => None,
            Shape::Square => Some(Self::Square),
            Shape::Line4 if cells[0].1 == cells[1].1 => Some(Self::Row),
            Shape::Line4 => Some(Self::Column),
            Shape::L | Shape::T | Shape::Plus => Some(Self::Bomb),
            Shape::Line5 => Some(Self::Color),
        }
    }

    /// Returns whether the kind is a row or a column.
    pub const fn is_line(self) -> bool {
        matches!(self, Self::Row | Self::Column)
    }
}
