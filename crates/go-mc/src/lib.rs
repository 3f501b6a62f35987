//! Go for Monte Carlo programs: the exact rules, perft, and fast random playouts on bit sets.
//!
//! - [`Board`] and [`Game`] are the judges: any size up to 19 x 19, every suicide rule ([`Suicide`]) and ko rule
//!   ([`Ko`]), found by flood, so that each rule stands as its definition. [`perft`] counts what they allow.
//! - [`Chains`] knows the liberties of every chain move by move: the base of a search, and of random games by any
//!   [`Policy`]. Every ply the exact set of playable points as bits, and the k-th of them by one `select`.
//! - [`SimdPlayouts`] plays light playouts of 9 x 9 and 13 x 13 in vector lanes, 16 or 32 at once, from any [`Position`], and
//!   tells who was first on which point. [`SequentialPlayouts`] plays them one after the other on any board up to 19 x 19.
//!   [`playouts`] takes the fastest path. Game i of a seed is the same game on every machine.
//! - [`Ownership`] and [`dead_stones`] ask playouts who owns what; [`seki_stones`] proves the plainest sekis.
//! - `search` (feature `std`): a tree search on playouts that chooses a move.
//! - [`mod@reference`] holds the published program that the playouts come from, and naive twins.
//!
//! ```
//! use go_mc::{Policy, playouts};
//!
//! let stats = playouts(9, Policy::NoSuicide, 500, 42).unwrap();
//! println!(
//!     "{} games of {:.1} stones: Black ahead by {:.2} points on average",
//!     stats.games,
//!     stats.stones.mean(),
//!     stats.score.mean(),
//! );
//! # assert!((stats.stones.mean() - 107.4).abs() < 3.0);
//! ```
//!
//! # Features
//!
//! `std` (default): the running CPU is asked for its instruction sets, and [`Moments`] knows its standard error;
//! `search`. `no_std` with `alloc` without it. `sgf`: the module of that name, game records in and out, by the crate
//! `sgf-parse`. `gtp`: the module of that name, an engine for the Go Text Protocol, with `sgf`.
#![no_std]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod board;
pub mod board_size;
mod chain_playouts;
pub mod chains;
mod dead_stones;
mod digest;
pub mod eyes;
pub mod game;
#[cfg(feature = "gtp")]
pub mod gtp;
mod mailbox;
pub mod ownership;
pub mod perft;
pub mod playout;
pub mod points;
mod policy;
mod position;
pub mod reference;
mod results;
#[cfg(feature = "std")]
pub mod search;
pub mod seki;
pub mod sequential_playouts;
#[cfg(feature = "sgf")]
pub mod sgf;
pub mod simd_playouts;
pub mod text;

pub use bitcore::Moments;
pub use board::{Board, Color, IllegalMove, Size, Suicide};
pub use chains::Chains;
pub use dead_stones::dead_stones;
pub use digest::digest;
pub use game::{Game, Ko, Move, Rules};
pub use ownership::Ownership;
pub use playout::{GameResult, Playout, Playouts, Policy, Stats, UnsupportedSize, playouts};
pub use points::{Point, Points};
pub use position::Position;
#[cfg(feature = "std")]
pub use search::Search;
pub use seki::seki_stones;
pub use sequential_playouts::SequentialPlayouts;
pub use simd_playouts::SimdPlayouts;
pub use text::ParseError;
