//! [`GameResult`] of one random game, [`Stats`] of many.

use crate::board::Board;
use bitcore::Moments;
use core::iter::Sum;
use core::ops::AddAssign;

/// The result of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameResult {
    /// The sum of the moves' gains.
    pub score: u64,
    /// The number of moves.
    pub moves: u64,
    /// The final position.
    pub board: Board,
}

impl GameResult {
    /// Computes the result of a game that began on the empty board from its final position and its number of
    /// spawned 4s.
    ///
    /// Each spawn adds 2 or 4 to the sum of the tiles and no slide changes the sum, so sum / 2 - fours is the
    /// number of spawns. The first two spawns weren't moves.
    #[inline(always)]
    pub(crate) fn from_last_board(board: Board, fours: u64) -> Self {
        let sum: u64 = board.tiles().sum();
        Self { score: board.potential() - 4 * fours, moves: sum / 2 - fours - 2, board }
    }
}

/// Statistics of many games. Equal sets of games have equal statistics, in any order of addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// The moments of the scores.
    pub score: Moments,
    /// The moments of the numbers of moves.
    pub moves: Moments,
    /// The number of games by the largest rank of their final position.
    pub largest: [u64; 64],
}

impl Default for Stats {
    fn default() -> Self {
        Self { score: Moments::default(), moves: Moments::default(), largest: [0; 64] }
    }
}

impl Stats {
    /// Returns the number of games.
    pub const fn games(&self) -> u64 {
        self.score.count
    }
}

impl AddAssign<GameResult> for Stats {
    #[inline(always)]
    fn add_assign(&mut self, game: GameResult) {
        self.score.add(game.score);
        self.moves.add(game.moves);
        self.largest[usize::from(game.board.max_rank().min(63))] += 1;
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.score += other.score;
        self.moves += other.moves;
        for (count, more) in self.largest.iter_mut().zip(other.largest) {
            *count += more;
        }
    }
}

impl Sum<GameResult> for Stats {
    fn sum<I: Iterator<Item = GameResult>>(games: I) -> Self {
        games.fold(Self::default(), |mut stats, game| {
            stats += game;
            stats
        })
    }
}
