//! [`Swap`]: two neighboring cells, with a text form and an action index.

use crate::board::At;
use core::fmt;

/// The direction from the first cell of a swap to the second. `Horizontal` sorts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Axis {
    /// The second cell is the right neighbor (`H` in text).
    #[cfg_attr(feature = "serde", serde(rename = "H"))]
    Horizontal,
    /// The second cell is the one below (`V` in text).
    #[cfg_attr(feature = "serde", serde(rename = "V"))]
    Vertical,
}

/// The reason a swap is illegal, with the cell at fault as (x, y), counted from 0. If both cells
/// are at fault, it is the upper or left one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SwapError {
    /// A cell is outside the board.
    #[error("({}, {}) is outside the board", .0.0, .0.1)]
    Outside(At),
    /// A cell is empty.
    #[error("({}, {}) is empty", .0.0, .0.1)]
    Empty(At),
    /// A cell is blocked.
    #[error("({}, {}) is blocked", .0.0, .0.1)]
    Blocked(At),
    /// A piece is locked.
    #[error("({}, {}) is locked", .0.0, .0.1)]
    Locked(At),
    /// Both pieces have the same color.
    #[error("({}, {}) and its neighbor have the same color", .0.0, .0.1)]
    SameColor(At),
    /// Neither piece would end up in a run.
    #[error("({}, {}) and its neighbor would make no run", .0.0, .0.1)]
    NoRun(At),
    /// The [`Game`](crate::Game) is over.
    #[error("the game is over")]
    GameOver,
}

/// A pair of neighboring cells, identified by the upper or left one. Sorts by row, then column,
/// then `H` before `V`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Swap {
    /// The column.
    pub x: usize,
    /// The row, from the top.
    pub y: usize,
    /// The direction of the second cell.
    pub axis: Axis,
}

impl Swap {
    /// Returns the swap of two cells, given as (x, y) in either order, or `None` if they aren't
    /// orthogonal neighbors.
    ///
    /// ```
    /// use match3::{Axis, Swap};
    /// assert_eq!(Swap::between((3, 5), (2, 5)), Some(Swap { x: 2, y: 5, axis: Axis::Horizontal }));
    /// assert_eq!(Swap::between((3, 5), (2, 4)), None);
    /// ```
    pub fn between(a: (usize, usize), b: (usize, usize)) -> Option<Self> {
        let (x, y) = a.min(b);
        let (right, below) = a.max(b);
        match (right - x, below.checked_sub(y)?) {
            (1, 0) => Some(Self { x, y, axis: Axis::Horizontal }),
            (0, 1) => Some(Self { x, y, axis: Axis::Vertical }),
            _ => None,
        }
    }

    /// Returns the number of neighboring pairs on a board, 2wh - w - h, saturating at `usize::MAX`.
    ///
    /// ```
    /// assert_eq!(match3::Swap::actions(8, 8), 112);
    /// ```
    pub const fn actions(width: usize, height: usize) -> usize {
        let across = width.saturating_sub(1).saturating_mul(height);
        across.saturating_add(width.saturating_mul(height.saturating_sub(1)))
    }

    /// Returns the action index of this pair on a board of the given size: horizontal pairs first,
    /// row by row, then vertical pairs. Returns `None` if one of the cells is outside the board or
    /// the index would overflow.
    ///
    /// ```
    /// use match3::{Axis, Swap};
    /// let swap = Swap { x: 3, y: 1, axis: Axis::Vertical };
    /// assert_eq!(swap.action(8, 8), Some(7 * 8 + 8 + 3));
    /// assert_eq!(Swap::from_action(67, 8, 8), Some(swap));
    /// assert_eq!(Swap::from_action(112, 8, 8), None);
    /// ```
    pub const fn action(self, width: usize, height: usize) -> Option<usize> {
        let (left, row) = match self.axis {
            Axis::Horizontal if self.x < width.saturating_sub(1) && self.y < height => {
                (0, width - 1)
            }
            Axis::Vertical if self.x < width && self.y < height.saturating_sub(1) => {
                (width - 1, width)
            }
            _ => return None,
        };
        let index = match (left.checked_mul(height), self.y.checked_mul(row)) {
            (Some(before), Some(above)) => before.saturating_add(above).saturating_add(self.x),
            _ => return None,
        };
        // Indices are below the number of pairs, which saturates at `usize::MAX`.
        if index < usize::MAX { Some(index) } else { None }
    }

    /// Returns the pair with the given [`action`](Self::action) index, or `None` if there is no
    /// such pair.
    pub const fn from_action(action: usize, width: usize, height: usize) -> Option<Self> {
        let across = width.saturating_sub(1).saturating_mul(height);
        if action < across {
            let x = action % (width - 1);
            let y = action / (width - 1);
            return Some(Self { x, y, axis: Axis::Horizontal });
        }
        if action < Self::actions(width, height) {
            let x = (action - across) % width;
            let y = (action - across) / width;
            return Some(Self { x, y, axis: Axis::Vertical });
        }
        None
    }

    /// Returns the two cells as (x, y), the upper or left one first.
    ///
    /// # Panics
    ///
    /// If the coordinate of the second cell overflows `usize` and overflow checks are enabled.
    pub fn cells(self) -> [(usize, usize); 2] {
        let other = match self.axis {
            Axis::Horizontal => (self.x + 1, self.y),
            Axis::Vertical => (self.x, self.y + 1),
        };
        [(self.x, self.y), other]
    }
}

impl Ord for Swap {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        (self.y, self.x, self.axis).cmp(&(other.y, other.x, other.axis))
    }
}

impl PartialOrd for Swap {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Swap {
    /// Writes `x y H` or `x y V`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axis = if self.axis == Axis::Horizontal { 'H' } else { 'V' };
        write!(f, "{} {} {axis}", self.x, self.y)
    }
}
