//! How playouts end: of one game [`GameResult`] and [`Playout`], of many [`Stats`].

use crate::eyes;
use crate::points::Points;
use bitcore::Moments;
use core::ops::AddAssign;

/// Plies after which a game that hasn't ended is taken as it stands, per point of the board. Random games end long
/// before (9x9: 648, the longest of millions 220), but a triple ko could go on.
pub const PLY_CAP: u32 = 8;

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameResult {
    /// Stones played: moves that are no passes.
    pub stones: u32,
    /// Moves with passes.
    pub plies: u32,
    /// Each color's points, Black's first ([`Policy::points`](crate::Policy::points)).
    pub points: [u32; 2],
}

impl GameResult {
    /// Black's points less White's.
    pub fn score(&self) -> i32 {
        self.points[0] as i32 - self.points[1] as i32
    }
}

/// A finished playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout<const N: usize> {
    /// The number of the game.
    pub number: u64,
    /// Its length and its score.
    pub result: GameResult,
    /// The stones at the end, Black's first.
    pub stones: [Points<N>; 2],
    /// The points on which each color, Black first, was the first of both to put a stone during the playout: what "all
    /// moves as first" asks for. Empty where it isn't asked for.
    pub first_played: [Points<N>; 2],
}

impl<const N: usize> Playout<N> {
    /// Each color's area, Black's first: its stones and the empty points that only they surround.
    pub fn area(&self) -> [Points<N>; 2] {
        let [black, white] = self.stones;
        [black | eyes::eyelike(black), white | eyes::eyelike(white)]
    }
}

/// What a batch of playouts adds up to: whole numbers, so that batches join without rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stats {
    /// Games played.
    pub games: u64,
    /// Stones played.
    pub stones: Moments,
    /// Moves with passes.
    pub plies: Moments,
    /// Black's points less White's.
    pub score: Moments,
    /// Black's points.
    pub black: Moments,
    /// Games that Black wins without komi.
    pub black_wins_k0: u64,
    /// Games that Black wins with 7.5 points of komi.
    pub black_wins_k7_5: u64,
    /// The most plies of one game.
    pub longest: u32,
}

impl Stats {
    /// Adds a game.
    pub fn add(&mut self, result: &GameResult) {
        let score = result.score();
        self.games += 1;
        self.stones.add(result.stones);
        self.plies.add(result.plies);
        self.score.add(score);
        self.black.add(result.points[0]);
        self.black_wins_k0 += u64::from(score > 0);
        self.black_wins_k7_5 += u64::from(score > 7);
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
        self.black_wins_k0 += other.black_wins_k0;
        self.black_wins_k7_5 += other.black_wins_k7_5;
        self.longest = self.longest.max(other.longest);
    }
}

/// Each color's points at the end of a light playout, Black's first.
pub(crate) fn light_points<const N: usize>(stones: [Points<N>; 2]) -> [u32; 2] {
    let [black, white] = stones;
    [black.len() + eyes::eyelike(black).len(), white.len() + eyes::eyelike(white).len()]
}

/// The sizes that playouts are compiled for.
pub const SIZES: [usize; 4] = [5, 9, 13, 19];

/// There are no playouts of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("no playouts of size {0}: expected 5, 9, 13 or 19")]
pub struct UnsupportedSize(pub usize);
