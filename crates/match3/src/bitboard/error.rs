//! [`PlanesError`], and the colors that bit planes hold.

use crate::board::MAX_COLOR;
use bitcore::batch::TooManyGames;

/// Returns the largest color that `planes` bit planes hold.
pub(crate) const fn largest_color(planes: usize) -> u8 {
    if planes < 6 { (1 << planes) - 1 } else { MAX_COLOR }
}

/// A board that bit planes don't hold, or a game or games that could not be dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanesError {
    /// A width or height is 0 or too large.
    #[error("a board of {width} x {height}: expected sides of 1 to {longest}")]
    Size {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
        /// The largest width and height of the layout.
        longest: usize,
    },
    /// A color is too large.
    #[error("column {x} of row {y}, from 0: color {found}, expected at most {largest} in these bit planes")]
    Color {
        /// The column of the cell.
        x: usize,
        /// The row of the cell.
        y: usize,
        /// The color.
        found: u8,
        /// The largest color that the planes hold.
        largest: u8,
    },
    /// No random board had a legal swap.
    #[error("no legal swap on any of {boards} random boards of {width} x {height} with {colors} colors")]
    Dead {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
        /// The number of colors.
        colors: u8,
        /// The number of boards drawn.
        boards: u32,
    },
    /// A number of colors is too small or too large.
    #[error("{found} colors: expected {least} to {largest}")]
    Colors {
        /// The number.
        found: u8,
        /// The smallest number allowed.
        least: u8,
        /// The largest number allowed.
        largest: u8,
    },
    /// There is not enough memory for the games.
    #[error(transparent)]
    Games(#[from] TooManyGames),
}

/// Checks that a full board without a run can be dealt cell by cell with this number of colors.
pub(crate) fn check_colors<const P: usize>(found: u8) -> Result<(), PlanesError> {
    let (least, largest) = (3, largest_color(P));
    if (least..=largest).contains(&found) {
        Ok(())
    } else {
        Err(PlanesError::Colors { found, least, largest })
    }
}
