//! Players of Tetris: a bot for the guideline's game that other programs can play, controllers for the plain game of the
//! literature, and search for the 2021 "Goose Tetris" contest: its rules, its records and their score, an upper bound, and
//! two deterministic parallel searches, a beam over the whole game and a tree before each piece.
//!
//! - [`bot`]: search with hold and preview for the guideline's game. [`tbp`]: the Tetris Bot Protocol. [`versus`]: two
//!   players against each other.
//! - [`control`]: one-piece and two-piece controllers of plain 10 x 20 Tetris, DT-20 and Dellacherie's.
//! - [`contest`]: the rules as a plain program. [`contest::verify`] scores a record, [`contest::bound`] says what no
//!   record can exceed.
//! - [`Beam`]: a whole game at once, the best boards after each piece; [`Weights`] and [`Patterns`] say which, [`Pace`] how many.
//! - [`locks`]: every place that single key presses reach, tucks and spins included.
//! - [`placements`]: where a piece can be dropped and what that is worth, on columns of bits.
//! - [`TreeSearch`]: the best drop of a piece, looking some pieces ahead.
//! - [`Solver`]: a whole game, one piece at a time, to be stopped and resumed at any time.
//! - [`reference`](mod@reference): the same cell by cell.
//!
//! ```
//! use tetris_ai::contest::{Sequence, verify};
//! use tetris_ai::{Settings, Solver, Step};
//!
//! let mut solver = Solver::new(Sequence::contest(), Settings { depth: 3, ..Settings::default() });
//! while solver.pieces() < 60 {
//!     assert_eq!(solver.step(1, &|| false), Step::Placed);
//! }
//! let report = verify(solver.record(), solver.sequence())?;
//! assert_eq!((report.score, report.pieces, report.over), (solver.score(), 60, None));
//! assert!(report.score <= report.bound);
//! # Ok::<(), tetris_ai::contest::VerifyError>(())
//! ```
//!
//! No file, terminal or clock: codecs work on text, a search asks `stop` now and then. The feature `parallel` (default)
//! lets a search use several threads; its result is the same at every number of them and at every [`bitcore::Level`].
#![warn(missing_docs)]
#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod beam;
pub mod bot;
mod columns;
pub mod contest;
pub mod control;
mod crew;
mod form;
mod placements;
pub mod reference;
mod solver;
pub mod tbp;
mod text;
mod tree;
pub mod versus;

#[doc(hidden)]
pub use beam::Values;
pub use beam::{Advance, Beam, Lock, Pace, ParseBeamError, Patterns, Weights, Widths, locks};
pub use columns::Columns;
pub use placements::{Child, Placement, placements, placements_into_on, placements_on};
pub use solver::{Early, ParseSolverError, Settings, Solver, Step};
pub use text::ParseBoardError;
pub use tree::{Leaf, MAX_DEPTH, Outcome, Stop, Stopped, TreeSearch, width};

use bitcore::Level;
use bitcore::bits::fold;

/// Folds a fixed workload into one number: equal on every level and every platform.
///
/// ```
/// use bitcore::Level;
/// let digests: Vec<u64> = Level::all().map(tetris_ai::digest).collect();
/// assert!(digests.iter().all(|&digest| digest == digests[0]));
/// ```
pub fn digest(level: Level) -> u64 {
    let settings = Settings { depth: 4, ..Settings::default() };
    let mut solver = Solver::new(contest::Sequence::contest(), settings);
    let mut digest = 0u64;
    while solver.pieces() < 200 && !matches!(solver.step_on(level, 2, &|| false), Step::Lost) {
        let columns = *solver.board().columns();
        let folded = |digest, column: u32| fold(digest, column.into());
        digest = columns.into_iter().fold(digest ^ solver.score(), folded);
    }
    let mut beam = Beam::new(contest::Sequence::contest(), 80, Weights::FITTED);
    beam.advance_on(level, 80, 100, 2, &|| false);
    digest = digest.rotate_left(5) ^ beam.score() ^ beam.generated() << 32;

    let mut plain = control::SimplifiedGame::new(bitcore::Rng::new(1));
    plain.play_on(level, &control::Controller::new(control::ControllerWeights::DT20), 2000);
    digest = plain.board().columns().iter().fold(digest, |digest, column| digest.rotate_left(5) ^ column);

    let queue = tetris::Piece::ALL.to_vec();
    let mut search =
        bot::Search::new(&bot::GameState { queue, ..bot::GameState::default() }, bot::BotWeights::default());
    search.run_on(level, 5000, &|| false);
    let places = search.ranked().into_iter().map(|turn| turn.placement.at);
    places.fold(digest ^ search.nodes(), |digest, at| {
        fold(digest, u64::from(at.x as u8) ^ u64::from(at.y as u8) << 8)
    })
}
