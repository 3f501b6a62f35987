//! Guideline Tetris for programs: bitboards by columns, SRS rotation, placements, perft, games.
//!
//! A [`Board`] is a plain value of ten words; a [`Location`] says where a piece is; [`movegen`] lists where it can
//! lock, tucks and spins included, and the key presses for it; [`perft`](perft::perft) counts whole queues, which is how
//! rules are checked. A [`Game`] is one player's side with bag, hold, attacks and garbage, a [`Batch`] many games for
//! learning programs, and [`Board::features`] what an evaluation asks for. [`simd_board`] is the same field in two 256-bit
//! registers, and [`mod@reference`] has every algorithm again, slow and obvious.
//!
//! ```
//! use tetris::{Board, Location, Orientation, Piece, Rotation, kicks, movegen};
//!
//! let rows = ["##........", "#...######", "##.#######"];
//! let mut board: Board = rows.join("\n").parse().unwrap();
//!
//! // The notch under the overhang: a T that comes down upright and turns as its last movement.
//! let upright = Location { piece: Piece::T, orientation: Orientation::East, x: 2, y: 1 };
//! let upright = board.landing(Location { y: 19, ..upright }).unwrap();
//! let spun = kicks::rotate(&board, upright, Rotation::Cw).unwrap();
//! assert_eq!((spun.orientation, spun.x, spun.y), (Orientation::South, 2, 1));
//! // No hard drop gets there.
//! assert!(movegen::hard_drops(&board, Piece::T).iter().all(|at| at != spun));
//!
//! board = board.place(spun).unwrap();
//! assert_eq!(board.clear_lines(), 2);
//! assert_eq!(board.to_string(), "##........");
//! ```
//!
//! # Rules
//!
//! x counts from the left wall, y from the floor. Pieces spawn north with their center at x = 4, y = 19; a blocked
//! spawn leaves no placement. Rotations are quarter turns with the five SRS kicks. The field has 40 rows and nothing
//! leaves it, kicks included; a piece may lock anywhere in it, which ends a [`Game`] wholly above row 20.
//!
//! # Levels
//!
//! A kernel comes as `foo(..)`, on the best instruction set of this CPU, and as `foo_on(level, ..)`, on a given
//! [`Level`](bitcore::Level), with equal results. A call costs a nanosecond or two: the shortest kernels come for slices
//! too, such as [`Board::clear_all`].
//!
//! # Features
//!
//! `std` (default): asks the running CPU for its instruction sets; without it the choice is made when the crate is
//! compiled.
//!
//! `fumen`: fumens in and out, in the module of that name.
#![no_std]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod attack;
mod bag;
pub mod batch;
pub mod board;
pub mod bounding_box;
mod digest;
pub mod features;
#[cfg(feature = "fumen")]
pub mod fumen;
pub mod game;
pub mod garbage;
pub mod kicks;
mod location;
pub mod movegen;
pub mod perft;
mod piece;
mod placement;
pub mod playout;
pub mod reference;
pub mod simd_board;
pub mod text;

pub use bag::Bag;
pub use batch::{Batch, BatchError, BatchRules};
pub use board::Board;
pub use digest::digest;
pub use features::Features;
pub use game::{Game, GameError, LockResult, Move, Position, Rules, TopOut};
pub use location::Location;
pub use piece::{Orientation, Piece, Rotation};
pub use placement::{Placement, Spin};
pub use text::Queue;
