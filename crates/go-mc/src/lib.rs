//! Go for Monte Carlo programs: the exact rules, perft, and fast random playouts on bit sets.
//!
//! - [`Board`] and [`Game`] are the judges: any size up to 19 x 19, every suicide rule ([`Suicide`]) and ko rule
//!   ([`Ko`]), found by flood, so that each rule stands as its definition. [`perft`] counts what they allow.
//! - [`Chains`] knows the liberties of every chain move by move. On it [`playouts`] runs random games of 5 x 5, 9 x 9,
//!   13 x 13 and 19 x 19 under a [`Policy`]: every ply the exact set of playable points as bits, and the k-th of
//!   them by one `select` of the instruction set. Game i of a seed is the same game on every machine.
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
//! `std` (default): the running CPU is asked for its instruction sets, and [`Moments`] knows its standard error. `no_std`
//! with `alloc` without it.
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
pub mod chains;
mod digest;
pub mod eyes;
pub mod game;
pub mod lockstep;
pub mod perft;
pub mod playout;
pub mod points;
pub mod reference;
pub mod text;

pub use bitcore::Moments;
pub use board::{Board, Color, IllegalMove, Size, Suicide};
pub use chains::Chains;
pub use digest::digest;
pub use game::{Game, Ko, Move, Rules};
pub use lockstep::{Lockstep, Playout, Position};
pub use playout::{Outcome, Policy, Stats, UnsupportedSize, playouts};
pub use points::{Point, Points};
pub use text::ParseError;
