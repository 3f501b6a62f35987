//! Bit boards: words and registers that hold one bit per cell, and what is computed on them.
//!
//! [`Board8`](crate::Board8) and [`Board16`](crate::Board16) are [`PlaneBoard`]s: plain `Copy` values for search
//! and simulation. [`Boards8`] is many of them, [`Board64`] a board of any size.
//!
//! Plane k is a mask with bit k of each cell's color. The masks are in columns, the lowest cell of a column
//! in its lowest bit:
//!
//! ```text
//! a board        colors    plane 2  plane 1  plane 0    bits of a word of `Board8`
//! . 5            0 5       0 1      0 0      0 1        (height 2)      1  9
//! 3 2            3 2       0 0      1 1      1 0                        0  8
//! ```
//!
//! Two cells are equal if they agree in each plane; a cell has a color if some plane has its bit. Clearing is
//! an AND, a fall one PEXT and one PDEP per plane, and a refill one PDEP per plane:
//!
//! ```text
//! loop:                                            one level of a cascade
//!     runs   = cells in runs of three or more      AND and OR of shifted equality masks
//!     if runs is empty: stop
//!     pieces = colored & !runs
//!     rest   = in each column as many of the lowest cells as it has pieces
//!     plane  = pdep(pext(plane, pieces), rest)     for each plane: the pieces fall
//!     plane |= pdep(random bits, inside & !rest)   for each plane: new pieces
//! ```

pub(crate) mod best_swap;
pub(crate) mod board64;
pub(crate) mod board_words;
pub(crate) mod boards8;
pub(crate) mod cell_rows;
pub(crate) mod color_counts;
pub(crate) mod colors;
pub(crate) mod fall;
pub(crate) mod formula;
pub(crate) mod four_games;
pub(crate) mod four_words;
pub(crate) mod mask;
pub(crate) mod planes;
pub(crate) mod words;

pub use board_words::BoardWords;
pub use board64::Board64;
pub use boards8::Boards8;
pub use four_words::FourWords;
pub use mask::{ColumnMask, Mask, RowMask, SwapIter};
pub use planes::{PlaneBoard, PlaneLayout};
