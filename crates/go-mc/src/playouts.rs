//! [`Playouts`]: random games from the empty board with the fastest kernel for each size.

use crate::chain_playouts::chain_playouts;
use crate::error::Error;
use crate::game::Rules;
use crate::policy::Policy;
use crate::position::Position;
use crate::results::Stats;
use crate::sequential_playouts::SequentialPlayouts;
use crate::simd_playouts::SimdPlayouts;
use bitcade_core::{PartJump, Parts, Stop, Stopped, ThreadPool, play_in_parts};
use bitcore::Rng;

/// The random games of a seed, played from the empty board.
///
/// The suicide rule selects the [policy](Policy) of the players. Playouts always use simple ko, whatever the
/// ko rule. The komi affects only [`Stats::black_wins`].
///
/// Game i does not depend on how many games are played per call. Each combination of rules uses its fastest
/// kernel:
///
/// | suicide | 5 x 5, 19 x 19 | 9 x 9, 13 x 13 |
/// |---|---|---|
/// | forbidden, or legal for several stones | [`SequentialPlayouts`] | [`SimdPlayouts`] |
/// | all legal | on [`Chains`](crate::Chains), game i draws from [stream](Rng::stream) i | the same |
///
/// ```
/// use go_mc::{Playouts, Rules};
/// let mut playouts = Playouts::new(Rules::default(), 1)?;
/// let mut stats = playouts.play(60);
/// stats += playouts.play(40);
/// assert_eq!(stats, Playouts::new(Rules::default(), 1)?.play(100));
/// # Ok::<(), go_mc::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Playouts {
    rules: Rules,
    games: Games,
}

/// The games of a seed, by kernel.
#[derive(Clone, Debug)]
enum Games {
    Five(SequentialPlayouts<5>),
    Nine(SimdPlayouts<9>),
    Thirteen(SimdPlayouts<13>),
    Nineteen(SequentialPlayouts<19>),
    /// The stream of the next game.
    Chains(Rng),
}

impl Playouts {
    /// Creates the playouts of a seed, starting with game 0.
    ///
    /// # Errors
    ///
    /// [`Error::NoPlayouts`] unless the board is a square of 5, 9, 13 or 19.
    pub fn new(rules: Rules, seed: u64) -> Result<Self, Error> {
        let (policy, komi) = (Policy::from(rules.suicide), rules.komi);
        let light = match rules.size.side() {
            Some(5) => SequentialPlayouts::new(policy, seed).map(|games| Games::Five(games.with_komi(komi))),
            Some(9) => SimdPlayouts::new(policy, seed).map(|games| Games::Nine(games.with_komi(komi))),
            Some(13) => SimdPlayouts::new(policy, seed).map(|games| Games::Thirteen(games.with_komi(komi))),
            Some(19) => {
                SequentialPlayouts::new(policy, seed).map(|games| Games::Nineteen(games.with_komi(komi)))
            }
            _ => return Err(Error::NoPlayouts(rules.size)),
        };
        Ok(Self { rules, games: light.unwrap_or_else(|| Games::Chains(Rng::new(seed))) })
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Plays the next `games` games and returns their statistics.
    pub fn play(&mut self, games: u64) -> Stats {
        match &mut self.games {
            Games::Five(playouts) => playouts.play(&Position::EMPTY, games),
            Games::Nineteen(playouts) => playouts.play(&Position::EMPTY, games),
            Games::Nine(playouts) => playouts.play(&Position::EMPTY, games),
            Games::Thirteen(playouts) => playouts.play(&Position::EMPTY, games),
            Games::Chains(next) => {
                let generators = (0..games).map(|_| next.copy_and_jump());
                chain_playouts(self.rules, generators).unwrap_or_default()
            }
        }
    }

    /// Plays the next `games` games on the threads of a pool and returns their statistics, identical to
    /// [`play`](Self::play). From time to time, calls `visit` with the statistics so far, which always cover
    /// the first games of this call.
    ///
    /// ```
    /// use go_mc::{Playouts, Rules, ThreadPool};
    /// let pool = ThreadPool::single();
    /// let show = |so_far: &go_mc::Stats| println!("{} games", so_far.games);
    /// let stats = Playouts::new(Rules::default(), 1)?.play_until(&pool, 5000, &|| false, show)?;
    /// assert_eq!(stats, Playouts::new(Rules::default(), 1)?.play(5000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The next call goes on after the games visited last.
    pub fn play_until(
        &mut self,
        pool: &ThreadPool,
        games: u64,
        stop: Stop<'_>,
        visit: impl FnMut(&Stats),
    ) -> Result<Stats, Stopped> {
        play_in_parts(self, pool, games, stop, visit)
    }
}

impl Parts for Playouts {
    type Stats = Stats;

    fn skip(&mut self, games: u64, jump: &mut PartJump) {
        match &mut self.games {
            Games::Five(playouts) => playouts.skip(games),
            Games::Nineteen(playouts) => playouts.skip(games),
            Games::Nine(playouts) => playouts.skip(games),
            Games::Thirteen(playouts) => playouts.skip(games),
            Games::Chains(next) => jump.advance(next, games),
        }
    }

    /// Small enough to stop soon, large enough to fill the vector lanes.
    fn part(&self, _: &ThreadPool, games: u64) -> u64 {
        games.min(if self.rules.size.width() == 19 { 256 } else { 2048 })
    }

    fn play_part(&mut self, games: u64, _: Stop<'_>) -> Option<Stats> {
        Some(self.play(games))
    }
}
