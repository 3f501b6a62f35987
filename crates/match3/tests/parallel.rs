//! Several threads return the same results as one.

use crate::properties;
use match3::player::PlayError;
use match3::{
    Axis, Board, Game, PlayerKind, Playouts, Rng, Rules, Stats, Stopped, Swap, SwapError,
    ThreadPool,
};

const THREADS: [usize; 4] = [1, 2, 3, 7];

fn pool(threads: usize) -> ThreadPool {
    ThreadPool::new(threads.try_into().unwrap())
}

#[test]
fn players() {
    let rules = Rules { width: 7, height: 6, colors: 5, moves: 8 };
    for (player, games) in
        [(PlayerKind::Random, 3..104), (PlayerKind::Greedy, 0..40), (PlayerKind::Rollout(16), 1..5)]
    {
        let expected: Vec<u64> =
            player.games(rules, 9, games.clone()).map(Result::unwrap).collect();
        for threads in THREADS {
            let pool = pool(threads);
            let mut found = Vec::new();
            let visit = |score| found.push(score);
            assert_eq!(
                player.games_until(&pool, rules, 9, games.clone(), &|| false, visit),
                Ok(Ok(()))
            );
            assert_eq!(found, expected);
            let stopped = player.games_until(&pool, rules, 9, games.clone(), &|| true, |_| {});
            assert_eq!(stopped, Err(Stopped));
            let wrong = Rules { colors: 2, ..rules };
            let refused = player.games_until(&pool, wrong, 9, games.clone(), &|| false, |_| {});
            assert!(matches!(refused, Ok(Err(PlayError::Deal(_)))));
        }
    }
}

#[test]
fn playouts() {
    for (colors, width, moves) in [(6, 8, 3), (9, 8, 3), (6, 9, 3), (6, 8, 3000)] {
        let rules = Rules { colors, width, moves, ..Rules::default() };
        let games = if moves == 3 { [3000, 70] } else { [200, 3] };
        let mut one = Playouts::new(rules, 2).unwrap();
        let expected = games.map(|games| one.play(games));
        for threads in THREADS {
            let pool = pool(threads);
            let mut several = Playouts::new(rules, 2).unwrap();
            for (games, expected) in games.into_iter().zip(expected) {
                let mut seen = Vec::new();
                let found = several.play_until(&pool, games, &|| false, |sums| seen.push(*sums));
                assert_eq!(found, Ok(expected));
                assert_eq!(seen.last(), Some(&expected));
                assert!(seen.is_sorted_by(|before, after| before.games < after.games));
            }
            assert_eq!(several, one);
        }
    }
}

#[test]
fn playouts_from_a_position() {
    let board: Board = "1213#\n31224\n2331!2\n1.442\n44113".parse().unwrap();
    let rules = Rules { width: 5, height: 5, colors: 4, moves: 9 };
    let full = Game::new(Rules { moves: 9, ..Rules::default() }, &mut Rng::new(3)).unwrap();
    for game in [full, Game::with_board(rules, &board).unwrap()] {
        let swap = game.legal_moves()[0];
        for one in [Playouts::from_game(&game, 2), Playouts::after_move(&game, swap, 2).unwrap()] {
            let expected = one.clone().play(900);
            for threads in THREADS {
                let pool = pool(threads);
                let mut several = one.clone();
                let first = several.play_until(&pool, 600, &|| false, |_| {}).unwrap();
                assert_eq!(several.play_until(&pool, 900, &|| true, |_| {}), Err(Stopped));
                let mut sums = several.play_until(&pool, 300, &|| false, |_| {}).unwrap();
                sums += first;
                assert_eq!(sums, expected);
            }
        }
    }
}

#[test]
fn playouts_of_a_game_that_is_over_have_no_moves() {
    let rules = Rules { width: 4, height: 1, colors: 3, moves: 5 };
    let dead = Game::with_board(rules, &"1122".parse().unwrap()).unwrap();
    let mut played = Game::new(Rules { moves: 1, ..Rules::default() }, &mut Rng::new(3)).unwrap();
    played.play(played.legal_moves()[0], &mut Rng::new(4)).unwrap();
    for game in [dead, played] {
        let stats = Playouts::from_game(&game, 1).play(70);
        assert_eq!(stats.games, 70);
        assert_eq!(stats.moves, 0);
        assert_eq!(stats.cleared, 0);
        assert_eq!(stats.score.sum, 70 * i128::from(game.score()));
        let swap = Swap { x: 0, y: 0, axis: Axis::Horizontal };
        assert_eq!(Playouts::after_move(&game, swap, 1), Err(SwapError::GameOver));
    }
}

#[test]
fn playouts_that_are_stopped_go_on() {
    for (threads, moves) in [(1, 30), (2, 30), (2, 100_000)] {
        let rules = Rules { moves, ..Rules::default() };
        let pool = pool(threads);
        let games = if moves == 30 { 20_000 } else { 300 };
        let mut playouts = Playouts::new(rules, 2).unwrap();
        assert_eq!(
            playouts.play_until(&pool, games, &|| true, |_| panic!("no game")),
            Err(Stopped)
        );
        // On the portable level, which another test may have set, short games only ask before each
        // of the parts, three or more.
        for most in [2, 8] {
            let mut playouts = playouts.clone();
            let mut stats = Stats::default();
            let visit = |so_far: &Stats| stats = *so_far;
            let played = playouts.play_until(&pool, games, &testkit::stop_at(most), visit);
            assert_eq!(played.is_ok(), stats.games == games);
            assert!(stats.games < games || most == 8, "{}", stats.games);
            stats += playouts.play(10);
            let played = stats.games;
            assert_eq!(Playouts::new(rules, 2).unwrap().play(played), stats);
        }
    }
}

testkit::calls_on_threads!();

#[test]
fn batches() {
    for threads in THREADS {
        let calls = Threads(pool(threads));
        testkit::inputs(50, |input| properties::batch::by(input, &calls));
        testkit::inputs(50, |input| crate::level::batch::by(input, &calls));
    }
}
