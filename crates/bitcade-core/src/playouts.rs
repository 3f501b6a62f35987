//! [`Playouts`]: many random games, and [`play_in_parts`], which spreads them over threads.

use crate::game::Game;
use crate::stop::{Stop, Stopped};
use crate::thread_pool::ThreadPool;
use bitcore::{Jump, Rng};
use core::error::Error;
use core::fmt::Debug;
use core::ops::{AddAssign, ControlFlow};

/// The random games of a seed, one after the other. Its type has the same methods of its own, so
/// that a user of one game needs no trait.
///
/// Game i of a seed is the same game however the games are split over calls, on any number of
/// threads, and after a stop.
pub trait Playouts: Clone + Debug {
    /// The game that is played.
    type Game: Game;
    /// Sums over complete games.
    type Stats: Clone + Debug + Default + PartialEq + AddAssign;
    /// The reason no game can be played.
    type Error: Error + Send + Sync + 'static;

    /// Creates the games of a seed, starting with game 0.
    ///
    /// # Errors
    ///
    /// If the rules have no such games.
    fn new(rules: <Self::Game as Game>::Rules, seed: u64) -> Result<Self, Self::Error>;

    /// Creates the games of a seed that play a game on from where it is.
    ///
    /// # Errors
    ///
    /// If its rules have no such games.
    fn from_game(game: &Self::Game, seed: u64) -> Result<Self, Self::Error>;

    /// Returns the rules.
    fn rules(&self) -> <Self::Game as Game>::Rules;

    /// Returns the number of games in the sums.
    fn games(stats: &Self::Stats) -> u64;

    /// Plays the next `games` games.
    fn play(&mut self, games: u64) -> Self::Stats;

    /// Plays the next `games` games on a thread pool. From time to time, calls `visit` with the
    /// sums of this call so far, which always cover its first games.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The games visited last are then played; the next call
    /// goes on after them.
    fn play_until(
        &mut self,
        pool: &ThreadPool,
        games: u64,
        stop: Stop<'_>,
        visit: impl FnMut(&Self::Stats),
    ) -> Result<Self::Stats, Stopped>;
}

/// The jump over the streams of a part. Most parts have the same size, and finding a jump takes as
/// long as many games.
#[derive(Debug, Default)]
pub struct PartJump(Option<(u64, Jump)>);

impl PartJump {
    /// Moves the stream of the next game ahead by this many games.
    pub fn advance(&mut self, next: &mut Rng, games: u64) {
        let known = self.0.take().filter(|&(size, _)| size == games);
        let (_, jump) = self.0.insert(known.unwrap_or_else(|| (games, Jump::over(games))));
        jump.advance(next);
    }
}

/// The games of a seed as [`play_in_parts`] needs them.
pub trait Parts: Clone + Send {
    /// Sums over complete games.
    type Stats: Default + AddAssign + Send;

    /// Skips the next `games` games, the part before another one. `jump` helps where each game has
    /// a stream.
    fn skip(&mut self, games: u64, jump: &mut PartJump);

    /// Returns the number of games, at least 1 and at most `games`, to play next in one part: a few
    /// milliseconds of work.
    fn part(&self, pool: &ThreadPool, games: u64) -> u64;

    /// Plays the next `games` games, or returns `None` soon after `stop` begins to return `true`.
    fn play_part(&mut self, games: u64, stop: Stop<'_>) -> Option<Self::Stats>;
}

/// Plays the next `games` games in parts, on the threads of a pool, as [`Playouts::play_until`]
/// describes. The games continue after the last part that was visited.
///
/// # Errors
///
/// [`Stopped`] if `stop` returned `true`.
pub fn play_in_parts<P: Parts>(
    playouts: &mut P,
    pool: &ThreadPool,
    games: u64,
    stop: Stop<'_>,
    mut visit: impl FnMut(&P::Stats),
) -> Result<P::Stats, Stopped> {
    let mut next = playouts.clone();
    let mut jump = PartJump::default();
    let mut left = games;
    let parts = core::iter::from_fn(|| {
        let games = next.part(pool, Some(left).filter(|&left| left > 0)?);
        let part = next.clone();
        left -= games;
        if left > 0 {
            next.skip(games, &mut jump);
        }
        Some((part, games))
    });
    let play = |(mut part, games): (P, u64)| {
        let stats = if stop() { None } else { part.play_part(games, stop) };
        stats.map(|stats| (part, games, stats))
    };
    let mut sums = P::Stats::default();
    let mut played = 0;
    pool.map_in_order(parts, play, |(part, games, stats)| {
        *playouts = part;
        played += games;
        sums += stats;
        visit(&sums);
        ControlFlow::Continue(())
    });
    if played == games { Ok(sums) } else { Err(Stopped) }
}
