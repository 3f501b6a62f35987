//! [`RotationSystem`]: where a piece that rotates may end.
//!
//! SRS is written in the guideline's "true rotation" form: each orientation has five offsets, and
//! kick `i` is `offset[from][i] - offset[to][i]`. The other tables list the kicks after kick 0,
//! relative to it, as their sources do, but with y upward.

use crate::board::Board;
use crate::location::Location;
use crate::piece::{Orientation, Piece, Rotation};

/// The kicks of all rotations. A rotation tries its kicks in order and uses the first that makes
/// the piece fit. Kick 0 rotates in place.
///
/// | system | kicks by 90 degrees | by 180 degrees: I; J, L, S, T, Z |
/// |---|---|---|
/// | [SRS](https://tetris.wiki/Super_Rotation_System), the guideline's | 5 | no such rotation |
/// | SRS+, TETR.IO's default | as SRS; I has others in five of eight rotations | 2; 6 |
/// | SRS-X | as SRS | 6; 12 |
///
/// SRS+ agrees with [Triangle.js](https://github.com/halp1/triangle) (`kicks/data.ts`) and
/// [TetrioVirtualEnvironment](https://github.com/CSDotNET0211/TetrioVirtualEnvironment)
/// (`KicksetSRSPlus.cs`); [cobra-tetrio-movegen](https://github.com/Kixenon/cobra-tetrio-movegen)
/// has four more kicks for the half turn of I, which never count: the second always fits. SRS-X
/// agrees with Triangle.js and, for half turns, with `NullpoMino`'s `StandardWallkick`. In these
/// sources y points down.
///
/// ```
/// use tetris::{Board, Location, Orientation, Piece, Rotation, RotationSystem};
/// // A T in a corner. In place, its half turn would be in the floor: it is kicked up.
/// let at = Location { piece: Piece::T, orientation: Orientation::North, x: 1, y: 0 };
/// let turned = RotationSystem::SrsPlus.rotate(&Board::EMPTY, at, Rotation::Half).unwrap();
/// assert_eq!((turned.orientation, turned.x, turned.y), (Orientation::South, 1, 1));
/// assert_eq!(RotationSystem::Srs.rotate(&Board::EMPTY, at, Rotation::Half), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RotationSystem {
    /// The guideline's Super Rotation System, without 180-degree rotations.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "srs"))]
    Srs,
    /// TETR.IO's default: the kicks of I are symmetric, and pieces rotate by 180 degrees.
    #[cfg_attr(feature = "serde", serde(rename = "srs+"))]
    SrsPlus,
    /// SRS with the 180-degree rotations of `NullpoMino`.
    #[cfg_attr(feature = "serde", serde(rename = "srs-x"))]
    SrsX,
}

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

/// The kicks of I in SRS+, by orientation: clockwise, then counter-clockwise.
const I_PLUS: [[[(i8, i8); 4]; 2]; 4] = [
    [[(1, 0), (-2, 0), (-2, -1), (1, 2)], [(-1, 0), (2, 0), (2, -1), (-1, 2)]],
    [[(-1, 0), (2, 0), (-1, 2), (2, -1)], [(-1, 0), (2, 0), (-1, -2), (2, 1)]],
    [[(2, 0), (-1, 0), (2, 1), (-1, -2)], [(-2, 0), (1, 0), (-2, 1), (1, -2)]],
    [[(1, 0), (-2, 0), (1, -2), (-2, 1)], [(1, 0), (-2, 0), (1, 2), (-2, -1)]],
];
/// The kicks of half turns, by orientation.
const HALF_PLUS: [[(i8, i8); 5]; 4] = [
    [(0, 1), (1, 1), (-1, 1), (1, 0), (-1, 0)],
    [(1, 0), (1, 2), (1, 1), (0, 2), (0, 1)],
    [(0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0)],
    [(-1, 0), (-1, 2), (-1, 1), (0, 2), (0, 1)],
];
const HALF_PLUS_I: [[(i8, i8); 1]; 4] = [[(0, 1)], [(1, 0)], [(0, -1)], [(-1, 0)]];
#[rustfmt::skip]
const HALF_X: [[(i8, i8); 11]; 4] = [
    [(1, 0), (2, 0), (1, -1), (2, -1), (-1, 0), (-2, 0), (-1, -1), (-2, -1), (0, 1), (3, 0), (-3, 0)],
    [(0, -1), (0, -2), (-1, -1), (-1, -2), (0, 1), (0, 2), (-1, 1), (-1, 2), (1, 0), (0, -3), (0, 3)],
    [(-1, 0), (-2, 0), (-1, 1), (-2, 1), (1, 0), (2, 0), (1, 1), (2, 1), (0, -1), (-3, 0), (3, 0)],
    [(0, -1), (0, -2), (1, -1), (1, -2), (0, 1), (0, 2), (1, 1), (1, 2), (-1, 0), (0, -3), (0, 3)],
];
const HALF_X_I: [[(i8, i8); 5]; 4] = [
    [(-1, 0), (-2, 0), (1, 0), (2, 0), (0, -1)],
    [(0, -1), (0, -2), (0, 1), (0, 2), (-1, 0)],
    [(1, 0), (2, 0), (-1, 0), (-2, 0), (0, 1)],
    [(0, -1), (0, -2), (0, 1), (0, 2), (1, 0)],
];

/// The kicks of one rotation, as movements of the center.
#[derive(Clone, Copy)]
pub(crate) struct Kicks {
    all: [(i8, i8); 12],
    len: u8,
}

impl Kicks {
    const NONE: Self = Self { all: [(0, 0); 12], len: 0 };

    pub(crate) const fn len(&self) -> usize {
        self.len as usize
    }

    pub(crate) const fn get(&self, number: usize) -> (i8, i8) {
        self.all[number]
    }

