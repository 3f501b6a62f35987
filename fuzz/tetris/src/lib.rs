//! Fuzz targets of `tetris`: [`doors`] for foreign text and numbers, [`machines`] for everything that changes.
#![forbid(unsafe_code)]

mod doors;
mod machines;

pub use doors::doors;
pub use machines::machines;
