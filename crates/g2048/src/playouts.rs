//! [`Playouts`]: random play to the end.

mod any_size;
mod classic;
mod packed;
mod start;

pub(crate) use classic::Classic;
pub(crate) use start::Start;

use crate::board::Size;
use crate::direction::Direction;
use crate::game::{Game, IllegalMove};
use crate::rules::Rules;
use crate::stats::Stats;
use alloc::boxed::Box;
use any_size::AnySize;
use bitcade_core::{Parts, Stop, Stopped, ThreadPool, play_in_parts};

/// A generator of games with uniformly random legal moves, 32 at a time in vector lanes: whole
/// games, or the rest of one game again and again.
///
/// The games of a seed don't depend on the ISA level, the number of threads, or how they are split
/// over calls of [`play`](Self::play).
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
/// ([`Board::spawn`](crate::Board::spawn)) at the start; then, per move, `below(legal moves)`, an
/// index into the legal directions in the order of [`Direction::ALL`](crate::Direction::ALL), and
/// the spawn. Game i is therefore [`Game::new`](crate::Game::new) on stream i, followed by
/// [`play_out`](crate::Game::play_out).
///
/// Games on 4x4 are twice as fast and draw differently. They form blocks of 65,536: game g of block
/// b is number g / 32 on stream 32 b + g % 32. Instead of choosing a direction, a game applies a
/// random symmetry to the board and slides it left. Each attempted move takes 32 bits, the low half
/// of a stream's word before the high half:
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
/// - `position`: spawns on number `(position * n) >> 16` of the n empty cells, row-major. The
///   relative difference between the probabilities of two cells is at most 2^-12.
///
/// A game starts with two spawns from one word, followed by blocks of eight attempts. An attempt
/// that changes nothing isn't a move and spawns nothing. The game ends after the first block that
/// leaves no legal move.
///
/// Games [from a position](Self::from_game) start without these two spawns, and games [after a
/// move](Self::after_move) with the one of this move, which is the first of the word. Everything
/// else is the same, except that their blocks on 4x4 have 8,192 games.
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
        Self::with_start(Start::empty(rules.into().size), seed, kernel)
    }

    fn with_start(start: Start, seed: u64, kernel: Kernel) -> Self {
        let rules = Rules::from(start.board.size());
        // The empty board never ends a game of `Classic`, which asks for a full one.
        let is_over = start.spawns == 0 && start.board.is_over();
        let games = if rules.size == Size::CLASSIC && kernel != Kernel::AnySize && !is_over {
            Games::Classic(Box::new(Classic::new(start, seed, kernel)))
        } else {
            Games::AnySize(AnySize::new(start, seed))
        };
        Self { rules, games }
    }

    /// Returns the games of a seed that go on from a position, with any tiles: each one plays
    /// random moves on a copy of `game` until it is over. If it is over already, these are games
    /// without moves.
    ///
    /// The statistics count the moves from here on, but the whole score: that of `game` and what
    /// the random moves gain.
    ///
    /// ```
    /// use g2048::{Board, Game, Playouts, Rng, Size};
    /// let board: Board = "2 4 8 16 32 \n . 2 4 8 16 \n . . 2 2 4 \n . . . 4 4 \n . . . . .".parse()?;
    /// let game = Game::from(board);
    /// let stats = Playouts::from_game(&game, 1).play(100);
    /// // The first of these games, by hand.
    /// let mut copy = game.clone();
    /// copy.play_out(&mut Rng::stream(1, 0));
    /// assert_eq!(Playouts::from_game(&game, 1).play(1).score.sum as u64, copy.score());
    /// println!("{:.0} more moves", stats.moves.mean());
    /// # Ok::<_, g2048::Error>(())
    /// ```
    pub fn from_game(game: &Game, seed: u64) -> Self {
        Self::with_start(Start::game(game), seed, Kernel::default())
    }

    /// Returns the games of a seed that go on from a position with a given move, for a flat Monte
    /// Carlo search: the move, its spawn, which differs from game to game, then random moves.
    ///
    /// The statistics are those of [`from_game`](Self::from_game); the given move counts as one.
    ///
    /// ```
    /// use g2048::{Game, IllegalMove, Playouts, Rng, Rules};
    /// let mut rng = Rng::new(1);
    /// let mut game = Game::new(Rules::default(), &mut rng);
    /// for _ in 0..10 {
    ///     let mut best = None;
    ///     for &direction in game.legal_moves() {
    ///         let score = Playouts::after_move(&game, direction, 1)?.play(100).score.mean();
    ///         best = best.max(Some((score as u64, direction)));
    ///     }
    ///     let Some((_, direction)) = best else { break };
    ///     game.play(direction, &mut rng)?;
    /// }
    /// assert_eq!(game.moves(), 10);
    /// # Ok::<_, IllegalMove>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`IllegalMove`] if no tile moves in this direction.
    pub fn after_move(game: &Game, direction: Direction, seed: u64) -> Result<Self, IllegalMove> {
        let start = Start::after_move(game, direction)?;
        Ok(Self::with_start(start, seed, Kernel::default()))
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
    /// [`play`](Self::play). From time to time, calls `visit` with the totals so far, which always
    /// cover the first games of this call.
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
