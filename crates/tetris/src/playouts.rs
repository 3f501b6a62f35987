//! [`Playouts`]: random games under the rules of a [`Game`], from the start or from a position.

use crate::game::{Game, GameError, LockResult, Move, Rules};
use crate::playout::Stats;
use alloc::boxed::Box;
use bitcade_core::{PartJump, Parts, Stop, Stopped, ThreadPool, play_in_parts};
use bitcore::Rng;

/// Random games, one after the other: uniformly random [legal moves](Game::legal_moves) until a
/// [`TopOut`](crate::TopOut).
///
/// Game i draws only from [stream](Rng::stream) i of the seed, in the order of [`Game::new`] and
/// [`Game::play_random`]. No garbage arrives; what waits in the queue of a position enters by its
/// rules.
///
/// A piece takes about 200 ns: each turn has the moves of two pieces, with spins, but most turns
/// search none. [`RandomGame`](crate::RandomGame) is three times as fast, but has no held piece, no
/// spins, no second spawn row, and no separate games.
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
    start: Start,
    /// The stream of the next game.
    next: Rng,
}

/// The beginning of each game.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Start {
    New(Rules),
    From(Box<Game>),
    After(Box<Game>, Move),
}

impl Playouts {
    /// Creates the playouts of a seed, starting with game 0.
    pub fn new(rules: Rules, seed: u64) -> Self {
        Self { start: Start::New(rules), next: Rng::new(seed) }
    }

    /// Creates playouts from a position: each game is a copy of `game`, with its board, queue, held
    /// piece, bag and garbage, played on to its end.
    ///
    /// Game i draws only from stream i of the seed, in the order of [`Game::play_random`]. The
    /// statistics count from the position on. If `game` is over, its playouts are games without a
    /// piece.
    ///
    /// ```
    /// use tetris::{Game, Playouts, Rng, Rules};
    /// let mut rng = Rng::new(7);
    /// let game = Game::new(Rules::default(), &mut rng);
    /// let stats = Playouts::from_game(&game, 1).play(1);
    ///
    /// let mut copy = game.clone();
    /// let mut stream = Rng::new(1);
    /// while copy.play_random(&mut stream).is_some() {}
    /// assert_eq!(stats.pieces, copy.pieces());
    /// ```
    pub fn from_game(game: &Game, seed: u64) -> Self {
        Self { start: Start::From(Box::new(game.clone())), next: Rng::new(seed) }
    }

    /// Creates playouts [from a position](Self::from_game), in which each game begins with the same
    /// move. The statistics include it.
    ///
    /// ```
    /// use tetris::{Game, Playouts, Rng, Rules};
    /// let game = Game::new(Rules::default(), &mut Rng::new(7));
    /// // The move after which random play survives longest, by ten games each.
    /// let survives = |&mv: &_| Playouts::after_move(&game, mv, 1).unwrap().play(10).pieces;
    /// let best = game.legal_moves().into_iter().max_by_key(survives).unwrap();
    /// assert!(survives(&best) > 100);
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Game::play`] if the move isn't legal.
    pub fn after_move(game: &Game, mv: impl Into<Move>, seed: u64) -> Result<Self, GameError> {
        let mv = mv.into();
        game.check(mv)?;
        Ok(Self { start: Start::After(Box::new(game.clone()), mv), next: Rng::new(seed) })
    }

    /// Returns the rules.
    pub fn rules(&self) -> Rules {
        match &self.start {
            Start::New(rules) => *rules,
            Start::From(game) | Start::After(game, _) => game.rules(),
        }
    }

    /// Plays the next `games` games and returns their statistics.
    pub fn play(&mut self, games: u64) -> Stats {
        let mut stats = Stats::default();
        for _ in 0..games {
            stats += self.start.play(self.next.copy_and_jump());
        }
        stats
    }

    /// Plays the next `games` games on the threads of a pool and returns the same statistics as
    /// [`play`](Self::play). From time to time, calls `visit` with the statistics so far, which
    /// always cover the first games of this call.
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

impl Start {
    fn play(&self, mut rng: Rng) -> Stats {
        let mut stats = Stats { games: 1, ..Stats::default() };
        let mut count = |result: LockResult| {
            stats.pieces += 1;
            stats.lines += u64::from(result.clear.lines);
        };
        let mut game = match self {
            Self::New(rules) => Game::new(*rules, &mut rng),
            Self::From(game) | Self::After(game, _) => Game::clone(game),
        };
        if let Self::After(_, mv) = self {
            game.lock(*mv, &mut rng).map(&mut count);
        }
        while let Some(result) = game.play_random(&mut rng) {
            count(result);
        }
        stats
    }
}
