//! How games of random play went: [`Outcome`] of one, [`Tally`] of many.

use crate::board::Board;
use bitcore::Moments;
use core::iter::Sum;
use core::ops::AddAssign;

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The sum of the moves' gains.
    pub score: u64,
    /// How many moves were played.
    pub moves: u64,
    /// The last position.
    pub board: Board,
}

impl Outcome {
    /// How a game from the empty board went, by its last position and its number of 4s. Each spawn has put 2 or 4 on
    /// the board, and no move changes the tiles' sum; the first two spawns were no moves.
    #[inline(always)]
    pub(crate) fn of(board: Board, fours: u64) -> Self {
        let sum: u64 = board.tiles().sum();
        Self { score: board.potential() - 4 * fours, moves: sum / 2 - fours - 2, board }
    }
}

/// Sums over games: equal whatever the order in which the games were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Scores.
    pub score: Moments,
    /// Numbers of moves.
    pub moves: Moments,
    /// How many games ended with each rank as their largest.
    pub largest: [u64; 64],
}

impl Default for Tally {
    fn default() -> Self {
        Self { score: Moments::default(), moves: Moments::default(), largest: [0; 64] }
    }
}

impl Tally {
    /// How many games were played.
    pub const fn games(&self) -> u64 {
        self.score.count
    }
}

impl AddAssign<Outcome> for Tally {
    #[inline(always)]
    fn add_assign(&mut self, game: Outcome) {
        self.score.add(game.score);
        self.moves.add(game.moves);
        self.largest[usize::from(game.board.max_rank().min(63))] += 1;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.score += other.score;
        self.moves += other.moves;
        for (count, more) in self.largest.iter_mut().zip(other.largest) {
            *count += more;
        }
    }
}

impl Sum<Outcome> for Tally {
    fn sum<I: Iterator<Item = Outcome>>(games: I) -> Self {
        games.fold(Self::default(), |mut tally, game| {
            tally += game;
            tally
        })
    }
}
