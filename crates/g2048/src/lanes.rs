//! 32 boards in byte lanes, slid by one kernel.

mod boards;
mod gains;
mod line;
mod slide;

pub use boards::{Boards32, Boards32Error, Slides};
pub(crate) use line::slide_line;
pub(crate) use slide::slide_chosen_with;
