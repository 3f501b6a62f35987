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
//! and its [`cascade`], and leaves the board untouched otherwise; [`ranked_swaps`] gives hints; [`groups`] tells lines from L, T
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

pub mod agent;
pub mod batch;
mod best_swap;
mod bit_words;
pub mod board;
pub mod board64;
pub mod boards8;
pub mod cascade;
mod cascade_result;
pub mod colors;
mod digest;
mod fall;
mod formula;
pub mod groups;
pub mod journal;
mod legality;
pub mod mask;
pub mod planes;
mod planes_error;
pub mod playout;
pub mod reference;
mod rules;
pub mod runs;
pub mod shuffle;
pub mod special;
mod swap;
pub mod swaps;
pub mod text;

pub use agent::Player;
pub use batch::Batch;
pub use bitcore::Moments;
pub use board::{Board, Cell};
pub use cascade::{CascadeResult, cascade, ranked_swaps, try_swap};
pub use digest::digest;
pub use journal::{Event, replay};
pub use mask::Swaps;
pub use planes::{Board8, Board16};
pub use playout::Playouts;
pub use rules::{Rules, RulesError};
pub use shuffle::{deal, shuffle};
pub use swap::{Axis, Swap, SwapError};
pub use swaps::{has_swap, swaps};
pub use text::ParseBoardError;
