//! The tests of the crate in one binary, which links its dependencies once and builds in half the
//! time.

mod levels;
mod properties;
