//! The pieces of the contest: the seven of [`tetris`] with different centers and rotation states; y
//! points down.

use crate::piece_columns::orientations;
use std::fmt;
use tetris::Piece;

/// The four cells of a piece as offsets (dx, dy) from its center; dy > 0 is down.
pub type CellOffsets = [(i8, i8); 4];

/// The cell offsets from the contest page's script, by piece and rotation state.
const CELLS: [[CellOffsets; 4]; 7] = {
    let i = [[(0, 0), (0, -1), (0, -2), (0, 1)], [(0, 0), (1, 0), (2, 0), (-1, 0)]];
    let o = [(0, 0), (0, -1), (1, -1), (1, 0)];
    let s = [[(0, 0), (0, -1), (1, -1), (-1, 0)], [(0, 0), (-1, 0), (-1, -1), (0, 1)]];
    let z = [[(0, 0), (0, -1), (1, 0), (-1, -1)], [(0, 0), (0, -1), (-1, 1), (-1, 0)]];
    let t = [
        [(0, 0), (1, 0), (0, 1), (-1, 0)],
        [(0, 0), (0, -1), (0, 1), (-1, 0)],
        [(0, 0), (0, -1), (1, 0), (-1, 0)],
        [(0, 0), (0, -1), (1, 0), (0, 1)],
    ];
    let j = [
        [(0, 0), (0, -1), (0, -2), (-1, 0)],
        [(0, 0), (0, -1), (1, 0), (2, 0)],
        [(0, 0), (1, 0), (0, 1), (0, 2)],
        [(0, 0), (-1, 0), (-2, 0), (0, 1)],
    ];
    let l = [
        [(0, 0), (0, -1), (0, -2), (1, 0)],
        [(0, 0), (1, 0), (2, 0), (0, 1)],
        [(0, 0), (-1, 0), (0, 1), (0, 2)],
        [(0, 0), (0, -1), (-1, 0), (-2, 0)],
    ];
    [
        [i[0], i[1], i[0], i[1]],
        [o, o, o, o],
        t,
        [s[0], s[1], s[0], s[1]],
        [z[0], z[1], z[0], z[1]],
        j,
        l,
    ]
};

/// A piece in one of its four rotation states.
///
/// ```
/// use tetris::Piece;
/// use tetris_ai::contest::OrientedPiece;
/// let piece = OrientedPiece::new(Piece::T, 3);
/// assert_eq!(piece.rotated().cells(), [(0, 0), (1, 0), (0, 1), (-1, 0)]);
/// assert_eq!(piece.to_string(), "T3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrientedPiece {
    kind: Piece,
    state: u8,
}

impl OrientedPiece {
    /// Returns a piece in rotation state `state` modulo 4.
    pub const fn new(kind: Piece, state: u8) -> Self {
        Self { kind, state: state % 4 }
    }
    /// Returns the kind of piece.
    pub const fn kind(self) -> Piece {
        self.kind
    }
    /// Returns the rotation state, 0..=3.
    pub const fn state(self) -> u8 {
        self.state
    }
    /// Returns the piece in its next rotation state, as after one press of C.
    #[must_use]
    pub const fn rotated(self) -> Self {
        Self::new(self.kind, self.state + 1)
    }
    /// Returns the four cells as offsets from the center.
    pub const fn cells(self) -> CellOffsets {
        CELLS[self.kind as usize][self.state as usize]
    }

    pub(crate) const fn orientations(self) -> u8 {
        orientations(self.kind)
    }

    /// Returns the piece in the first of the rotation states that cover the same cells.
    #[must_use]
    pub const fn canonical(self) -> Self {
        Self::new(self.kind, self.state % self.orientations())
    }

    pub(crate) const fn max_lines(self) -> u32 {
        match self.kind {
            Piece::I => 4,
            Piece::O => 2,
            _ => 3,
        }
    }
}

/// Formats the letter and the rotation state: `Z0`.
impl fmt::Display for OrientedPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind, self.state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(piece: OrientedPiece) -> u32 {
        let rows = piece.cells().map(|(_, dy)| dy);
        (rows.iter().max().unwrap() - rows.iter().min().unwrap() + 1) as u32
    }

    #[test]
    fn orientations_and_lines_follow_from_the_cells() {
        for kind in Piece::ALL {
            let states: [_; 4] = std::array::from_fn(|state| OrientedPiece::new(kind, state as u8));
            let cells = states.map(|piece| {
                let mut cells = piece.cells();
                cells.sort_unstable();
                cells
            });
            let distinct = (0..4).filter(|&i| !cells[..i].contains(&cells[i])).count();
            assert_eq!(distinct, usize::from(states[0].orientations()), "{kind}");
            for state in 0..4 {
                assert_eq!(cells[state], cells[state % distinct], "{kind}{state}");
                assert_eq!(states[state].canonical(), states[state % distinct]);
            }
            let tallest = states.map(rows).into_iter().max().unwrap();
            assert_eq!(tallest, states[0].max_lines(), "{kind}");
        }
    }
}
