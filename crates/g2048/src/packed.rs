//! [`Packed`]: a 4x4 board in 64 bits, slides by row tables, and single random games.
//!
//! Use it in programs that work on one board at a time, such as searches and players. Many
//! independent games run faster in [lanes](crate::Playouts).
//!
//! # Layout and slide
//!
//! ```text
//!          63      48 47      32 31      16 15       0
//!         +----------+----------+----------+----------+
//! board   |  row 3   |  row 2   |  row 1   |  row 0   |
//!         +----------+----------+----------+----------+
//!          15  12 11   8 7    4 3    0
//!         +------+------+------+------+
//! row     |  x=3 |  x=2 |  x=1 |  x=0 |      ranks
//!         +------+------+------+------+
//!
//! left:   for y in 0..4:  slid |= LEFT[row y] << 16 y;  gain += GAIN[row y]
//! right:  the same with RIGHT[row y]
//! up:     transpose, left, transpose
//! down:   transpose, right, transpose
//! ```
//!
//! The tables have one entry for each of the 2^16 rows, 512 KiB in total. The idea comes from
//! nneonneo's [2048-ai](https://github.com/nneonneo/2048-ai) (2014), which represents the merge of
//! two 32768s as one 32768.
//!
//! # Limit
//!
//! A cell has ranks 0 to 15, for tiles of up to 32768. The only slide that exceeds this merges two
//! 32768s: [`Packed::slide`] then returns `None`, and the caller continues with the
//! [`Board`](crate::Board).

mod board;
mod rows;

pub use board::{Packed, PackedSlide};
pub(crate) use board::{count_flags, nth_flag};
pub(crate) use rows::{ROW_TABLES, slide_rows};
