//! Screens: what `bitcade watch` and `bitcade play` show in a terminal, and in recordings of it.
//!
//! - `view` has the trait [`Screen`](view::Screen): a state that is drawn, takes keys, and knows no clock.
//! - `run` shows a screen until it ends: the loop of time, keys, signals and drawing.
//! - `events` waits for what the terminal sends; `decoder` reads keys in its bytes.
//! - `terminal` opens the terminal and restores it in every case; `painter` writes to it.
//! - `theme` chooses colors and characters that the terminal can show; `widgets` draws what several screens
//!   need.
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
