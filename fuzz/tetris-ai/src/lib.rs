//! Fuzz targets of `tetris-ai`: [`doors`] for foreign text, [`machines`] for everything that changes.
#![forbid(unsafe_code)]

mod doors;
mod machines;

pub use doors::doors;
pub use machines::machines;
