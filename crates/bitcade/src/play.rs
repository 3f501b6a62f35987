//! What interactive games share.
//!
//! `turns` is the session of turn-based games, and `line_mode` plays them as text; `best_scores`
//! keeps the best results in the user's data folder, `saved_games` the unfinished games; `keys` has
//! the keys of all games, and the user's own; `panel` shows figures and messages.

pub(crate) mod best_scores;
mod data_file;
pub(crate) mod keys;
pub(crate) mod line_mode;
pub(crate) mod menu;
pub(crate) mod panel;
pub(crate) mod saved_games;
pub(crate) mod seed;
pub(crate) mod turns;
