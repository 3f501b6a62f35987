//! [`RandomGame`]: endless games of uniformly random placements.

pub(crate) mod draw;
mod simd;
mod stats;
mod words;

pub use stats::Stats;

use crate::bag::Bag;
use crate::board::Board;
use bitcore::{Isa, Rng, dispatch};

/// Endless random games without hold and spins. Pieces come from a [`Bag`]; each locks in a
/// uniformly random reachable placement. [`Playouts`](crate::Playouts) has all rules. A blocked
/// spawn or a lock entirely above the visible rows ends a game; the next one begins with an empty
/// board and a full bag.
///
/// # Draws
///
/// 1. The piece, by [`Bag::draw`]. A blocked spawn ends the game without another draw.
/// 2. A resting location of the piece, reachable or not: [`Rng::below`] the number of resting
///    locations.
/// 3. If that location is unreachable, a reachable one: [`Rng::below`] the number of reachable
///    locations.
///
/// All reachable locations are equally likely, and most pieces need no search. Locations are
/// numbered by [canonical](crate::Location::canonical) orientation, then by groups of sixteen rows
/// from the floor, then by column of the center from the left, then from the top down.
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

    /// Locks this number of pieces. Returns the statistics of this call only.
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
