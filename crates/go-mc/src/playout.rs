//! For search authors: random games from any [`Position`](crate::Position), with the details of
//! each game.
//!
//! [`Playouts`](crate::Playouts) plays from the empty board with the fastest of these kernels.
//! Write custom playouts with [`Chains`](crate::Chains) and
//! [`Policy::playable`](crate::Policy::playable).

pub(crate) mod chain_playouts;
pub(crate) mod dead_stones;
#[cfg(feature = "std")]
pub(crate) mod openness;
pub(crate) mod ownership;
pub(crate) mod playouts;
pub(crate) mod policy;
pub(crate) mod results;
pub(crate) mod seki;
pub(crate) mod sequential_playouts;
pub(crate) mod simd_playouts;

pub use crate::rules::board_size::BoardSize;
pub use chain_playouts::{HasChainPlayouts, chain_playout, chain_playouts};
pub use results::{GameResult, MAX_PLIES_PER_POINT, Playout};
pub use sequential_playouts::SequentialPlayouts;
pub use simd_playouts::{HasSimdPlayouts, SimdPlayouts};
