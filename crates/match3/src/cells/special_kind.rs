//! [`Special`]: the kinds of special pieces.

use crate::board::{At, Board};
use crate::cells::groups::{Group, Shape};

/// The kind of a special piece, which determines the pieces it clears when set off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Special {
    /// All pieces in its row (`row`).
    Row,
    /// All pieces in its column (`column`).
    Column,
    /// All pieces in the 3 x 3 cells around it (`bomb`).
    Bomb,
    /// All pieces of its own color, or of the color of the neighbor it is swapped with (`color`).
    Color,
}

impl Special {
    /// Returns the special piece that a group creates, or `None` for a line of three or a square.
    ///
    /// A line of four creates the piece that clears along the line, a line of five or more creates a color
    /// piece, and `L`, `T` and `plus` create a bomb.
    ///
    /// ```
    /// use match3::groups::groups;
    /// use match3::special::Special;
    /// let found = groups(&"2222\n.111".parse()?);
    /// assert_eq!(found.iter().map(Special::of).collect::<Vec<_>>(), [Some(Special::Row), None]);
    /// # Ok::<(), match3::ParseBoardError>(())
    /// ```
    pub fn of(group: &Group) -> Option<Self> {
        let cells = group.cells();
        match group.shape() {
            Shape::Line3 | Shape::Square => None,
            Shape::Line4 if cells[0].1 == cells[1].1 => Some(Self::Row),
            Shape::Line4 => Some(Self::Column),
            Shape::L | Shape::T | Shape::Plus => Some(Self::Bomb),
            Shape::Line5 => Some(Self::Color),
        }
    }

    /// Returns the cells in reach of this kind of piece, row by row.
    pub(super) fn reach(self, board: &Board, (x, y): At) -> impl Iterator<Item = At> + use<> {
        let (width, height) = (board.width(), board.height());
        let (columns, rows) = match self {
            Self::Row => (0..width, y..y + 1),
            Self::Column => (x..x + 1, 0..height),
            Self::Bomb => (x.saturating_sub(1)..width.min(x + 2), y.saturating_sub(1)..height.min(y + 2)),
            Self::Color => (0..width, 0..height),
        };
        rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }
}

crate::text::names! {
    Special: "special piece", ParseSpecialError, "row, column, bomb or color",
    Row "row", Column "column", Bomb "bomb", Color "color"
}
