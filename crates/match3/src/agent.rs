//! Players ([`Agent`], [`Player`]) and the games that they play ([`play`]).

mod game;
mod greedy;
mod player;
mod random;
mod rollout;

pub use game::{Agent, PlayError, play, play_until};
pub use greedy::Greedy;
pub use player::Player;
pub use random::Random;
pub use rollout::Rollout;
