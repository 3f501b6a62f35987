//! Limits on colors: the largest one for a number of bit planes, and how many a deal needs.

use crate::board::MAX_COLOR;
use crate::error::Error;

pub(crate) const fn largest_color(planes: usize) -> u8 {
    if planes < 6 { (1 << planes) - 1 } else { MAX_COLOR }
}

/// Checks that a full board without runs can be dealt cell by cell with this number of colors.
pub(crate) fn check_colors<const P: usize>(found: u8) -> Result<(), Error> {
    let least = 3;
    let largest = largest_color(P);
    if (least..=largest).contains(&found) {
        Ok(())
    } else {
        Err(Error::Colors { found, least, largest })
    }
}
