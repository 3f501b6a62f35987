//! Pieces of two shapes.
//!
//! I, S and Z look the same after a half turn: north and south have equal cells a
//! step apart, and so have east and west. Until the rotations begin, only north and east are
//! filled. The rotations need all four, because their kicks differ.

use super::pieces::{I, shapes};
use crate::location::Location;
use crate::movegen::bitboard::{Bitboard, RowBlock, moved};
use crate::piece::{Orientation, Piece};

/// Whether a piece looks the same after a half turn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Symmetry {
    None,
    /// I, S and Z.
    HalfTurn,
}

impl Symmetry {
    pub(super) const fn of(piece: usize) -> Self {
        if shapes(piece) == 2 { Self::HalfTurn } else { Self::None }
    }
}

/// The offsets between centers of equal cells in opposite orientations, for I or for S and Z.
pub(super) struct HalfTurn<const P: usize>;

impl<const P: usize> HalfTurn<P> {
    const FROM_SOUTH: (i32, i32) = to_canonical(P, 2);
    const FROM_WEST: (i32, i32) = to_canonical(P, 3);
    pub(super) const TO_SOUTH: (i32, i32) = (-Self::FROM_SOUTH.0, -Self::FROM_SOUTH.1);
    pub(super) const TO_WEST: (i32, i32) = (-Self::FROM_WEST.0, -Self::FROM_WEST.1);
}

/// Returns the offset from a center to the center of equal cells in the canonical orientation. S
/// and Z share it.
const fn to_canonical(piece: usize, orientation: usize) -> (i32, i32) {
    const fn of(piece: Piece, orientation: usize) -> (i32, i32) {
        let at =
            Location { piece, orientation: Orientation::ALL[orientation], x: 0, y: 0 }.canonical();
        (at.x as i32, at.y as i32)
    }
    if piece == I {
        return of(Piece::I, orientation);
    }
    let s = of(Piece::S, orientation);
    let z = of(Piece::Z, orientation);
    assert!(s.0 == z.0 && s.1 == z.1);
    s
}

/// Returns the reached centers of a symmetric piece, merging south into north and west into east.
#[inline(always)]
pub(super) fn canonical<B: RowBlock, const N: usize, const P: usize>(
    reached: &[Bitboard<B, N>; 4],
) -> [Bitboard<B, N>; 2] {
    [
        reached[0].or(moved!(reached[2], HalfTurn::<P>::FROM_SOUTH)),
        reached[1].or(moved!(reached[3], HalfTurn::<P>::FROM_WEST)),
    ]
}
