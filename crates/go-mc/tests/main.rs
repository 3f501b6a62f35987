//! The tests of the crate as one program: linking once halves the build time.

mod go;
mod levels;
#[cfg(feature = "parallel")]
mod parallel;
mod properties;
mod truth;
