//! The results of playouts: [`GameResult`] and [`Playout`] for one game, [`Stats`] for many.

use crate::rules::eyes;
use crate::rules::komi::Komi;
use crate::rules::points::Points;
use bitcade_core::Moments;
use core::ops::AddAssign;

/// The ply limit per point of the board: a longer game is cut off and scored as is. Random games
/// end long before (on 9 x 9 the limit is 648 plies and the longest of millions of games took 220),
/// but a triple ko could repeat forever.
pub const MAX_PLIES_PER_POINT: u32 = 8;

/// The length and score of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GameResult {
    /// The number of stones played: moves without passes.
    pub stones: u32,
    /// The number of moves, passes included.
    pub plies: u32,
    /// Each color's area, Black's first ([`Policy::area`](crate::Policy::area)).
    pub area: [u32; 2],
}

impl GameResult {
    /// Returns Black's area minus White's.
    pub fn score(&self) -> i32 {
        self.area[0] as i32 - self.area[1] as i32
    }
}

/// A finished playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Playout<const N: usize> {
    /// The number of the game within its seed.
    pub number: u64,
    /// The length and the score.
    pub result: GameResult,
    /// The stones at the end of the game, Black's first.
    pub stones: [Points<N>; 2],
    /// The points that each color, Black first, played before its opponent did during the playout,
    /// for AMAF ("all moves as first"). Empty unless requested.
    pub first_played: [Points<N>; 2],
}

impl<const N: usize> Playout<N> {
    /// Returns each color's area, Black's first: its stones and the empty points whose neighbors
    /// are all its stones.
    pub fn area(&self) -> [Points<N>; 2] {
        let [black, white] = self.stones;
        [black | eyes::eyelike(black), white | eyes::eyelike(white)]
    }
}

/// The statistics of many playouts. All sums are integers, so merging batches is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Stats {
    /// The number of games.
    pub games: u64,
    /// The stones played per game.
    pub stones: Moments,
    /// The plies per game, passes included.
    pub plies: Moments,
    /// The score per game: Black's area minus White's.
    pub score: Moments,
    /// Black's area per game.
    pub black: Moments,
    /// The number of games that Black wins without komi: the games in which it has the larger area.
    pub black_leads: u64,
    /// The number of games that Black wins with the komi of the rules, 7.5 points by default.
    pub black_wins: u64,
    /// The plies of the longest game.
    pub longest: u32,
}

impl Stats {
    /// Adds the result of a game, scored with a komi.
    pub fn add(&mut self, result: &GameResult, komi: Komi) {
        let score = result.score();
        self.games += 1;
        self.stones.add(result.stones);
        self.plies.add(result.plies);
        self.score.add(score);
        self.black.add(result.area[0]);
        self.black_leads += u64::from(score > 0);
        self.black_wins += u64::from(2 * score > komi.half_points());
        self.longest = self.longest.max(result.plies);
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.stones += other.stones;
        self.plies += other.plies;
        self.score += other.score;
        self.black += other.black;
        self.black_leads += other.black_leads;
        self.black_wins += other.black_wins;
        self.longest = self.longest.max(other.longest);
    }
}

/// Returns each color's area at the end of a light playout, Black's first: its stones and eyelike
/// points.
pub(crate) fn simple_area<const N: usize, const W: usize>(stones: [Points<N, W>; 2]) -> [u32; 2] {
    let [black, white] = stones;
    [black.len() + eyes::eyelike(black).len(), white.len() + eyes::eyelike(white).len()]
}
