//! The seven shapes and their four rotation states: the contest's form of [`tetris::Piece`] and
//! [`tetris::Orientation`], with other centers and y pointing down.

use std::fmt;

/// The four cells of a piece as offsets (dx, dy) from its center; dy > 0 is down.
pub type CellOffsets = [(i8, i8); 4];

/// One of the seven tetromino shapes, in the contest's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs, reason = "each variant is named by its shape's letter")]
pub enum Shape {
    I,
    L,
    J,
    T,
    O,
    S,
    Z,
}

/// The cell offsets of the contest page's script, by shape and rotation state.
const CELLS: [[CellOffsets; 4]; 7] = {
    let i = [[(0, 0), (0, -1), (0, -2), (0, 1)], [(0, 0), (1, 0), (2, 0), (-1, 0)]];
    let o = [(0, 0), (0, -1), (1, -1), (1, 0)];
    let s = [[(0, 0), (0, -1), (1, -1), (-1, 0)], [(0, 0), (-1, 0), (-1, -1), (0, 1)]];
    let z = [[(0, 0), (0, -1), (1, 0), (-1, -1)], [(0, 0), (0, -1), (-1, 1), (-1, 0)]];
    [
        [i[0], i[1], i[0], i[1]],
        [
            [(0, 0), (0, -1), (0, -2), (1, 0)],
            [(0, 0), (1, 0), (2, 0), (0, 1)],
            [(0, 0), (-1, 0), (0, 1), (0, 2)],
            [(0, 0), (0, -1), (-1, 0), (-2, 0)],
        ],
        [
            [(0, 0), (0, -1), (0, -2), (-1, 0)],
            [(0, 0), (0, -1), (1, 0), (2, 0)],
            [(0, 0), (1, 0), (0, 1), (0, 2)],
            [(0, 0), (-1, 0), (-2, 0), (0, 1)],
        ],
        [
            [(0, 0), (1, 0), (0, 1), (-1, 0)],
            [(0, 0), (0, -1), (0, 1), (-1, 0)],
            [(0, 0), (0, -1), (1, 0), (-1, 0)],
            [(0, 0), (0, -1), (1, 0), (0, 1)],
        ],
        [o, o, o, o],
        [s[0], s[1], s[0], s[1]],
        [z[0], z[1], z[0], z[1]],
    ]
};

impl Shape {
    /// All seven shapes, in the contest's order.
    pub const ALL: [Self; 7] = [Self::I, Self::L, Self::J, Self::T, Self::O, Self::S, Self::Z];

    /// Returns how many of the four rotation states differ: one for O, two for I, S and Z, four for the
    /// others. States that are equal modulo this number have the same cells.
    pub const fn orientations(self) -> u8 {
        match self {
            Self::O => 1,
            Self::I | Self::S | Self::Z => 2,
            Self::L | Self::J | Self::T => 4,
        }
    }

    /// Returns the maximum number of rows that one piece of this shape can complete: four for I, two for O,
    /// three for the others.
    pub const fn max_lines(self) -> u32 {
        match self {
            Self::I => 4,
            Self::O => 2,
            _ => 3,
        }
    }

    /// Returns the letter of the shape.
    pub const fn letter(self) -> char {
        match self {
            Self::I => 'I',
            Self::L => 'L',
            Self::J => 'J',
            Self::T => 'T',
            Self::O => 'O',
            Self::S => 'S',
            Self::Z => 'Z',
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A shape in one of its four rotation states.
///
/// ```
/// use tetris_ai::contest::{Piece, Shape};
/// let piece = Piece::new(Shape::T, 3);
/// assert_eq!(piece.rotated().cells(), [(0, 0), (1, 0), (0, 1), (-1, 0)]);
/// assert_eq!(piece.to_string(), "T3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    shape: Shape,
    state: u8,
}

impl Piece {
    /// Returns a shape in a rotation state; `state` is taken modulo 4.
    pub const fn new(shape: Shape, state: u8) -> Self {
        Self { shape, state: state % 4 }
    }
    /// Returns the shape.
    pub const fn shape(self) -> Shape {
        self.shape
    }
    /// Returns the rotation state, 0..=3.
    pub const fn state(self) -> u8 {
        self.state
    }
    /// Returns the piece in its next rotation state, as after one press of C.
    #[must_use]
    pub const fn rotated(self) -> Self {
        Self::new(self.shape, self.state + 1)
    }
    /// Returns the four cells as offsets from the center.
    pub const fn cells(self) -> CellOffsets {
        CELLS[self.shape as usize][self.state as usize]
    }
}

/// Formats the letter and the rotation state: `Z0`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.shape, self.state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of rows that the cells of a rotation state span.
    fn rows(piece: Piece) -> u32 {
        let rows = piece.cells().map(|(_, dy)| dy);
        (rows.iter().max().unwrap() - rows.iter().min().unwrap() + 1) as u32
    }

    #[test]
    fn orientations_and_lines_follow_from_the_cells() {
        for shape in Shape::ALL {
            let states: [_; 4] = std::array::from_fn(|state| {
                let mut cells = Piece::new(shape, state as u8).cells();
                cells.sort_unstable();
                cells
            });
            let distinct = (0..4).filter(|&i| !states[..i].contains(&states[i])).count();
            assert_eq!(distinct, usize::from(shape.orientations()), "{shape}");
            for state in 0..4 {
                assert_eq!(states[state], states[state % distinct], "{shape}{state}");
            }
            let tallest = (0..4).map(|state| rows(Piece::new(shape, state))).max().unwrap();
            assert_eq!(tallest, shape.max_lines(), "{shape}");
        }
    }
}
