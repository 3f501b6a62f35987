//! Bitboards: one bit per cell in words and registers, and the kernels on them.
//!
//! [`Board8`](crate::Board8) and [`Board16`](crate::Board16) are [`PlaneBoard`]s: plain `Copy`
//! values for search and simulation. [`Boards8`] packs many of them; [`Board64`] is a board of any
//! size.
//!
//! Plane k contains bit k of every cell's color. Planes are stored by column, with the bottom cell
//! of a column in its lowest bit:
//!
//! ```text
//! a board        colors    plane 2  plane 1  plane 0    bits of a word of `Board8`
//! . 5            0 5       0 1      0 0      0 1        (height 2)      1  9
//! 3 2            3 2       0 0      1 1      1 0                        0  8
//! ```
//!
//! Two cells are equal if they agree in every plane; a cell has a color if it is set in some plane.
//! Clearing is an AND, a fall is one PEXT and one PDEP per plane, and a refill is one PDEP per
//! plane:
//!
//! ```text
//! loop:                                            one cascade level
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
pub(crate) mod foresight;
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
