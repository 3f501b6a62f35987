//! [`PlayerKind`]: a player by name.

use super::greedy::Greedy;
use super::play::{PlayError, play_until};
use super::random::Random;
use super::rollout::Rollout;
use crate::game::Game;
use crate::rules::Rules;
use alloc::string::String;
use alloc::vec::Vec;
use bitcade_core::{Player, Stop, Stopped, ThreadPool};
use bitcore::{Jump, Rng};
use core::fmt;
use core::ops::{ControlFlow, Range};
use core::str::FromStr;

/// A player by name, for games with any [`Rules`]. The text form is `random`, `greedy`, or
/// `rollout:100` with the budget.
///
/// ```
/// use match3::PlayerKind;
/// let player: PlayerKind = "rollout:100".parse()?;
/// assert_eq!((player, player.to_string().as_str()), (PlayerKind::Rollout(100), "rollout:100"));
/// # Ok::<(), match3::player::ParsePlayerError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlayerKind {
    /// [`Random`].
    Random,
    /// [`Greedy`].
    Greedy,
    /// [`Rollout`] with this budget.
    Rollout(u32),
}

impl PlayerKind {
    /// Plays the games of a seed and returns the score of each.
    ///
    /// Game i deals and refills from [stream](Rng::stream) i of the seed; the player draws from
    /// stream i of `!seed`. The result of a game doesn't depend on the range it is played in.
    ///
    /// ```
    /// use match3::{Moments, PlayerKind, Rules};
    /// let rules = Rules { width: 9, height: 7, colors: 5, ..Rules::default() };
    /// let mut scores = Moments::default();
    /// for score in PlayerKind::Greedy.games(rules, 1, 0..100) {
    ///     scores.add(score?);
    /// }
    /// println!("{} points, variance of the mean {}", scores.mean(), scores.variance_of_mean());
    /// assert_eq!(scores.count, 100);
    /// # Ok::<(), match3::player::PlayError>(())
    /// ```
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn games(
        self,
        rules: Rules,
        seed: u64,
        games: Range<u64>,
    ) -> impl Iterator<Item = Result<u64, PlayError>> {
        let streams = |seed| Rng::streams_from(seed, games.start);
        let game = streams(seed);
        let own = streams(!seed);
        let play = move |streams| self.play(rules, streams, &|| false).expect("nothing stops it");
        games.zip(game.zip(own)).map(move |(_, (game, own))| play([game, own]))
    }

    /// Plays the same games as [`games`](Self::games) on a thread pool and calls `visit` with each
    /// score, in game order, up to the first error.
    ///
    /// ```
    /// use match3::{Moments, PlayerKind, Rules, ThreadPool};
    /// let pool = ThreadPool::single();
    /// let mut scores = Moments::default();
    /// let visit = |score| scores.add(score);
    /// PlayerKind::Random.games_until(&pool, Rules::default(), 1, 0..100, &|| false, visit)??;
    /// let mut expected = Moments::default();
    /// for score in PlayerKind::Random.games(Rules::default(), 1, 0..100) {
    ///     expected.add(score?);
    /// }
    /// assert_eq!(scores, expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The games before the first one that it ended have
    /// been visited.
    pub fn games_until(
        self,
        pool: &ThreadPool,
        rules: Rules,
        seed: u64,
        games: Range<u64>,
        stop: Stop<'_>,
        mut visit: impl FnMut(u64),
    ) -> Result<Result<(), PlayError>, Stopped> {
        // A few milliseconds of work per task: handing over a result costs time, and waking the
        // receiving thread costs more.
        let part = if matches!(self, Self::Rollout(_)) {
            1
        } else {
            (1 << 14) / rules.moves.clamp(1, 1 << 14)
        };
        let share = pool.share(usize::try_from(games.end - games.start).unwrap_or(usize::MAX), 1);
        let part = u64::from(part).min(share as u64);
        let jump = Jump::over(part);
        let mut next = [seed, !seed].map(|seed| Rng::stream(seed, games.start));
        let parts = games.clone().step_by(part as usize).map(|first| {
            let streams = next.clone();
            for next in &mut next {
                jump.advance(next);
            }
            (streams, part.min(games.end - first))
        });
        let play = |([mut game, mut own], games): ([Rng; 2], u64)| {
            let play = |_| {
                // A game of only a few moves doesn't ask `stop` itself.
                if stop() {
                    return Err(Stopped);
                }
                self.play(rules, [game.copy_and_jump(), own.copy_and_jump()], stop)
            };
            Some((0..games).map(play).collect::<Vec<_>>())
        };
        let mut result = Ok(Ok(()));
        pool.map_in_order(parts, play, |scores| {
            for score in scores {
                match score {
                    Ok(Ok(score)) => visit(score),
                    Ok(Err(error)) => result = Ok(Err(error)),
                    Err(Stopped) => result = Err(Stopped),
                }
                if result != Ok(Ok(())) {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        result
    }

    fn play(
        self,
        rules: Rules,
        [game, own]: [Rng; 2],
        stop: Stop<'_>,
    ) -> Result<Result<u64, PlayError>, Stopped> {
        let play = |player: &mut dyn Player<Game>| play_until(player, rules, game, stop);
        match self {
            Self::Random => play(&mut Random::new(own)),
            Self::Greedy => play(&mut Greedy),
            Self::Rollout(budget) => play(&mut Rollout::new(budget, own)),
        }
    }
}

/// The error for text that is not the name of a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected random, greedy or rollout:N with a number from 1 to 4294967295, found {found:?}")]
pub struct ParsePlayerError {
    /// The text.
    pub found: String,
}

impl FromStr for PlayerKind {
    type Err = ParsePlayerError;

    fn from_str(text: &str) -> Result<Self, ParsePlayerError> {
        match text {
            "random" => Some(Self::Random),
            "greedy" => Some(Self::Greedy),
            _ => {
                let digits = text.strip_prefix("rollout:");
                let digits =
                    digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
                digits
                    .and_then(|digits| digits.parse().ok())
                    .filter(|&budget| budget > 0)
                    .map(Self::Rollout)
            }
        }
        .ok_or_else(|| ParsePlayerError { found: text.into() })
    }
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Greedy => f.write_str("greedy"),
            Self::Rollout(budget) => write!(f, "rollout:{budget}"),
        }
    }
}
