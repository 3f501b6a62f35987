//! 2048 on boards of 2 x 2 to 8 x 8 cells: the rules, 32 boards at a time in vector lanes, random play and perft.
//!
//! - [`Board`] is a position, a plain value: [`slide`](Board::slide), [`spawn`](Board::spawn),
//!   [`is_over`](Board::is_over), [`canonical`](Board::canonical). It is read and written as rows of tile values.
//! - [`Boards32`] slides 32 boards at once.
//! - [`Playouts`] plays random games of any size to the end, 32 in lockstep, and sums them up; [`Playouts4x4`] those of
//!   4 x 4, twice as fast.
//! - [`Batch`] steps many games of any size by a caller's actions or by random ones, for learning programs.
//! - [`Packed`] is the 4x4 board in 64 bits, for players and searches.
//! - [`Learner`] learns by play what a 4x4 board is worth, [`Network`] is what it has learned, [`Expectimax`] looks
//!   ahead with it.
//! - [`Perft`] counts all paths of play, to compare rules with other programs.
//! - [`mod@reference`] has the published algorithms that all this is tested against.
//!
//! ```
//! use g2048::{Board, Direction, Size};
//! let mut rng = bitcore::Rng::new(2048);
//! let mut board = Board::start(Size::CLASSIC, &mut rng);
//! let mut score = 0;
//! // Left where it goes, else down, right, up: the first strategy that everybody finds.
//! let order = [Direction::Left, Direction::Down, Direction::Right, Direction::Up];
//! while let Some(slide) = order.map(|direction| board.slide(direction)).into_iter().find(|s| s.changed) {
//!     (board, score) = (slide.board, score + slide.gain);
//!     board.spawn(&mut rng);
//! }
//! println!("{board}\nscore {score}");
//! assert!(board.is_over() && score > 0);
//! ```
//!
//! The rule: in each line, from the wall outward, the tiles close up and each pair of equal neighbors merges once,
//! the pair nearest to the wall first; a merged tile doesn't merge again in that move. The gain is the sum of the new
//! tiles. A move is legal if the board changes, and only then a tile appears, a 2 in nine of ten cases, else a 4, on
//! an empty cell, all equally likely. The game begins with two such tiles and ends when no move is legal.
//!
//! # Features
//!
//! `std` (default): asks the running CPU for its instruction sets, and gives [`Moments`] its square roots.
#![no_std]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod batch;
mod board;
pub mod expectimax;
mod games;
mod lanes;
pub mod network;
pub mod packed;
mod perft;
mod playouts;
mod playouts4x4;
mod random_move;
pub mod reference;
mod slide;
mod solve;
mod stats;
pub mod text;

pub use batch::Batch;
pub use bitcore::Moments;
pub use bitcore::batch::BatchError;
pub use board::{Board, RanksError, Size, SizeError};
pub use expectimax::Expectimax;
pub use lanes::{Boards32, Boards32Error, Slides};
pub use network::{Learner, Network};
pub use packed::{PackError, Packed, PackedSlide};
pub use perft::{Perft, PerftOverflow, PerftRow};
pub use playouts::Playouts;
pub use playouts4x4::Playouts4x4;
pub use random_move::RandomMove;
pub use slide::{Direction, Slide};
pub use solve::{Solution, SolveError, solve};
pub use stats::{GameResult, Stats};
pub use text::{Expected, ParseBoardError};

use alloc::vec;
use bitcore::{Level, Rng};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// A fixed workload folded into one number: equal on every level, machine and build.
///
/// Random play on the sizes of up to 20 cells, where games are short, to the end and by single steps, and slides of
/// random boards of every size.
pub fn digest(level: Level) -> u64 {
    let mut rng = Rng::new(2048);
    let mut digest = 0u64;
    let mut fold = |word: u64| digest = digest.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ word;
    for size in Size::all() {
        let games = if size.cells() <= 20 { 50 } else { 0 };
        let stats = Playouts::new(size, 1).run_on(level, games);
        fold(stats.score.sum as u64);
        fold(stats.moves.sum as u64);
        let boards = [(); 32].map(|()| Board::from_fn(size, |_| rng.below(5) as u8));
        // At most 32 boards of one size.
        let Ok(boards) = Boards32::from_boards(&boards) else { continue };
        let mut slides = Slides::new(size);
        for direction in Direction::ALL {
            boards.slide_into_on(level, direction, &mut slides);
            fold(u64::from(slides.changed));
            slides.gains.iter().copied().for_each(&mut fold);
            slides.boards.ranks().for_each(|rank| fold(rank.into()));
        }
    }
    for size in Size::all().filter(|size| size.cells() <= 20) {
        let mut batch = Batch::new_on(level, 40, 1, size);
        let (mut obs, mut mask) = (vec![0; 40 * batch.cells()], vec![false; 40 * batch.actions()]);
        let (mut reward, mut done) = (vec![0; 40], vec![false; 40]);
        for _ in 0..20 {
            // The slices fit.
            let stepped = batch.random_step_into(&mut obs, &mut reward, &mut done, &mut mask);
            fold(u64::from(stepped.is_ok()));
            for &rank in &obs {
                fold(rank.into());
            }
            reward.iter().copied().for_each(&mut fold);
            for &flag in done.iter().chain(&mask) {
                fold(flag.into());
            }
        }
    }
    fold(Playouts4x4::new(1).run_on(level, 200).score.sum as u64);
    digest
}
