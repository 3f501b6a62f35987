//! [`Stats`]: totals over many games.

use crate::game::Game;
use bitcade_core::Moments;
use core::iter::Sum;
use core::ops::AddAssign;

/// Totals over complete games, independent of the order in which the games are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// The number of games.
    pub games: u64,
    /// The moments of the scores.
    pub score: Moments,
    /// The moments of the game lengths, in moves.
    pub moves: Moments,
    /// The number of games whose final position has largest rank r, at index r.
    pub largest: [u64; 64],
}

impl Default for Stats {
    fn default() -> Self {
        Self { games: 0, score: Moments::default(), moves: Moments::default(), largest: [0; 64] }
    }
}

impl Stats {
    /// Adds a game; `largest` is its largest rank.
    #[inline(always)]
    pub(crate) fn add(&mut self, score: u64, moves: u64, largest: u8) {
        self.games += 1;
        self.score.add(score);
        self.moves.add(moves);
        self.largest[usize::from(largest.min(63))] += 1;
    }
}

impl AddAssign<&Game> for Stats {
    #[inline(always)]
    fn add_assign(&mut self, game: &Game) {
        self.add(game.score(), game.moves(), game.board().max_rank());
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.score += other.score;
        self.moves += other.moves;
        for (count, more) in self.largest.iter_mut().zip(other.largest) {
            *count += more;
        }
    }
}

impl Sum<Game> for Stats {
    fn sum<I: Iterator<Item = Game>>(games: I) -> Self {
        games.fold(Self::default(), |mut stats, game| {
            stats += &game;
            stats
        })
    }
}
