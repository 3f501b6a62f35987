//! [`Rules`]: the rules of a game.

use crate::board::Size;

/// The rules of a game: its board size.
///
/// ```
/// use g2048::{Rules, Size};
/// assert_eq!(Rules::default().size, Size::CLASSIC);
/// let small = Rules::from(Size::new(3, 3)?);
/// assert_eq!(small.size.cells(), 9);
/// # Ok::<(), g2048::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Rules {
    /// The board size, 4x4 by default.
    pub size: Size,
}

impl From<Size> for Rules {
    fn from(size: Size) -> Self {
        Self { size }
    }
}
