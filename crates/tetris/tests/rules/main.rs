//! The rules of the game, and what people read and type.

mod attack;
mod bag;
#[cfg(feature = "fumen")]
mod fumen;
mod game;
mod garbage;
mod pieces;
mod spins;
mod text;
