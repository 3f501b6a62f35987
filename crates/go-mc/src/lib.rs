//! Go for Monte Carlo programs: exact rules, perft, fast random playouts on bit sets, and a tree search.
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
//! # Which type do you want?
//!
//! | you want to | use |
//! |---|---|
//! | play stones by exact rules, with captures, [suicide](Suicide) and simple ko | [`Board`] |
//! | play a whole game with turns, passes and [superko](Ko) | [`Game`] |
//! | count move sequences and legal positions | [`mod@perft`] |
//! | run random games from the empty board by the fastest kernel | [`playouts`], [`Playouts`] |
//! | run many light playouts from a [`Position`] of 9 x 9 or 13 x 13 | [`SimdPlayouts`] |
//! | run light playouts one by one from a [`Position`] of any size | [`SequentialPlayouts`] |
//! | write a playout or a search with sets of liberties and playable points | [`Chains`], [`Policy`] |
//! | compute with sets of points | [`Points`], [`mod@eyes`] |
//! | estimate the owner of each point | [`Ownership`] |
//! | find dead stones and sekis | [`fn@dead_stones`], [`seki_stones`] |
//! | step many games at once for reinforcement learning | [`Batch`], [`mod@batch`] |
//! | choose a move | `Search` (feature `std`) |
//! | read and write game records | `sgf::Record` (feature `sgf`) |
//! | run an engine for the Go Text Protocol | `gtp::Session` (feature `gtp`) |
//! | see the definition of each kernel in plain code | [`mod@reference`] |
//!
//! Boards have any size up to 19 x 19 if the table names no size. Game i of a seed is the same game on every
//! machine and at every [`Level`](bitcore::Level) of instruction sets.
//!
//! # Features
//!
//! - `std` (default): detects the instruction sets of the running CPU; adds the standard error of [`Moments`]
//!   and the module `search`. Without it the crate is `no_std` with `alloc`.
//! - `sgf`: the module `sgf`, game records read and written.
//! - `gtp`: the module `gtp`, an engine for the Go Text Protocol; includes `sgf`.
//! - `parallel`: [`Playouts`] and [`Batch`] on the threads of a [`ThreadPool`](bitcore::ThreadPool), with the
//!   same results as on one thread.
//! - `serde`: saves and reads [`Point`], [`Move`], [`Color`], [`Size`], [`Ko`] and [`Suicide`] as their
//!   texts, [`Board`] as its diagram and ko point, [`Position`] and [`Game`] with their boards; a game under
//!   superko with all its positions; [`Batch`] with its games. Impossible boards and games are refused.
//! - `rand_core`: every generator of that crate draws in the playouts of [`mod@reference`]; all others draw
//!   from streams of a seed. `Rng::from_rng` of [`bitcore`] seeds a generator from any other.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod batch;
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
#[cfg(feature = "serde")]
mod serde_forms;
#[cfg(feature = "sgf")]
pub mod sgf;
pub mod simd_playouts;
pub mod text;

pub use batch::{Batch, BatchRules};
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
