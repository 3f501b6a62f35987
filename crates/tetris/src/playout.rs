//! [`RandomGame`]: endless games of uniformly random placements.

mod columns;
mod draw;
mod registers;
mod tally;

pub use tally::Tally;

use crate::bag::Bag;
use crate::board::Board;
use bitcore::{Isa, Level, Rng, dispatch};

/// Endless random play: pieces from a [`Bag`], each locked in one of the cell sets that it can reach, all with the same
/// probability; no hold. A game that ends, by a blocked spawn or a lock above row 20, is followed by the next one: empty
/// board, full bag.
///
/// The draws: the piece itself ([`Bag::draw`]); below the number of cell sets in which it would rest, reachable or not,
/// one of these; and if that can't be reached, below the number of those that can, one of them. Either way each that can
/// be reached has the same probability, and most pieces need no search for more. Cell sets count by
/// [canonical](crate::Location::canonical) orientation, then by sixteen rows from the floor, by column of the center from
/// the left, and from the top down. If the spawn is blocked only the piece is drawn, and the new game begins with one of
/// its own.
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
        self.play_on(Level::detect(), pieces)
    }

    /// [`play`](Self::play) on a level.
    pub fn play_on(&mut self, level: Level, pieces: u64) -> Tally {
        dispatch!(level, isa [game = self, pieces] => game.play_kernel(isa, pieces))
    }

    #[inline(always)]
    fn play_kernel<S: Isa>(&mut self, isa: S, pieces: u64) -> Tally {
        let Self { board, bag, rng } = self;
        if S::HAS_SIMD {
            registers::play(isa, board, bag, rng, pieces)
        } else {
            columns::play(board, bag, rng, pieces)
        }
    }
}
