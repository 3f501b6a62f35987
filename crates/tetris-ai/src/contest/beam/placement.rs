//! [`Placement`]: the resting place of a piece and the key presses that lead there.

use crate::columns::{COLUMNS, ROWS};
use crate::contest::board::Board;
use crate::contest::falling_piece::{FallingPiece, Key};
use crate::contest::piece::{Piece, Shape};
use crate::contest::record::KeyPresses;

/// The resting place of a piece: its rotation state and the cell of its center.
///
/// States of a shape with equal cells count as one, so no two placements of a piece fill the same cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The rotation state, below [`Shape::orientations`].
    pub state: u8,
    /// The column of the center.
    pub x: u8,
    /// The row of the center, 0 at the top.
    pub y: u8,
}

impl Placement {
    /// Returns the piece of shape `shape` at this place.
    pub const fn falling(self, shape: Shape) -> FallingPiece {
        FallingPiece { piece: Piece::new(shape, self.state), x: self.x as i8, y: self.y as i8 }
    }

    /// Packs the placement into eleven bits.
    ///
    /// ```text
    /// bit  10 ..... 6 5 ...... 2 1 .. 0
    ///      | y, 0..20 | x, 0..10 | state |
    /// ```
    #[inline(always)]
    pub(super) const fn pack(self) -> u16 {
        self.state as u16 | (self.x as u16) << 2 | (self.y as u16) << 6
    }

    /// Unpacks the bits of [`pack`](Self::pack); `None` for a place outside the board.
    pub(super) const fn unpack(bits: u16) -> Option<Self> {
        let placement = Self { state: (bits & 3) as u8, x: (bits >> 2 & 15) as u8, y: (bits >> 6) as u8 };
        if (placement.x as usize) < COLUMNS && (placement.y as usize) < ROWS { Some(placement) } else { None }
    }

    /// Returns a shortest sequence of key presses from the spawn of `piece` to this place, found by
    /// breadth-first search; `None` if no sequence of legal presses leads here.
    ///
    /// ```
    /// use tetris_ai::contest::{Board, Piece, Shape, beam::Placement};
    /// // Under the roof on the right.
    /// let board: Board = "......####\n..........".parse()?;
    /// let keys = Placement { state: 1, x: 7, y: 19 }.keys(&board, Piece::new(Shape::I, 1));
    /// let keys = keys.unwrap();
    /// let runs = keys.runs().iter();
    /// let keys: String = runs.map(|run| format!("{}{} ", run.key.letter(), run.count)).collect();
    /// assert_eq!(keys, "D17 L1 D2 R4 ");
    /// # Ok::<(), tetris_ai::contest::ParseBoardError>(())
    /// ```
    pub fn keys(self, board: &Board, piece: Piece) -> Option<KeyPresses> {
        let place = |falling: &FallingPiece| {
            (falling.y as usize * COLUMNS + falling.x as usize) * 4 + usize::from(falling.piece.state())
        };
        let orientations = piece.shape().orientations();
        let there = |falling: &FallingPiece| {
            let state = falling.piece.state() % orientations;
            (state, falling.x, falling.y) == (self.state, self.x as i8, self.y as i8)
        };
        let start = board.spawn(piece)?;
        let mut from: Vec<Option<(usize, Key)>> = vec![None; COLUMNS * ROWS * 4];
        let mut queue = vec![start];
        let mut seen = 0;
        while let Some(&falling) = queue.get(seen) {
            seen += 1;
            if there(&falling) {
                return Some(way(&from, place(&start), place(&falling)));
            }
            for key in [Key::Down, Key::Left, Key::Right, Key::Rotate] {
                let next = falling.after_key(key);
                if board.fits(next) && place(&next) != place(&start) && from[place(&next)].is_none() {
                    from[place(&next)] = Some((place(&falling), key));
                    queue.push(next);
                }
            }
        }
        None
    }
}

/// Returns the keys from `start` to `place`, found by following the table of predecessors backward.
fn way(from: &[Option<(usize, Key)>], start: usize, mut place: usize) -> KeyPresses {
    let mut keys = Vec::new();
    while let Some((before, key)) = from[place].filter(|_| place != start) {
        keys.push(key);
        place = before;
    }
    keys.reverse();
    let mut turn = KeyPresses::new();
    for run in keys.chunk_by(|a, b| a == b) {
        turn.push(run[0], run.len() as u32);
    }
    turn
}
