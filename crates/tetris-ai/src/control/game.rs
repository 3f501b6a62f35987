//! [`PlainGame`]: a game under a controller.

use super::field::Field;
use super::{Choice, Controller};
use bitcore::{Isa, Level, Rng, dispatch};
use tetris::{Board, Piece};

/// A game of plain Tetris, played by a [`Controller`].
///
/// Every piece takes one draw, [`Rng::below`] seven, its place in [`Piece::ALL`]. A new game draws two, a piece placed
/// one more, so that one-piece and two-piece controllers play the same pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainGame {
    field: Field,
    piece: Piece,
    next: Piece,
    rng: Rng,
    pieces: u64,
    lines: u64,
    valued: u64,
    over: bool,
}

impl PlainGame {
    /// An empty board.
    pub fn new(mut rng: Rng) -> Self {
        let (piece, next) = (draw(&mut rng), draw(&mut rng));
        Self { field: Field::default(), piece, next, rng, pieces: 0, lines: 0, valued: 0, over: false }
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

    /// Boards valued.
    pub fn valued(&self) -> u64 {
        self.valued
    }

    /// Whether a piece had no drop left.
    pub fn over(&self) -> bool {
        self.over
    }

    /// Plays so many pieces, or to the end. Returns how many it placed.
    pub fn play(&mut self, controller: &Controller, pieces: u64) -> u64 {
        self.play_on(controller, pieces, Level::detect())
    }

    /// [`play`](Self::play) with an instruction set; the same at every one.
    pub fn play_on(&mut self, controller: &Controller, pieces: u64, level: Level) -> u64 {
        dispatch!(level, isa => self.play_with(isa, controller, pieces))
    }

    /// What the controller would do now. None if the game is over.
    pub fn choice(&self, controller: &Controller) -> Option<Choice> {
        controller.choose(&self.board(), self.piece, Some(self.next))
    }

    #[inline(always)]
    fn play_with<S: Isa>(&mut self, isa: S, controller: &Controller, pieces: u64) -> u64 {
        let before = self.pieces;
        while self.pieces - before < pieces && !self.over {
            let found = controller.best_with(isa, &self.field, self.piece, Some(self.next));
            self.valued += found.valued;
            let Some((_, drop)) = found.best else {
                self.over = true;
                break;
            };
            self.field = self.field.after(self.piece, drop);
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
