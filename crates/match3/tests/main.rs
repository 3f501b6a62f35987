//! The tests of the crate in a single binary, which halves the build time because everything is
//! linked once.

mod level;
#[cfg(feature = "level-files")]
mod level_files;
mod levels;
#[cfg(feature = "parallel")]
mod parallel;
mod properties;
mod rules;
mod truth;
