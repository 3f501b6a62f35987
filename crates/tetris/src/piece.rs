//! The seven pieces with their orientations and cells.

/// One of the seven pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// Four in a line.
    I,
    /// The square.
    O,
    /// Three in a line, one above the middle. The only piece with spins, except under
    /// [`SpinMode::AllMini`](crate::movegen::SpinMode::AllMini).
    T,
    /// Two over two, the upper pair shifted right.
    S,
    /// Two over two, the upper pair shifted left.
    Z,
    /// Three in a line, one above the left end.
    J,
    /// Three in a line, one above the right end.
    L,
}

/// The direction a piece faces. Pieces spawn facing north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Orientation {
    /// The spawn orientation.
    North,
    /// One clockwise rotation from north.
    East,
    /// Upside down.
    South,
    /// One counter-clockwise rotation from north.
    West,
}

/// A rotation. [Rotation systems](crate::RotationSystem) say where it may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Rotation {
    /// Clockwise.
    Cw,
    /// Counter-clockwise.
    Ccw,
    /// By 180 degrees, in systems that have it.
    #[cfg_attr(feature = "serde", serde(rename = "180"))]
    Half,
}

impl Rotation {
    /// All rotations.
    pub const ALL: [Self; 3] = [Self::Cw, Self::Ccw, Self::Half];
}

impl Orientation {
    /// All four orientations in clockwise order.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// Returns the orientation after a clockwise rotation.
    ///
    /// ```
    /// use tetris::Orientation::{North, West};
    /// assert_eq!(West.cw(), North);
    /// ```
    #[must_use]
    pub const fn cw(self) -> Self {
        Self::ALL[(self as usize + 1) & 3]
    }

    /// Returns the orientation after a counter-clockwise rotation.
    #[must_use]
    pub const fn ccw(self) -> Self {
        Self::ALL[(self as usize + 3) & 3]
    }

    /// Returns the orientation after a rotation.
    #[must_use]
    pub const fn rotated(self, rotation: Rotation) -> Self {
        match rotation {
            Rotation::Cw => self.cw(),
            Rotation::Ccw => self.ccw(),
            Rotation::Half => self.cw().cw(),
        }
    }
}

impl Piece {
    /// All seven pieces.
    pub const ALL: [Self; 7] = [Self::I, Self::O, Self::T, Self::S, Self::Z, Self::J, Self::L];

    /// Returns the four cells as `(x, y)` offsets from the piece's center, x to the right, y up.
    /// The center is one of them.
    ///
    /// ```
    /// use tetris::{Orientation, Piece};
    /// assert_eq!(Piece::T.cells(Orientation::North), [(-1, 0), (0, 0), (1, 0), (0, 1)]);
    /// assert_eq!(Piece::T.cells(Orientation::East), [(0, 1), (0, 0), (0, -1), (1, 0)]);
    /// ```
    #[inline]
    pub const fn cells(self, orientation: Orientation) -> [(i32, i32); 4] {
        CELLS[self as usize][orientation as usize]
    }

    #[inline(always)]
    pub(crate) const fn shape(self, orientation: Orientation) -> &'static Shape {
        &SHAPES[self as usize][orientation as usize]
    }
}

/// The guideline's spawn cells, in the order of [`Piece::ALL`].
const NORTH: [[(i32, i32); 4]; 7] = [
    [(-1, 0), (0, 0), (1, 0), (2, 0)],
    [(0, 0), (1, 0), (0, 1), (1, 1)],
    [(-1, 0), (0, 0), (1, 0), (0, 1)],
    [(-1, 0), (0, 0), (0, 1), (1, 1)],
    [(-1, 1), (0, 1), (0, 0), (1, 0)],
    [(-1, 0), (0, 0), (1, 0), (-1, 1)],
    [(-1, 0), (0, 0), (1, 0), (1, 1)],
];

const CELLS: [[[(i32, i32); 4]; 4]; 7] = {
    let mut table = [NORTH; 4];
    let mut by_piece = [[[(0, 0); 4]; 4]; 7];
    let mut i = 0;
    while i < 7 * 4 * 4 {
        let piece = i / 16;
        let turns = i / 4 % 4;
        let cell = i % 4;
        if turns > 0 {
            let (x, y) = table[turns - 1][piece][cell];
            table[turns][piece][cell] = (y, -x);
        }
        by_piece[piece][turns][cell] = table[turns][piece][cell];
        i += 1;
    }
    by_piece
};

/// The row -64, far below every cell.
const NO_FOOT: u64 = 0_u64.wrapping_sub(64);

/// A piece as bits: its bounding box, one word per column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The offset from the center to the leftmost column, 0 or less.
    pub(crate) left: i32,
    /// The offset from the center to the lowest row, 0 or less.
    pub(crate) bottom: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
    /// The columns of the box, bit 0 = lowest row.
    pub(crate) columns: [u64; 4],
    /// The columns after three empty ones.
    padded: [u64; 7],
    /// The row of the lowest cell of each of these columns, [`NO_FOOT`] in empty ones.
    feet: [u64; 7],
}

impl Shape {
    /// Returns four columns, of which the box begins at the given one, 0 to 3.
    #[inline(always)]
    pub(crate) fn columns_from(&self, first: usize) -> [u64; 4] {
        four_from(&self.padded, first)
    }

    /// Returns the row of the lowest cell of each of these four columns, [`NO_FOOT`] in empty ones.
    #[inline(always)]
    pub(crate) fn feet_from(&self, first: usize) -> [u64; 4] {
        four_from(&self.feet, first)
    }
}

#[inline(always)]
fn four_from(padded: &[u64; 7], first: usize) -> [u64; 4] {
    padded[3 - first.min(3)..].first_chunk().copied().unwrap_or_default()
}

static SHAPES: [[Shape; 4]; 7] = {
    let mut table = [[shape(&NORTH[0]); 4]; 7];
    let mut i = 0;
    while i < 7 * 4 {
        table[i / 4][i % 4] = shape(&CELLS[i / 4][i % 4]);
        i += 1;
    }
    table
};

const fn shape(cells: &[(i32, i32); 4]) -> Shape {
    let mut left = 0;
    let mut bottom = 0;
    let mut right = 0;
    let mut top = 0;
    let mut i = 0;
    while i < 4 {
        let (x, y) = cells[i];
        (left, right) = (if x < left { x } else { left }, if x > right { x } else { right });
        (bottom, top) = (if y < bottom { y } else { bottom }, if y > top { y } else { top });
        i += 1;
    }
    let mut columns = [0u64; 4];
    i = 0;
    while i < 4 {
        let (x, y) = cells[i];
        columns[(x - left) as usize] |= 1 << (y - bottom);
        i += 1;
    }
    let mut padded = [0; 7];
    let mut feet = [NO_FOOT; 7];
    i = 0;
    while i < 4 {
        padded[3 + i] = columns[i];
        if columns[i] != 0 {
            feet[3 + i] = columns[i].trailing_zeros() as u64;
        }
        i += 1;
    }
    let width = right - left + 1;
    let height = top - bottom + 1;
    Shape { left, bottom, width, height, columns, padded, feet }
}
