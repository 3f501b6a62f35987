//! [`SimplifiedGame`]: a game under a controller.

use super::controller::{Choice, Controller};
use crate::columns::Columns;
use bitcore::{Isa, Level, Rng, dispatch};
use tetris::{Board, Piece};

/// A game of plain Tetris, played by a [`Controller`].
///
/// Every piece takes one draw, [`Rng::below`] seven, its place in [`Piece::ALL`]. A new game draws two, a piece placed
/// one more, so that one-piece and two-piece controllers play the same pieces.
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
    /// An empty board.
    pub fn new(mut rng: Rng) -> Self {
        let (piece, next) = (draw(&mut rng), draw(&mut rng));
        Self { field: Columns::new(), piece, next, rng, pieces: 0, lines: 0, evaluated: 0, over: false }
    }

    /// The locked cells.
    pub fn board(&self) -> Board {
        self.field.board()
    }

    /// The piece in play.
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// The piece after it.
    pub fn next(&self) -> Piece {
        self.next
    }

    /// Pieces placed.
    pub fn pieces(&self) -> u64 {
        self.pieces
    }

    /// Lines cleared.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Boards evaluated.
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Whether a piece had no drop left.
    pub fn over(&self) -> bool {
        self.over
    }

    /// Plays so many pieces, or to the end. Returns how many it placed.
    pub fn play(&mut self, controller: &Controller, pieces: u64) -> u64 {
        self.play_on(Level::detect(), controller, pieces)
    }

    /// [`play`](Self::play) with an instruction set; the same at every one.
    pub fn play_on(&mut self, level: Level, controller: &Controller, pieces: u64) -> u64 {
        dispatch!(level, isa [this = self, controller, pieces] => this.play_here(isa, controller, pieces))
    }

    /// What the controller would do now. None if the game is over.
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
            self.lines += u64::from(drop.full.count_ones());
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
