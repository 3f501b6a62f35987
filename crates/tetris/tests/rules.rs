//! The rules of the game, and the text forms.

#[cfg(feature = "fumen")]
mod fumen;
mod game;
mod interop;
mod pieces;
mod text;
