//! [`Special`]: the kinds of special pieces.

use crate::board::{At, Board};

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
    /// Returns the cells in reach of this kind of piece, row by row.
    pub(crate) fn reach(self, board: &Board, (x, y): At) -> impl Iterator<Item = At> + use<> {
        let width = board.width();
        let height = board.height();
        let (columns, rows) = match self {
            Self::Row => (0..width, y..y + 1),
            Self::Column => (x..x + 1, 0..height),
            Self::Bomb => {
                (x.saturating_sub(1)..width.min(x + 2), y.saturating_sub(1)..height.min(y + 2))
            }
            Self::Color => (0..width, 0..height),
        };
        rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }
}

crate::text::names! {
    Special: "special piece", ParseSpecialError, "row, column, bomb or color",
    Row "row", Column "column", Bomb "bomb", Color "color"
}
