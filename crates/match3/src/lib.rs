//! Match-3: legal swaps from bit masks, complete games with every event, and millions of random
//! games per second.
//!
//! A [`Board`] is a grid of [`Cell`]s. A cell is empty, blocked, or a piece of some color, which
//! may be locked. A *run* is a straight row or column of three or more pieces of the same color. A
//! *legal swap* exchanges two orthogonal neighbors, both unlocked and of different colors, and puts
//! at least one of them into a run.
//!
//! Play a game:
//!
//! ```
//! use match3::{Game, RandomColors, Rng, Rules};
//!
//! let rules = Rules::default();
//! let mut colors = RandomColors::new(rules.colors, Rng::new(7))?;
//! let mut game = Game::new(rules, &mut colors)?;
//! while !game.is_over() {
//!     let swap = game.legal_moves()[0];
//!     game.play(swap, &mut colors)?;
//! }
//! println!("{}\n{} points", game.board(), game.score());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Let a player play it:
//!
//! ```
//! use match3::player::Greedy;
//! use match3::{Game, Player, RandomColors, Rng, Rules};
//!
//! let rules = Rules { moves: 10, ..Rules::default() };
//! let mut colors = RandomColors::new(rules.colors, Rng::new(7))?;
//! let mut game = Game::new(rules, &mut colors)?;
//! while let Some(swap) = Greedy.choose(&game) {
//!     game.play(swap, &mut colors)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Play a thousand random games:
//!
//! ```
//! use match3::{Playouts, Rules};
//!
//! let stats = Playouts::new(Rules::default(), 42)?.play(1000);
//! println!("{} games, {} points each", stats.games, stats.score.mean());
//! # Ok::<(), match3::Error>(())
//! ```
//!
//! Step many games in parallel to train an agent:
//!
//! ```
//! use match3::batch::StepBuffers;
//! use match3::{Batch, Rules};
//!
//! let mut batch = Batch::new(64, Rules::default(), 42)?;
//! let mut buffers = StepBuffers::new(batch.shape());
//! batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
//! batch.random_step_into(buffers.out())?;
//! println!("{:?}", buffers.reward);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! List the legal swaps of a board:
//!
//! ```
//! use match3::{Board, swaps};
//!
//! let board: Board = "
//! 1 2 1 3
//! 3 1 2 2
//! 2 3 3 1"
//!     .parse()?;
//! let found: Vec<String> = swaps(&board).iter().map(|swap| swap.to_string()).collect();
//! assert_eq!(found, ["1 0 V", "0 1 V"]);
//! # Ok::<(), match3::ParseBoardError>(())
//! ```
//!
//! # Which type do you want?
//!
//! | you want to | use | ns on 8 x 8 |
//! |---|---|---|
//! | play or search games with turns and points | [`Game`] with [`Rules`] and [`RandomColors`] | 120 a move with its list of swaps |
//! | measure players, or write one | [`Player`], [`PlayerKind`], [`player::play`] | 70 a greedy choice |
//! | play millions of random games, from a position too | [`Playouts`], [`RandomGame`] | 19 a move |
//! | train an RL agent | [`Batch`] | 30 a step |
//! | train one on levels with goals, special pieces and obstacles | [`LevelBatch`], with [`level`] | about 1500 a step |
//! | list and play swaps on a board of any size | [`Board`] with [`swaps()`], [`try_swap`], [`has_swap`] | 37 to find, 50 to list them |
//! | read boards from text | [`parse_boards`], or `"..".parse::<Board>()` | |
//! | give hints | [`ranked_swaps`] | 450 for all swaps |
//! | animate, save and replay moves | [`journal::Journal`], [`Event`], [`replay`] | |
//! | distinguish lines, L, T and + | [`groups::groups`] | |
//! | add row, column, bomb and color pieces | [`special::SpecialBoard`], with its own hints, shuffles and deals | 1600 to 2400 a greedy move |
//! | play levels with obstacles, gravity, spawners, goals and pairs of special pieces | [`level::LevelGame`] | |
//! | deal a board, or shuffle a dead one | [`deal`], [`redeal`], [`shuffle`] | |
//! | write your own search or simulation | [`Board8`] or [`Board16`] | 7 to find, 22 to list the swaps, 29 a random move |
//! | find the swaps of many small boards | [`bitboard::Boards8`] | 2.2 a board |
//! | find the swaps and runs of large boards | [`bitboard::Board64`] | |
//! | check results against slow, obvious code | [`mod@reference`] | |
//!
//! [`Board`] supports up to 64 x 64 cells and 35 colors. [`Board8`] and [`Board16`] are limited to
//! 8 x 8 and 16 x 16 cells and to 15 colors, with the same empty, blocked and locked cells and the
//! same rules, draws and results. Games are played on boards of up to 16 x 16.
//!
//! Every layout finds its swaps with the same formula over six masks of equal cells. Time to find
//! and count the legal swaps of an 8 x 8 board with six colors (one core of a Zen 4, AVX2):
//!
//! | board | ns |
//! |---|---|
//! | [`Board8`]: bit planes in columns, many boards a call | 3.0 |
//! | [`Board8`], one board a call | 13 |
//! | [`bitboard::Boards8`]: four boards per register | 2.5 |
//! | [`Board`], by [`swaps()`]: cells | 35 |
//! | [`reference::ByteRows`]: pairs and gaps in rows of bytes | 150 |
//! | [`reference::ColorMasks`]: pairs and gaps, color by color | 240 |
//! | [`reference::plain`]: brute force | 1850 |
//!
//! # Levels
//!
//! Every function uses the best ISA level of the CPU;
//! [`Level::set_active`](bitcore::Level::set_active) selects another one, with identical results. A
//! kernel call costs 1 to 2 ns. To amortize it over many short calls, use a function that enters a
//! kernel once: [`PlaneBoard::count_swaps`](bitboard::PlaneBoard::count_swaps),
//! [`bitboard::Boards8`], [`RandomGame::run`], or [`Playouts`].
//!
//! # Features
//!
//! `std` (default): detects the CPU's instruction sets at run time. Without it, the crate only
//! needs `alloc`.
//!
//! `parallel`: a [`ThreadPool`] of several threads, for the functions that take one, such as
//! [`Playouts::play_until`] and [`PlayerKind::games_until`], and the functions of [`Batch`] with
//! `_parallel` in their names. All return the same results as on one thread.
//!
//! `serde`: serializes [`Board`] and [`PlaneBoard`](bitboard::PlaneBoard) as text, [`Event`] as its
//! line of text, [`special::SpecialBoard`] as a board plus a list of special pieces, [`Swap`],
//! [`Rules`] and [`CascadeResult`] field by field, [`RandomColors`] with its buffered colors,
//! [`Game`], and [`Batch`] with its games. Missing fields of [`Rules`] take their defaults.
//!
//! `level-files`: reads and writes [`level::Level`] as TOML.
//!
//! `rand_core`: lets any generator of that crate draw in [`deal`], [`shuffle`] and [`redeal`].
//! Without it, these functions take a [`bitcore::Rng`] or any other
//! [`RandomSource`](bitcore::RandomSource). For refills, a closure around any generator is a source
//! of [`Colors`].
//!
//! ```
//! # #[cfg(all(feature = "rand_core", feature = "serde"))] {
//! use bitcore::RandomSource;
//! use bitcore::rand_core::SeedableRng;
//! use match3::{Board, deal, ranked_swaps, try_swap};
//! let mut dice = rand_xoshiro::SplitMix64::seed_from_u64(1);
//! let mut board = deal(8, 8, 6, &mut dice).unwrap();
//! let swap = ranked_swaps(&board)[0].0;
//! try_swap(&mut board, swap, || 1 + dice.below(6) as u8, &mut ()).unwrap();
//! let saved = serde_json::to_string(&board).unwrap();
//! assert_eq!(serde_json::from_str::<Board>(&saved).unwrap(), board);
//! # }
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod batch;
mod batches;
pub mod bitboard;
mod board;
mod cascade_result;
mod cells;
mod digest;
mod error;
mod game;
mod legality;
pub mod level;
pub mod player;
mod playout;
pub mod reference;
mod roles;
mod rules;
mod runs;
#[cfg(feature = "serde")]
mod serde_forms;
mod special_kind;
mod swap;
mod swaps;
mod text;

/// Journals of moves, and the errors of parsing and replaying them.
pub mod journal {
    pub use crate::cells::journal::{
        Journal, ParseEventError, ParseJournalError, ReplayError, ReplayErrorKind, parse_journal,
    };
}

pub use batches::{Batch, LevelBatch};
pub use bitboard::colors::{Colors, PieceSource, RandomColors};
pub use bitboard::mask::Swaps;
pub use bitboard::planes::{Board8, Board16};
pub use bitcade_core::{Moments, Player, Stop, Stopped, ThreadPool};
pub use bitcore::Rng;
pub use board::{Board, Cell};
pub use cascade_result::CascadeResult;
pub use cells::cascade::{cascade, cascade_without_refill, ranked_swaps, try_swap};
pub use cells::journal::{Event, replay};
pub use cells::shuffle::{deal, redeal, shuffle};
pub use cells::{groups, special};
pub use digest::digest;
pub use error::Error;
pub use game::Game;
pub use player::kind::PlayerKind;
pub use playout::{Playouts, RandomGame, Stats};
pub use rules::Rules;
pub use runs::{is_stable, matched};
pub use swap::{Axis, Swap, SwapError};
pub use swaps::{has_swap, swaps};
pub use text::{ParseBoardError, parse_boards};
