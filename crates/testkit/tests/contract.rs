//! One contract for all games: the same generic code plays, copies, saves, searches, steps and
//! plays out each of them, through the traits of `bitcade-core` alone.

use bitcade_core::batch::{Batch, Games, StepBuffers};
use bitcade_core::{Game, Player, Playouts, RandomPlayer, Stopped, ThreadPool};
use bitcore::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::atomic::{AtomicU32, Ordering};

fn through_json<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).expect("JSON")).expect("what was written")
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPool::new(threads.try_into().expect("> 0"))
}

/// A game after some random moves, and its generator.
fn opening<G: Game>(rules: G::Rules, moves: usize) -> (G, Rng) {
    let mut rng = Rng::new(5);
    let mut player = RandomPlayer::new(Rng::new(6));
    let mut game = G::new(rules, &mut rng).expect("rules of a game");
    for _ in 0..moves {
        let mv = player.choose(&game).expect("the game has begun");
        game.play(mv, &mut rng).expect("a legal move");
    }
    (game, rng)
}

/// A game plays exactly the moves that it lists, and refuses others without a change or a draw.
fn plays<G: Game>(rules: &G::Rules, most: usize) {
    let (mut game, mut rng) = opening::<G>(rules.clone(), 0);
    let first = game.legal_moves();
    let mut player = RandomPlayer::new(Rng::new(2));
    for _ in 0..most {
        assert_eq!(game.rules(), *rules);
        let legal = game.legal_moves();
        assert_eq!(legal.is_empty(), game.is_over());
        for &mv in &legal {
            assert!(game.clone().play(mv, &mut rng.clone()).is_ok(), "{mv:?}");
        }
        for &mv in first.iter().filter(|mv| !legal.contains(mv)) {
            let mut other = game.clone();
            let mut source = rng.clone();
            assert!(other.play(mv, &mut source).is_err(), "{mv:?}");
            assert_eq!(other, game);
            assert_eq!(source, rng);
        }
        let Some(mv) = player.choose(&game) else { return };
        game.play(mv, &mut rng).expect("a legal move");
    }
}

/// A copy and a saved game go on as the game does.
fn copies_and_saves<G: Game + Serialize + DeserializeOwned>(rules: G::Rules) {
    let (game, rng) = opening::<G>(rules, 5);
    let mut games =
        [(game.clone(), rng.clone()), through_json(&(game.clone(), rng.clone())), (game, rng)];
    let mut player = RandomPlayer::new(Rng::new(3));
    for _ in 0..20 {
        assert!(games.iter().all(|game| *game == games[0]));
        let Some(mv) = player.choose(&games[0].0) else { return };
        for (game, rng) in &mut games {
            game.play(mv, rng).expect("a legal move");
        }
    }
}

/// A player chooses a legal move, and the same one again. One that takes long ends when it is told
/// to.
fn searches<G: Game, P: Player<G>>(rules: G::Rules, new: impl Fn() -> P, takes_long: bool) {
    let (game, _) = opening::<G>(rules, 5);
    let choice = new().choose(&game).expect("a move");
    assert!(game.legal_moves().contains(&choice));
    let player: &mut dyn Player<G> = &mut new();
    assert_eq!(player.choose_until(&game, &|| false), Ok(Some(choice)));
    let stopped = new().choose_until(&game, &|| true);
    assert_eq!(stopped, if takes_long { Err(Stopped) } else { Ok(Some(choice)) });
}

/// A batch, its saved form and one on several threads step alike.
fn steps<G: Games>(rules: impl Into<G::Rules>)
where
    Batch<G>: Serialize + DeserializeOwned,
    G::Error: std::fmt::Debug,
{
    let mut batch = Batch::<G>::new(70, rules, 4).expect("rules of a batch");
    let mut other = through_json(&batch);
    let pool = pool(3);
    let [mut out, mut expected] = [(); 2].map(|()| StepBuffers::new(batch.shape()));
    for step in 0..30 {
        batch.random_step_into(expected.out()).expect("fitting slices");
        other.random_step_into_parallel(&pool, out.out()).expect("fitting slices");
        assert_eq!(out, expected, "step {step}");
        if step % 10 == 0 {
            other = through_json(&batch);
        }
    }
}

