//! Several threads give the same results as one.

use crate::levels::learn::saved;
use crate::properties;
use g2048::expectimax::Limits;
use g2048::network::LearnerSettings;
use g2048::{
    Batch, Board, Expectimax, Game, Kernel, Learner, Packed, Perft, Player, Playouts, RandomPlayer,
    Rng, Rules, Size, Stats, Stop, Stopped, ThreadPool, play_games_until, solve, solve_until,
};
use quickcheck::QuickCheck;
use std::sync::atomic::{AtomicU64, Ordering};

const THREADS: [usize; 4] = [1, 2, 3, 7];

fn pool(threads: usize) -> ThreadPool {
    ThreadPool::new(threads.try_into().unwrap())
}

#[test]
fn playouts_4x4() {
    let mut one = Playouts::new(Size::CLASSIC, 5);
    // Within a block, across its end, and two more blocks.
    let portions = [10, 65_000, 1_000, 131_072];
    let expected = portions.map(|games| one.play(games));
    for threads in THREADS {
        let pool = pool(threads);
        let mut several = Playouts::new(Size::CLASSIC, 5);
        let mut play = |games| several.play_until(&pool, games, &|| false, |_| {}).unwrap();
        assert_eq!(portions.map(&mut play), expected);
    }
}

#[test]
fn playouts_from_a_position() {
    let game = Game::from("2 4 8 16\n. 2 4 8\n. . 2 2\n. . . 4096".parse::<Board>().unwrap());
    let mut one = Playouts::from_game(&game, 5);
    // Within a block, across its end, and two more blocks.
    let portions = [10, 8_000, 500, 16_384];
    let expected = portions.map(|games| one.play(games));
    for threads in THREADS {
        let pool = pool(threads);
        let mut several = Playouts::from_game(&game, 5);
        let mut play = |games| several.play_until(&pool, games, &|| false, |_| {}).unwrap();
        assert_eq!(portions.map(&mut play), expected);
    }
}

#[test]
fn playouts() {
    fn check(seed: u64, size: u8, first: u16, second: u16) -> bool {
        let size = Size::new(2 + usize::from(size) % 3, 2 + usize::from(size / 3) % 3).unwrap();
        let first = u64::from(first) % 3000;
        let second = u64::from(second) % 300;
        let mut one = Playouts::with_kernel(size, seed, Kernel::AnySize);
        let expected = [one.play(first), one.play(second)];
        THREADS.into_iter().all(|threads| {
            let pool = pool(threads);
            let mut several = Playouts::with_kernel(size, seed, Kernel::AnySize);
            let mut run = |games| several.play_until(&pool, games, &|| false, |_| {}).unwrap();
            [run(first), run(second)] == expected
        })
    }
    QuickCheck::new().tests(10).quickcheck(check as fn(u64, u8, u16, u16) -> bool);
}

#[test]
fn stopped_playouts_go_on_after_the_games_visited() {
    for threads in THREADS {
        let pool = pool(threads);
        for (size, kernel) in [("4x4", Kernel::Lanes), ("3x4", Kernel::AnySize)] {
            let new = || Playouts::with_kernel(size.parse::<Size>().unwrap(), 1, kernel);
            let mut games = new();
            let mut stats = Stats::default();
            // At once, and after a few parts.
            for calls in [0, 60] {
                let mut visited = Stats::default();
                let stop = testkit::stop_at(calls);
                let stopped = games.play_until(&pool, u64::MAX, &stop, |so_far| visited = *so_far);
                assert_eq!(stopped, Err(Stopped));
                assert_eq!(visited.games > 0, calls > 0);
                stats += visited;
            }
            stats += games.play(10);
            assert_eq!(stats, new().play(stats.games));
        }
    }
}

#[test]
fn playouts_of_a_large_size() {
    let expected = Playouts::new(Size::new(6, 6).unwrap(), 3).play(200);
    for threads in THREADS {
        let mut several = Playouts::new(Size::new(6, 6).unwrap(), 3);
        let mut stats = Stats::default();
        for games in [150, 0, 1, 49] {
            stats += several.play_until(&pool(threads), games, &|| false, |_| {}).unwrap();
        }
        assert_eq!(stats, expected);
    }
}

