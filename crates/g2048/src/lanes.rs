//! 32 boards in byte lanes, and their slides.
//!
//! # Layout
//!
//! Each cell is a group of 32 bytes, one register on AVX2. Byte i of the group is the cell's rank
//! on board i.
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
//! All boards take the same steps, without branches or table lookups. For each line of N cells,
//! with the group at the wall in `line[0]`:
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
//! "where mask" is a blend. When cell i closes its gap, the cells behind it are already gapless, so
//! a single shift is enough. After step i of the merge, cell i is never compared again, so no tile
//! merges twice. An example with one board:
//!
//! ```text
//! wall                close gaps      i = 0         i = 1         i = 2
//! | 1 0 1 1    ->    | 1 1 1 0   ->  | 2 1 0 0  ->  | 2 1 0 0  ->  | 2 1 0 0
//! ```
//!
//! `boards` defines the boards as a value; `line` slides one line, `slide` slides all lines, and
//! `gains` sums the merged tiles.

mod boards;
mod gains;
mod line;
mod slide;

pub use boards::{Boards32, Slides};
pub(crate) use line::slide_line;
pub(crate) use slide::slide_chosen_with;
