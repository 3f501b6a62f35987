//! The commands: one file per game, each with its arguments, what it runs and its stage of the tour.

pub(crate) mod contest;
pub(crate) mod g2048;
pub(crate) mod go;
pub(crate) mod match3;
pub(crate) mod tetris;
