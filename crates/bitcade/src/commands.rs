//! The commands, one module per game: its arguments, its work and its section of the tour.

pub(crate) mod contest;
pub(crate) mod g2048;
pub(crate) mod go;
pub(crate) mod match3;
pub(crate) mod play;
pub(crate) mod tetris;
pub(crate) mod watch;
