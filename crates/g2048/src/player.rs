//! [`play_games_until`]: the games of a player, on several threads.

use crate::game::Game;
use crate::rules::Rules;
use bitcade_core::{Player, Stop, Stopped, ThreadPool};
use bitcore::Rng;
use core::ops::{ControlFlow, Range};

/// Plays a range of a seed's games on the threads of a pool and calls `visit` with each game, in
/// order.
///
/// Game i is played by `new_player(i)` and draws its tiles from [stream](Rng::stream) i of the
/// seed. It ends when it is over, and also when the player returns no legal move.
///
/// ```
/// use g2048::{RandomPlayer, Rng, Rules, ThreadPool, play_games_until};
/// let mut scores = Vec::new();
/// let player = |game| RandomPlayer::new(Rng::new(game));
/// let visit = |game: &g2048::Game| scores.push(game.score());
/// play_games_until(&ThreadPool::single(), player, Rules::default(), 1, 0..4, &|| false, visit)?;
/// assert_eq!(scores.len(), 4);
/// # Ok::<(), g2048::Stopped>(())
/// ```
///
/// # Errors
///
/// [`Stopped`] if `stop`, which every thread asks before each move, returned `true`. The games
/// before the first one that it ended have been visited.
pub fn play_games_until<P: Player<Game>>(
    pool: &ThreadPool,
    new_player: impl Fn(u64) -> P + Sync,
    rules: impl Into<Rules>,
    seed: u64,
    games: Range<u64>,
    stop: Stop<'_>,
    mut visit: impl FnMut(&Game),
) -> Result<(), Stopped> {
    let rules = rules.into();
    let play = |(number, mut rng): (u64, Rng)| {
        let mut player = new_player(number);
        let mut game = Game::new(rules, &mut rng);
        while !stop() {
            let direction = player.choose_until(&game, stop).ok()?;
            if direction.is_none_or(|direction| game.play(direction, &mut rng).is_err()) {
                return Some(game);
            }
        }
        None
    };
    let mut left = games.end.saturating_sub(games.start);
    let streams = Rng::streams_from(seed, games.start);
    pool.map_in_order(games.zip(streams), play, |game| {
        left -= 1;
        visit(&game);
        ControlFlow::Continue(())
    });
    if left == 0 { Ok(()) } else { Err(Stopped) }
}
