//! Players ([`Player`](crate::Player)) and the games they play ([`play`]).

mod greedy;
pub(crate) mod kind;
pub(crate) mod play;
mod random;
mod rollout;

pub use greedy::Greedy;
pub use kind::ParsePlayerError;
pub use play::{PlayError, play, play_until};
pub use random::Random;
pub use rollout::Rollout;
