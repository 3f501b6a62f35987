//! What the games of bitcade have in common: their roles, batches for reinforcement learning, a
//! thread pool, statistics, and one way to stop.
//!
//! A user of one game needs neither this crate nor `bitcore`: each game crate re-exports what its
//! functions take and return. Depend on this crate to write code for all games, or a game of your
//! own.
//!
//! | you want to | use |
//! |---|---|
//! | play any game | [`Game`], [`Player`] |
//! | play many random games | [`Playouts`] |
//! | step many games with your own actions | [`batch::Batch`] |
//! | make a game of your own such a batch | [`batch::Games`] |
//! | spread games over threads | [`ThreadPool`], with the feature `parallel` |
//! | end long work early | [`Stop`], [`Stopped`] |
//! | report a mean with its standard error | [`Moments`] |
//!
//! # Features
//!
//! - `std` (default): detects the running CPU's instruction sets, and gives [`Moments`] its square
//!   roots.
//! - `parallel`: pools of several threads ([`ThreadPool`]), built on `rayon-core`.
//! - `serde`: serializes [`batch::Batch`] with all its games, and [`batch::GameState`] with its
//!   rules.
//! - `rand_core`: lets games draw from any generator of that crate, as in `bitcore`.
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
mod board_text;
mod game;
mod moments;
mod player;
mod playouts;
mod stop;
#[cfg(feature = "serde")]
mod text_forms;
mod thread_pool;
#[cfg(feature = "std")]
mod waiting;

pub use game::Game;
pub use moments::Moments;
pub use player::{Player, RandomPlayer};
pub use playouts::{PartJump, Parts, Playouts, play_in_parts};
pub use stop::{Stop, Stopped};
#[cfg(feature = "std")]
pub use thread_pool::useful_threads;
pub use thread_pool::{ThreadPool, has_memory_for_threads};
#[cfg(feature = "std")]
pub use waiting::{Backoff, spin_while};

/// What the text forms of the games' boards share.
#[doc(hidden)]
pub mod __board_text {
    pub use crate::board_text::*;
}
