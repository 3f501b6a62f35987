//! [`Stats`]: the statistics of random play.

use core::ops::AddAssign;

/// Sums over random games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Stats {
    /// The number of games that ended.
    pub games: u64,
    /// The number of pieces locked.
    pub pieces: u64,
    /// The number of lines cleared.
    pub lines: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.pieces += other.pieces;
        self.lines += other.lines;
        self.games += other.games;
    }
}
