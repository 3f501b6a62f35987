//! Placements: where a piece can lock, and as what kind of spin.

use crate::board::{HEIGHT, WIDTH};
use crate::{Board, Location, Orientation, Piece, Turn, kicks};
use alloc::vec::Vec;
use bitcore::{Isa, SetBits, dispatch};
use core::fmt;

/// What a T earned by its last rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spin {
    /// Nothing: not a T, its last movement wasn't a rotation, or fewer than three of its corners are filled.
    #[default]
    None,
    /// Three corners filled, not both at its front, and not by the fifth kick.
    Mini,
    /// Three corners filled with both at its front, or any three by the fifth kick.
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

/// One way to lock a piece. Two are the same if their cells and their spins are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// Where it locks, [canonical](Location::canonical).
    pub at: Location,
    /// As what.
    pub spin: Spin,
}

/// A set of [canonical](Location::canonical) locations of one piece: a bit for each orientation, column and row of
/// the centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locations {
    piece: Piece,
    centres: [[u64; WIDTH]; 4],
}

impl Locations {
    /// The empty set.
    #[inline]
    pub const fn new(piece: Piece) -> Self {
        Self { piece, centres: [[0; WIDTH]; 4] }
    }

    /// Adds a location in its canonical form; equal cells count once. False, and no change, if it was there, if it is
    /// another piece's, or if its centre lies outside the field.
    #[inline]
    pub fn insert(&mut self, at: Location) -> bool {
        let at = at.canonical();
        if at.piece != self.piece || !(0..HEIGHT as i8).contains(&at.y) {
            return false;
        }
        let Some(rows) = self.centres[at.orientation as usize].get_mut(at.x as usize) else { return false };
        let before = *rows;
        *rows |= 1 << at.y;
        *rows != before
    }

    /// How many locations.
    #[inline]
    pub fn len(&self) -> usize {
        self.centres.as_flattened().iter().map(|column| column.count_ones() as usize).sum()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.centres.as_flattened().iter().all(|&column| column == 0)
    }

    /// The locations by orientation, then column, then row.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Location> {
        let piece = self.piece;
        Orientation::ALL.into_iter().zip(&self.centres).flat_map(move |(orientation, columns)| {
            columns.iter().zip(0..).flat_map(move |(&rows, x)| {
                SetBits(rows).map(move |y| Location { piece, orientation, x, y: y as i8 })
            })
        })
    }
}

/// What a piece reaches without soft drops: rotations where it spawns (any number, with kicks), then steps to one
/// side, then a hard drop. Nothing if the spawn is blocked.
///
/// ```
/// use tetris::{Board, Piece, movegen};
/// assert_eq!(movegen::hard_drops(&Board::EMPTY, Piece::T).len(), 34);
/// assert_eq!(movegen::hard_drops(&Board::EMPTY, Piece::S).len(), 17);
/// ```
pub fn hard_drops(board: &Board, piece: Piece) -> Locations {
    dispatch!(isa => hard_drops_with(isa, board, piece))
}

/// The token has no work of its own here: inside its function, zeros and ones are counted by instructions.
#[doc(hidden)]
#[inline(always)]
pub fn hard_drops_with<S: Isa>(_: S, board: &Board, piece: Piece) -> Locations {
    let mut landings = Locations::new(piece);
    let spawn = Location::spawn(piece);
    let mut turned = Vec::with_capacity(4);
    turned.extend(board.fits(spawn).then_some(spawn));
    // Kicks may lift a piece along a wall of cells: more than four ways to stand can be reached.
    let mut next = 0;
    while let Some(&from) = turned.get(next) {
        next += 1;
        for turn in Turn::ALL {
            if let Some(to) = kicks::rotate(board, from, turn)
                && !turned.contains(&to)
            {
                turned.push(to);
            }
        }
    }
    for from in turned {
        for step in [-1, 1] {
            let mut at = from;
            while let Some(landing) = board.landing(at) {
                landings.insert(landing);
                at = at.moved(step, 0);
            }
        }
    }
    landings
}
