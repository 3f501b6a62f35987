//! [`Rules`]: the rules of a game.

use crate::bitboard::color_counts::check_colors;
use crate::error::Error;

/// The rules of a game: a number of moves on a full board, for points.
///
/// A cascade scores 10 points per cleared cell, times the cascade level. A board without a legal
/// swap is replaced by a new one, which costs no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Rules {
    /// The number of columns, 1 to 16.
    pub width: usize,
    /// The number of rows, 1 to 16.
    pub height: usize,
    /// The number of colors, 3 to 15.
    pub colors: u8,
    /// The number of moves in a game.
    pub moves: u32,
}

impl Default for Rules {
    /// Returns the rules for 8 x 8 cells, 6 colors and 30 moves.
    fn default() -> Self {
        Self { width: 8, height: 8, colors: 6, moves: 30 }
    }
}

impl Rules {
    pub(crate) fn check_colors(&self) -> Result<(), Error> {
        check_colors::<4>(self.colors)
    }
}
