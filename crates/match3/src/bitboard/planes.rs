//! [`PlaneBoard`]: boards as bit planes of their colors, plain `Copy` values for search and simulation.
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

mod any;
mod deal;
mod plane_board;

pub use super::board_words::BoardWords;
pub use super::error::PlanesError;
pub use super::four_words::FourWords;
pub use any::{AnyBoard, Layout};
pub(crate) use any::{with_board, with_layout};
pub use plane_board::{Board8, Board16, PlaneBoard, PlaneLayout};
