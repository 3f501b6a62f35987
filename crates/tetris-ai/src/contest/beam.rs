//! Beam search over a whole contest game, with one layer of boards per piece.
//!
//! [`Beam`] is the search, [`BeamWeights`] and [`Patterns`] are its evaluation, [`Widths`] its work
//! budget, and [`TimeManager`] chooses widths for a time budget. [`placements`] is the move
//! generator: it finds every placement reachable by single key presses, tucks and spins included.
//! [`shortest_keys`] returns the key presses to get there.

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

pub use evaluator::BoardEvaluator;
pub use movegen::placements;
pub use patterns::Patterns;
pub use placement::shortest_keys;
pub use search::{AdvanceResult, AdvanceSettings, Beam, Budget};
pub use time_manager::TimeManager;
pub use weights::BeamWeights;
pub use widths::{ParseWidthsError, Widths};