    const fn with(mut self, (x, y): (i8, i8)) -> Self {
        self.all[self.len as usize] = (x, y);
        self.len += 1;
        self
    }

    /// Adds kicks relative to kick 0.
    const fn with_all(mut self, more: &[(i8, i8)]) -> Self {
        let (x, y) = self.all[0];
        let mut i = 0;
        while i < more.len() {
            self = self.with((x + more[i].0, y + more[i].1));
            i += 1;
        }
        self
    }

    const fn differences(from: &[(i8, i8)], to: &[(i8, i8)]) -> Self {
        let mut kicks = Self::NONE;
        let mut i = 0;
        while i < from.len() {
            kicks = kicks.with((from[i].0 - to[i].0, from[i].1 - to[i].1));
            i += 1;
        }
        kicks
    }

    /// Returns the kicks of one rotation; callable in const contexts.
    pub(crate) const fn of(
        system: RotationSystem,
        piece: Piece,
        from: Orientation,
        rotation: Rotation,
    ) -> Self {
        use RotationSystem::{Srs, SrsPlus, SrsX};
        let r = from as usize;
        let to = from.rotated(rotation) as usize;
        let quarter = match piece {
            Piece::I => Self::differences(&I[r], &I[to]),
            Piece::O => Self::differences(&O[r], &O[to]),
            _ => Self::differences(&JLSTZ[r], &JLSTZ[to]),
        };
        let in_place = Self { len: 1, ..quarter };
        match (system, rotation, piece) {
            (Srs, Rotation::Half, _) => Self::NONE,
            (_, Rotation::Half, Piece::O) => in_place,
            (SrsPlus, Rotation::Half, Piece::I) => in_place.with_all(&HALF_PLUS_I[r]),
            (SrsPlus, Rotation::Half, _) => in_place.with_all(&HALF_PLUS[r]),
            (SrsX, Rotation::Half, Piece::I) => in_place.with_all(&HALF_X_I[r]),
            (SrsX, Rotation::Half, _) => in_place.with_all(&HALF_X[r]),
            (SrsPlus, _, Piece::I) => in_place.with_all(&I_PLUS[r][rotation as usize]),
            _ => quarter,
        }
    }
}

/// The kicks by system, piece, orientation and rotation.
static KICKS: [[[[Kicks; 3]; 4]; 7]; 3] = {
    let mut table = [[[[Kicks::NONE; 3]; 4]; 7]; 3];
    let mut i = 0;
    while i < 3 * 7 * 4 * 3 {
        let system = i / (7 * 4 * 3);
        let piece = i / (4 * 3) % 7;
        let from = i / 3 % 4;
        let rotation = i % 3;
        table[system][piece][from][rotation] = Kicks::of(
            RotationSystem::ALL[system],
            Piece::ALL[piece],
            Orientation::ALL[from],
            Rotation::ALL[rotation],
        );
        i += 1;
    }
    table
};

impl RotationSystem {
    /// All systems.
    pub const ALL: [Self; 3] = [Self::Srs, Self::SrsPlus, Self::SrsX];

    /// Returns `true` if pieces rotate by 180 degrees.
    pub const fn has_half_turns(self) -> bool {
        !matches!(self, Self::Srs)
    }

    /// Returns the kicks of a rotation in test order, as movements `(x, y)` of the center, y up.
    /// The list is empty for half turns in a system without them.
    ///
    /// ```
    /// use tetris::{Orientation, Piece, Rotation, RotationSystem};
    /// let from_north = RotationSystem::Srs.kicks(Piece::T, Orientation::North, Rotation::Cw);
    /// assert_eq!(from_north, [(0, 0), (-1, 0), (-1, 1), (0, -2), (-1, -2)]);
    /// ```
    #[inline]
    pub fn kicks(self, piece: Piece, from: Orientation, rotation: Rotation) -> &'static [(i8, i8)] {
        let kicks = &KICKS[self as usize][piece as usize][from as usize][rotation as usize];
        kicks.all.get(..kicks.len()).unwrap_or_default()
    }

    /// Rotates a piece with the first kick that fits. Returns `None` if none does. No cell may pass
    /// the walls, the floor or the ceiling.
    ///
    /// ```
    /// use tetris::{Board, Location, Orientation, Piece, Rotation, RotationSystem};
    /// let upright = Location { piece: Piece::I, orientation: Orientation::East, x: 0, y: 5 };
    /// // Rotated in place, its left end would be in the wall. It is kicked to the right.
    /// let kicked = RotationSystem::Srs.rotate(&Board::EMPTY, upright, Rotation::Ccw).unwrap();
    /// assert_eq!((kicked.orientation, kicked.x), (Orientation::North, 1));
    /// ```
    #[inline]
    pub fn rotate(self, board: &Board, at: Location, rotation: Rotation) -> Option<Location> {
        self.rotate_if(at, rotation, |kicked| board.fits(kicked)).map(|(kicked, _)| kicked)
    }

    /// [`rotate`](Self::rotate), for any test of a location that refuses those outside the field.
    /// Returns the number of the kick, too.
    #[inline(always)]
    pub(crate) fn rotate_if(
        self,
        at: Location,
        rotation: Rotation,
        fits: impl Fn(Location) -> bool,
    ) -> Option<(Location, usize)> {
        let rotated = Location { orientation: at.orientation.rotated(rotation), ..at };
        for (number, &(dx, dy)) in self.kicks(at.piece, at.orientation, rotation).iter().enumerate()
        {
            let kicked = Location {
                x: rotated.x.wrapping_add(dx),
                y: rotated.y.wrapping_add(dy),
                ..rotated
            };
            if fits(kicked) {
                return Some((kicked, number));
            }
        }
        None
    }
}
