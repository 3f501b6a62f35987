//! The interface shared by the batches of all games: slices owned by the caller, their lengths, restarts and
//! errors.
//!
//! A batch plays `games` games at a time. All its inputs and outputs are row-major slices, game by game:
//!
//! | slice | type | elements per game |
//! |---|---|---|
//! | `obs` | `u8` | [`cells`](Shape::cells): the observation |
//! | `actions` | `u32` | 1: the number of the move to play |
//! | `reward` | `i64` | 1: the points of that move |
//! | `terminated` | `bool` | 1: the game has ended by its rules |
//! | `truncated` | `bool` | 1: the game was cut off by a limit outside its rules |
//! | `mask` | `bool` | [`actions`](Shape::actions): the legal moves of the observation |
//!
//! The names and the restart modes ([`Autoreset`]) follow Gymnasium's vector environments.
//!
//! Legal actions can also be [listed](LegalLists), in most games a few of many, and so can their
//! [afterstates](Afterstates).
//!
//! [`Batch`] serves all games; a game crate implements [`Games`], its rules.

mod afterstates;
mod format;
mod games;
mod shape;
mod stepping;

pub use afterstates::{AfterstateShape, Afterstates, AfterstatesOut};
pub use format::{Element, Format, FormatError, OneHot};
pub use games::{Context, Games, Turn};
pub use shape::{
    Autoreset, BatchError, IllegalAction, OtherRules, Seeds, Shape, StepBuffers, StepOut, TooManyGames,
    WrongLength, check_legal,
};
pub use stepping::lists::LegalLists;
pub use stepping::{Batch, GameState};
