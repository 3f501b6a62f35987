//! The headline operations of every game: fixed workloads that a reference and the fast kernel both run, and
//! their paired timing. The tour of `bitcade`, the criterion benchmarks and `cargo xtask compare` use them.
//!
//! | You want to | Use |
//! |---|---|
//! | list the operations of all games, or of one | [`all`], [`of_game`] |
//! | list the operations that are called board by board | [`one_call_each`] |
//! | run one: its name, units, reference and kernel | [`Operation`] |
//! | time one | [`Operation::measure`] |
//! | time other functions in alternation | [`paired::Timings`] |
#![warn(missing_docs)]
#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
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

pub use operation::{Baseline, LevelTime, Measurement, Operation};

/// Returns the operations of one game (`bitcore`, `match3`, ..), in the order of the tables.
pub fn of_game(game: &str) -> Vec<Operation> {
    all().into_iter().filter(|operation| operation.name.split(' ').next() == Some(game)).collect()
}

/// Returns the operations that call the kernel once per board, such as `tetris clear one call`, where the
/// ones of [`all`] call it once per slice of boards.
pub fn one_call_each() -> Vec<Operation> {
    one_call::operations()
}

/// Returns all operations.
pub fn all() -> Vec<Operation> {
    let mut operations = bitcore_ops::operations();
    operations.extend(match3_ops::operations());
    operations.extend(g2048_ops::operations());
    operations.extend(tetris_ops::operations());
    operations.extend(go_ops::operations());
    operations.extend(contest_ops::operations());
    operations
}
