//! The rules of Go: boards as sets of points, chains, ko, handicap, komi, and a game by them.

pub(crate) mod board;
pub(crate) mod board_size;
pub(crate) mod chains;
pub(crate) mod error;
pub mod eyes;
pub(crate) mod game;
pub(crate) mod handicap;
pub(crate) mod history;
pub(crate) mod komi;
#[cfg(feature = "std")]
pub(crate) mod komi_range;
pub(crate) mod mailbox;
pub(crate) mod points;
pub(crate) mod position;
pub(crate) mod rule_set;
