//! Match-3: every legal swap at once, whole games with all their events, and millions of games a second.
//!
//! A [`Board`] is a grid of [`Cell`]s: colors, empty cells, blocked cells; a colored cell may be locked. A *run* is
//! a straight row or column of three or more equal colors. A *legal swap* exchanges two orthogonal neighbors, both
//! colored, both unlocked and of different colors, so that at least one of the two then lies in a run.
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
//! # A game on cells, with everything to show it
//!
//! [`Board`] has any size up to 64 x 64, 35 colors, empty, blocked and locked cells. [`try_swap`] plays a legal swap
//! and its [`cascade`], and leaves the board untouched otherwise; [`rated`] gives hints; [`groups`] tells lines from L, T
//! and +; a [`Journal`] gets every match, clear, fall and spawn in order, and [`replay`] repeats it; [`deal`] and
//! [`shuffle`] make boards that are stable and alive, or say that there is none; [`SpecialBoard`] adds special pieces.
//!
//! # A game in bits, for search and simulation
//!
//! [`Board8`] and [`Board16`] hold the same board as bit planes in columns, up to 15 colors: `Copy`, without
//! allocation. Same rules, same draws, same results. [`Playouts`] plays many random games in lockstep; [`Batch`] steps
//! many games with a caller's moves, observations and masks; [`Boards8`] lists many boards; [`Board64`] is for large ones.
//!
//! Six masks of equal cells give all swaps of a board, and every layout goes through that one formula. On an 8 x 8 board
//! of six colors, per board on one core with AVX2:
//!
//! | form | ns | why it stayed or went |
//! |---|---|---|
//! | bit planes in columns, one word ([`Board8`]) | 7.0 | three words a board, falls by PEXT and PDEP |
//! | four such boards a register ([`Boards8`], [`Playouts`]) | 2.2 | the batch |
//! | 64 bytes in two registers ([`swaps8`]) | 7.0 | for callers who hold bytes; bytes can't fall as fast |
//! | one word per color | 14.7 | lost: six passes for six colors |
//! | one word per color, four a register | 6.6 | lost: twice the memory and the PEXT of planes, 28 ns without AVX2 |
//! | pairs and gaps color by color, rows and columns ([`reference::ColorMasks`]) | 390 | the classic trick |
//! | brute force ([`reference::plain`]) | 1650 | |
//!
//! [`mod@reference`] keeps the algorithms that these replace, and the plain rules that all are tested against.
//!
//! # Levels
//!
//! What has kernels comes as `foo(..)`, on the best level of this machine, and as `foo_on(level, ..)`: the same result on
//! each [`Level`](bitcore::Level). A call costs 1 to 2 ns; where that counts, a form for many boards or moves is entered
//! once: [`PlaneBoard::count_swaps`], [`count_swaps8`], [`Boards8`], [`RandomGame::run`], [`Playouts`].
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
mod batch;
mod board;
mod cascade;
mod colors;
mod deal;
mod digest;
mod exchange;
mod fall;
mod field;
mod foresight;
mod groups;
mod journal;
mod mask;
mod pack;
mod planes;
mod planes_error;
mod playout;
pub mod reference;
mod rows;
mod runs;
mod shuffle;
mod special;
mod swap;
mod swaps;
mod text;

pub use agent::{Agent, Greedy, PlayError, Player, Random, Rollout, Rules, play, play_on};
pub use batch::Batch;
pub use bitcore::Moments;
pub use bitcore::batch::BatchError;
pub use board::{Board, BoardError, Cell, MAX_COLOR, MAX_SIDE};
pub use cascade::{cascade, rated, settle, try_swap};
pub use colors::{Colors, RandomColors};
pub use digest::digest;
pub use exchange::{Outcome, SwapError};
pub use groups::{Group, ParseShapeError, Shape, groups, squares};
pub use journal::{
    Event, Journal, Misfit, ParseEventError, ParseJournalError, ReplayError, parse_journal, replay,
};
pub use mask::{Columns, Iter, Mask, Rows, Swaps};
pub use pack::Boards8;
pub use planes::{Board8, Board16, Layout, PlaneBoard};
pub use planes_error::PlanesError;
pub use playout::{Lockstep, Playouts, RandomGame, Tally};
pub use rows::Board64;
pub use runs::{is_stable, matched, matched_on};
pub use shuffle::{DealError, ShuffleError, deal, redeal, shuffle};
pub use special::{ParseSpecialError, Special, SpecialBoard, SpecialError, SpecialEvent};
pub use swap::{Axis, Swap};
pub use swaps::{count_swaps8, count_swaps8_on, has_swap, swaps, swaps_on, swaps8, swaps8_on};
pub use text::{ParseBoardError, parse_boards};
