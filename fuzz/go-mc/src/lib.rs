//! Fuzz targets of `go-mc`: [`doors`] for foreign text and numbers, [`machines`] for everything that changes.
#![forbid(unsafe_code)]

mod doors;
mod machines;
mod session;

pub use doors::doors;
pub use machines::machines;
