//! A falling piece, and the keys that move it.

use super::piece::OrientedPiece;

/// The spawn location of a piece's center: column 4, row 0.
pub const SPAWN: (i8, i8) = (4, 0);

/// A key of the contest's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContestKey {
    /// Moves the piece one column to the left.
    Left,
    /// Moves the piece one column to the right.
    Right,
    /// Moves the piece one row down.
    Down,
    /// Rotates the piece to the next of its four states.
    Rotate,
}

impl ContestKey {
    /// All four keys.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Down, Self::Rotate];

    /// Returns the letter of the key in a record: L, R, D or C.
    pub const fn letter(self) -> char {
        match self {
            Self::Left => 'L',
            Self::Right => 'R',
            Self::Down => 'D',
            Self::Rotate => 'C',
        }
    }
}

/// A piece that is not locked yet: its rotation state and the location of its center.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FallingPiece {
    /// The piece and its rotation state.
    pub piece: OrientedPiece,
    /// The column of the center.
    pub x: i8,
    /// The row of the center.
    pub y: i8,
}

impl FallingPiece {
    /// Returns the piece at its spawn location.
    pub const fn spawned(piece: OrientedPiece) -> Self {
        Self { piece, x: SPAWN.0, y: SPAWN.1 }
    }

    /// Returns the piece after one key press, without checking whether it fits.
    #[must_use]
    pub const fn after_key(mut self, key: ContestKey) -> Self {
        match key {
            ContestKey::Left => self.x -= 1,
            ContestKey::Right => self.x += 1,
            ContestKey::Down => self.y += 1,
            ContestKey::Rotate => self.piece = self.piece.rotated(),
        }
        self
    }

    /// Returns the piece in the same place, in the first of the rotation states that cover the same
    /// cells.
    #[must_use]
    pub const fn canonical(self) -> Self {
        Self { piece: self.piece.canonical(), ..self }
    }

    /// Returns the four cells as (column, row).
    pub fn cells(self) -> [(i8, i8); 4] {
        self.piece.cells().map(|(dx, dy)| (self.x + dx, self.y + dy))
    }
}
