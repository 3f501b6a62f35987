//! The 4x4 board in 64 bits: [`Packed`], its slides by row tables, and single games of random play.
//!
//! For what looks at one board at a time: searches and players. Many independent games go faster in
//! [lanes](crate::Playouts4x4), where these can be had.
//!
//! The border of the form: a cell holds ranks 0 to 15, tiles up to 32768. The only slide that leaves it is one that
//! merges two 32768s, and such a slide answers `None`: nothing is lost, nothing saturates, and the caller goes on
//! with the [`Board`](crate::Board). Tables of rows for a 64-bit board are nneonneo's form (2048-ai, 2014), where that merge loses
//! tiles.

mod board;
mod playout;
mod rows;

pub use board::{PackError, Packed, PackedSlide};
pub(crate) use playout::play_interleaved;
pub use playout::{playout_from, playout4x4, playout4x4_on};
