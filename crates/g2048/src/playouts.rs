//! [`Playouts`]: random play to the end.

mod any_size;
mod classic;

pub(crate) use classic::Classic;

use crate::board::Size;
use crate::rules::Rules;
use crate::stats::Stats;
use alloc::boxed::Box;
use any_size::AnySize;
use bitcade_core::{Parts, Stop, Stopped, ThreadPool, play_in_parts};

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

/// How [`Playouts`] play on 4x4, for comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// 32 games in vector lanes; without vector registers, as [`Interleaved`](Self::Interleaved).
    #[default]
    Lanes,
    /// Four [`Packed`](crate::Packed) boards at a time. The same games.
    Interleaved,
    /// One [`Packed`](crate::Packed) board at a time. The same games.
    Single,
    /// The lanes of the other sizes, with their draws: other games.
    AnySize,
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
        Self::with_kernel(rules, seed, Kernel::default())
    }

    /// Returns the games of a seed, played by a kernel on 4x4. Other sizes have only one.
    ///
    /// ```
    /// use g2048::{Kernel, Playouts, Rules};
    /// let mut single = Playouts::with_kernel(Rules::default(), 1, Kernel::Single);
    /// assert_eq!(single.play(100), Playouts::new(Rules::default(), 1).play(100));
    /// ```
    pub fn with_kernel(rules: impl Into<Rules>, seed: u64, kernel: Kernel) -> Self {
        let rules = rules.into();
        let games = if rules.size == Size::CLASSIC && kernel != Kernel::AnySize {
            Games::Classic(Box::new(Classic::new(seed, kernel)))
        } else {
            Games::AnySize(AnySize::new(rules.size, seed))
        };
        Self { rules, games }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Plays the next `games` games and returns their totals.
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn play(&mut self, games: u64) -> Stats {
        let stats = match &mut self.games {
            Games::AnySize(these) => these.play_part(games, &|| false),
            Games::Classic(these) => these.play_part(games, &|| false),
        };
        stats.expect("nothing stops it")
    }

    /// Plays the next `games` games on the threads of a pool and returns the same totals as
    /// [`play`](Self::play). From time to time, calls `visit` with the totals so far, which always cover the
    /// first games of this call.
    ///
    /// ```
    /// use g2048::{Playouts, Size, ThreadPool};
    /// let pool = ThreadPool::single();
    /// let size = Size::new(3, 3)?;
    /// let show = |so_far: &g2048::Stats| println!("{} games", so_far.games);
    /// let stats = Playouts::new(size, 1).play_until(&pool, 5000, &|| false, show)?;
    /// assert_eq!(stats, Playouts::new(size, 1).play(5000));
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
        match &mut self.games {
            Games::AnySize(these) => play_in_parts(these, pool, games, stop, visit),
            Games::Classic(these) => play_in_parts(&mut **these, pool, games, stop, visit),
        }
    }
}
