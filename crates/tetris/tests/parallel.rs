//! Several threads give the result of one.

use crate::properties;
use bitcore::ThreadPool;
use tetris::movegen::SpinMode;
use tetris::{Board, Queue, perft};

fn pools() -> impl Iterator<Item = ThreadPool> {
    [1usize, 2, 3, 7].into_iter().map(|threads| ThreadPool::new(threads.try_into().unwrap()))
}

#[test]
fn perft_by_roots() {
    let tspin: Board = properties::values::OVERHANGS[0].parse().unwrap();
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
            for pool in pools() {
                assert_eq!(perft::perft_parallel(&pool, &board, queue, spin_mode, &|| false), expected);
                assert_eq!(perft::hard_drops_parallel(&pool, &board, queue, &|| false), drops);
                assert_eq!(perft::perft_parallel(&pool, &board, queue, spin_mode, &|| true), None);
                assert_eq!(perft::hard_drops_parallel(&pool, &board, queue, &|| true), None);
            }
        }
    }
}

testkit::calls_on_threads!();

#[test]
fn batches() {
    for pool in pools() {
        let calls = Threads(pool);
        testkit::inputs(20, |input| properties::batch::by(input, &calls));
    }
}
