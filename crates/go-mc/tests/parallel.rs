//! Results on several threads equal those on one.

use crate::properties::{batch, values::square};
use bitcade_core::ThreadPool;
use go_mc::{Game, Ko, Playouts, Rules, Size, Stats, Suicide, perft, perft::Passes};
use std::sync::atomic::{AtomicU64, Ordering};

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
            let (pool, mut several) = (pool(threads), Playouts::new(rules, 8).unwrap());
            let found = portions.map(|games| several.play_parallel(&pool, games, &|| false, |_| {}));
            assert_eq!(found, expected, "{side} {suicide} on {threads} threads");
        }
    }
}

#[test]
fn stopped_playouts_are_the_first_games() {
    for threads in THREADS {
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 5;
        let playouts = || Playouts::new(square(5), 1).unwrap();
        let mut shown = Stats::default();
        let stats = playouts().play_parallel(&pool(threads), u64::MAX / 2, &stop, |so_far| shown = *so_far);
        assert_eq!((stats, stats.games % 2048), (shown, 0));
        assert_eq!(stats, playouts().play(stats.games));
        assert_eq!(playouts().play_parallel(&pool(threads), 100, &|| true, |_| {}), Stats::default());
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
            let expected = Some(perft::perft(&game, depth, passes));
            for threads in THREADS {
                let pool = pool(threads);
                let count = |stop: &(dyn Fn() -> bool + Sync)| {
                    perft::perft_parallel(&pool, &game, depth, passes, stop)
                };
                assert_eq!(count(&|| false), expected, "{width} x {height}, {threads} threads");
                assert_eq!(count(&|| true).is_none(), depth > 0);
            }
        }
    }
}

#[test]
#[should_panic(expected = "expected a depth of at most 1000 plies, found 1001")]
fn perft_refuses_a_greater_depth() {
    let game = Game::new(square(1));
    perft::perft_parallel(&pool(2), &game, perft::MAX_DEPTH + 1, Passes::LeftOut, &|| false);
}

testkit::calls_on_threads!();

#[test]
fn batches() {
    for threads in THREADS {
        let calls = Threads(pool(threads));
        testkit::inputs(15, |input| batch::by(input, &calls, &batch::Seen::default()));
    }
}
