//! Go for Monte Carlo programs: exact rules, perft, fast random playouts on bitboards, and tree
//! search.
//!
//! Play a game:
//!
//! ```
//! use go_mc::{Game, Move, Rules};
//! let mut game = Game::new(Rules { size: "5x5".parse()?, ..Rules::default() });
//! for point in ["C3", "C2", "D2", "D3"] {
//!     game.play(point.parse()?)?;
//! }
//! game.play(Move::Pass)?;
//! game.play(Move::Pass)?;
//! println!("{}{}", game.board(), game.score());
//! # assert_eq!((game.is_over(), game.score().to_string().as_str()), (true, "W+7.5"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Let a player choose the moves:
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use go_mc::search::{SearchPlayer, Settings};
//! use go_mc::{Game, Player, Rules};
//! let rules = Rules { size: "5x5".parse()?, ..Rules::default() };
//! let mut game = Game::new(rules);
//! let playouts = 100;
//! let mut player = SearchPlayer::new(rules, Settings::default(), playouts)?;
//! while let Some(mv) = player.choose(&game) {
//!     game.play(mv)?;
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Play many random games:
//!
//! ```
//! use go_mc::{Playouts, Rules};
//! let seed = 42;
//! let stats = Playouts::new(Rules::default(), seed)?.play(500);
//! println!("Black is ahead by {:.2} points on average, without komi", stats.score.mean());
//! # assert!((stats.stones.mean() - 107.4).abs() < 3.0);
//! # Ok::<(), go_mc::Error>(())
//! ```
//!
//! Step many games for reinforcement learning:
//!
//! ```
//! use go_mc::batch::StepBuffers;
//! use go_mc::{Batch, Rules};
//! let (games, seed) = (100, 42);
//! let mut batch = Batch::new(games, Rules::default(), seed)?;
//! let mut buffers = StepBuffers::new(batch.shape());
//! batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
//! for _ in 0..50 {
//!     batch.random_step_into(buffers.out())?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which type do you want?
//!
//! The times are nanoseconds on 9 x 9 (19 x 19 in parentheses) at the level `x86-64-v3` of a Zen 4.
//!
//! | you want to | use | ns |
//! |---|---|---|
//! | set the board size, the komi and the rules | [`Rules`], [`RuleSet`] | |
//! | play a whole game with turns, passes, [superko](Ko) and a [`Score`] | [`Game`] | a move 33 (33) |
//! | list its [legal moves](Game::legal_moves) and play one; as a [set](Game::legal_points) | [`Game`] | 150 (430); 80 (160) |
//! | ask whether [one move](Game::allows) is legal; [take back](Game::undo) a move; copy a game | [`Game`] | 8; 120; 180 (350) |
//! | place handicap stones | [`fixed_handicap`], [`free_handicap`] | |
//! | choose a move | [`Player`]; `search::SearchPlayer`, `search::Search` (feature `std`) | |
//! | play many random games from the empty board or [a game](Playouts::from_game) | [`Playouts`] | a game 1,050, a ply 9 |
//! | step many games together for reinforcement learning | [`Batch`], [`mod@batch`] | |
//! | play stones without turns: captures, [suicide](Suicide), simple ko | [`Board`] | a stone 15 (16) |
//! | estimate the owner of each point, and the score | [`Ownership`]; by a search, `search::Search` | |
//! | find dead stones and sekis | [`fn@dead_stones`], [`seki_stones`] | |
//! | ask whether a game may end | `is_open` (feature `std`) | |
//! | count move sequences and legal positions | [`mod@perft`] | |
//! | compute with sets of points | [`Points`], [`mod@eyes`] | |
//! | read and write game records | `sgf::Record` (feature `sgf`) | |
//! | run an engine for the Go Text Protocol | `gtp::Session` (feature `gtp`) | |
//!
//! For search authors, who need the details of each random game or their own playouts:
//!
//! | type | is for | ns |
//! |---|---|---|
//! | [`Position`] | where playouts start: stones, ko point, player to move; from a [`Board`] | 100 |
//! | [`SimdPlayouts`](playout::SimdPlayouts) | many games of 9 x 9 or 13 x 13 in vector lanes | a game 1,050 |
//! | [`SequentialPlayouts`](playout::SequentialPlayouts) | few games, or any size | a game 4,700 |
//! | [`Chains`], [`Policy`] | your own playouts: liberties, ataris and the set of playable points | a stone 22, a set 11 |
//! | [`chain_playout`](playout::chain_playout) | one game on [`Chains`] with your generator, and `FooGo`'s policy | a game 7,600 |
//! | [`mod@reference`] | the plain-code definition of each kernel, to test against | a game 155,000 |
//!
//! Boards have any size up to 19 x 19. Playouts, ownership and the search support 5 x 5, 9 x 9, 13
//! x 13 and 19 x 19; batches also support 7 x 7. Game i of a seed is the same on every machine and
//! at every ISA [`Level`](bitcore::Level).
//!
//! # Features
//!
//! - `std` (default): detects the instruction sets of the running CPU; adds the standard error of
//!   [`Moments`] and the module `search`. Without it the crate is `no_std` with `alloc`.
//! - `sgf`: adds the module `sgf`, which reads and writes game records.
//! - `gtp`: adds the module `gtp`, an engine for the Go Text Protocol; includes `sgf`.
//! - `parallel`: runs [`Playouts`] and [`Batch`] on the threads of a `ThreadPool`, with the same
//!   results as on one thread.
//! - `serde`: serializes [`Point`], [`Move`], [`Color`], [`Size`], [`Ko`], [`Suicide`] and [`Komi`]
//!   as text, [`Board`] as its diagram and ko point, [`Position`] with its board, [`Game`] as its
//!   start and moves, and [`Batch`] with its games. Deserializing rejects impossible boards and
//!   games.
//! - `rand_core`: lets the playouts of [`mod@reference`] draw from any `rand_core` generator; all
//!   others draw from the streams of a seed. `Rng::from_rng` of [`bitcore`] seeds a generator from
//!   any other.
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
mod batches;
mod digest;
#[cfg(feature = "gtp")]
pub mod gtp;
pub mod perft;
pub mod playout;
pub mod reference;
mod roles;
mod rules;
#[cfg(feature = "std")]
pub mod search;
#[cfg(feature = "serde")]
mod serde_forms;
#[cfg(feature = "sgf")]
pub mod sgf;
mod text;

pub use batches::Batch;
pub use bitcade_core::{Moments, Player, RandomPlayer, Stop, Stopped, ThreadPool};
pub use bitcore::Rng;
pub use digest::digest;
pub use playout::dead_stones::dead_stones;
#[cfg(feature = "std")]
pub use playout::openness::is_open;
pub use playout::ownership::Ownership;
pub use playout::playouts::Playouts;
pub use playout::policy::Policy;
pub use playout::results::Stats;
pub use playout::seki::seki_stones;
pub use rules::board::{Board, Color, IllegalMove, Size, Suicide};
pub use rules::chains::Chains;
pub use rules::error::Error;
pub use rules::eyes;
pub use rules::game::{Game, Ko, Move, Rules, Setup};
pub use rules::handicap::{fixed_handicap, free_handicap};
pub use rules::komi::{Komi, Score};
pub use rules::points::{Point, Points};
pub use rules::position::Position;
pub use rules::rule_set::RuleSet;
