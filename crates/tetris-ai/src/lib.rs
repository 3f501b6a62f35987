//! Players of Tetris: a bot for the guideline game, controllers for the simplified game of the literature,
//! and search for the 2021 "Goose Tetris" contest.
//!
//! ```
//! use tetris_ai::contest::{Sequence, verify};
//! use tetris_ai::contest::tree::{Settings, Solver, StepResult};
//!
//! let mut solver = Solver::new(Sequence::contest(), Settings { depth: 3, ..Settings::default() });
//! while solver.pieces() < 60 {
//!     assert_eq!(solver.step(), StepResult::Placed);
//! }
//! let report = verify(solver.record(), solver.sequence())?;
//! assert_eq!((report.score, report.pieces, report.over), (solver.score(), 60, None));
//! assert!(report.score <= report.bound);
//! # Ok::<(), tetris_ai::contest::VerifyError>(())
//! ```
//!
//! # Which type do you want?
//!
//! | you want to | use |
//! |---|---|
//! | find the best move in a guideline game, with hold and preview | [`bot`] |
//! | talk to another program in the Tetris Bot Protocol | [`bot::tbp`] |
//! | let two players compete, with garbage | [`bot::versus`] |
//! | play 10 x 20 Tetris with a published linear evaluation | [`control`] |
//! | play a whole contest game as well as possible | [`contest::beam`] |
//! | play a whole contest game piece by piece, with backtracking | [`contest::tree`] |
//! | score a contest record | [`contest::verify`] |
//! | know what no record of a sequence can exceed | [`contest::bound`] |
//! | compare with the slow, obvious form | [`contest::reference`], [`control::reference`] |
//!
//! The crate uses no file, terminal or clock. Codecs work on text, and a long search calls `stop` from time
//! to time. The feature `parallel` (default) lets a search use several threads; its result is the same for
//! every number of threads and at every [`bitcore::Level`].
//!
//! The feature `serde` saves and reads [`bot::GameState`] and the types of `tetris`; [`bot::tbp`]
//! and [`bot::BotWeights`] need no feature. The feature `rand_core` is that of `tetris` and `bitcore`.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod bot;
mod columns;
pub mod contest;
pub mod control;
mod piece_columns;
mod player;
mod stop;
mod worker_pool;

pub use bot::player::Bot;
pub use columns::Columns;
pub use player::Player;
pub use stop::{Stop, Stopped};

use bitcore::bits::fold;
use contest::Sequence;
use contest::beam::{AdvanceSettings, Beam, BeamWeights};
use contest::tree::{Settings, Solver, StepResult};

/// Folds a fixed workload into one number: equal on every level and every platform.
///
/// ```
/// use bitcore::Level;
/// let digest = tetris_ai::digest();
/// Level::set_active(Level::PORTABLE);
/// assert_eq!(tetris_ai::digest(), digest);
/// ```
pub fn digest() -> u64 {
    let settings = Settings { depth: 4, ..Settings::default() };
    let mut solver = Solver::new(Sequence::contest(), settings).with_threads(2);
    let mut digest = 0u64;
    while solver.pieces() < 200 && !matches!(solver.step(), StepResult::Lost) {
        let columns = *solver.board().columns();
        let folded = |digest, column: u32| fold(digest, column.into());
        digest = columns.into_iter().fold(digest ^ solver.score(), folded);
    }
    let mut beam = Beam::new(Sequence::contest(), 80, BeamWeights::FITTED).with_threads(2);
    beam.advance(AdvanceSettings { pieces: 80, width: 100 });
    digest = digest.rotate_left(5) ^ beam.score() ^ beam.generated() << 32;

    let mut plain = control::SimplifiedGame::new(bitcore::Rng::new(1));
    plain.play(&control::Controller::new(control::ControllerWeights::DT20), 2000);
    digest = plain.board().columns().iter().fold(digest, |digest, column| digest.rotate_left(5) ^ column);

    let queue = tetris::Piece::ALL.to_vec();
    let mut search =
        bot::Search::new(&bot::GameState { queue, ..bot::GameState::default() }, bot::BotWeights::default());
    search.run(5000);
    let places = search.ranked().into_iter().map(|turn| turn.placement.at);
    places.fold(digest ^ search.nodes(), |digest, at| {
        fold(digest, u64::from(at.x as u8) ^ u64::from(at.y as u8) << 8)
    })
}
