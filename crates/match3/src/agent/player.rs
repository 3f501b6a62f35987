//! [`Player`]: a player by name.

use super::game::{Agent, PlayError, Rules, play_on};
use super::greedy::Greedy;
use super::random::Random;
use super::rollout::Rollout;
use crate::planes::{Layout, PlaneBoard};
use crate::planes_error::{check_colors, largest_color};
use bitcore::{Level, Rng};
use core::ops::Range;

/// A player by name, for games of any [`Rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Player {
    /// [`Random`].
    Random,
    /// [`Greedy`].
    Greedy,
    /// [`Rollout`] with a budget.
    Rollout(u32),
}

impl Player {
    /// Plays games of a seed, each for its points.
    ///
    /// Game i deals and refills from [stream](Rng::stream) i of the seed; the player draws from stream i of `!seed`. So
    /// game i is the same whichever others are played.
    ///
    /// ```
    /// use match3::{Moments, Player, Rules};
    /// let rules = Rules { width: 9, height: 7, colors: 5, ..Rules::default() };
    /// let mut scores = Moments::default();
    /// for score in Player::Greedy.games(rules, 1, 0..100) {
    ///     scores.add(score?);
    /// }
    /// println!("{} points, variance of the mean {}", scores.mean(), scores.variance_of_mean());
    /// assert_eq!(scores.count, 100);
    /// # Ok::<(), match3::PlayError>(())
    /// ```
    pub fn games(
        self,
        rules: Rules,
        seed: u64,
        games: Range<u64>,
    ) -> impl Iterator<Item = Result<u64, PlayError>> {
        self.games_on(Level::detect(), rules, seed, games)
    }

    /// [`games`](Self::games) on a level: the same games.
    pub fn games_on(
        self,
        level: Level,
        rules: Rules,
        seed: u64,
        games: Range<u64>,
    ) -> impl Iterator<Item = Result<u64, PlayError>> {
        let streams = |seed| Rng::streams_from(seed, games.start);
        let (game, own) = (streams(seed), streams(!seed));
        games.zip(game.zip(own)).map(move |(_, (game, own))| self.play_on(level, &rules, game, own))
    }

    /// One game, in the smallest layout that holds it.
    fn play_on(self, level: Level, rules: &Rules, game: Rng, own: Rng) -> Result<u64, PlayError> {
        match (rules.width.max(rules.height) <= 8, rules.colors <= largest_color(3)) {
            (true, true) => self.play_in::<1, 3>(level, rules, game, own),
            (true, false) => self.play_in::<1, 4>(level, rules, game, own),
            (false, true) => self.play_in::<4, 3>(level, rules, game, own),
            (false, false) => self.play_in::<4, 4>(level, rules, game, own),
        }
    }

    fn play_in<const WORDS: usize, const P: usize>(
        self,
        level: Level,
        rules: &Rules,
        game: Rng,
        own: Rng,
    ) -> Result<u64, PlayError>
    where
        PlaneBoard<WORDS, P>: Layout<WORDS, P>,
    {
        let (mut random, mut greedy, mut rollout);
        let agent: &mut dyn Agent<WORDS, P> = match self {
            Self::Random => {
                random = Random::new(own);
                &mut random
            }
            Self::Greedy => {
                greedy = Greedy;
                &mut greedy
            }
            Self::Rollout(budget) => {
                check_colors::<P>(rules.colors)?;
                rollout = Rollout::new(budget, rules.colors, own)?;
                &mut rollout
            }
        };
        play_on(level, agent, rules, game)
    }
}
