//! The interface shared by the batches of all games: slices owned by the caller, their lengths,
//! restarts and errors.
//!
//! A batch plays `games` games at a time. All its inputs and outputs are row-major slices, game by
//! game:
//!
//! | slice | type | elements per game |
//! |---|---|---|
//! | `obs` | `u8` | [`cells`](Shape::cells): the observation |
//! | `actions` | `u32` | 1: the number of the move to play |
//! | `reward` | `f32` | 1: the points of that move, exact up to 2^24 |
//! | `terminated` | `bool` | 1: the game has ended by its rules |
//! | `truncated` | `bool` | 1: the game was cut off by a limit outside its rules |
//! | `mask` | `bool` | [`actions`](Shape::actions): the legal moves of the observation |
//!
//! The names and the restart modes ([`Autoreset`]) follow Gymnasium's vector environments.
//!
//! Legal actions can also be [listed](LegalLists), in most games a few of many, and so can their
//! [afterstates](Afterstates).
//!
//! [`Batch`] serves all games; a game crate implements [`Games`], its rules, for a type such as
//! `batch::BatchGames`. Code for all games takes this type as a parameter:
//!
//! ```
//! use bitcade_core::batch::{Batch, BatchError, Games, StepBuffers};
//!
//! /// Steps each game by a policy of observation and mask, and returns the points of all games.
//! fn points<G: Games>(
//!     batch: &mut Batch<G>,
//!     steps: usize,
//!     policy: impl Fn(&[u8], &[bool]) -> u32,
//! ) -> Result<f64, BatchError> {
//!     let (cells, actions) = (batch.cells(), batch.actions());
//!     let mut buffers = StepBuffers::new(batch.shape());
//!     batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
//!     let mut points = 0.0;
//!     for _ in 0..steps {
//!         let rows = buffers.obs.chunks(cells).zip(buffers.mask.chunks(actions));
//!         let chosen: Vec<u32> = rows.map(|(obs, mask)| policy(obs, mask)).collect();
//!         batch.step_into(&chosen, buffers.out())?;
//!         points += buffers.reward.iter().map(|&reward| f64::from(reward)).sum::<f64>();
//!     }
//!     Ok(points)
//! }
//! ```
//!
//! The caller makes the batch:
//! `points(&mut g2048::Batch::new(64, g2048::Rules::default(), 1)?, ..)`. A function that makes it
//! itself is called as `train::<g2048::batch::BatchGames>(..)`; to return its error by `?` as a
//! `Box<dyn Error>`, it needs the bound `G::Error: Error + 'static`.
//!
//! These roles are not those of [`Game`](crate::Game): a batch plays numbers of actions, a game
//! plays moves. Each game crate documents at its alias `Batch` which move a number stands for.

mod afterstates;
mod format;
mod games;
mod shape;
mod stepping;

pub use afterstates::{AfterstateShape, Afterstates, AfterstatesOut};
pub use format::{Element, Format, FormatError, OneHot};
pub use games::{Context, Games, Turn};
pub use shape::{
    Autoreset, BatchError, IllegalAction, OtherRules, Seeds, Shape, StepBuffers, StepOut,
    TooManyGames, WrongLength, check_legal,
};
pub use stepping::lists::LegalLists;
pub use stepping::{Batch, GameState};
