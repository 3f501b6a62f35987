//! Match-3 boards and all their legal swaps at once.
//!
//! A [`Board`] is a grid of [`Cell`]s: colours, empty cells, blocked cells; a coloured cell may be locked. A *run* is
//! a straight row or column of three or more equal colours. A *legal swap* exchanges two orthogonal neighbours, both
//! coloured, both unlocked and of different colours, so that at least one of the two then lies in a run.
//!
//! ```
//! use match3::{Axis, Board, Swap, swaps};
//!
//! let board: Board = "
//! 1 2 1 3
//! 3 1 2 2
//! 2 3 3 1"
//!     .parse()?;
//! let found = swaps(&board);
//! assert_eq!(found.len(), 2);
//! assert!(found.contains(Swap { x: 1, y: 0, axis: Axis::Vertical }));
//! for swap in &found {
//!     println!("{swap}");
//! }
//! # Ok::<(), match3::ParseBoardError>(())
//! ```
//!
//! [`swaps`] works on bit masks of equal cells, without a pass per colour, on any board up to 64 x 64;
//! [`swaps8`] starts from the 64 bytes of an 8 x 8 board in vector registers. [`mod@reference`] keeps the algorithms that
//! they replace: the classic one with colour masks, and brute force.
//!
//! # Features
//!
//! `std` (default): asks the running CPU for its instruction sets. The crate itself only needs `alloc`.
#![no_std]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod agent;
mod board;
mod colours;
mod fall;
mod field;
mod mask;
mod pack;
mod planes;
mod playout;
pub mod reference;
mod rows;
mod runs;
mod swaps;
mod text;

pub use agent::{Agent, DealError, Greedy, PlayError, Player, Random, Rollout, Rules, Scores, play};
pub use board::{Board, BoardError, Cell, MAX_COLOUR, MAX_SIDE};
pub use colours::{Colours, RandomColours};
pub use mask::{Columns, Iter, Mask, Rows, Swaps};
pub use pack::Boards8;
pub use planes::{Board8, Board16, PlaneBoard, PlanesError};
pub use playout::{Playouts, RandomGame, Tally};
pub use rows::Board64;
pub use runs::{is_stable, matched};
pub use swaps::{Axis, Swap, swaps, swaps8};
#[doc(hidden)]
pub use swaps::{swaps_with, swaps8_with};
pub use text::{ParseBoardError, parse_boards};

use bitcore::Level;

/// Folds a fixed workload into one number: equal on every level and every platform.
///
/// ```
/// use bitcore::Level;
/// let digests: Vec<u64> = Level::all().map(match3::digest).collect();
/// assert!(digests.iter().all(|&digest| digest == digests[0]));
/// ```
pub fn digest(level: Level) -> u64 {
    let mut rng = bitcore::Rng::new(3);
    let mut digest = 0u64;
    for round in 0..4000 {
        let (colours, holes) = (2 + round % 6, round % 3);
        let cells: [u8; 64] =
            core::array::from_fn(|_| if rng.below(10) < holes { 0 } else { 1 + rng.below(colours) as u8 });
        let (right, down) = bitcore::dispatch!(level, isa => swaps8_with(isa, &cells));
        digest = (digest.rotate_left(5) ^ right).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ down;
    }
    digest
}
