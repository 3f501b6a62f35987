//! Benchmarks of the workspace: criterion over the headline operations (`benches/`), the hand-written [`hand_written`] kernels that
//! the tokens are held against, and the binary behind `cargo xtask compare` (`src/bin/compare.rs`).
#![warn(missing_docs)]
#![deny(unsafe_code)]

pub mod hand_written;
