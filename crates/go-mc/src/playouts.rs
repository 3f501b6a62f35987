//! [`Playouts`]: random games from the empty board with the fastest kernel for each size.

use crate::chain_playouts::chain_playouts;
use crate::error::Error;
use crate::game::Rules;
use crate::policy::Policy;
use crate::position::Position;
use crate::results::Stats;
use crate::sequential_playouts::SequentialPlayouts;
use crate::simd_playouts::SimdPlayouts;
use bitcore::Rng;
#[cfg(feature = "parallel")]
use {bitcade_core::ThreadPool, bitcore::Jump, core::ops::ControlFlow};

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
pub struct Playouts(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Five(SequentialPlayouts<5>),
    Nine(SimdPlayouts<9>),
    Thirteen(SimdPlayouts<13>),
    Nineteen(SequentialPlayouts<19>),
    Chains { rules: Rules, next: Rng },
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
            Some(5) => SequentialPlayouts::new(policy, seed).map(|games| Inner::Five(games.with_komi(komi))),
            Some(9) => SimdPlayouts::new(policy, seed).map(|games| Inner::Nine(games.with_komi(komi))),
            Some(13) => SimdPlayouts::new(policy, seed).map(|games| Inner::Thirteen(games.with_komi(komi))),
            Some(19) => {
                SequentialPlayouts::new(policy, seed).map(|games| Inner::Nineteen(games.with_komi(komi)))
            }
            _ => return Err(Error::NoPlayouts(rules.size)),
        };
        Ok(Self(light.unwrap_or_else(|| Inner::Chains { rules, next: Rng::new(seed) })))
    }

    /// Plays the next `games` games and returns their statistics.
    pub fn play(&mut self, games: u64) -> Stats {
        match &mut self.0 {
            Inner::Five(playouts) => playouts.play(&Position::EMPTY, games),
            Inner::Nineteen(playouts) => playouts.play(&Position::EMPTY, games),
            Inner::Nine(playouts) => playouts.play(&Position::EMPTY, games),
            Inner::Thirteen(playouts) => playouts.play(&Position::EMPTY, games),
            Inner::Chains { rules, next } => {
                let generators = (0..games).map(|_| next.copy_and_jump());
                chain_playouts(*rules, generators).unwrap_or_default()
            }
        }
    }

    /// Plays the next `games` games on the threads of a pool and returns their statistics, identical to
    /// [`play`](Self::play). Every thread polls `stop` regularly. Once it returns `true`, the result covers
    /// only the first of these games; games that had already started are not played again. `visit` is called
    /// now and then with the statistics so far.
    ///
    /// ```
    /// use go_mc::ThreadPool;
    /// use go_mc::{Playouts, Rules};
    /// let pool = ThreadPool::new(2.try_into()?);
    /// let never = || false;
    /// let show = |so_far: &go_mc::Stats| println!("{} games", so_far.games);
    /// let stats = Playouts::new(Rules::default(), 1)?.play_parallel(&pool, 5000, &never, show);
    /// assert_eq!(stats, Playouts::new(Rules::default(), 1)?.play(5000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "parallel")]
    pub fn play_parallel(
        &mut self,
        pool: &ThreadPool,
        games: u64,
        stop: &(dyn Fn() -> bool + Sync),
        mut visit: impl FnMut(&Stats),
    ) -> Stats {
        // Small enough to stop soon, large enough to fill the vector lanes.
        let is_large = match &self.0 {
            Inner::Chains { rules, .. } => rules.size.width() == 19,
            other => matches!(other, Inner::Nineteen(_)),
        };
        let part = if is_large { 256 } else { 2048 };
        let jump = Jump::over(part);
        let mut left = games;
        let parts = core::iter::from_fn(|| {
            let games = Some(left.min(part)).filter(|&games| games > 0)?;
            left -= games;
            let first = self.clone();
            self.skip(games, Some(&jump).filter(|_| games == part));
            Some((first, games))
        });
        let run = |(mut playouts, games): (Self, u64)| (!stop()).then(|| playouts.play(games));
        let mut stats = Stats::default();
        pool.map_in_order(parts, run, |part| {
            stats += part;
            visit(&stats);
            ControlFlow::Continue(())
        });
        stats
    }

    /// Skips the next `games` games; `jump`, if given, must jump over exactly `games` streams.
    #[cfg(feature = "parallel")]
    fn skip(&mut self, games: u64, jump: Option<&Jump>) {
        match (&mut self.0, jump) {
            (Inner::Five(playouts), _) => playouts.skip(games),
            (Inner::Nineteen(playouts), _) => playouts.skip(games),
            (Inner::Nine(playouts), _) => playouts.skip(games),
            (Inner::Thirteen(playouts), _) => playouts.skip(games),
            (Inner::Chains { next, .. }, Some(jump)) => jump.advance(next),
            (Inner::Chains { next, .. }, None) => (0..games).for_each(|_| next.jump()),
        }
    }
}
