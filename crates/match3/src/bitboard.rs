//! Bit boards: words and registers that hold one bit per cell, and what is computed on them.

pub(crate) mod best_swap;
pub mod board64;
pub(crate) mod board_words;
pub mod boards8;
pub(crate) mod cell_rows;
pub mod colors;
pub(crate) mod error;
pub(crate) mod fall;
pub(crate) mod formula;
pub(crate) mod four_games;
pub(crate) mod four_words;
pub mod mask;
pub mod planes;
pub(crate) mod words;
