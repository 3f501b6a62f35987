//! The headline operations of every game: the same work by the reference and by the kernel on each level, and how
//! they are timed against each other. The tour and `cargo xtask compare` both show them.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

// The one library that depends on every game: here the examples of the workspace's README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

pub mod bitcore_ops;
pub mod paired;

mod contest_ops;
mod g2048_ops;
mod go_ops;
mod match3_ops;
mod one_call;
mod operation;
mod tetris_ops;

pub use operation::{Baseline, Measurement, Operation};

/// The operations of one game (`bitcore`, `match3`, ..), in the order of the tables.
pub fn of_game(game: &str) -> Vec<Operation> {
    all().into_iter().filter(|operation| operation.name.split(' ').next() == Some(game)).collect()
}

/// The operations whose work [`all`] does by the slice, with a call for each board instead: `tetris clear one call`.
pub fn one_call_each() -> Vec<Operation> {
    one_call::operations()
}

/// All operations.
pub fn all() -> Vec<Operation> {
    let mut operations = bitcore_ops::operations();
    operations.extend(match3_ops::operations());
    operations.extend(g2048_ops::operations());
    operations.extend(tetris_ops::operations());
    operations.extend(go_ops::operations());
    operations.extend(contest_ops::operations());
    operations
}
