//! The seeds of games for people.

use std::hash::{BuildHasher, RandomState};
use std::time::SystemTime;

/// Returns a seed that differs from run to run.
pub(super) fn fresh_seed() -> u64 {
    RandomState::new().hash_one(SystemTime::now())
}
