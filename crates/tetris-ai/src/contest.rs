//! The contest: "Goose Tetris", the fourth Tencent Geek Challenge (August 2021).
//!
//! Ten columns, x = 0 at the left; twenty rows, y = 0 at the **top**; cells above the top (y < 0) are free. The
//! sequence of 10,000 pieces is known in advance, there is no gravity and there are no kicks: a record of key presses
//! is the whole game. One turn:
//!
//! 1. The piece spawns with its center at (4, 0) in the state of the sequence. If a cell of it is taken, the game is
//!    over.
//! 2. Each press of L, R, D or C moves the center by one cell or turns the piece by one state. A press whose target
//!    doesn't fit is ignored; only the target is tested, so tucks and spins are legal.
//! 3. The piece locks where it is, even in mid-air.
//! 4. If row 0 then has a filled cell, the game is over and the piece scores nothing; if it was the 10,000th piece,
//!    likewise. Otherwise k full rows score m(k) x n, with m = 0, 1, 3, 6, 10 and n the filled cells of the whole board
//!    *before* the full rows are removed.
//!
//! The rules are those of the official page's script; the server's judge was never published.

mod board;
mod bound;
mod falling_piece;
mod game;
mod piece;
mod record;
mod sequence;
mod verify;

pub use board::{Board, COLUMNS, ROWS};
pub use bound::bound;
pub use falling_piece::{FallingPiece, Key, SPAWN};
pub use game::{Game, GameOver, multiplier};
pub use piece::{CellOffsets, Piece, Shape};
pub use record::{
    KeyPresses, KeyRun, ParseRecordError, Record, RecordProblem, TextPosition, position_of_item,
};
pub use sequence::{PIECES, Sequence};
pub use verify::{GameResult, KEY_PRESSES, VerifyError, verify};
