//! [`Placement`]: where a piece locks, and as what kind of spin.

use crate::location::Location;
use core::fmt;

/// What a T earned by its last rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spin {
    /// Nothing: not a T, its last movement wasn't a rotation, or fewer than three of its corners are filled.
    #[default]
    None,
    /// Three corners filled, not both at its front, and not by the fifth kick.
    Mini,
    /// Three corners filled with both at its front, or any three by the fifth kick.
    Full,
}

impl fmt::Display for Spin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "none",
            Self::Mini => "mini",
            Self::Full => "full",
        })
    }
}

/// One way to lock a piece. Two are the same if their cells and their spins are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// Where it locks, [canonical](Location::canonical).
    pub at: Location,
    /// As what.
    pub spin: Spin,
}

/// Whether equal cells count once, or once for each kind of T-spin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpinMode {
    /// Equal cells are one placement, of [`Spin::None`].
    #[default]
    Ignore,
    /// A T's placements are told apart by their spins.
    TSpins,
}
