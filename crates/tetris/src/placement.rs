//! [`Placement`]: the location at which a piece locks, and its kind of spin.

use crate::board::Board;
use crate::location::Location;
use crate::piece::Piece;
use core::fmt;
use core::ops::Range;

/// The kind of T-spin, by the three-corner rule: the T locks right after a rotation, and at least three of
/// the four cells diagonal to its center are filled. Walls and floor count as filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Spin {
    /// No spin: not a T, its last movement wasn't a rotation, or fewer than three corners are filled.
    #[default]
    None,
    /// Three corners are filled, not both at the front of the T, and the rotation didn't take the fifth kick.
    Mini,
    /// Three corners are filled, with both at the front of the T, or any three after the fifth kick.
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

/// One way to lock a piece. Two placements are equal if their cells and their spins are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Placement {
    /// The [canonical](Location::canonical) location at which the piece locks.
    pub at: Location,
    /// The kind of spin.
    pub spin: Spin,
}

/// The treatment of spins in a list or count of placements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum SpinMode {
    /// Spins are ignored: equal cells are one placement, of [`Spin::None`].
    #[default]
    Ignore,
    /// Equal cells of a T are a placement for each kind of spin with which it can lock there.
    TSpins,
}

/// The rules by which the placements of a piece are found. A [`SpinMode`] alone stands for those with one
/// spawn row, by which perft counts are published.
///
/// ```
/// use tetris::movegen::{self, MoveRules, SpinMode};
/// use tetris::{Board, Piece};
/// // A cell in the spawn row, over nineteen rows.
/// let board: Board = format!("....#.....\n{}", "#########.\n".repeat(19)).parse().unwrap();
/// let rules = MoveRules { second_spawn_row: true, ..SpinMode::Ignore.into() };
/// assert_eq!(movegen::count(&board, Piece::O, SpinMode::Ignore), 0);
/// assert_eq!(movegen::count(&board, Piece::O, rules), 9);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveRules {
    /// The treatment of spins.
    pub spin_mode: SpinMode,
    /// `true` if a piece whose spawn is blocked spawns one row higher: see
    /// [`Board::spawn`](crate::Board::spawn).
    pub second_spawn_row: bool,
}

impl From<SpinMode> for MoveRules {
    /// Returns the rules with one spawn row.
    #[inline(always)]
    fn from(spin_mode: SpinMode) -> Self {
        Self { spin_mode, second_spawn_row: false }
    }
}

impl Board {
    /// Returns the location at which a piece spawns by [`Rules`](crate::Rules) or
    /// [`MoveRules`](crate::movegen::MoveRules), or `None` if the spawn is blocked.
    ///
    /// That is [`Location::spawn`] if the piece fits there, or else, with a second spawn row, the location one
    /// row higher.
    ///
    /// ```
    /// use tetris::{Board, Location, Piece, Rules};
    /// let board: Board = format!("....#.....\n{}", "..........\n".repeat(19)).parse().unwrap();
    /// assert_eq!(board.spawn(Piece::T, Rules { second_spawn_row: false, ..Rules::default() }), None);
    /// assert_eq!(board.spawn(Piece::T, Rules::default()), Some(Location { y: 20, ..Location::spawn(Piece::T) }));
    /// ```
    #[inline]
    pub fn spawn(&self, piece: Piece, rules: impl Into<MoveRules>) -> Option<Location> {
        let first = Location::spawn(piece);
        if self.fits(first) {
            return Some(first);
        }
        let second = first.moved(0, 1);
        (rules.into().second_spawn_row && self.fits(second)).then_some(second)
    }
}

impl MoveRules {
    /// Returns `true` if a piece starts in the second spawn row, where it may be blocked, too.
    #[inline(always)]
    pub(crate) fn skip_first_row(self, board: &Board, piece: Piece) -> bool {
        /// The columns of the cells of all pieces that spawn.
        const COLUMNS: Range<usize> = Location::SPAWN_X as usize - 1..Location::SPAWN_X as usize + 3;
        let reaches = |board: &Board| {
            board.columns()[COLUMNS].iter().fold(0, |all, column| all | column) >> Location::SPAWN_Y != 0
        };
        self.second_spawn_row && reaches(board) && !board.fits(Location::spawn(piece))
    }
}
