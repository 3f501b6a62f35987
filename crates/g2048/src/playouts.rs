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
use bitcore::ThreadPool;

/// A generator of games of uniformly random legal moves, 32 games at once in vector lanes.
///
/// Each game of a seed is the same on every level, on any number of threads, and for any split into calls of
/// [`play`](Self::play).
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
/// Game i draws from [stream](bitcore::Rng::stream) i alone: the two spawns of the start
/// ([`Board::spawn`](crate::Board::spawn)); then for each move `below(legal moves)`, which counts the legal
/// directions in the order of [`Direction::ALL`](crate::Direction::ALL), and the spawn. So game i is a
/// [`Game::new`](crate::Game::new) on stream i and its [`play_out`](crate::Game::play_out).
///
/// Games on 4x4 are twice as fast and have other draws. They form blocks of 65,536: game g of block b is the
/// (g / 32)-th game on stream 32 b + g % 32. Instead of choosing a direction, a game turns the board and
/// slides it to the left. Every try of a move takes 32 bits, the low half of a word of the stream before the
/// high half:
///
/// ```text
///  31            16 15              2        1              0
/// +----------------+-----------------+----------------+-----------+
/// |    position    | four if < 1638  | anti_transpose | transpose |
/// +----------------+-----------------+----------------+-----------+
/// ```
///
/// - `transpose`: mirrors the board at its main diagonal.
/// - `anti_transpose`: then mirrors it at the other diagonal.
/// - `four`: spawns a 4, with the probability 0.1 - 2.4e-5, else a 2.
/// - `position`: of n empty cells in row-major order, spawns on number `(position * n) >> 16`. The
///   probabilities of two cells differ by at most 2^-12 of themselves.
///
/// A game begins with two spawns from one word. Then come blocks of eight tries. A try that changes nothing
/// isn't a move, and spawns nothing. A game ends after the first block that leaves the board without a legal
/// move.
#[derive(Clone, Debug)]
pub struct Playouts {
    rules: Rules,
    games: Games,
}

/// The games of a seed, by the kernel that plays them.
#[derive(Clone, Debug)]
enum Games {
    AnySize(AnySize),
    Classic(Box<Classic>),
}

impl Playouts {
    /// Returns the games of a seed, beginning with game 0.
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

    /// Returns the games of a seed with the draws of any size on 4x4, too: for tests of that kernel, and for the
    /// Python package, whose games these are.
    #[doc(hidden)]
    pub fn any_size(rules: impl Into<Rules>, seed: u64) -> Self {
        let rules = rules.into();
        Self { rules, games: Games::AnySize(AnySize::new(rules.size, seed)) }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Plays the next `games` games and returns their sums.
    pub fn play(&mut self, games: u64) -> Stats {
        self.play_until(games, &|| false).unwrap_or_default()
    }

    /// Plays the next `games` games, unless `stop`, which is called regularly meanwhile, returns `true`.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. Then no game of the call counts: the finished ones are the
    /// short ones. The games that had begun are not played again.
    pub fn play_until(&mut self, games: u64, stop: &dyn Fn() -> bool) -> Result<Stats, Stopped> {
        match &mut self.games {
            Games::AnySize(these) => these.play_until(games, stop),
            Games::Classic(these) => these.play_until(games, stop),
        }
    }

    /// Plays the next `games` games on the threads of a pool and returns their sums, the same as
    /// [`play`](Self::play).
    ///
    /// If `stop`, which every thread asks regularly, returns `true`, the result has fewer games: the first
    /// ones of the seed that were still to play. Games that had begun are then not played again. `visit` gets
    /// the sums so far now and then.
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

    /// Does the same as [`play`](Self::play), on 4x4 by four boards of 64 bits in turns, whatever the level
    /// is: for tests and benchmarks of that kernel.
    #[doc(hidden)]
    pub fn play_interleaved(&mut self, games: u64) -> Stats {
        match &mut self.games {
            Games::AnySize(_) => self.play(games),
            Games::Classic(these) => these.play_interleaved(games),
        }
    }

    /// Does the same as [`play`](Self::play), on 4x4 by one board of 64 bits, whatever the level is: for
    /// tests and benchmarks of that kernel.
    #[doc(hidden)]
    pub fn play_one_by_one(&mut self, games: u64) -> Stats {
        match &mut self.games {
            Games::AnySize(_) => self.play(games),
            Games::Classic(these) => these.play_one_by_one(games),
        }
    }
}
