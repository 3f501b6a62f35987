//! Beam search over a whole game of the contest, the best boards after each piece.

mod brood;
mod candidate;
mod checkpoint;
mod error;
mod evaluation;
mod history;
mod layer;
mod lock;
mod moves;
mod node;
mod pace;
mod patterns;
mod potential;
mod rows;
mod search;
mod select;
mod values;
mod weights;
mod widths;

pub use error::ParseBeamError;
pub use lock::Lock;
pub use moves::locks;
pub use pace::Pace;
pub use patterns::Patterns;
pub use search::{Advance, Beam};
pub use values::Values;
pub use weights::Weights;
pub use widths::Widths;
