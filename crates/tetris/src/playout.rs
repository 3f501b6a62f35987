//! [`RandomGame`]: endless games of uniformly random placements.

mod draw;
mod simd;
mod stats;
mod words;

pub use stats::Stats;

use crate::bag::Bag;
use crate::board::Board;
use bitcore::{Isa, Rng, dispatch};

/// Endless random games: pieces come from a [`Bag`], without hold, and each locks in one of its reachable
/// placements, all with the same probability. Spins are ignored. A game ends by a blocked spawn or by a lock
/// wholly above the visible rows; then the next one begins with an empty board and a full bag.
///
/// # Draws
///
/// 1. The piece, by [`Bag::draw`]. If its spawn is blocked, the game ends without another draw.
/// 2. One of the resting locations of the piece, reachable or not: [`Rng::below`] their number.
/// 3. If that one can't be reached, one of the reachable ones: [`Rng::below`] their number.
///
/// So each reachable location has the same probability, and for most pieces no search is needed. Locations
/// are numbered by [canonical](crate::Location::canonical) orientation, then by groups of sixteen rows from
/// the floor, then by column of the center from the left, then from the top down.
///
/// ```
/// use tetris::Rng;
/// use tetris::RandomGame;
/// let mut game = RandomGame::new(Rng::new(1));
/// let mut stats = game.play(300);
/// stats += game.play(200);
/// assert_eq!(stats, RandomGame::new(Rng::new(1)).play(500));
/// assert!(stats.games > 10 && stats.lines < 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomGame {
    board: Board,
    bag: Bag,
    rng: Rng,
}

impl RandomGame {
    /// Creates a game with an empty board and a full bag.
    pub fn new(rng: Rng) -> Self {
        Self { board: Board::EMPTY, bag: Bag::FULL, rng }
    }

    /// Returns the current board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the current state of the generator.
    pub fn rng(&self) -> &Rng {
        &self.rng
    }

    /// Locks this number of pieces. Returns the statistics of this call.
    pub fn play(&mut self, pieces: u64) -> Stats {
        dispatch!(isa + slow_pext + v4 [game = self, pieces] => game.play_kernel(isa, pieces))
    }

    #[inline(always)]
    fn play_kernel<S: Isa>(&mut self, isa: S, pieces: u64) -> Stats {
        let Self { board, bag, rng } = self;
        if S::HAS_SIMD {
            simd::play(isa, board, bag, rng, pieces)
        } else {
            words::play(board, bag, rng, pieces)
        }
    }
}
