//! Results on several threads equal those on one.

use crate::properties::{batch, values::square};
use go_mc::perft::{self, Passes};
use go_mc::{Game, Ko, Playouts, Rules, Size, Stats, Stop, Stopped, Suicide, ThreadPool};

const THREADS: [usize; 4] = [1, 2, 3, 7];

fn pool(threads: usize) -> ThreadPool {
    ThreadPool::new(threads.try_into().unwrap())
}

#[test]
fn playouts() {
    for (side, suicide, portions) in [
        (5, Suicide::Forbidden, [5000, 70]),
        (5, Suicide::All, [5000, 70]),
        (9, Suicide::Multi, [4500, 70]),
        (13, Suicide::Forbidden, [2100, 3]),
        (19, Suicide::Forbidden, [600, 3]),
        (19, Suicide::All, [260, 3]),
    ] {
        let rules = Rules { suicide, ..square(side) };
        let mut one = Playouts::new(rules, 8).unwrap();
        let expected = portions.map(|games| one.play(games));
        for threads in THREADS {
            let pool = pool(threads);
            let mut several = Playouts::new(rules, 8).unwrap();
            let mut play = |games| several.play_until(&pool, games, &|| false, |_| {}).unwrap();
            assert_eq!(portions.map(&mut play), expected, "{side} {suicide} on {threads} threads");
        }
    }
}

#[test]
fn stopped_playouts_go_on_after_the_games_visited() {
    let chains = Rules { suicide: Suicide::All, ..square(5) };
    for (threads, rules) in [(1, square(5)), (2, square(9)), (3, chains), (7, square(5))] {
        let pool = pool(threads);
        let new = || Playouts::new(rules, 1).unwrap();
        let mut playouts = new();
        let mut stats = Stats::default();
        for calls in [0, 20] {
            let mut visited = Stats::default();
            let stop = testkit::stop_at(calls);
            let stopped =
                playouts.play_until(&pool, u64::MAX / 2, &stop, |so_far| visited = *so_far);
            assert_eq!(stopped, Err(Stopped));
            assert_eq!(visited.games > 0, calls > 0);
            stats += visited;
        }
        stats += playouts.play(10);
        assert_eq!(stats, new().play(stats.games));
    }
}

#[test]
fn perft_by_moves() {
    for (width, height, ko, suicide, passes, depth) in [
        (1, 1, Ko::Simple, Suicide::Forbidden, Passes::Counted, 4),
        (1, 2, Ko::Positional, Suicide::All, Passes::Counted, 8),
        (2, 2, Ko::Situational, Suicide::Forbidden, Passes::LeftOut, 8),
        (3, 3, Ko::Simple, Suicide::Multi, Passes::Counted, 5),
        (7, 2, Ko::Positional, Suicide::Forbidden, Passes::LeftOut, 3),
    ] {
        let game = Game::new(Rules { ko, suicide, ..Size::new(width, height).unwrap().into() });
        for depth in 0..=depth {
            let expected = Ok(perft::perft(&game, depth, passes));
            for threads in THREADS {
                let pool = pool(threads);
                let count = |stop: Stop<'_>| perft::perft_until(&pool, &game, depth, passes, stop);
                assert_eq!(count(&|| false), expected, "{width} x {height}, {threads} threads");
                assert_eq!(count(&|| true).is_err(), depth > 0);
            }
        }
    }
}

#[test]
#[should_panic(expected = "expected a depth of at most 1000 plies, found 1001")]
fn perft_refuses_a_greater_depth() {
    let game = Game::new(square(1));
    drop(perft::perft_until(&pool(2), &game, perft::MAX_DEPTH + 1, Passes::LeftOut, &|| false));
}

testkit::calls_on_threads!();

#[test]
fn batches() {
    for threads in THREADS {
        let calls = Threads(pool(threads));
        testkit::inputs(15, |input| batch::by(input, &calls, &batch::Seen::default()));
    }
}
