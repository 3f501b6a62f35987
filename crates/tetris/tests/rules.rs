//! The rules of the game and the text forms.

mod attack;
mod bag;
#[cfg(feature = "fumen")]
mod fumen;
mod game;
mod garbage;
mod interop;
mod pieces;
mod spawn;
mod spins;
mod text;
