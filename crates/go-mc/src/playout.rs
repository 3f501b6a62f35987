//! Playouts from the empty board by the fastest kernel for each size, and the types that all playouts share.

use crate::position::Position;
use crate::sequential_playouts::SequentialPlayouts;
use crate::simd_playouts::SimdPlayouts;
use bitcore::Rng;
#[cfg(feature = "parallel")]
use {
    bitcore::{Jump, ThreadPool},
    core::ops::ControlFlow,
};

pub use crate::chain_playouts::{HasChainPlayouts, chain_playouts, playout};
pub use crate::policy::Policy;
pub use crate::results::{GameResult, MAX_PLIES_PER_POINT, Playout, SIZES, Stats, UnsupportedSize};

/// Plays games 0 to `games` - 1 of a seed from the empty `size` x `size` board, as [`Playouts`] does, and
/// returns their statistics.
///
/// # Errors
///
/// [`UnsupportedSize`] unless `size` is one of [`SIZES`].
///
/// ```
/// use go_mc::{Policy, playouts};
/// let stats = playouts(9, Policy::NoSuicide, 1000, 1).unwrap();
/// assert!((stats.stones.mean() - 107.4).abs() < 2.0);
/// assert_eq!(playouts(9, Policy::NoSuicide, 1000, 1), Ok(stats));
/// ```
pub fn playouts(size: usize, policy: Policy, games: u64, seed: u64) -> Result<Stats, UnsupportedSize> {
    Ok(Playouts::new(size, policy, seed)?.run(games))
}

/// The playouts of a seed from the empty board, by the fastest kernel for the size and policy:
///
/// | policy | 5 x 5, 19 x 19 | 9 x 9, 13 x 13 |
/// |---|---|---|
/// | light | [`SequentialPlayouts`] | [`SimdPlayouts`] |
/// | `FooGo` | on [`Chains`](crate::Chains), game i draws from [stream](Rng::stream) i | the same |
///
/// ```
/// use go_mc::{Playouts, Policy};
/// let mut games = Playouts::new(13, Policy::NoSuicide, 1).unwrap();
/// let mut stats = games.run(60);
/// stats += games.run(40);
/// assert_eq!(stats, Playouts::new(13, Policy::NoSuicide, 1).unwrap().run(100));
/// ```
#[derive(Clone, Debug)]
pub struct Playouts(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Five(SequentialPlayouts<5>),
    Nine(SimdPlayouts<9>),
    Thirteen(SimdPlayouts<13>),
    Nineteen(SequentialPlayouts<19>),
    Chains { size: usize, policy: Policy, next: Rng },
}

impl Playouts {
    /// Creates the playouts of a seed, beginning with game 0.
    ///
    /// # Errors
    ///
    /// [`UnsupportedSize`] unless `size` is one of [`SIZES`].
    pub fn new(size: usize, policy: Policy, seed: u64) -> Result<Self, UnsupportedSize> {
        let light = match size {
            5 => SequentialPlayouts::new(policy, seed).map(Inner::Five),
            9 => SimdPlayouts::new(policy, seed).map(Inner::Nine),
            13 => SimdPlayouts::new(policy, seed).map(Inner::Thirteen),
            19 => SequentialPlayouts::new(policy, seed).map(Inner::Nineteen),
            _ => return Err(UnsupportedSize(size)),
        };
        Ok(Self(light.unwrap_or_else(|| Inner::Chains { size, policy, next: Rng::new(seed) })))
    }

    /// Plays the next `games` games and returns their statistics.
    pub fn run(&mut self, games: u64) -> Stats {
        match &mut self.0 {
            Inner::Five(playouts) => playouts.run(&Position::EMPTY, games),
            Inner::Nineteen(playouts) => playouts.run(&Position::EMPTY, games),
            Inner::Nine(playouts) => playouts.run(&Position::EMPTY, games),
            Inner::Thirteen(playouts) => playouts.run(&Position::EMPTY, games),
            Inner::Chains { size, policy, next } => {
                let generators = (0..games).map(|_| next.copy_and_jump());
                chain_playouts(*size, *policy, generators).unwrap_or_default()
            }
        }
    }

    /// Plays the next `games` games on the threads of a pool and returns their statistics, the same as those
    /// of [`run`](Self::run). The result has fewer games, the first ones of those that were still to play, if
    /// `stop`, which every thread asks regularly, returned `true`; games that had begun are then not played
    /// again. `visit` gets the statistics so far now and then.
    ///
    /// ```
    /// use bitcore::ThreadPool;
    /// use go_mc::{Playouts, Policy};
    /// let pool = ThreadPool::new(2.try_into()?);
    /// let mut games = Playouts::new(5, Policy::NoSuicide, 1)?;
    /// let stats = games.run_parallel(&pool, 5000, &|| false, |_| {});
    /// assert_eq!(stats, Playouts::new(5, Policy::NoSuicide, 1)?.run(5000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "parallel")]
    pub fn run_parallel(
        &mut self,
        pool: &ThreadPool,
        games: u64,
        stop: &(dyn Fn() -> bool + Sync),
        mut visit: impl FnMut(&Stats),
    ) -> Stats {
        // Few enough games to stop soon, many enough to fill the vector lanes.
        let part =
            if matches!(self.0, Inner::Nineteen(_) | Inner::Chains { size: 19, .. }) { 256 } else { 2048 };
        let jump = Jump::over(part);
        let mut left = games;
        let parts = core::iter::from_fn(|| {
            let games = Some(left.min(part)).filter(|&games| games > 0)?;
            left -= games;
            let first = self.clone();
            self.skip(games, Some(&jump).filter(|_| games == part));
            Some((first, games))
        });
        let run = |(mut playouts, games): (Self, u64)| (!stop()).then(|| playouts.run(games));
        let mut stats = Stats::default();
        pool.map_in_order(parts, run, |part| {
            stats += part;
            visit(&stats);
            ControlFlow::Continue(())
        });
        stats
    }

    /// Skips the next `games` games; `jump`, if it is given, goes over as many streams.
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
