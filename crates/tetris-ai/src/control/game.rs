//! Whole games of simplified Tetris.

use super::controller::{Choice, Controller};
use crate::columns::Columns;
use bitcore::{Isa, Rng, dispatch};
use tetris::{Board, Piece};

/// A game of simplified Tetris.
///
/// Each piece is one draw `rng.below(7)`, an index into [`Piece::ALL`]. A new game draws two pieces
/// and each placed piece draws one more, so one-piece and two-piece controllers see the same
/// pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimplifiedGame {
    field: Columns,
    piece: Piece,
    next: Piece,
    rng: Rng,
    pieces: u64,
    lines: u64,
    evaluated: u64,
    over: bool,
}

impl SimplifiedGame {
    /// Creates a game with an empty board.
    pub fn new(mut rng: Rng) -> Self {
        let piece = draw(&mut rng);
        let next = draw(&mut rng);
        Self {
            field: Columns::new(),
            piece,
            next,
            rng,
            pieces: 0,
            lines: 0,
            evaluated: 0,
            over: false,
        }
    }

    /// Returns the board of locked cells.
    pub fn board(&self) -> Board {
        self.field.board()
    }

    /// Returns the piece in play.
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// Returns the piece after the one in play.
    pub fn next(&self) -> Piece {
        self.next
    }

    /// Returns the number of pieces placed.
    pub fn pieces(&self) -> u64 {
        self.pieces
    }

    /// Returns the number of lines cleared.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the number of boards evaluated by controllers.
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Returns whether the game is over, because a piece had no drop.
    pub fn over(&self) -> bool {
        self.over
    }

    /// Places up to `pieces` pieces, fewer if the game ends, and returns the number placed.
    pub fn play(&mut self, controller: &Controller, pieces: u64) -> u64 {
        dispatch!(isa [this = self, controller, pieces] => this.play_here(isa, controller, pieces))
    }

    /// Returns the drop that a controller would choose next, or `None` if there is none.
    pub fn choice(&self, controller: &Controller) -> Option<Choice> {
        controller.choose(&self.board(), self.piece, Some(self.next))
    }

    #[inline(always)]
    fn play_here<S: Isa>(&mut self, isa: S, controller: &Controller, pieces: u64) -> u64 {
        let before = self.pieces;
        while self.pieces - before < pieces && !self.over {
            let found = controller.best(isa, &self.field, self.piece, Some(self.next));
            self.evaluated += found.evaluated;
            let Some((_, drop)) = found.best else {
                self.over = true;
                break;
            };
            self.field = drop.child(isa, &self.field, self.piece);
            self.lines += u64::from(drop.full_rows.count_ones());
            self.pieces += 1;
            (self.piece, self.next) = (self.next, draw(&mut self.rng));
        }
        self.pieces - before
    }
}

#[inline(always)]
fn draw(rng: &mut Rng) -> Piece {
    Piece::ALL[rng.below(7) as usize]
}
