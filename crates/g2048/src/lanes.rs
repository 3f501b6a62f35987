//! 32 boards in byte lanes, and their slides.
//!
//! # Layout
//!
//! Each cell has a group of 32 bytes. Byte i of the group is the rank of that cell on board i. On AVX2 a
//! group is one register.
//!
//! ```text
//!                   board   0   1   2   3  ..  31     byte lanes
//! cells[0]                | 1 | 0 | 3 | 1 | .. | 2 |  the top left cell
//! cells[1]                | 1 | 0 | 3 | 2 | .. | 0 |  its right neighbor
//! ..
//! cells[w * h - 1]        | 0 | 5 | 0 | 1 | .. | 2 |  the bottom right cell
//! cells[w * h .. 64]      | 0 | 0 | 0 | 0 | .. | 0 |  unused
//! ```
//!
//! # Slide
//!
//! All boards take the same steps, without branches or table lookups. For each line, with `line[0]` the group
//! of the cell at the wall and N cells per line:
//!
//! ```text
//! for i in N-2 down to 0:                             close the gaps
//!     gap = (line[i] == 0)                            a lane mask: 0xff or 0 per board
//!     where gap: line[i..] = line[i+1..], 0
//! for i in 0 to N-2:                                  merge the pairs
//!     equal = (line[i] == line[i+1]) & (line[i+1] != 0)
//!     line[i] = line[i] - equal                       0xff is -1: the next rank
//!     where equal: gain += 2^line[i]; line[i+1..] = line[i+2..], 0
//! ```
//!
//! "where mask" is a blend. When the gap at cell i is closed, the cells behind it have no gap, so one shift
//! is enough. After step i of the merge, cell i isn't compared again, so no tile merges twice. For example,
//! of one board:
//!
//! ```text
//! wall                close gaps      i = 0         i = 1         i = 2
//! | 1 0 1 1    ->    | 1 1 1 0   ->  | 2 1 0 0  ->  | 2 1 0 0  ->  | 2 1 0 0
//! ```
//!
//! `boards` has the boards as a value, `line` the slide of one line, `slide` that of all lines, `gains` the
//! sums of the merged tiles.

mod boards;
mod gains;
mod line;
mod slide;

pub use boards::{Boards32, Slides};
pub(crate) use line::slide_line;
pub(crate) use slide::slide_chosen_with;
