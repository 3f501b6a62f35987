//! [`Playouts`]: random play to the end.

mod any_size;
mod classic;

pub(crate) use classic::Classic;

use crate::board::Size;
use crate::rules::Rules;
use crate::stats::Stats;
use crate::stopped::Stopped;
use alloc::boxed::Box;
use any_size::AnySize;
#[cfg(feature = "parallel")]
use bitcade_core::ThreadPool;

/// A generator of games with uniformly random legal moves, 32 at a time in vector lanes.
///
/// The games of a seed don't depend on the ISA level, the number of threads, or how they are split over calls
/// of [`play`](Self::play).
///
/// ```
/// use g2048::{Playouts, Rules};
/// let mut playouts = Playouts::new(Rules::default(), 1);
/// let mut stats = playouts.play(60);
/// stats += playouts.play(40);
/// assert_eq!(stats, Playouts::new(Rules::default(), 1).play(100));
/// assert_eq!(stats.games, 100);
/// assert!((900.0..1300.0).contains(&stats.score.mean()));
/// ```
///
/// # Draws
///
/// On sizes other than 4x4, game i draws only from [stream](bitcore::Rng::stream) i: two spawns
/// ([`Board::spawn`](crate::Board::spawn)) at the start; then, per move, `below(legal moves)`, an index into
/// the legal directions in the order of [`Direction::ALL`](crate::Direction::ALL), and the spawn. Game i is
/// therefore [`Game::new`](crate::Game::new) on stream i, followed by [`play_out`](crate::Game::play_out).
///
/// Games on 4x4 are twice as fast and draw differently. They form blocks of 65,536: game g of block b is
/// number g / 32 on stream 32 b + g % 32. Instead of choosing a direction, a game applies a random symmetry
/// to the board and slides it left. Each attempted move takes 32 bits, the low half of a stream's word before
/// the high half:
///
/// ```text
///  31            16 15              2        1              0
/// +----------------+-----------------+----------------+-----------+
/// |    position    | four if < 1638  | anti_transpose | transpose |
/// +----------------+-----------------+----------------+-----------+
/// ```
///
/// - `transpose`: mirrors the board across its main diagonal.
/// - `anti_transpose`: then mirrors it across the other diagonal.
/// - `four`: spawns a 4, with probability 0.1 - 2.4e-5, otherwise a 2.
/// - `position`: spawns on number `(position * n) >> 16` of the n empty cells, row-major. The relative
///   difference between the probabilities of two cells is at most 2^-12.
///
/// A game starts with two spawns from one word, followed by blocks of eight attempts. An attempt that changes
/// nothing isn't a move and spawns nothing. The game ends after the first block that leaves no legal move.
#[derive(Clone, Debug)]
pub struct Playouts {
    rules: Rules,
    games: Games,
}

/// The games of a seed, by kernel.
#[derive(Clone, Debug)]
enum Games {
    AnySize(AnySize),
    Classic(Box<Classic>),
}

impl Playouts {
    /// Returns the games of a seed, starting with game 0.
    pub fn new(rules: impl Into<Rules>, seed: u64) -> Self {
        Self::of(rules.into(), seed)
    }

    fn of(rules: Rules, seed: u64) -> Self {
        if rules.size == Size::CLASSIC {
            Self { rules, games: Games::Classic(Box::new(Classic::new(seed))) }
        } else {
            Self::any_size(rules, seed)
        }
    }

    /// Returns the games of a seed, even on 4x4 with the draws of the other sizes: for tests of that kernel.
    #[doc(hidden)]
    pub fn any_size(rules: impl Into<Rules>, seed: u64) -> Self {
        let rules = rules.into();
        Self { rules, games: Games::AnySize(AnySize::new(rules.size, seed)) }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Plays the next `games` games and returns their totals.
    pub fn play(&mut self, games: u64) -> Stats {
        self.play_until(games, &|| false).unwrap_or_default()
    }

    /// Plays the next `games` games unless `stop`, which is called regularly, returns `true`.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. No game of the call is counted then, because the finished games
    /// are biased toward short ones. Games that had started are not played again.
    pub fn play_until(&mut self, games: u64, stop: &dyn Fn() -> bool) -> Result<Stats, Stopped> {
        match &mut self.games {
            Games::AnySize(these) => these.play_until(games, stop),
            Games::Classic(these) => these.play_until(games, stop),
        }
    }

    /// Plays the next `games` games on the threads of a pool and returns the same totals as
    /// [`play`](Self::play).
    ///
    /// Every thread calls `stop` regularly. Once it returns `true`, the result has fewer games: the first
    /// ones of the seed that were still to play. Games that had started are not played again. `visit`
    /// receives the running totals now and then.
    ///
    /// ```
    /// use g2048::ThreadPool;
    /// use g2048::{Playouts, Size};
    /// let pool = ThreadPool::new(2.try_into()?);
    /// let size = Size::new(3, 3)?;
    /// let stats = Playouts::new(size, 1).play_parallel(&pool, 5000, &|| false, |_| {});
    /// assert_eq!(stats, Playouts::new(size, 1).play(5000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "parallel")]
    pub fn play_parallel(
        &mut self,
        pool: &ThreadPool,
        games: u64,
        stop: &(dyn Fn() -> bool + Sync),
        visit: impl FnMut(&Stats),
    ) -> Stats {
        match &mut self.games {
            Games::AnySize(these) => these.play_parallel(pool, games, stop, visit),
            Games::Classic(these) => these.play_parallel(pool, games, stop, visit),
        }
    }

    /// Plays like [`play`](Self::play), but on 4x4 always with four interleaved 64-bit boards, on every ISA
    /// level: for tests and benchmarks of that kernel.
    #[doc(hidden)]
    pub fn play_interleaved(&mut self, games: u64) -> Stats {
        match &mut self.games {
            Games::AnySize(_) => self.play(games),
            Games::Classic(these) => these.play_interleaved(games),
        }
    }

    /// Plays like [`play`](Self::play), but on 4x4 always with one 64-bit board, on every ISA level: for
    /// tests and benchmarks of that kernel.
    #[doc(hidden)]
    pub fn play_one_by_one(&mut self, games: u64) -> Stats {
        match &mut self.games {
            Games::AnySize(_) => self.play(games),
            Games::Classic(these) => these.play_one_by_one(games),
        }
    }
}
