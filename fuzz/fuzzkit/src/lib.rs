//! What all fuzz targets share: [`Input`] reads a target's bytes as numbers, [`replay()`] runs a target on
//! stable Rust over its corpus and over random input.
#![forbid(unsafe_code)]

mod dictionary;
mod input;
mod mutation;
mod replay;

pub use input::Input;
pub use replay::replay;
