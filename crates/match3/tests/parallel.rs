//! Several threads give the result of one.

use bitcore::ThreadPool;
use bitcore::batch::Autoreset;
use match3::agent::PlayError;
use match3::{Batch, Player, Playouts, Rules};
use quickcheck::QuickCheck;

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

#[test]
fn batches() {
    fn check(seed: u64, games: u8, mode: bool) {
        let mode = if mode { Autoreset::SameStep } else { Autoreset::NextStep };
        let rules = Rules { width: 5, height: 6, colors: 4, moves: 3 };
        let batch = Batch::new(games.into(), seed, rules).unwrap().with_autoreset(mode);
        testkit::check_parallel_batch!(batch, 20);
    }
    QuickCheck::new().tests(10).quickcheck(check as fn(u64, u8, bool));
}
