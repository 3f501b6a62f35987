//! 2048 on boards from 2x2 to 8x8: rules, SIMD simulation, random playouts, perft, exact solutions
//! of small boards, n-tuple networks, and expectimax search.
//!
//! Play a game:
//!
//! ```
//! use g2048::{Game, Rng, Rules};
//! let mut rng = Rng::new(2048);
//! let mut game = Game::new(Rules::default(), &mut rng);
//! while let Some(&direction) = game.legal_moves().first() {
//!     game.play(direction, &mut rng)?;
//! }
//! println!("{}\nscore {}", game.board(), game.score());
//! # assert!(game.is_over() && game.score() > 0);
//! # Ok::<(), g2048::IllegalMove>(())
//! ```
//!
//! Play random games to the end, 32 at a time:
//!
//! ```
//! use g2048::{Playouts, Rules};
//! let stats = Playouts::new(Rules::default(), 2048).play(1000);
//! println!("random play scores {:.0} in {:.0} moves", stats.score.mean(), stats.moves.mean());
//! # assert!((1000.0..1200.0).contains(&stats.score.mean()));
//! ```
//!
//! Step a batch of games, for reinforcement learning:
//!
//! ```
//! use g2048::batch::StepBuffers;
//! use g2048::{Batch, Rules};
//! let mut batch = Batch::new(1000, Rules::default(), 42)?;
//! let mut buffers = StepBuffers::new(batch.shape());
//! batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
//! for _ in 0..100 {
//!     batch.random_step_into(buffers.out())?;
//! }
//! println!("game 0 gained {}", buffers.reward[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Let a player choose the moves; this one searches two moves ahead and counts empty cells:
//!
//! ```
//! use g2048::expectimax::Limits;
//! use g2048::{Expectimax, Game, Packed, Player, Rng, Rules};
//! let empty = |board: Packed| board.empty_cells() as f32;
//! let mut player = Expectimax::new(&empty, Limits::depth(2));
//! let mut rng = Rng::new(1);
//! let mut game = Game::new(Rules::default(), &mut rng);
//! while let Some(direction) = player.choose(&game) {
//!     game.play(direction, &mut rng)?;
//! }
//! # assert!(game.is_over() && game.score() > 2000);
//! # Ok::<(), g2048::IllegalMove>(())
//! ```
//!
//! # Which type do you want?
//!
//! | You want to | Use | Nanoseconds, on 4x4; 5x5 |
//! |---|---|---|
//! | play a game and keep score | [`Game`], with [`Rules`] | 30; 90 a move with its legal moves |
//! | list the legal moves; ask whether there are any | [`Game::legal_moves`]; [`Game::is_over`] | 6; 20, and 1; 2 |
//! | step many games with chosen or random actions, for reinforcement learning | [`Batch`] | |
//! | play random games to the end on any board size, 32 at a time | [`Playouts`] | 2.2; 5.7 a move |
//! | play random games from a position, for a flat Monte Carlo | [`Playouts::from_game`], [`after_move`](Playouts::after_move) | 2.3; 5.7 a move |
//! | play one random game from any position | [`Game::play_out`] | 29; 90 a move |
//! | write a player, or evaluate one on several threads | [`Player`], [`play_games_until`] | |
//! | search for the best move | [`Expectimax`] | |
//! | learn the values of 4x4 boards from self-play | [`Learner`] | |
//! | evaluate 4x4 boards with the learned weights | [`Network`] | |
//! | do both in 2 MB, to embed the weights; have a trained network | [`SmallLearner`], [`SmallNetwork`] | |
//! | do both on boards of another size | [`TupleLearner`], [`TupleNetwork`] | |
//! | read boards and games as people post them | [`mod@posted`] | |
//! | parse, print, slide and spawn on one board of any size | [`Board`] | 10; 34 a slide |
//! | pack a 4x4 board into 64 bits, for a search or a player | [`Packed`] | 2.5 a slide |
//! | slide 32 boards in one call | [`Boards32`] | |
//! | count all paths of play of a given length, to validate the rules | [`Perft`] | |
//! | compute exact expected scores on boards of up to nine cells | [`solve()`] | |
//! | read the published algorithms that the tests compare against | [`mod@reference`] | |
//!
//! # Rules
//!
//! A slide moves all tiles toward one side of the board, the *wall*. In each row or column the
//! tiles close their gaps, then equal neighbors merge in pairs, starting at the wall. A merged tile
//! doesn't merge again in the same move. The *gain* of a slide, the points it scores, is the sum of
//! its merged tiles, for example 8 for two 4s. A move is legal if it changes the board. After each
//! legal move a tile spawns on an empty cell, all cells equally likely: a 2 with probability 0.9,
//! otherwise a 4. The game starts with two such tiles and ends when no move is legal.
//!
//! # Features
//!
//! `std` (default): detects the CPU's instruction sets at run time, and adds the square roots of
//! [`Moments`].
//!
//! `parallel`: a [`ThreadPool`] of several threads, for the functions that take one, such as
//! [`Playouts::play_until`] and [`play_games_until`], and the functions of [`Batch`] and
//! [`Learner`] with `_parallel` in their names. Results equal the single-threaded ones, except for
//! a [`Learner`] on several threads.
//!
//! `serde`: serializes [`Board`], [`Packed`] and [`Size`] as text (`"2 4\n. 8"`, `"4x4"`),
//! [`Direction`] as `"left"`, [`Rules`] and [`Game`] field by field, and [`Batch`] with its games.
//! The error for an invalid board gives the line and column.
//!
//! `builtin`: `SmallNetwork::builtin`, a trained network for 4x4 boards.
//!
//! `rand_core`: [`Game`], [`Board::spawn`], [`Board::start`] and the same functions of [`Packed`]
//! accept any generator of that crate. Without the feature they accept an [`Rng`] or any
//! [`RandomSource`](bitcore::RandomSource).
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod batch;
mod batches;
mod board;
mod direction;
mod error;
pub mod expectimax;
mod game;
mod games;
mod lanes;
pub mod network;
mod packed;
mod perft;
mod player;
mod playouts;
pub mod posted;
mod random_move;
pub mod reference;
mod roles;
mod rules;
#[cfg(feature = "serde")]
mod serde_forms;
mod slide;
mod solve;
mod stats;
mod text;