#[test]
fn a_stopped_reset_leaves_games_that_go_on() {
    const GAMES: usize = 2000;
    for threads in THREADS {
        let pool = pool(threads);
        let mut batch = Batch::new(GAMES, Size::CLASSIC, 1).unwrap();
        let mut obs = vec![0; GAMES * 16];
        let mut mask = vec![false; GAMES * 4];
        let mut actions = vec![0; GAMES];
        for round in 0..4 {
            batch.sample_into(&mut actions).unwrap();
            let asked = AtomicU64::new(0);
            let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 9;
            let ended = if round % 2 == 0 {
                batch.reset_into_until(&pool, &mut obs, &mut mask, &stop)
            } else {
                batch.reset_some_into_until(&[true; GAMES], &mut obs, &mut mask, &stop)
            };
            assert_eq!(ended, Err(Stopped));
            // Work ends soon after the stop: 2,000 games are 63 groups.
            assert!(asked.into_inner() < 20);
        }
        batch.reset_into(&mut obs, &mut mask).unwrap();
        let mut fresh = Batch::new(GAMES, Size::CLASSIC, 1).unwrap();
        let mut expected = vec![0; GAMES * 16];
        let mut legal = vec![false; GAMES * 4];
        fresh.reset_into(&mut expected, &mut legal).unwrap();
        assert_eq!(obs, expected);
        assert_eq!(mask, legal);
    }
}

#[test]
fn perft_by_boards() {
    for (board, depth) in
        [("2 . \n . 2", 40), (". 2 .\n2 4 .", 8), ("2 . . .\n. . . .\n. . . .\n. . . 2", 3)]
    {
        let board: Board = board.parse().unwrap();
        let expected: Vec<_> = Perft::new(&board).take(depth).collect();
        for threads in THREADS {
            let pool = pool(threads);
            let mut rows = Perft::new(&board);
            for (at, row) in expected.iter().enumerate() {
                if at % 3 == 1 {
                    // A stopped row is counted again, on any number of threads.
                    assert_eq!(rows.next_until(&pool, &|| true), Err(Stopped));
                }
                let single = &ThreadPool::single();
                let pool = if at % 4 == 3 { single } else { &pool };
                assert_eq!(rows.next_until(pool, &|| false), Ok(Some(*row)));
                assert_eq!(rows.boards().count() as u64, row.unwrap().distinct);
            }
            if expected.len() < depth {
                assert_eq!(rows.next_until(&pool, &|| false), Ok(None));
            }
        }
    }
}

#[test]
fn a_stopped_perft_ends_soon() {
    let board: Board = "2 . . .\n. . . .\n. . . .\n. . . 2".parse().unwrap();
    for threads in THREADS {
        let pool = pool(threads);
        let mut rows = Perft::new(&board);
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 30;
        let counted = (0..40).map_while(|_| rows.next_until(&pool, &stop).ok()).count();
        assert!((2..6).contains(&counted), "{counted} rows");
        assert!(asked.into_inner() < 60);
        let last = Perft::new(&board).nth(counted - 1).unwrap().unwrap();
        assert_eq!(rows.boards().count() as u64, last.distinct);
        assert_eq!(last.depth as usize, counted);
    }
}

#[test]
fn solutions() {
    // The largest size takes seconds, so one number of threads is enough there.
    for (width, height, threads) in
        [(2, 2, &[2, 3, 7][..]), (3, 2, &[2, 7]), (2, 3, &[2, 3]), (4, 2, &[3])]
    {
        let size = Size::new(width, height).unwrap();
        let expected = solve(size);
        for &threads in threads {
            assert_eq!(solve_until(&pool(threads), size, &|| false), Ok(expected));
        }
    }
}

/// Plays a game of the stream with the loop from the docs.
fn played(mut player: impl Player<Game>, rules: Rules, mut rng: Rng) -> Game {
    let mut game = Game::new(rules, &mut rng);
    while let Some(direction) = player.choose(&game) {
        game.play(direction, &mut rng).unwrap();
    }
    game
}

