//! [`Lock`]: where a piece comes to rest, and the presses that bring it there.

use crate::contest::{Board, COLUMNS, FallingPiece, Key, KeyPresses, Piece, ROWS, Shape};

/// Where a piece locks: its state and its center.
///
/// States with the same cells count as one, so that no two locks of a piece fill the same cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lock {
    /// The state, below [`Shape::orientations`].
    pub state: u8,
    /// The column of the center.
    pub x: u8,
    /// The row of the center, 0 at the top.
    pub y: u8,
}

impl Lock {
    /// The piece as it locks.
    pub const fn falling(self, shape: Shape) -> FallingPiece {
        FallingPiece { piece: Piece::new(shape, self.state), x: self.x as i8, y: self.y as i8 }
    }

    /// In eleven bits.
    #[inline(always)]
    pub(super) const fn pack(self) -> u16 {
        self.state as u16 | (self.x as u16) << 2 | (self.y as u16) << 6
    }

    /// What [`pack`](Self::pack) made; `None` for other bits.
    pub(super) const fn unpack(bits: u16) -> Option<Self> {
        let lock = Self { state: (bits & 3) as u8, x: (bits >> 2 & 15) as u8, y: (bits >> 6) as u8 };
        if (lock.x as usize) < COLUMNS && (lock.y as usize) < ROWS { Some(lock) } else { None }
    }

    /// The fewest key presses that bring a piece from its spawn to here; `None` if none do.
    ///
    /// ```
    /// use tetris_ai::{Lock, contest::{Board, Piece, Shape}};
    /// // Under the roof on the right.
    /// let board: Board = "......####\n..........".parse()?;
    /// let keys = Lock { state: 1, x: 7, y: 19 }.keys(&board, Piece::new(Shape::I, 1));
    /// let keys: String = keys.unwrap().runs().iter().map(|run| format!("{}{} ", run.key.letter(), run.count)).collect();
    /// assert_eq!(keys, "D17 L1 D2 R4 ");
    /// # Ok::<(), tetris_ai::ParseBoardError>(())
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

/// The keys from one place to another, as runs.
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