/// Plays out from the start, and from a game.
fn plays_out<P: Playouts>(rules: &<P::Game as Game>::Rules, games: u64) {
    let new = || P::new(rules.clone(), 8).expect("rules of playouts");
    let (game, _) = opening::<P::Game>(rules.clone(), 5);
    let from_game = || P::from_game(&game, 8).expect("rules of playouts");
    sums_are_one_call(&new, rules, games);
    sums_are_one_call(&from_game, rules, games);
    assert_ne!(from_game().play(9), new().play(9));
}

/// Sums of a seed in several calls equal those of one, after a stop too, on any number of threads.
fn sums_are_one_call<P: Playouts>(
    new: &dyn Fn() -> P,
    rules: &<P::Game as Game>::Rules,
    games: u64,
) {
    for threads in [1, 3] {
        let pool = pool(threads);
        let mut playouts = new();
        assert_eq!(playouts.rules(), *rules);
        let mut sums =
            playouts.play_until(&pool, games, &|| false, |_| {}).expect("nothing stops it");
        assert_eq!(P::games(&sums), games);
        // Stopped before the first part is visited, and after it.
        for parts in [0, 1] {
            let mut visited = P::Stats::default();
            let seen = AtomicU32::new(0);
            let visit = |so_far: &P::Stats| {
                visited = so_far.clone();
                seen.fetch_add(1, Ordering::Relaxed);
            };
            let stop = || seen.load(Ordering::Relaxed) >= parts;
            assert_eq!(playouts.play_until(&pool, 1 << 40, &stop, visit), Err(Stopped));
            assert_eq!(P::games(&visited) > 0, parts > 0);
            sums += visited;
            sums += playouts.play(10);
        }
        assert_eq!(new().play(P::games(&sums)), sums, "{threads} threads");
    }
}

#[test]
fn match3() {
    use match3::player::{Greedy, Random, Rollout};
    let rules = match3::Rules { moves: 12, ..match3::Rules::default() };
    plays::<match3::Game>(&rules, 20);
    copies_and_saves::<match3::Game>(rules);
    searches::<match3::Game, _>(rules, || Greedy, false);
    searches::<match3::Game, _>(rules, || Random::new(Rng::new(1)), false);
    searches::<match3::Game, _>(rules, || Rollout::new(16, Rng::new(1)), true);
    steps::<match3::batch::BatchGames>(rules);
    plays_out::<match3::Playouts>(&rules, 1000);
}

#[test]
fn g2048() {
    use g2048::expectimax::Limits;
    for size in ["4x4", "3x3"] {
        let rules = g2048::Rules::from(size.parse::<g2048::Size>().expect("a size"));
        plays::<g2048::Game>(&rules, 200);
        copies_and_saves::<g2048::Game>(rules);
        searches::<g2048::Game, _>(rules, || RandomPlayer::new(Rng::new(1)), false);
        steps::<g2048::batch::BatchGames>(rules);
        plays_out::<g2048::Playouts>(&rules, 1000);
    }
    let empty = |after: g2048::Packed| after.empty_cells() as f32;
    let new = || g2048::Expectimax::new(&empty, Limits::depth(3));
    searches::<g2048::Game, _>(g2048::Rules::default(), new, true);
}

#[test]
fn go() {
    use go_mc::search::{SearchPlayer, Settings};
    for side in [5, 9] {
        let rules = go_mc::Rules::from(go_mc::Size::square(side).expect("a size"));
        plays::<go_mc::Game>(&rules, 100);
        copies_and_saves::<go_mc::Game>(rules);
        searches::<go_mc::Game, _>(rules, || RandomPlayer::new(Rng::new(1)), false);
        let new =
            || SearchPlayer::new(rules, Settings::default(), 100).expect("a size of searches");
        searches::<go_mc::Game, _>(rules, new, true);
        steps::<go_mc::batch::BatchGames>(rules);
        plays_out::<go_mc::Playouts>(&rules, 1000);
    }
}

#[test]
fn tetris() {
    for rules in [
        tetris::Rules::GUIDELINE,
        tetris::Rules { hold: false, next: 1, ..tetris::Rules::GUIDELINE },
    ] {
        plays::<tetris::Game>(&rules, 10);
        copies_and_saves::<tetris::Game>(rules);
        searches::<tetris::Game, _>(rules, || RandomPlayer::new(Rng::new(1)), false);
        let new = || tetris_ai::Bot { nodes: 300, ..tetris_ai::Bot::default() };
        searches::<tetris::Game, _>(rules, new, true);
        steps::<tetris::batch::BatchGames>(rules);
        plays_out::<tetris::Playouts>(&rules, 300);
    }
}
