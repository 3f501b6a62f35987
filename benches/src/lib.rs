//! Benchmarks of the workspace: criterion over the headline operations (`benches/`), the [`hand_written`]
//! kernels that dispatched kernels are compared with, and the program behind `cargo xtask compare`
//! (`src/bin/compare.rs`).
#![warn(missing_docs)]

pub mod hand_written;
