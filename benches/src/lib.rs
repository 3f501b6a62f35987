//! The timed and counted operations: fixed workloads, each run by a reference and a fast kernel.
//!
//! [`compare`] times them (`cargo xtask compare`), [`counts`] counts their instructions
//! (`cargo xtask counts`), and `benches/operations.rs` runs them under criterion.
#![warn(missing_docs)]

pub mod compare;
pub mod counts;

mod arguments;
mod bitcore_ops;
mod contest_ops;
mod g2048_ops;
mod go_ops;
#[cfg(target_arch = "x86_64")]
mod hand_written;
mod list;
mod match3_ops;
mod operation;
mod paired;
mod table;
mod tetris_ops;
mod user_2048;
mod user_go;
mod user_match3;
mod user_tetris;

pub use list::all;
pub use operation::{Against, Operation, Reference};
