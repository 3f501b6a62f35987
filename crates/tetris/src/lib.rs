//! Guideline Tetris for programs: games, move generation, reinforcement learning batches, random
//! playouts.
//!
//! Play a game with a simple rule: always choose the lowest placement.
//!
//! ```
//! use tetris::{Game, Rng, Rules};
//!
//! let mut rng = Rng::new(7);
//! let mut game = Game::new(Rules::default(), &mut rng);
//! while let Some(&lowest) = game.legal_moves().iter().min_by_key(|mv| mv.placement.at.y) {
//!     game.play(lowest, &mut rng)?;
//! }
//! println!("{} after {} pieces\n{}", game.top_out().unwrap(), game.pieces(), game.board());
//! # assert!(game.pieces() > 7);
//! # Ok::<(), tetris::GameError>(())
//! ```
//!
//! The caller owns the random number generator, so a search on a copy of a game can't peek at the
//! pieces to come. For players, see the crate `tetris-ai`.
//!
//! Step many games for reinforcement learning:
//!
//! ```
//! use tetris::batch::StepBuffers;
//! use tetris::{Batch, Rules};
//!
//! let mut batch = Batch::new(64, Rules::default(), 42)?;
//! let mut buffers = StepBuffers::new(batch.shape());
//! batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
//! for _ in 0..100 {
//!     batch.random_step_into(buffers.out())?;
//! }
//! # assert!(buffers.mask.iter().any(|&legal| legal));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Play whole random games:
//!
//! ```
//! use tetris::{Playouts, Rules};
//!
//! let stats = Playouts::new(Rules::default(), 42).play(100);
//! println!("{:.1} pieces a game", stats.pieces as f64 / stats.games as f64);
//! # assert_eq!(stats.games, 100);
//! ```
//!
//! Find every placement of a piece, tucks and spins included:
//!
//! ```
//! use tetris::movegen::{Placements, SpinMode};
//! use tetris::{Board, Piece, Spin};
//!
//! let board: Board = ["##........", "#...######", "##.#######"].join("\n").parse()?;
//! let placements = Placements::of(&board, Piece::T, SpinMode::TSpins);
//! let spun = placements.iter().find(|placement| placement.spin == Spin::Full).unwrap();
//! let mut after = board.place(spun.at).unwrap();
//! assert_eq!(after.clear_lines(), 2);
//! # Ok::<(), tetris::Error>(())
//! ```
//!
//! # Which type do you want?
//!
//! | you want to | use | ns, on x86-64-v3 |
//! |---|---|---|
//! | play a guideline game: bag, hold, attacks, garbage | [`Game`], with [`Rules`] | 280 for the legal moves of a turn, 80 to play one |
//! | write a player, or have a random one to compare with | [`Player`], [`RandomPlayer`] | |
//! | play in real time with keys: gravity, DAS, lock delay | [`real_time::RealTimeGame`] | |
//! | play two such games against each other | [`real_time::RealTimeVersus`] | |
//! | step many games for reinforcement learning, piece by piece | [`Batch`], with [`mod@batch`] | |
//! | step many games for reinforcement learning, key by key | [`KeysBatch`], with [`keys`] | |
//! | play random games under any rules, from the start, a position or a move | [`Playouts`] | 205 a piece |
//! | run endless random games as fast as possible, without hold and spins | [`RandomGame`] | 71 a piece |
//! | place pieces and clear lines on a field | [`Board`], with [`Location`] for a piece | 5 to clear |
//! | rotate a piece with kicks | [`RotationSystem::rotate`] | |
//! | list or count the reachable placements of a piece | [`movegen::Placements`], [`movegen::count`] | 10 to 130 |
//! | list the hard drops of a piece | [`movegen::hard_drops`] | |
//! | find the key presses for a placement | [`movegen::path`] | |
//! | count the ways to lock a queue | [`perft::perft`], [`perft::hard_drops`] | 1 a way |
//! | evaluate a board | [`Board::features`] | |
//! | end a long count, or many games, early | [`Stop`] | |
//! | parse or print boards, pieces and queues | `FromStr` and `Display` of [`Board`], [`Piece`], [`Queue`] | |
//! | use the SIMD layout of two 256-bit registers | [`simd_board::SimdBoard`] | |
//! | check a result against slow, obvious code | [`mod@reference`] | |
//!
//! # Rules
//!
//! `x` counts from the left wall and `y` from the floor. Pieces spawn facing north with their
//! center in column 4, row 19. A blocked spawn moves one row up under the guideline rules, the
//! default of a [`Game`]; under the perft rules, the piece has no placement (see
//! [`movegen::MoveRules`]). Rotations turn a piece by 90 degrees with the five kicks of SRS, unless
//! the rules have another [`RotationSystem`], with other kicks and rotations by 180 degrees. The
//! field has 40 rows, and no cell of a piece can leave it. A piece may lock in any row, but a lock
//! entirely above the 20 visible rows ends a [`Game`].
//!
//! # Levels
//!
//! Kernels run on the best instruction set of the CPU, or on the [`Level`](bitcore::Level) made
//! [active](bitcore::Level::set_active) by the program. All levels return the same results.
//! Entering a kernel costs a nanosecond or two, so the shortest kernels also have slice versions,
//! such as [`Board::clear_all`].
//!
//! # Features
//!
//! `std` (default): detects the CPU's instruction sets at run time. Without `std` they are chosen
//! at compile time.
//!
//! `fumen`: reads and writes fumens, in the module `fumen`.
//!
//! `parallel`: pools of several threads, [`ThreadPool`], for perft, playouts and batches. Results
//! don't depend on the number of threads.
//!
//! `serde`: serializes [`Game`], with its queue, bag, held piece and garbage, and the rule and
//! result types field by field; [`Board`], [`Piece`] and [`Queue`] as text; [`Bag`] as the letters
//! of its pieces; and [`Batch`] and [`KeysBatch`] with their games. Deserialization rejects a game
//! with inconsistent fields. Missing fields of [`Rules`] take their defaults.
//!
//! To save a [`RealTimeGame`](real_time::RealTimeGame), store its rules, handling, seed and
//! [`Recording`](real_time::Recording), a text; [`replay`](real_time::RealTimeGame::replay)
//! restores it. A [`RealTimeVersus`](real_time::RealTimeVersus) is saved as a whole.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use tetris::{Game, Rng, Rules};
//! let game = Game::new(Rules::default(), &mut Rng::new(7));
//! let saved = serde_json::to_string(&game).unwrap();
//! assert_eq!(serde_json::from_str::<Game>(&saved).unwrap(), game);
//! let error = serde_json::from_str::<Game>(&saved.replace(r#""pieces":0"#, r#""pieces":-1"#)).unwrap_err();
//! assert!(error.to_string().starts_with("invalid value: integer `-1`, expected u64"));
//! # }
//! ```
//!
//! `rand_core`: any generator of that crate can drive a [`Bag`] and a [`Game`]. Without this
//! feature they take an [`Rng`], or any other [`RandomSource`](bitcore::RandomSource).
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod attack;
mod bag;
pub mod batch;
mod batches;
mod board;
mod bounding_box;
mod digest;
mod error;
mod features;
#[cfg(feature = "fumen")]
pub mod fumen;
mod game;
mod garbage;
pub mod keys;
mod kicks;
mod location;
pub mod movegen;
pub mod perft;
mod piece;
mod placement;
mod playout;
mod playouts;
pub mod real_time;
pub mod reference;
mod roles;
#[cfg(feature = "serde")]
mod serde_forms;
pub mod simd_board;
mod text;

pub use attack::{AttackTable, BackToBackBonus, Clear, ComboBonus, PerfectBonus};
pub use bag::Bag;
pub use batches::{Batch, KeysBatch};
pub use bitcade_core::{Player, RandomPlayer, Stop, Stopped, ThreadPool};
pub use bitcore::Rng;
pub use board::Board;
pub use digest::digest;
pub use error::Error;
pub use features::Features;
pub use game::{Game, GameError, LockResult, Move, Position, Rules, TopOut};
pub use garbage::{Attack, GarbageQueue, GarbageTiming, Messiness};
pub use kicks::RotationSystem;
pub use location::Location;
pub use piece::{Orientation, Piece, Rotation};
pub use placement::{Placement, Spin};
pub use playout::{RandomGame, Stats};
pub use playouts::Playouts;
pub use text::Queue;
