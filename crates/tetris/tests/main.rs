//! The tests of the crate, in one program: what is linked once is built in half the time.

mod levels;
#[cfg(feature = "fumen")]
#[path = "properties/pages.rs"]
mod pages;
#[cfg(feature = "parallel")]
mod parallel;
mod properties;
mod real_time;
mod rules;
mod truth;
