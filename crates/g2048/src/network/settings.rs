//! [`LearnerSettings`].

use crate::error::Error;

/// The settings of a [`Learner`](crate::Learner).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnerSettings {
    /// The number of interleaved games, from 1 to 64. The memory accesses of one game overlap with
    /// the moves of the others.
    pub concurrent_games: usize,
    /// The fraction of the error by which an update moves a value, above 0 and at most 1. It is
    /// divided among the 32 weights.
    pub learning_rate: f32,
    /// Whether to scale each weight's step by its coherence, |sum of errors| / sum of |errors| (TC
    /// learning). Good learning rates are 1 with coherence, 0.1 without.
    pub coherence: bool,
    /// The share of the rest of the game in the target of an afterstate, from 0 to 1: the target is
    /// the gain of the next move plus `lambda` times the next afterstate's target plus `1 - lambda`
    /// times its value.
    pub lambda: f32,
    /// The number of finished games for which a game restarts once more: the first so many games
    /// restart once, the next twice. 0 disables restarts.
    ///
    /// A restart goes back to the middle of what has just been played and plays on from there:
    /// long games reach their large tiles more than once.
    pub games_per_restart: u64,
    /// Whether each game starts with a 16384, an 8192 and a 4096 on the board, to learn the
    /// [late](super::is_late) part of games.
    pub late_start: bool,
}

impl Default for LearnerSettings {
    /// Returns four concurrent games, learning rate 1, with coherence, lambda 0.5, and one more
    /// restart for each 8,192 games.
    fn default() -> Self {
        Self {
            concurrent_games: 4,
            learning_rate: 1.0,
            coherence: true,
            lambda: 0.5,
            games_per_restart: 1 << 13,
            late_start: false,
        }
    }
}

impl LearnerSettings {
    /// Returns the settings for the late part of games: like the default, but with late starts and
    /// one more restart for each game, so that games soon restart until they end at once.
    pub fn late() -> Self {
        Self { games_per_restart: 1, late_start: true, ..Self::default() }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        if !(1..=64).contains(&self.concurrent_games) {
            Err(Error::ConcurrentGames)
        } else if !(self.learning_rate > 0.0 && self.learning_rate <= 1.0) {
            Err(Error::LearningRate)
        } else if (0.0..=1.0).contains(&self.lambda) {
            Ok(())
        } else {
            Err(Error::Lambda)
        }
    }

    /// Returns how often a game restarts after a number of finished games.
    pub(super) fn restarts(&self, games: u64) -> u64 {
        games.checked_div(self.games_per_restart).map_or(0, |more| 1 + more)
    }
}
