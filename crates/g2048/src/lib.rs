//! The game 2048 on boards of 2 x 2 to 8 x 8 cells: rules, simulation in vector lanes, random playouts,
//! perft, exact solutions of small boards, n-tuple networks and expectimax search.
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
//! Play many random games to the end, 32 at once:
//!
//! ```
//! use g2048::{Playouts, Rules};
//! let stats = Playouts::new(Rules::default(), 2048).play(1000);
//! println!("random play scores {:.0} in {:.0} moves", stats.score.mean(), stats.moves.mean());
//! # assert!((1000.0..1200.0).contains(&stats.score.mean()));
//! ```
//!
//! Step many games by actions, for reinforcement learning:
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
//! Let a player choose the moves, here by looking two moves ahead for empty cells:
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
//! | You want to | Use |
//! |---|---|
//! | play one game with its score | [`Game`], with [`Rules`] |
//! | step many games by chosen or random actions, for reinforcement learning | [`Batch`] |
//! | play random games of any size to the end, 32 at once | [`Playouts`] |
//! | play one random game from a given position | [`Game::play_out`] |
//! | write a player, or measure one on many threads | [`Player`], `play_games_parallel` |
//! | choose a 4x4 move by looking ahead | [`Expectimax`] |
//! | learn the value of 4x4 boards from self-play | [`Learner`] |
//! | evaluate 4x4 boards with the learned weights | [`Network`] |
//! | the same in less than a megabyte, for a program that embeds the weights | [`SmallLearner`], [`SmallNetwork`] |
//! | hold one position of any size, parse and print it, slide and spawn | [`Board`] |
//! | hold one 4x4 position in 64 bits, for a search or a player | [`Packed`] |
//! | slide 32 boards at once | [`Boards32`] |
//! | count all paths of play of a given length | [`Perft`] |
//! | compute exact expected scores of boards of up to nine cells | [`solve()`] |
//! | read the published algorithms that the tests compare with | [`mod@reference`] |
//!
//! # Rules
//!
//! A slide moves all tiles toward one side of the board, the *wall*. In each line, from the wall outward, the
//! tiles close up, and each pair of equal neighbors merges once, the pair nearest to the wall first. A merged
//! tile doesn't merge again in the same move. The *gain* of a slide is the sum of its merged tiles, for
//! example 8 for two 4s. A move is legal if it changes the board. After each legal move a tile appears on an
//! empty cell, all cells equally likely: a 2 with probability 0.9, else a 4. The game begins with two such
//! tiles and ends when no move is legal.
//!
//! # Features
//!
//! `std` (default): detects the CPU's instruction sets at run time, and gives [`Moments`] its square roots.
//!
//! `parallel`: functions with `_parallel` in their names, which share games, boards or slots of a batch out
//! among the threads of a `ThreadPool`. Their results are those of one thread, except
//! for a [`Learner`] on several threads.
//!
//! `serde`: saves and reads [`Board`], [`Packed`] and [`Size`] as their texts (`"2 4\n. 8"`, `"4x4"`),
//! [`Direction`] as `"left"`, [`Rules`] and [`Game`] field by field, and [`Batch`] with its games. A text that
//! is no board is an error that says where.
//!
//! `rand_core`: every generator of that crate draws in [`Game`], [`Board::spawn`], [`Board::start`] and the
//! same functions of [`Packed`]. Without it they take an [`Rng`], or any
//! [`RandomSource`](bitcore::RandomSource).
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod batch;
mod board;
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
mod random_move;
pub mod reference;
mod rules;
#[cfg(feature = "serde")]
mod serde_forms;
mod slide;
mod solve;
mod stats;
mod stopped;
mod text;

pub use batch::Batch;
#[cfg(feature = "parallel")]
pub use bitcore::ThreadPool;
pub use bitcore::{Moments, Rng};
pub use board::{Board, Size};
pub use error::{Error, Expected};
pub use expectimax::search::Expectimax;
pub use game::{Game, IllegalMove, Outcome};
pub use lanes::{Boards32, Slides};
pub use network::learn::Learner;
pub use network::quantized::Network;
pub use network::small::{SmallLearner, SmallNetwork};
pub use packed::{Packed, PackedSlide};
pub use perft::{Perft, PerftError, PerftRow};
#[cfg(feature = "parallel")]
pub use player::play_games_parallel;
pub use player::{Player, RandomPlayer};
pub use playouts::Playouts;
pub use rules::Rules;
pub use slide::{Direction, Slide};
#[cfg(feature = "parallel")]
pub use solve::solve_parallel;
pub use solve::{Solution, SolveError, solve};
pub use stats::Stats;
pub use stopped::Stopped;

use batch::StepBuffers;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Returns a digest of a fixed workload: the same number on every level, machine and build.
///
/// The workload is random play on all sizes of up to 20 cells, to the end and step by step, and slides of
/// random boards of every size.
pub fn digest() -> u64 {
    let mut rng = Rng::new(2048);
    let mut digest = 0u64;
    let mut fold = |word: u64| digest = digest.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ word;
    for size in Size::all() {
        let games = if size.cells() <= 20 { 50 } else { 0 };
        let stats = Playouts::any_size(size, 1).play(games);
        fold(stats.score.sum as u64);
        fold(stats.moves.sum as u64);
        let boards = [(); 32].map(|()| Board::from_fn(size, |_| rng.below(5) as u8));
        // At most 32 boards of one size.
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
        // There is memory for 40 games.
        let Ok(mut batch) = Batch::new(40, size, 1) else { continue };
        let mut out = StepBuffers::new(batch.shape());
        for _ in 0..20 {
            // The slices fit.
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
