//! The tests of the crate, in one program: what is linked once is built in half the time.

mod levels;
#[cfg(feature = "parallel")]
mod parallel;
mod properties;
mod rules;
mod truth;
