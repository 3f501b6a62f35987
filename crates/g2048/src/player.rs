//! [`Player`]: a strategy that chooses the moves of a game.

use crate::game::Game;
use crate::slide::Direction;
use bitcore::Rng;
#[cfg(feature = "parallel")]
use {
    crate::rules::Rules,
    bitcade_core::ThreadPool,
    core::ops::{ControlFlow, Range},
};

/// A strategy that chooses the moves of a game.
///
/// ```
/// use g2048::{Direction, Game, Player, Rng, Rules};
/// struct Corner;
/// impl Player for Corner {
///     fn choose(&mut self, game: &Game) -> Option<Direction> {
///         let order = [Direction::Left, Direction::Down, Direction::Right, Direction::Up];
///         order.into_iter().find(|&direction| game.board().is_legal(direction))
///     }
/// }
/// let mut rng = Rng::new(2048);
/// let mut game = Game::new(Rules::default(), &mut rng);
/// while let Some(direction) = Corner.choose(&game) {
///     game.play(direction, &mut rng)?;
/// }
/// assert!(game.is_over());
/// # Ok::<(), g2048::IllegalMove>(())
/// ```
pub trait Player {
    /// Returns a legal move, or `None` if the game is over.
    fn choose(&mut self, game: &Game) -> Option<Direction>;

    /// Returns a legal move, or `None` if the game is over or `stop` returned `true`. Slow players should
    /// call `stop` regularly; fast ones may ignore it.
    fn choose_until(&mut self, game: &Game, stop: &dyn Fn() -> bool) -> Option<Direction> {
        let _ = stop;
        self.choose(game)
    }
}

/// A [`Player`] that chooses uniformly among the legal moves.
///
/// It has its own generator and draws `below(legal moves)` per move, an index into the legal moves in the
/// order of [`Direction::ALL`]. [`Playouts`](crate::Playouts) plays many random games faster.
///
/// ```
/// use g2048::{Game, Player, RandomPlayer, Rng, Rules};
/// let (mut player, mut rng) = (RandomPlayer::new(1), Rng::new(2));
/// let mut game = Game::new(Rules::default(), &mut rng);
/// while let Some(direction) = player.choose(&game) {
///     game.play(direction, &mut rng)?;
/// }
/// assert!(game.is_over());
/// # Ok::<(), g2048::IllegalMove>(())
/// ```
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    rng: Rng,
}

impl RandomPlayer {
    /// Returns a player with this seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed) }
    }
}

impl Player for RandomPlayer {
    fn choose(&mut self, game: &Game) -> Option<Direction> {
        let legal = game.legal_moves();
        if legal.is_empty() { None } else { Some(legal[self.rng.below(legal.len() as u32) as usize]) }
    }
}

/// Plays a range of a seed's games on the threads of a pool and calls `visit` with each finished game, in
/// order.
///
/// Game i is played by `new_player(i)` and draws its tiles from [stream](Rng::stream) i of the seed. Every
/// thread calls `stop` before each move. If it returns `true`, only the games before the first unfinished one
/// are visited. A game in which the player returns no move although one is legal is unfinished.
///
/// ```
/// use g2048::ThreadPool;
/// use g2048::{RandomPlayer, Rules, play_games_parallel};
/// let scores = |threads: usize| {
///     let (pool, mut scores) = (ThreadPool::new(threads.try_into().unwrap()), Vec::new());
///     let player = |game| RandomPlayer::new(game);
///     play_games_parallel(&pool, player, Rules::default(), 1, 0..4, &|| false, |game| {
///         scores.push(game.score());
///     });
///     scores
/// };
/// assert_eq!(scores(1), scores(3));
/// ```
#[cfg(feature = "parallel")]
pub fn play_games_parallel<P: Player>(
    pool: &ThreadPool,
    new_player: impl Fn(u64) -> P + Sync,
    rules: impl Into<Rules>,
    seed: u64,
    games: Range<u64>,
    stop: &(dyn Fn() -> bool + Sync),
    mut visit: impl FnMut(&Game),
) {
    let rules = rules.into();
    let play = |(number, mut rng): (u64, Rng)| {
        let (mut player, mut game) = (new_player(number), Game::new(rules, &mut rng));
        while !stop() {
            match player.choose_until(&game, stop) {
                Some(direction) => game.play(direction, &mut rng).ok()?,
                None if game.is_over() => return Some(game),
                None => return None,
            };
        }
        None
    };
    let streams = Rng::streams_from(seed, games.start);
    pool.map_in_order(games.zip(streams), play, |game| {
        visit(&game);
        ControlFlow::Continue(())
    });
}
