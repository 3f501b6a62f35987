//! Several threads give the result of one.
#![cfg(feature = "parallel")]

use bitcore::ThreadPool;
use go_mc::{Playouts, Policy, Stats};
use std::sync::atomic::{AtomicU64, Ordering};

/// The numbers of threads.
const THREADS: [usize; 4] = [1, 2, 3, 7];

fn pool(threads: usize) -> ThreadPool {
    ThreadPool::new(threads.try_into().unwrap())
}

#[test]
fn playouts() {
    for (size, policy, portions) in [
        (5, Policy::NoSuicide, [5000, 70]),
        (5, Policy::FooGo, [5000, 70]),
        (9, Policy::MultiSuicide, [4500, 70]),
        (13, Policy::NoSuicide, [2100, 3]),
        (19, Policy::NoSuicide, [600, 3]),
        (19, Policy::FooGo, [260, 3]),
    ] {
        let mut one = Playouts::new(size, policy, 8).unwrap();
        let expected = portions.map(|games| one.run(games));
        for threads in THREADS {
            let (pool, mut several) = (pool(threads), Playouts::new(size, policy, 8).unwrap());
            let found = portions.map(|games| several.run_parallel(&pool, games, &|| false));
            assert_eq!(found, expected, "{size} {policy:?} on {threads} threads");
        }
    }
}

#[test]
fn stopped_playouts_are_the_first_games() {
    for threads in THREADS {
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 5;
        let playouts = || Playouts::new(5, Policy::NoSuicide, 1).unwrap();
        let stats = playouts().run_parallel(&pool(threads), u64::MAX / 2, &stop);
        assert_eq!(stats.games % 2048, 0);
        assert_eq!(stats, playouts().run(stats.games));
        assert_eq!(playouts().run_parallel(&pool(threads), 100, &|| true), Stats::default());
    }
}
