//! [`Stats`]: what random play came to.

use core::ops::AddAssign;

/// What the pieces of some games came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stats {
    /// Pieces locked.
    pub pieces: u64,
    /// Lines cleared.
    pub lines: u64,
    /// Games that ended.
    pub games: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.pieces += other.pieces;
        self.lines += other.lines;
        self.games += other.games;
    }
}
