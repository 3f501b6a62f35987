//! All tests of the crate in one binary, which links once and so builds in half the time.

mod levels;
mod players;
mod properties;
mod truth;
