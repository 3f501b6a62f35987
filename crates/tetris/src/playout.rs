//! [`RandomGame`]: endless games of uniformly random placements.

use crate::bag::Bag;
use crate::board::Board;
use crate::game::{SKYLINE, lowest_row};
use crate::movegen::{Kinds, Placement, Placements};
use bitcore::{Isa, Rng, dispatch};
use core::ops::AddAssign;

/// What the pieces of some games came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Pieces locked.
    pub pieces: u64,
    /// Lines cleared.
    pub lines: u64,
    /// Games that ended.
    pub games: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.pieces += other.pieces;
        self.lines += other.lines;
        self.games += other.games;
    }
}

/// Endless random play: pieces from a [`Bag`], each locked in one of the cell sets that it can reach, all with the same
/// probability; no hold. A game that ends, by a blocked spawn or a lock above row 20, is followed by the next one: empty
/// board, full bag.
///
/// A piece takes two draws: its own ([`Bag::draw`]) and, below the number of cell sets, which of them: these count by
/// [canonical](crate::Location::canonical) orientation, by column of the centre from the left, and from the top down. If
/// the spawn is blocked there is no second draw, and the new game begins with one of its own.
///
/// ```
/// use bitcore::Rng;
/// use tetris::playout::{RandomGame, Tally};
/// let mut game = RandomGame::new(Rng::new(1));
/// let mut tally = game.play(300);
/// tally += game.play(200);
/// assert_eq!(tally, RandomGame::new(Rng::new(1)).play(500));
/// assert!(tally.games > 10 && tally.lines < 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomGame {
    board: Board,
    bag: Bag,
    rng: Rng,
}

impl RandomGame {
    /// An empty board, a full bag.
    pub fn new(rng: Rng) -> Self {
        Self { board: Board::EMPTY, bag: Bag::FULL, rng }
    }

    /// The board as it stands.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Where the generator stands.
    pub fn rng(&self) -> &Rng {
        &self.rng
    }

    /// Locks so many pieces.
    pub fn play(&mut self, pieces: u64) -> Tally {
        dispatch!(isa => self.play_with(isa, pieces))
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn play_with<S: Isa>(&mut self, isa: S, pieces: u64) -> Tally {
        let mut tally = Tally::default();
        let mut placements = Placements::new();
        while tally.pieces < pieces {
            let piece = self.bag.draw_with(isa, &mut self.rng);
            // Kinds of spin are no choices of their own.
            placements.fill_with(isa, &self.board, piece, Kinds::Cells);
            let count = placements.len() as u32;
            let chosen = if count == 0 { None } else { placements.get_with(isa, self.rng.below(count)) };
            let Some(Placement { at: chosen, .. }) = chosen else {
                self.end(&mut tally);
                continue;
            };
            // A reachable location fits.
            self.board = self.board.place(chosen).unwrap_or(self.board);
            tally.pieces += 1;
            tally.lines += u64::from(self.board.clear_lines_with(isa));
            if lowest_row(chosen) >= SKYLINE {
                self.end(&mut tally);
            }
        }
        tally
    }

    fn end(&mut self, tally: &mut Tally) {
        tally.games += 1;
        (self.board, self.bag) = (Board::EMPTY, Bag::FULL);
    }
}
