//! Several threads give the result of one.

use crate::properties;
use bitcore::ThreadPool;
use match3::agent::PlayError;
use match3::{Player, Playouts, Rules};

const THREADS: [usize; 4] = [1, 2, 3, 7];

fn pool(threads: usize) -> ThreadPool {
    ThreadPool::new(threads.try_into().unwrap())
}

#[test]
fn players() {
    let rules = Rules { width: 7, height: 6, colors: 5, moves: 8 };
    for (player, games) in [(Player::Random, 3..104), (Player::Greedy, 0..40), (Player::Rollout(16), 1..5)] {
        let expected: Vec<u64> = player.games(rules, 9, games.clone()).map(Result::unwrap).collect();
        for threads in THREADS {
            let (pool, mut found) = (pool(threads), Vec::new());
            let visit = |score| found.push(score);
            assert_eq!(player.games_parallel(&pool, rules, 9, games.clone(), &|| false, visit), Ok(()));
            assert_eq!(found, expected);
            let stopped = player.games_parallel(&pool, rules, 9, games.clone(), &|| true, |_| {});
            assert_eq!(stopped, Err(PlayError::Stopped));
            let wrong = Rules { colors: 2, ..rules };
            let refused = player.games_parallel(&pool, wrong, 9, games.clone(), &|| false, |_| {});
            assert!(matches!(refused, Err(PlayError::Deal(_))));
        }
    }
}

#[test]
fn playouts() {
    for colors in [6, 9] {
        let mut one = Playouts::new(300, colors, 2).unwrap();
        let expected = [one.run(20), one.run(3)];
        for threads in THREADS {
            let (pool, mut several) = (pool(threads), Playouts::new(300, colors, 2).unwrap());
            assert_eq!([20, 3].map(|moves| several.run_parallel(&pool, moves)), expected);
            assert_eq!(several.games(), one.games());
        }
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
