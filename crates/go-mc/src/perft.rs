//! Perft: counts of games and positions, for comparison with other programs.

mod parallel;
mod sequential;

pub use parallel::perft_until;
pub use sequential::{MAX_DEPTH, Passes, legal_positions, perft};
