//! [`Location`]: the position of a piece in the field.

use crate::piece::{Orientation, Piece};
use core::fmt;

/// The number of visible rows.
pub(crate) const SKYLINE: i32 = 20;

/// The position of a piece: its orientation and the column and row of its center.
///
/// Any values are allowed. Use [`Board::fits`](crate::Board::fits) to check a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Location {
    /// The piece.
    pub piece: Piece,
    /// The orientation of the piece.
    pub orientation: Orientation,
    /// The column of the center from the left, 0..=9 in the field.
    pub x: i8,
    /// The row of the center from the bottom, 0..=39 in the field.
    pub y: i8,
}

impl Location {
    /// The column of a piece's center at its spawn.
    pub const SPAWN_X: i8 = 4;
    /// The row of a piece's center at its spawn.
    pub const SPAWN_Y: i8 = 19;

    /// Returns the spawn location of a piece.
    pub const fn spawn(piece: Piece) -> Self {
        Self { piece, orientation: Orientation::North, x: Self::SPAWN_X, y: Self::SPAWN_Y }
    }

    /// Returns the location `dx` columns to the right and `dy` rows up.
    /// Coordinates saturate at the ends of `i8`.
    #[inline(always)]
    #[must_use]
    pub const fn moved(self, dx: i8, dy: i8) -> Self {
        Self { x: self.x.saturating_add(dx), y: self.y.saturating_add(dy), ..self }
    }

    /// Returns the four cells of the piece as `(x, y)` in the field, from the left and from the
    /// bottom.
    #[inline]
    pub fn cells(self) -> [(i32, i32); 4] {
        self.piece
            .cells(self.orientation)
            .map(|(x, y)| (x + i32::from(self.x), y + i32::from(self.y)))
    }

    pub(crate) fn lowest_row(self) -> i32 {
        i32::from(self.y) + self.piece.shape(self.orientation).bottom
    }

    /// Returns the canonical location, equal for all locations with the same cells.
    ///
    /// I, S and Z have two shapes and O has one. The canonical form uses the first orientation of
    /// each shape.
    ///
    /// ```
    /// use tetris::{Location, Orientation, Piece};
    /// let south = Location { piece: Piece::S, orientation: Orientation::South, x: 4, y: 1 };
    /// let north = Location { orientation: Orientation::North, y: 0, ..south };
    /// assert_eq!(south.canonical(), north);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn canonical(self) -> Self {
        let (orientation, dx, dy) = CANONICAL[self.piece as usize][self.orientation as usize];
        Self { orientation, ..self.moved(dx, dy) }
    }
}

/// The canonical orientation by piece and orientation, and the offset between the two centers.
static CANONICAL: [[(Orientation, i8, i8); 4]; 7] = {
    let mut table = [[(Orientation::North, 0, 0); 4]; 7];
    let mut i = 0;
    while i < 7 * 4 {
        let piece = Piece::ALL[i / 4];
        let shape = piece.shape(Orientation::ALL[i % 4]);
        let mut first = 0;
        while !same_cells(&shape.columns, &piece.shape(Orientation::ALL[first]).columns) {
            first += 1;
        }
        let base = piece.shape(Orientation::ALL[first]);
        table[i / 4][i % 4] = (
            Orientation::ALL[first],
            (shape.left - base.left) as i8,
            (shape.bottom - base.bottom) as i8,
        );
        i += 1;
    }
    table
};

const fn same_cells(a: &[u64; 4], b: &[u64; 4]) -> bool {
    a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3]
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.piece, self.orientation, self.x, self.y)
    }
}
