//! Multi-threaded calls match single-threaded ones.

use crate::properties;
use bitcade_core::ThreadPool;
use std::sync::atomic::{AtomicUsize, Ordering};
use tetris::movegen::SpinMode;
use tetris::{Board, Playouts, Queue, Rules, Stats, perft};

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

#[test]
fn playouts() {
    let rules = Rules { next: 1, ..Rules::default() };
    let mut one = Playouts::new(rules, 3);
    let expected = [one.play(70), one.play(13)];
    for pool in pools() {
        let mut many = Playouts::new(rules, 3);
        let mut sums = vec![Stats::default()];
        let first = many.play_parallel(&pool, 70, &|| false, |sum| sums.push(*sum));
        assert!(sums.windows(2).all(|pair| pair[0].games < pair[1].games));
        assert_eq!(sums.last(), Some(&first));
        assert_eq!([first, many.play(13)], expected);

        // Stopped early: the games played so far are the first ones, and the next call continues after them.
        let asked = AtomicUsize::new(0);
        let mut stopped = Playouts::new(rules, 3);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 40;
        let mut all = stopped.play_parallel(&pool, 83, &stop, |_| {});
        assert!(all.games < 83);
        assert_eq!(all, Playouts::new(rules, 3).play(all.games));
        all += stopped.play(83 - all.games);
        let mut whole = expected[0];
        whole += expected[1];
        assert_eq!(all, whole);
    }
}

testkit::calls_on_threads!();

#[test]
fn batches() {
    for pool in pools() {
        let calls = Threads(pool);
        testkit::inputs(20, |input| properties::batch::by(input, &calls));
        testkit::inputs(20, |input| properties::keys::by(input, &calls));
    }
}
