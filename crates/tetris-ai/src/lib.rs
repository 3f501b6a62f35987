//! Tetris players: a bot for the guideline game, controllers for the simplified game of the
//! literature, and search for the 2021 "Goose Tetris" contest.
//!
//! Play a game with the bot:
//!
//! ```
//! use tetris::{Game, Rng, Rules};
//! use tetris_ai::{Bot, Player};
//!
//! let mut rng = Rng::new(1);
//! let mut game = Game::new(Rules::default(), &mut rng);
//! let mut bot = Bot::default();
//! let mut attack = 0;
//! while let Some(mv) = bot.choose(&game) {
//!     attack += game.play(mv, &mut rng)?.attack;
//!     # if game.pieces() == 30 { break }
//! }
//! # assert!(attack > 0);
//! # Ok::<(), tetris::GameError>(())
//! ```
//!
//! The bot rarely tops out, so bound the number of pieces yourself.
//!
//! Play the first 200 pieces of the contest, then score the record by the rules alone:
//!
//! ```
//! use tetris_ai::contest::beam::{AdvanceSettings, Beam, BeamWeights};
//! use tetris_ai::contest::{Sequence, verify};
//!
//! let mut beam = Beam::new(Sequence::contest(), 200, BeamWeights::FITTED);
//! beam.advance(AdvanceSettings { width: 50, ..AdvanceSettings::default() });
//! let result = verify(&beam.record(), beam.sequence())?;
//! assert_eq!((result.score, result.pieces), (beam.score(), 200));
//! # Ok::<(), tetris_ai::contest::VerifyError>(())
//! ```
//!
//! # Which type do you want?
//!
//! | you want to | use |
//! |---|---|
//! | play the guideline game with the bot | [`Bot`] |
//! | write your own player | [`Player`] |
//! | rank the moves of a position with a search of any length | [`bot::Search`] |
//! | talk to a frontend or bot over the Tetris Bot Protocol | [`bot::tbp`] |
//! | play a versus match with garbage | [`bot::versus`] |
//! | play 10 x 20 Tetris with published linear weights | [`control`] |
//! | get the highest score in a contest game | [`contest::beam`] |
//! | play a contest game piece by piece, with backtracking | [`contest::tree`] |
//! | score a contest record | [`contest::verify`] |
//! | get an upper bound on the score of any record | [`contest::bound`] |
//! | check against a slow, obvious implementation | [`contest::reference`], [`control::reference`] |
//!
//! The crate does no I/O and reads no clock: codecs work on strings, and long work can be
//! [stopped](Stop). The feature `parallel` (default) enables multi-threaded search; results are
//! identical for every number of threads and at every [`bitcore::Level`].
//!
//! The feature `serde` implements serde's traits for [`bot::GameState`] and the types of `tetris`;
//! [`bot::tbp`] and [`bot::BotWeights`] implement them without it. The feature `rand_core` enables
//! the feature of the same name in `tetris` and `bitcore`.
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
mod stop;
mod worker_pool;

pub use bitcade_core::{Moments, Player, Stop, Stopped};
pub use bitcore::Rng;
pub use bot::player::Bot;
pub use columns::Columns;

use bitcore::bits::fold;
use contest::Sequence;
use contest::beam::{AdvanceSettings, Beam, BeamWeights};
use contest::tree::{Settings, Solver, StepResult};

/// Folds the results of a fixed workload into one number, equal at every level and on every
/// platform.
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

    let mut plain = control::SimplifiedGame::new(Rng::new(1));
    plain.play(&control::Controller::new(control::ControllerWeights::DT20), 2000);
    digest = plain
        .board()
        .columns()
        .iter()
        .fold(digest, |digest, column| digest.rotate_left(5) ^ column);

    let queue = tetris::Piece::ALL.to_vec();
    let mut search = bot::Search::new(
        &bot::GameState { queue, ..bot::GameState::default() },
        bot::BotWeights::default(),
    );
    search.run(5000);
    let places = search.ranked().into_iter().map(|turn| turn.placement.at);
    places.fold(digest ^ search.nodes(), |digest, at| {
        fold(digest, u64::from(at.x as u8) ^ u64::from(at.y as u8) << 8)
    })
}
