//! How games of random play went: [`GameResult`] of one, [`Stats`] of many.

use crate::board::Board;
use bitcore::Moments;
use core::iter::Sum;
use core::ops::AddAssign;

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The sum of the moves' gains.
    pub score: u64,
    /// How many moves were played.
    pub moves: u64,
    /// The last position.
    pub board: Board,
}

impl GameResult {
    /// How a game from the empty board went, by its last position and its number of 4s. Each spawn has put 2 or 4 on
    /// the board, and no move changes the tiles' sum; the first two spawns were no moves.
    #[inline(always)]
    pub(crate) fn from_last_board(board: Board, fours: u64) -> Self {
        let sum: u64 = board.tiles().sum();
        Self { score: board.potential() - 4 * fours, moves: sum / 2 - fours - 2, board }
    }
}

/// Sums over games: equal whatever the order in which the games were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Scores.
    pub score: Moments,
    /// Numbers of moves.
    pub moves: Moments,
    /// How many games ended with each rank as their largest.
    pub largest: [u64; 64],
}

impl Default for Stats {
    fn default() -> Self {
        Self { score: Moments::default(), moves: Moments::default(), largest: [0; 64] }
    }
}

impl Stats {
    /// How many games were played.
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