#[test]
fn expectimax_games() {
    let evaluate = |after: Packed| after.empty_cells() as f32;
    let limits = Limits { depth: 2, min_probability: 0.01 };
    let player = |_| Expectimax::new(&evaluate, limits);
    let rules = Rules::default();
    let expected: Vec<_> =
        (3..9).map(|game| played(player(game), rules, Rng::stream(4, game))).collect();
    for threads in THREADS {
        let pool = pool(threads);
        let mut found = Vec::new();
        let mut play = |rules: Rules, stop: Stop<'_>| {
            found.clear();
            let played = play_games_until(&pool, player, rules, 4, 3..9, stop, |game| {
                found.push(game.clone());
            });
            (played, found.clone())
        };
        assert_eq!(play(rules, &|| false), (Ok(()), expected.clone()));
        assert_eq!(play(rules, &|| true), (Err(Stopped), vec![]));
        // The search returns no move on other sizes.
        let (played, games) = play(Size::new(3, 3).unwrap().into(), &|| false);
        assert_eq!(played, Ok(()));
        assert!(games.len() == 6 && games.iter().all(|game| game.moves() == 0 && !game.is_over()));
    }
}

#[test]
fn games_of_random_players() {
    let rules = Rules::from(Size::new(3, 4).unwrap());
    let player = |game| RandomPlayer::new(Rng::new(game));
    let expected: Vec<_> =
        (0..50).map(|game| played(player(game), rules, Rng::stream(9, game))).collect();
    for threads in THREADS {
        let pool = pool(threads);
        let mut found = Vec::new();
        let visit = |game: &Game| found.push(game.clone());
        assert_eq!(play_games_until(&pool, player, rules, 9, 0..50, &|| false, visit), Ok(()));
        assert_eq!(found, expected);
        // The games before the stop, in order.
        found.clear();
        let visit = |game: &Game| found.push(game.clone());
        let stop = testkit::stop_at(500);
        assert_eq!(play_games_until(&pool, player, rules, 9, 0..50, &stop, visit), Err(Stopped));
        assert!(found.len() < 50 && found == expected[..found.len()]);
    }
}

testkit::calls_on_threads!();

#[test]
fn batches() {
    for threads in THREADS {
        let calls = Threads(pool(threads));
        testkit::inputs(50, |input| properties::batch::by(input, &calls));
    }
}

#[test]
fn learning() {
    let new = || Learner::new(LearnerSettings::default(), 3).unwrap();
    // A pool of one thread learns the same.
    let mut one = new();
    let mut pooled = new();
    one.learn(3_000);
    pooled.learn_parallel(&pool(1), 3_000);
    assert!(saved(&one) == saved(&pooled) && pooled.is_repeatable());
    // Several threads play more games at a time and learn, too.
    let threads = 3;
    let mut several = new();
    several.learn_parallel(&pool(threads), 60_000);
    assert_eq!(several.rounds(), 60_000);
    assert_eq!(several.settings().concurrent_games, 4 * threads);
    assert!(!several.is_repeatable());
    // How many games have ended depends on the order of the threads.
    for _ in 0..9 {
        if several.curve().is_empty() {
            several.learn_parallel(&pool(threads), 20_000);
        }
    }
    let games = several.games() + 50;
    several.learn_games_parallel(&pool(threads), games, u64::MAX);
    assert_eq!(several.games(), games);
    let first = several.curve()[0];
    assert!(first.score > 4_000 * 1_000, "{first:?}");
    // The result of several threads can be saved and loaded, and one thread continues repeatably.
    let [mut loaded, mut again] = [(); 2].map(|()| Learner::load(&saved(&several)).unwrap());
    assert!(saved(&loaded) == saved(&several) && !loaded.is_repeatable());
    loaded.learn(100);
    again.learn(100);
    assert!(saved(&loaded) == saved(&again) && saved(&loaded) != saved(&several));
}
