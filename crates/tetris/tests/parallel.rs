//! Several threads give the result of one.

use bitcore::ThreadPool;
use quickcheck::QuickCheck;
use std::num::NonZeroU32;
use tetris::batch::{Actions, Autoreset, Batch, BatchRules};
use tetris::movegen::SpinMode;
use tetris::{Board, Queue, perft};

const THREADS: [usize; 4] = [1, 2, 3, 7];

fn pool(threads: usize) -> ThreadPool {
    ThreadPool::new(threads.try_into().unwrap())
}

#[test]
fn perft_by_roots() {
    let tspin: Board = "3f,3f,1f,7,1,0,d,1f,3f,ff".parse().unwrap();
    for (board, queue, spin_mode) in [
        (Board::EMPTY, "IOLJS", SpinMode::Ignore),
        (tspin, "IOTL", SpinMode::TSpins),
        (tspin, "T", SpinMode::TSpins),
    ] {
        let queue: Queue = queue.parse().unwrap();
        for depth in 0..=queue.len() {
            let queue = &queue[..depth];
            let expected = Some(perft::perft(&board, queue, spin_mode));
            let drops = Some(perft::hard_drops(&board, queue));
            for threads in THREADS {
                let pool = pool(threads);
                assert_eq!(perft::perft_parallel(&pool, &board, queue, spin_mode, &|| false), expected);
                assert_eq!(perft::hard_drops_parallel(&pool, &board, queue, &|| false), drops);
                assert_eq!(perft::perft_parallel(&pool, &board, queue, spin_mode, &|| true), None);
                assert_eq!(perft::hard_drops_parallel(&pool, &board, queue, &|| true), None);
            }
        }
    }
}

#[test]
fn batches() {
    fn check(seed: u64, games: u8, mode: bool) {
        let (mode, actions) = if mode {
            (Autoreset::SameStep, Actions::Drops)
        } else {
            (Autoreset::NextStep, Actions::Placements)
        };
        let rules = BatchRules { actions, max_pieces: NonZeroU32::new(7), ..BatchRules::default() };
        let batch = Batch::new(games.into(), seed, rules).unwrap().with_autoreset(mode);
        testkit::check_parallel_batch!(batch, 20);
    }
    QuickCheck::new().tests(5).quickcheck(check as fn(u64, u8, bool));
}
