//! [`Placement`]: the final location of a piece, and its kind of spin.

use crate::board::Board;
use crate::kicks::RotationSystem;
use crate::location::Location;
use crate::piece::Piece;
use core::fmt;
use core::ops::Range;

/// The kind of T-spin under the three-corner rule: a spin is a T locked right after a rotation,
/// with at least three of its four corners (the cells diagonal to its center) filled. Walls and
/// floor count as filled. [`SpinMode::AllMini`] adds minis of all pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Spin {
    /// No spin: not a T, its last movement wasn't a rotation, or fewer than three corners are
    /// filled.
    #[default]
    None,
    /// At least three filled corners, not both of them at the T's front, and a kick other than the
    /// fifth of a rotation by 90 degrees.
    Mini,
    /// At least three filled corners including both at the T's front, or any three after the fifth
    /// kick.
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

/// A way to lock a piece. Placements are equal if their cells and their spins are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Placement {
    /// The [canonical](Location::canonical) location of the locked piece.
    pub at: Location,
    /// The kind of spin.
    pub spin: Spin,
}

/// The treatment of spins in lists and counts of placements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum SpinMode {
    /// Spins are ignored: equal cells are one placement, with [`Spin::None`].
    #[default]
    Ignore,
    /// Spins are classified: for a T, equal cells are one placement per possible kind of spin.
    TSpins,
    /// As [`TSpins`](Self::TSpins), and all immobile pieces are minis: those that can't move left,
    /// right, up or down after a rotation. A T without three filled corners counts, too. TETR.IO
    /// calls these rules `all-mini+`.
    AllMini,
}

impl SpinMode {
    /// All treatments.
    pub const ALL: [Self; 3] = [Self::Ignore, Self::TSpins, Self::AllMini];
}

/// The move generation rules. A [`SpinMode`] converts into rules of SRS with a single spawn row, the
/// convention of published perft counts.
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
///
/// [`SpinMode::AllMini`] marks its minis after the search, which takes 4 to 15 times as long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveRules {
    /// The treatment of spins.
    pub spin_mode: SpinMode,
    /// `true` to retry a blocked spawn one row higher: see [`Board::spawn`](crate::Board::spawn).
    pub second_spawn_row: bool,
    /// The kicks, and whether pieces rotate by 180 degrees.
    pub rotation_system: RotationSystem,
}

impl From<SpinMode> for MoveRules {
    /// Returns SRS rules with a single spawn row.
    #[inline(always)]
    fn from(spin_mode: SpinMode) -> Self {
        Self { spin_mode, second_spawn_row: false, rotation_system: RotationSystem::Srs }
    }
}

impl Board {
    /// Returns `true` if a cell is at or above the spawn row in the columns of the spawn.
    #[inline(always)]
    pub(crate) fn reaches_spawn(&self) -> bool {
        /// The columns of all spawn cells, of any piece.
        const COLUMNS: Range<usize> =
            Location::SPAWN_X as usize - 1..Location::SPAWN_X as usize + 3;
        self.columns()[COLUMNS].iter().fold(0, |all, column| all | column) >> Location::SPAWN_Y != 0
    }

    /// Returns the spawn location of a piece under [`Rules`](crate::Rules) or
    /// [`MoveRules`](crate::movegen::MoveRules), or `None` if the spawn is blocked.
    ///
    /// A piece that doesn't fit at [`Location::spawn`] spawns one row higher if the rules have a
    /// second spawn row.
    ///
    /// ```
    /// use tetris::{Board, Location, Piece, Rules};
    /// let board: Board = format!("....#.....\n{}", "..........\n".repeat(19)).parse().unwrap();
    /// assert_eq!(board.spawn(Piece::T, Rules { second_spawn_row: false, ..Rules::default() }), None);
    /// assert_eq!(board.spawn(Piece::T, Rules::default()), Some(Location { y: 20, ..Location::spawn(Piece::T) }));
    /// ```
    #[inline(always)]
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
    /// Returns `true` if a piece starts in the second spawn row, where it may be blocked as well.
    #[inline(always)]
    pub(crate) fn skip_first_row(self, board: &Board, piece: Piece) -> bool {
        self.second_spawn_row && board.reaches_spawn() && !board.fits(Location::spawn(piece))
    }
}
