//! [`Playouts`]: whole random games under the rules of a [`Game`].

use crate::game::{Game, Rules};
use crate::playout::Stats;
#[cfg(feature = "parallel")]
use bitcade_core::ThreadPool;
use bitcore::Rng;
#[cfg(feature = "parallel")]
use core::ops::ControlFlow;

/// Whole random games, one after the other: uniformly random [legal moves](Game::legal_moves) until a
/// [`TopOut`](crate::TopOut).
///
/// Game i draws only from [stream](Rng::stream) i of the seed, in the order of [`Game::new`] and
/// [`Game::play_random`]. There is no garbage.
///
/// A piece takes about a quarter of a microsecond, because each turn generates all legal moves, for both
/// pieces and with spins. [`RandomGame`](crate::RandomGame) is three to four times as fast, but has no held
/// piece, no spins, no second spawn row, and no separate games.
///
/// ```
/// use tetris::{Playouts, Rules};
/// let mut playouts = Playouts::new(Rules::default(), 42);
/// let mut stats = playouts.play(60);
/// stats += playouts.play(40);
/// assert_eq!(stats, Playouts::new(Rules::default(), 42).play(100));
/// assert_eq!(stats.games, 100);
/// assert!(stats.pieces > 1000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playouts {
    rules: Rules,
    /// The stream of the next game.
    next: Rng,
}

impl Playouts {
    /// Creates the playouts of a seed, starting with game 0.
    pub fn new(rules: Rules, seed: u64) -> Self {
        Self { rules, next: Rng::new(seed) }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Plays the next `games` games and returns their statistics.
    pub fn play(&mut self, games: u64) -> Stats {
        let mut stats = Stats::default();
        for _ in 0..games {
            stats += play_game(self.rules, self.next.copy_and_jump());
        }
        stats
    }

    /// Plays the next `games` games on the threads of a pool, with the same result as [`play`](Self::play).
    ///
    /// Every thread calls `stop` before each game; once it returns `true`, the result covers only the first
    /// games, and the next call continues after them. `visit` receives the intermediate statistics from time
    /// to time.
    ///
    /// ```
    /// use tetris::ThreadPool;
    /// use tetris::{Playouts, Rules};
    /// let pool = ThreadPool::new(2.try_into()?);
    /// let stats = Playouts::new(Rules::default(), 1).play_parallel(&pool, 100, &|| false, |_| {});
    /// assert_eq!(stats, Playouts::new(Rules::default(), 1).play(100));
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
        /// The number of games per task: a few milliseconds.
        const PART: u64 = 64;
        let (mut left, mut next) = (games, self.next.clone());
        let parts = core::iter::from_fn(|| {
            let games = Some(left.min(PART)).filter(|&games| games > 0)?;
            left -= games;
            let first = Self { rules: self.rules, next: next.clone() };
            (0..games).for_each(|_| next.jump());
            Some((first, games))
        });
        let play = |(mut playouts, games): (Self, u64)| {
            let mut stats = Stats::default();
            while stats.games < games && !stop() {
                stats += playouts.play(1);
            }
            Some((stats, games))
        };
        let mut stats = Stats::default();
        pool.map_in_order(parts, play, |(part, games)| {
            if part.games > 0 {
                stats += part;
                visit(&stats);
            }
            if part.games < games { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (0..stats.games).for_each(|_| self.next.jump());
        stats
    }
}

fn play_game(rules: Rules, mut rng: Rng) -> Stats {
    let mut game = Game::new(rules, &mut rng);
    let mut lines = 0;
    while let Some(result) = game.play_random(&mut rng) {
        lines += u64::from(result.clear.lines);
    }
    Stats { games: 1, pieces: game.pieces(), lines }
}
