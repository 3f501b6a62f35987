//! Perft: counts of games and positions, for comparison with other programs.

#[cfg(feature = "parallel")]
mod parallel;
mod sequential;

#[cfg(feature = "parallel")]
pub use parallel::perft_parallel;
pub use sequential::{MAX_DEPTH, Passes, legal_positions, perft, perft_until};
