//! The colors that bit planes hold, and those that are enough for a deal.

use crate::board::MAX_COLOR;
use crate::error::Error;

/// Returns the largest color that `planes` bit planes hold.
pub(crate) const fn largest_color(planes: usize) -> u8 {
    if planes < 6 { (1 << planes) - 1 } else { MAX_COLOR }
}

/// Checks that a full board without a run can be dealt cell by cell with this number of colors.
pub(crate) fn check_colors<const P: usize>(found: u8) -> Result<(), Error> {
    let (least, largest) = (3, largest_color(P));
    if (least..=largest).contains(&found) { Ok(()) } else { Err(Error::Colors { found, least, largest }) }
}
