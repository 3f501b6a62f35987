//! Beam search over a whole game of the contest: one layer of boards after each piece.
//!
//! [`Beam`] is the search, [`BeamWeights`] and [`Patterns`] its evaluation, [`Widths`] its budget of work and
//! [`TimeManager`] the choice of widths for a budget of time. [`placements`] is its move generator: every
//! place that single key presses reach, tucks and spins included, and [`shortest_keys`] leads there.

mod candidate;
mod checkpoint;
mod evaluation;
mod evaluator;
mod expansion;
mod layer;
mod movegen;
mod node;
mod parent_links;
mod patterns;
mod placement;
mod rows;
mod search;
mod selection;
mod tables;
mod time_manager;
mod weights;
mod weights_text;
mod widths;

#[doc(hidden)]
pub use evaluator::BoardEvaluator;
pub use movegen::placements;
pub use patterns::Patterns;
pub use placement::shortest_keys;
pub use search::{AdvanceResult, AdvanceSettings, Beam, Budget};
pub use time_manager::TimeManager;
pub use weights::BeamWeights;
pub use widths::{ParseWidthsError, Widths};
