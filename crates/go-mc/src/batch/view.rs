//! [`BatchView`]: a read-only snapshot of one game of a batch.

use crate::rules::board::{Board, Color};
use crate::rules::game::Move;
use crate::rules::komi::{Komi, Score};

/// A read-only snapshot of one game of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchView {
    pub(super) board: Board,
    pub(super) to_move: Color,
    pub(super) passes: u8,
    pub(super) moves: u32,
    pub(super) last: Option<Move>,
    pub(super) area: [u32; 2],
    pub(super) komi: Komi,
}

impl BatchView {
    /// Returns the board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the player to move.
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// Returns the number of consecutive passes at the end of the game so far, 0 to 2.
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// Returns `true` if the last two moves were passes.
    pub const fn is_over(&self) -> bool {
        self.passes == 2
    }

    /// Returns the number of moves so far, passes included.
    pub const fn moves(&self) -> u32 {
        self.moves
    }

    /// Returns the last move, or `None` before the first.
    pub const fn last_move(&self) -> Option<Move> {
        self.last
    }

    /// Returns each color's current Tromp-Taylor area ([`Board::area`]), Black's first, without
    /// komi.
    pub const fn area(&self) -> [u32; 2] {
        self.area
    }

    /// Returns the Tromp-Taylor score of the current board.
    pub const fn score(&self) -> Score {
        Score::new(self.area, self.komi)
    }
}
