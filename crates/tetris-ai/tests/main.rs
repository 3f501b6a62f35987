//! The tests of the crate, in one program: what is linked once is built in half the time.

mod levels;
mod players;
mod properties;
mod truth;
