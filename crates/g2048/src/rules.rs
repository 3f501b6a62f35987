//! [`Rules`]: what a game is played by.

use crate::board::Size;

/// The rules of a game: the size of its board.
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
    /// The size of the board, by default 4x4.
    pub size: Size,
}

impl From<Size> for Rules {
    fn from(size: Size) -> Self {
        Self { size }
    }
}
