//! The rules of the 2021 contest "Goose Tetris" (the fourth Tencent Geek Challenge, August 2021).
//!
//! The board has ten columns, x = 0 at the left, and twenty rows, y = 0 at the **top**; cells above
//! the top (y < 0) are always free. The sequence of 10,000 pieces is known in advance. There is no
//! gravity and there are no wall kicks, so a record of key presses determines the whole game. Each
//! piece takes one turn:
//!
//! 1. The piece spawns with its center at (4, 0), in the rotation state given by the sequence. If
//!    one of its four cells is filled, the game is over.
//! 2. Each press of L, R or D moves the center by one cell; each press of C rotates the piece to
//!    its next state. A press is ignored if the piece does not fit at the target. Only the target
//!    is tested, so tucks and spins are legal.
//! 3. After its last key press the piece locks at its current location, even in mid-air.
//! 4. If row 0 then has a filled cell, the game is over and the piece scores nothing. The 10,000th
//!    piece also ends the game and scores nothing. Otherwise k full rows score m(k) x n points,
//!    where m(0..=4) = 0, 1, 3, 6, 10 and n is the number of filled cells on the whole board
//!    *before* the full rows are removed.
//!
//! | you want to | use |
//! |---|---|
//! | get the pieces of a game | [`Sequence`] |
//! | read or write the key presses of a game | [`Record`] |
//! | score a record | [`verify`] |
//! | play key by key | [`Game`] |
//! | get an upper bound on the score of any record | [`bound`] |
//! | get the highest score in a game | [`beam::Beam`] |
//! | play a game piece by piece, with backtracking | [`tree::Solver`] |
//! | check against a slow, obvious implementation | [`reference`](mod@reference) |
//!
//! Source: the script on the contest's official page. The program that judged the entries was never
//! published.

pub mod beam;
mod board;
mod bound;
mod checkpoint_error;
pub mod checksum;
mod depth;
mod falling_piece;
mod game;
mod piece;
mod record;
pub mod reference;
mod sequence;
mod state_line;
mod text;
pub mod tree;
mod verify;

pub use crate::columns::{COLUMNS, ROWS};
pub use board::Board;
pub use bound::{bound, bounds};
pub use checkpoint_error::ParseCheckpointError;
pub use falling_piece::{ContestKey, FallingPiece, SPAWN};
pub use game::{Game, GameOver, multiplier};
pub use piece::{CellOffsets, OrientedPiece};
pub use record::{
    ClaimedScore, KeyPresses, KeyRun, ParseRecordError, Record, RecordErrorKind, TextPosition,
    claimed_score, position_of_item,
};
pub use sequence::{PIECES, Sequence};
pub use text::ParseBoardError;
pub use verify::{GameResult, KEY_PRESSES, VerifyError, verify};
