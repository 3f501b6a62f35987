//! [`Game`]: one turn after the other, and what they score.

use super::board::Board;
use super::falling_piece::{FallingPiece, Key};
use super::record::KeyPresses;
use super::sequence::{PIECES, Sequence};
use std::fmt;

/// The factor of a clear of `lines` rows at once: 0, 1, 3, 6, 10. No piece fills more than four.
pub const fn multiplier(lines: u32) -> u32 {
    match lines {
        0 => 0,
        1 => 1,
        2 => 3,
        3 => 6,
        _ => 10,
    }
}

/// Why a game is over. Pieces are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameOver {
    /// A piece found a taken cell where it spawns; it isn't placed.
    SpawnBlocked {
        /// The number of the piece.
        piece: usize,
    },
    /// A piece left a filled cell in row 0; it scores nothing.
    TopTouched {
        /// The number of the piece.
        piece: usize,
    },
    /// The last piece is placed; it scores nothing.
    PieceLimit,
}

impl fmt::Display for GameOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SpawnBlocked { piece } => write!(f, "spawn blocked at piece {piece}"),
            Self::TopTouched { piece } => write!(f, "top touched at piece {piece}"),
            Self::PieceLimit => f.write_str("piece limit: the last piece scores nothing"),
        }
    }
}

/// A game in progress on a sequence.
///
/// ```
/// use tetris_ai::contest::{Game, Key, Sequence};
/// let sequence = Sequence::contest();
/// let mut game = Game::new(&sequence);
/// game.spawn();
/// while game.press(Key::Down) {}
/// game.lock();
/// assert_eq!((game.pieces(), game.board().cells(), game.score()), (1, 4, 0));
/// ```
#[derive(Clone, Debug)]
pub struct Game<'a> {
    sequence: &'a Sequence,
    board: Board,
    falling: Option<FallingPiece>,
    pieces: usize,
    score: u64,
    clears: [u32; 4],
    cells_at_clears: [u64; 4],
    floating_locks: u32,
    over: Option<GameOver>,
}

impl<'a> Game<'a> {
    /// The beginning: an empty board, nothing falling.
    pub fn new(sequence: &'a Sequence) -> Self {
        Self {
            sequence,
            board: Board::new(),
            falling: None,
            pieces: 0,
            score: 0,
            clears: [0; 4],
            cells_at_clears: [0; 4],
            floating_locks: 0,
            over: None,
        }
    }

    /// Spawns the next piece. False, and nothing happens, while a piece falls or after the end; false, and the game is
    /// over, if the piece doesn't fit.
    pub fn spawn(&mut self) -> bool {
        if self.falling.is_some() || self.over.is_some() {
            return false;
        }
        self.falling = self.board.spawn(self.sequence.pieces()[self.pieces]);
        if self.falling.is_none() {
            self.over = Some(GameOver::SpawnBlocked { piece: self.pieces + 1 });
        }
        self.falling.is_some()
    }

    /// Presses a key. False, and nothing happens, if the target doesn't fit or nothing falls.
    pub fn press(&mut self, key: Key) -> bool {
        let target =
            self.falling.map(|falling| falling.after_key(key)).filter(|&target| self.board.fits(target));
        self.falling = target.or(self.falling);
        target.is_some()
    }

    /// Locks the falling piece where it is and settles the turn. Nothing happens if none falls.
    pub fn lock(&mut self) {
        let Some(falling) = self.falling.take() else { return };
        self.floating_locks += u32::from(self.board.fits(falling.after_key(Key::Down)));
        self.board.place(falling);
        self.pieces += 1;
        if self.board.top_touched() {
            self.over = Some(GameOver::TopTouched { piece: self.pieces });
        } else if self.pieces == PIECES {
            self.over = Some(GameOver::PieceLimit);
        } else {
            let cells = self.board.cells();
            let lines = self.board.clear_full_rows();
            self.score += u64::from(multiplier(lines) * cells);
            if lines > 0 {
                self.clears[lines as usize - 1] += 1;
                self.cells_at_clears[lines as usize - 1] += u64::from(cells);
            }
        }
    }

    /// Plays a whole turn: spawns, presses its keys, locks. Where the piece locked; `None` if it couldn't spawn.
    pub fn play(&mut self, turn: &KeyPresses) -> Option<FallingPiece> {
        if !self.spawn() {
            return None;
        }
        for run in turn.runs() {
            for _ in 0..run.count {
                if !self.press(run.key) {
                    // Blocked once, blocked as often as it is pressed.
                    break;
                }
            }
        }
        let locked = self.falling;
        self.lock();
        locked
    }

    /// The board, without the falling piece. After the end it keeps its full rows.
    pub fn board(&self) -> &Board {
        &self.board
    }
    /// The piece that falls.
    pub fn falling(&self) -> Option<FallingPiece> {
        self.falling
    }
    /// How many pieces are placed.
    pub fn pieces(&self) -> usize {
        self.pieces
    }
    /// The score.
    pub fn score(&self) -> u64 {
        self.score
    }
    /// How many clears took one, two, three and four rows.
    pub fn clears(&self) -> [u32; 4] {
        self.clears
    }
    /// The filled cells at these clears, summed.
    pub fn cells_at_clears(&self) -> [u64; 4] {
        self.cells_at_clears
    }
    /// How many pieces locked although they could have moved down.
    pub fn floating_locks(&self) -> u32 {
        self.floating_locks
    }
    /// Why the game is over, if it is.
    pub fn over(&self) -> Option<GameOver> {
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_operation_changes_nothing() {
        let sequence = Sequence::contest();
        let mut game = Game::new(&sequence);
        assert!(!game.press(Key::Down));
        game.lock();
        assert_eq!(game.pieces(), 0);
        assert!(game.spawn());
        let falling = game.falling();
        assert!(!game.spawn());
        assert_eq!(game.falling(), falling);
        // A Z in state 0 spans columns 3..=5: three steps to the left, the fourth is blocked.
        assert_eq!([(); 5].map(|()| game.press(Key::Left)), [true, true, true, false, false]);
        assert_eq!(game.falling().map(|falling| falling.x), Some(1));
    }
}
