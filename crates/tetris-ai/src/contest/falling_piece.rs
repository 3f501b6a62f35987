//! [`FallingPiece`]: a piece that isn't locked yet, and the [`Key`]s that move it.

use super::piece::Piece;

/// Where the center of a piece spawns: column 4, row 0.
pub const SPAWN: (i8, i8) = (4, 0);

/// One key press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// One row down.
    Down,
    /// The next of the four states.
    Rotate,
}

impl Key {
    /// The letter in a record: L, R, D or C.
    pub const fn letter(self) -> char {
        match self {
            Self::Left => 'L',
            Self::Right => 'R',
            Self::Down => 'D',
            Self::Rotate => 'C',
        }
    }
}

/// A piece that isn't locked yet: its state and its center.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FallingPiece {
    /// The shape in its state.
    pub piece: Piece,
    /// The column of the center.
    pub x: i8,
    /// The row of the center.
    pub y: i8,
}

impl FallingPiece {
    /// A piece where it spawns.
    pub const fn spawned(piece: Piece) -> Self {
        Self { piece, x: SPAWN.0, y: SPAWN.1 }
    }

    /// Where one key press would bring it.
    #[must_use]
    pub const fn after_key(mut self, key: Key) -> Self {
        match key {
            Key::Left => self.x -= 1,
            Key::Right => self.x += 1,
            Key::Down => self.y += 1,
            Key::Rotate => self.piece = self.piece.rotated(),
        }
        self
    }

    /// The four cells as (column, row).
    pub fn cells(self) -> [(i8, i8); 4] {
        self.piece.cells().map(|(dx, dy)| (self.x + dx, self.y + dy))
    }
}
