//! A computer player as [`watch`](crate::commands::watch) shows it: `player` has its thread and the
//! feed of its moves, `watched` a game's entry.

pub(crate) mod player;
pub(crate) mod watched;
