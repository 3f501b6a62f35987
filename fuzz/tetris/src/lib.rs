//! Fuzz targets of `tetris`: [`doors`] for foreign text and numbers, [`machines`] for everything that
//! changes, [`real_time`] and [`recording`] for games played with keys and the texts of their inputs.
#![forbid(unsafe_code)]

mod doors;
mod machines;
mod real_time;
mod recording;

pub use doors::doors;
pub use machines::machines;
pub use real_time::real_time;
pub use recording::recording;
