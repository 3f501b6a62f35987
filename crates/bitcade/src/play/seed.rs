//! Random seeds for interactive games.

use std::hash::{BuildHasher, RandomState};
use std::time::SystemTime;

pub(crate) fn fresh_seed() -> u64 {
    RandomState::new().hash_one(SystemTime::now())
}
