//! The [Super Rotation System](https://tetris.wiki/Super_Rotation_System) (SRS): rotations and
//! their kicks.
//!
//! The tables use the guideline's "true rotation" form: each orientation has five offsets, and kick
//! `i` of a rotation is `offset[from][i] - offset[to][i]`. A rotation uses the first kick that
//! makes the piece fit. Kick 0 rotates in place.

use crate::board::Board;
use crate::location::Location;
use crate::piece::{Orientation, Piece, Rotation};

/// The offsets of J, L, S, T and Z, by orientation.
const JLSTZ: [[(i8, i8); 5]; 4] = [
    [(0, 0); 5],
    [(0, 0), (1, 0), (1, -1), (0, 2), (1, 2)],
    [(0, 0); 5],
    [(0, 0), (-1, 0), (-1, -1), (0, 2), (-1, 2)],
];
const I: [[(i8, i8); 5]; 4] = [
    [(0, 0), (-1, 0), (2, 0), (-1, 0), (2, 0)],
    [(-1, 0), (0, 0), (0, 0), (0, 1), (0, -2)],
    [(-1, 1), (1, 1), (-2, 1), (1, 0), (-2, 0)],
    [(0, 1), (0, 1), (0, 1), (0, -1), (0, 2)],
];
/// The offsets of O, by orientation: they keep its cells in place.
const O: [[(i8, i8); 1]; 4] = [[(0, 0)], [(0, -1)], [(-1, -1)], [(-1, 0)]];

/// Returns the table `kicks[from][rotation]` of one offset table.
const fn differences<const N: usize>(offsets: &[[(i8, i8); N]; 4]) -> [[[(i8, i8); N]; 2]; 4] {
    let mut kicks = [[[(0, 0); N]; 2]; 4];
    let mut i = 0;
    while i < 4 * 2 * N {
        let from = i / (2 * N);
        let rotation = i / N % 2;
        let kick = i % N;
        let a = offsets[from][kick];
        let b = offsets[Orientation::ALL[from].rotated(Rotation::ALL[rotation]) as usize][kick];
        kicks[from][rotation][kick] = (a.0 - b.0, a.1 - b.1);
        i += 1;
    }
    kicks
}
static KICKS_JLSTZ: [[[(i8, i8); 5]; 2]; 4] = differences(&JLSTZ);
static KICKS_I: [[[(i8, i8); 5]; 2]; 4] = differences(&I);
static KICKS_O: [[[(i8, i8); 1]; 2]; 4] = differences(&O);

/// Returns one kick; callable in const contexts. O has only the first.
pub(crate) const fn kick(
    piece: Piece,
    from: Orientation,
    rotation: Rotation,
    number: usize,
) -> (i8, i8) {
    let to = from.rotated(rotation) as usize;
    let (a, b) = match piece {
        Piece::I => (I[from as usize][number], I[to][number]),
        Piece::O => (O[from as usize][0], O[to][0]),
        _ => (JLSTZ[from as usize][number], JLSTZ[to][number]),
    };
    (a.0 - b.0, a.1 - b.1)
}

/// Returns the kicks of a rotation in test order, as movements `(x, y)` of the center.
///
/// ```
/// use tetris::{Orientation, Piece, Rotation, kicks::kicks};
/// let from_north = kicks(Piece::T, Orientation::North, Rotation::Cw);
/// assert_eq!(from_north, [(0, 0), (-1, 0), (-1, 1), (0, -2), (-1, -2)]);
/// ```
#[inline]
pub fn kicks(piece: Piece, from: Orientation, rotation: Rotation) -> &'static [(i8, i8)] {
    let from = from as usize;
    let rotation = rotation as usize;
    match piece {
        Piece::I => &KICKS_I[from][rotation],
        Piece::O => &KICKS_O[from][rotation],
        _ => &KICKS_JLSTZ[from][rotation],
    }
}

/// Rotates a piece with the first kick that fits. Returns `None` if none does. No cell may pass the
/// walls, the floor or the ceiling.
///
/// ```
/// use tetris::{Board, Location, Orientation, Piece, Rotation, kicks};
/// let board = Board::EMPTY;
/// let upright = Location { piece: Piece::I, orientation: Orientation::East, x: 0, y: 5 };
/// // Rotated in place, its left end would be in the wall. It is kicked to the right.
/// let kicked = kicks::rotate(&board, upright, Rotation::Ccw).unwrap();
/// assert_eq!((kicked.orientation, kicked.x), (Orientation::North, 1));
/// ```
#[inline]
pub fn rotate(board: &Board, at: Location, rotation: Rotation) -> Option<Location> {
    rotate_if(at, rotation, |kicked| board.fits(kicked))
}

/// [`rotate`], for any test of a location that refuses those outside the field.
#[inline(always)]
pub(crate) fn rotate_if(
    at: Location,
    rotation: Rotation,
    fits: impl Fn(Location) -> bool,
) -> Option<Location> {
    let rotated = Location { orientation: at.orientation.rotated(rotation), ..at };
    for &(dx, dy) in kicks(at.piece, at.orientation, rotation) {
        let kicked =
            Location { x: rotated.x.wrapping_add(dx), y: rotated.y.wrapping_add(dy), ..rotated };
        if fits(kicked) {
            return Some(kicked);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_kicks_are_those_of_the_tables() {
        for piece in Piece::ALL {
            for (from, rotation) in
                Orientation::ALL.into_iter().flat_map(|from| Rotation::ALL.map(|to| (from, to)))
            {
                for (number, &expected) in kicks(piece, from, rotation).iter().enumerate() {
                    assert_eq!(
                        kick(piece, from, rotation, number),
                        expected,
                        "{piece} {from} {number}"
                    );
                }
            }
        }
    }
}
