//! [`PlaneBoard`]: boards as bit planes of their colors, in a layout chosen at compile time or at run time.

mod any;
mod deal;
mod plane_board;

pub(crate) use any::{AnyBoard, Layout, with_board, with_layout};
pub use plane_board::{Board8, Board16, PlaneBoard, PlaneLayout};
