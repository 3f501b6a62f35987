//! For search authors: random games from any [`Position`](crate::Position), with the details of each game.
//!
//! [`Playouts`](crate::Playouts) plays from the empty board with the fastest of these kernels. Write custom
//! playouts with [`Chains`](crate::Chains) and [`Policy::playable`](crate::Policy::playable).

pub use crate::board_size::BoardSize;
pub use crate::chain_playouts::{HasChainPlayouts, chain_playout, chain_playouts};
pub use crate::results::{GameResult, MAX_PLIES_PER_POINT, Playout};
pub use crate::sequential_playouts::SequentialPlayouts;
pub use crate::simd_playouts::{HasSimdPlayouts, SimdPlayouts};
