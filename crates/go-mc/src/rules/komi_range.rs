//! The range of komi in searches.

use crate::rules::points::MAX_SIDE;

/// The largest komi for either player: all points of the largest board.
pub const MAX_KOMI: u16 = (MAX_SIDE * MAX_SIDE) as u16;

pub(crate) fn is_komi(komi: f64) -> bool {
    komi.abs() <= f64::from(MAX_KOMI)
}
