//! [`Playouts`]: whole random games under the rules of a [`Game`].

use crate::game::{Game, Rules};
use crate::playout::Stats;
use bitcade_core::{PartJump, Parts, Stop, Stopped, ThreadPool, play_in_parts};
use bitcore::Rng;

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
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Plays the next `games` games and returns their statistics.
    pub fn play(&mut self, games: u64) -> Stats {
        let mut stats = Stats::default();
        for _ in 0..games {
            stats += play_game(self.rules, self.next.copy_and_jump());
        }
        stats
    }

    /// Plays the next `games` games on the threads of a pool and returns the same statistics as
    /// [`play`](Self::play). From time to time, calls `visit` with the statistics so far, which always cover
    /// the first games of this call.
    ///
    /// ```
    /// use tetris::{Playouts, Rules, Stats, ThreadPool};
    /// let pool = ThreadPool::single();
    /// let show = |so_far: &Stats| println!("{} games", so_far.games);
    /// let stats = Playouts::new(Rules::default(), 1).play_until(&pool, 100, &|| false, show)?;
    /// assert_eq!(stats, Playouts::new(Rules::default(), 1).play(100));
    /// # Ok::<(), tetris::Stopped>(())
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
        jump.advance(&mut self.next, games);
    }

    fn part(&self, _: &ThreadPool, games: u64) -> u64 {
        games.min(64)
    }

    fn play_part(&mut self, games: u64, stop: Stop<'_>) -> Option<Stats> {
        let mut stats = Stats::default();
        for _ in 0..games {
            if stop() {
                return None;
            }
            stats += self.play(1);
        }
        Some(stats)
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
