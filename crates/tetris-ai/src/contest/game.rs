//! A game in progress, played key press by key press, and its score.

use super::board::Board;
use super::falling_piece::{ContestKey, FallingPiece};
use super::record::KeyPresses;
use super::sequence::{PIECES, Sequence};
use std::fmt;

/// Returns the score factor of clearing `lines` rows with one piece: 0, 1, 3, 6, 10 for 0 to 4
/// rows.
pub const fn multiplier(lines: u32) -> u32 {
    match lines {
        0 => 0,
        1 => 1,
        2 => 3,
        3 => 6,
        _ => 10,
    }
}

/// The reason why a game is over. Pieces are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameOver {
    /// A cell of the spawn location was filled; the piece is not placed.
    SpawnBlocked {
        /// The number of the piece, from 1.
        piece: usize,
    },
    /// A lock filled a cell of row 0; the piece scores nothing.
    TopTouched {
        /// The number of the piece, from 1.
        piece: usize,
    },
    /// The 10,000th piece was placed; it scores nothing.
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

/// A game in progress with the pieces of a sequence.
///
/// ```
/// use tetris_ai::contest::{Game, ContestKey, Sequence};
/// let sequence = Sequence::contest();
/// let mut game = Game::new(&sequence);
/// game.spawn();
/// while game.press(ContestKey::Down) {}
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
    floating_locks: u32,
    over: Option<GameOver>,
}

impl<'a> Game<'a> {
    /// Creates a game with an empty board and no falling piece.
    pub fn new(sequence: &'a Sequence) -> Self {
        Self {
            sequence,
            board: Board::new(),
            falling: None,
            pieces: 0,
            score: 0,
            clears: [0; 4],
            floating_locks: 0,
            over: None,
        }
    }

    /// Spawns the next piece and returns whether it is now falling.
    ///
    /// Returns `false` without changing anything if a piece is already falling or the game is over.
    /// Returns `false` and ends the game if the piece does not fit.
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

    /// Presses a key and returns whether the piece moved. Does nothing if the target does not fit
    /// or no piece is falling.
    pub fn press(&mut self, key: ContestKey) -> bool {
        let target = self
            .falling
            .map(|falling| falling.after_key(key))
            .filter(|&target| self.board.fits(target));
        self.falling = target.or(self.falling);
        target.is_some()
    }

    /// Locks the falling piece at its current location, then scores and clears the full rows, or
    /// ends the game. Does nothing if no piece is falling.
    pub fn lock(&mut self) {
        let Some(falling) = self.falling.take() else { return };
        self.floating_locks += u32::from(self.board.fits(falling.after_key(ContestKey::Down)));
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
            }
        }
    }

    /// Plays a whole turn: spawns the next piece, presses its keys and locks it. Returns the
    /// location of the lock, or `None` if the piece could not spawn.
    pub fn play(&mut self, turn: &KeyPresses) -> Option<FallingPiece> {
        if !self.spawn() {
            return None;
        }
        for run in turn.runs() {
            for _ in 0..run.count {
                if !self.press(run.key) {
                    // Repeating a blocked key changes nothing.
                    break;
                }
            }
        }
        let locked = self.falling;
        self.lock();
        locked
    }

    /// Returns the board without the falling piece. The lock that ends a game removes no full rows.
    pub fn board(&self) -> &Board {
        &self.board
    }
    /// Returns the falling piece.
    pub fn falling(&self) -> Option<FallingPiece> {
        self.falling
    }
    /// Returns the number of pieces placed.
    pub fn pieces(&self) -> usize {
        self.pieces
    }
    /// Returns the score.
    pub fn score(&self) -> u64 {
        self.score
    }
    /// Returns the numbers of single, double, triple and quad clears.
    pub fn clears(&self) -> [u32; 4] {
        self.clears
    }
    /// Returns the number of floating locks: pieces that locked although they could have moved
    /// down.
    pub fn floating_locks(&self) -> u32 {
        self.floating_locks
    }
    /// Returns the reason why the game is over, or `None` while it is in progress.
    pub fn over(&self) -> Option<GameOver> {
        self.over
    }
}
