//! The crate's tests in a single binary, because linking once halves the build time.

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
