//! Screens: the output of `bitcade watch` and `bitcade play` in a terminal, and in recordings of
//! it.
//!
//! - `view` has the trait [`Screen`](view::Screen): a clockless state that can be drawn and takes
//!   keys.
//! - `run` shows a screen until it ends: the loop of time, keys, signals and drawing.
//! - `events` waits for terminal events; `decoder` parses keys from the terminal's bytes.
//! - `terminal` opens the terminal and restores it in every case; `painter` writes to it.
//! - `theme` chooses colors and characters that the terminal can show; `widgets` has shared drawing
//!   code.
//! - `record` writes a recording of the screen, as a GIF or for asciinema's player.

pub(crate) mod characters;
pub(crate) mod decoder;
mod events;
pub(crate) mod options;
pub(crate) mod picture;
pub(crate) mod record;
pub(crate) mod run;
pub(crate) mod terminal;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod theme;
pub(crate) mod view;
pub(crate) mod widgets;