pub use batches::Batch;
pub use bitcade_core::{Moments, Player, RandomPlayer, Stop, Stopped, ThreadPool};
pub use bitcore::Rng;
pub use board::{Board, Size, Slide};
pub use direction::Direction;
pub use error::{Error, Expected};
pub use expectimax::search::Expectimax;
pub use game::{Game, IllegalMove, Outcome};
pub use lanes::{Boards32, Slides};
pub use network::any_size::{TupleLearner, TupleNetwork};
pub use network::learn::Learner;
pub use network::quantized::Network;
pub use network::small::{SmallLearner, SmallNetwork};
pub use packed::{Packed, PackedSlide};
pub use perft::{Perft, PerftError, PerftRow};
pub use player::play_games_until;
pub use playouts::{Kernel, Playouts};
pub use rules::Rules;
pub use solve::{Solution, SolveError, solve, solve_until};
pub use stats::Stats;

use batch::StepBuffers;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Returns a digest of a fixed workload, the same on every ISA level, machine and build.
///
/// The workload is random play on all sizes of up to 20 cells, both to the end and step by step,
/// and slides of random boards of every size.
pub fn digest() -> u64 {
    let mut rng = Rng::new(2048);
    let mut digest = 0u64;
    let mut fold =
        |word: u64| digest = digest.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ word;
    for size in Size::all() {
        let games = if size.cells() <= 20 { 50 } else { 0 };
        let stats = Playouts::with_kernel(size, 1, Kernel::AnySize).play(games);
        fold(stats.score.sum as u64);
        fold(stats.moves.sum as u64);
        let boards = [(); 32].map(|()| Board::from_fn(size, |_| rng.below(5) as u8));
        // Never fails: these are 32 boards of one size.
        let Ok(boards) = Boards32::try_from(&boards[..]) else { continue };
        let mut slides = Slides::new(size);
        for direction in Direction::ALL {
            boards.slide_into(direction, &mut slides);
            fold(u64::from(slides.changed));
            slides.gains.iter().copied().for_each(&mut fold);
            slides.boards.ranks().for_each(|rank| fold(rank.into()));
        }
    }
    for size in Size::all().filter(|size| size.cells() <= 20) {
        // Never fails: 40 games fit in memory.
        let Ok(mut batch) = Batch::new(40, size, 1) else { continue };
        let mut out = StepBuffers::new(batch.shape());
        for _ in 0..20 {
            // Never fails: the buffers have the batch's shape.
            let stepped = batch.random_step_into(out.out());
            fold(u64::from(stepped.is_ok()));
            for &rank in &out.obs {
                fold(rank.into());
            }
            out.reward.iter().for_each(|&reward| fold(reward as u64));
            for &flag in out.terminated.iter().chain(&out.mask) {
                fold(flag.into());
            }
        }
    }
    fold(Playouts::new(Size::CLASSIC, 1).play(200).score.sum as u64);
    digest
}
