//! [`Agent`]: the players of a [`Playtest`](super::Playtest), by name.

mod careful;
mod human;

pub use careful::Careful;
pub use human::Human;

use super::game::LevelGame;
use super::players::GreedyByGoals;
use super::position::Position;
use crate::player::Random;
use crate::swap::Swap;
use alloc::boxed::Box;
use alloc::string::String;
use bitcade_core::{Player, Stop, Stopped};
use bitcore::Rng;
use core::fmt;
use core::str::FromStr;

/// A player of levels, by name. The text form is `random`, `greedy`, `careful`, or `human` with
/// the two numbers that describe one, such as `human:8,0.1`.
///
/// ```
/// use match3::level::{Agent, Habits};
/// assert_eq!("human".parse(), Ok(Agent::Human(Habits::default())));
/// assert_eq!("human:5,0.25".parse::<Agent>()?.to_string(), "human:5,0.25");
/// assert!("human:0,2".parse::<Agent>().is_err());
/// # Ok::<(), match3::level::ParseAgentError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Agent {
    /// [`Random`].
    Random,
    /// [`GreedyByGoals`].
    Greedy,
    /// [`Careful`].
    Careful,
    /// [`Human`].
    Human(Habits),
}

/// How a [`Human`] plays. The default is a guess: no study of people was fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habits {
    /// The most legal swaps that are seen in a move, at least 1.
    pub seen: u32,
    /// The probability, 0 to 1, of playing any swap that was seen instead of the best.
    pub slip: f64,
}

impl Default for Habits {
    /// Returns 8 swaps seen and a slip in a tenth of the moves.
    fn default() -> Self {
        Self { seen: 8, slip: 0.1 }
    }
}

impl Agent {
    /// Creates the player, with its own generator.
    pub fn player(self, rng: Rng) -> Box<dyn Player<LevelGame>> {
        match self {
            Self::Random => Box::new(Random::new(rng)),
            Self::Greedy => Box::new(GreedyByGoals),
            Self::Careful => Box::new(Careful::new(rng)),
            Self::Human(habits) => Box::new(Human::new(habits, rng)),
        }
    }
}

/// An agent in a game on any engine.
pub(super) enum Mind {
    Random(Random),
    Greedy,
    Careful(Careful),
    Human(Human),
}

impl Agent {
    /// Returns the [`player`](Self::player) for any engine.
    pub(super) fn mind(self, rng: Rng) -> Mind {
        match self {
            Self::Random => Mind::Random(Random::new(rng)),
            Self::Greedy => Mind::Greedy,
            Self::Careful => Mind::Careful(Careful::new(rng)),
            Self::Human(habits) => Mind::Human(Human::new(habits, rng)),
        }
    }
}

impl Mind {
    pub(super) fn choose(
        &mut self,
        game: &impl Position,
        stop: Stop<'_>,
    ) -> Result<Option<Swap>, Stopped> {
        Ok(match self {
            Self::Random(random) => random.choose_in(&game.legal_swaps()),
            Self::Greedy => game.best(),
            Self::Careful(careful) => careful.choose_in(game, stop)?,
            Self::Human(human) => human.choose_in(game),
        })
    }
}

/// The error for text that is not the name of an agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected random, greedy, careful, human or human:N,RATE with the swaps seen, from 1, and the \
     rate of slips, from 0 to 1; found {found:?}"
)]
pub struct ParseAgentError {
    /// The text.
    pub found: String,
}

impl FromStr for Agent {
    type Err = ParseAgentError;

    fn from_str(text: &str) -> Result<Self, ParseAgentError> {
        let human = |numbers: &str| {
            let (seen, slip) = numbers.split_once(',')?;
            let seen = seen.parse().ok().filter(|&seen| seen > 0)?;
            let slip = slip.parse().ok().filter(|slip| (0.0..=1.0).contains(slip))?;
            Some(Self::Human(Habits { seen, slip }))
        };
        let agent = match text {
            "random" => Some(Self::Random),
            "greedy" => Some(Self::Greedy),
            "careful" => Some(Self::Careful),
            "human" => Some(Self::Human(Habits::default())),
            _ => text.strip_prefix("human:").and_then(human),
        };
        agent.ok_or_else(|| ParseAgentError { found: text.into() })
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.pad("random"),
            Self::Greedy => f.pad("greedy"),
            Self::Careful => f.pad("careful"),
            Self::Human(Habits { seen, slip }) => write!(f, "human:{seen},{slip}"),
        }
    }
}
