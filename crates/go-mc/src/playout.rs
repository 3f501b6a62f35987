//! For the authors of searches: random games from any [`Position`](crate::Position), with the details of each.
//!
//! [`Playouts`](crate::Playouts) plays from the empty board, by the fastest of these kernels. Games of one's own are
//! written with [`Chains`](crate::Chains) and [`Policy::playable`](crate::Policy::playable).

pub use crate::board_size::BoardSize;
pub use crate::results::{GameResult, MAX_PLIES_PER_POINT, Playout};
pub use crate::sequential_playouts::SequentialPlayouts;
pub use crate::simd_playouts::{HasSimdPlayouts, SimdPlayouts};

// For tests and benchmarks, which compare this kernel with its definition at every policy.
#[doc(hidden)]
pub use crate::chain_playouts::{HasChainPlayouts, chain_playouts, playout};
