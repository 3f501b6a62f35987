//! [`PlanesError`]: what does not fit into bit planes.

use crate::board::MAX_COLOR;

/// The largest color that `planes` bit planes hold.
pub(crate) const fn largest_color(planes: usize) -> u8 {
    if planes < 6 { (1 << planes) - 1 } else { MAX_COLOR }
}

/// Why a board doesn't fit into bit planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanesError {
    /// A side is 0 or too long.
    #[error("a board of {width} x {height}: expected sides of 1 to {longest}")]
    Size {
        /// Its columns.
        width: usize,
        /// Its rows.
        height: usize,
        /// What the layout holds.
        longest: usize,
    },
    /// A color is too large.
    #[error("column {x} of row {y}, from 0: color {found}, expected at most {largest} in these bit planes")]
    Color {
        /// The cell's column.
        x: usize,
        /// The cell's row.
        y: usize,
        /// The color.
        found: u8,
        /// The largest one that fits.
        largest: u8,
    },
    /// No board with a legal swap came up.
    #[error("no legal swap on any of {boards} random boards of {width} x {height} with {colors} colors")]
    Dead {
        /// The columns asked for.
        width: usize,
        /// The rows asked for.
        height: usize,
        /// The colors asked for.
        colors: u8,
        /// How many boards were drawn.
        boards: u32,
    },
    /// A number of colors is too small or too large.
    #[error("{found} colors: expected {least} to {largest}")]
    Colors {
        /// The number.
        found: u8,
        /// The smallest one that will do.
        least: u8,
        /// The largest one that fits.
        largest: u8,
    },
}

/// Whether a full board without a run can be dealt cell by cell.
pub(crate) fn check_colors<const P: usize>(found: u8) -> Result<(), PlanesError> {
    let (least, largest) = (3, largest_color(P));
    if (least..=largest).contains(&found) {
        Ok(())
    } else {
        Err(PlanesError::Colors { found, least, largest })
    }
}
