//! The tests of the crate in a single program, which links once and builds in half the time.

mod levels;
#[cfg(feature = "parallel")]
mod parallel;
mod play;
mod properties;
mod truth;
