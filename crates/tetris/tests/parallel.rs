//! Multi-threaded calls match single-threaded ones.

use crate::properties;
use tetris::movegen::SpinMode;
use tetris::{Attack, Board, Game, Playouts, Queue, Rng, Rules, Stats, Stopped, ThreadPool, perft};

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
            let expected = Ok(perft::perft(&board, queue, spin_mode));
            let drops = Ok(perft::hard_drops(&board, queue));
            for pool in pools() {
                assert_eq!(
                    perft::perft_until(&pool, &board, queue, spin_mode, &|| false),
                    expected
                );
                assert_eq!(perft::hard_drops_until(&pool, &board, queue, &|| false), drops);
                assert_eq!(
                    perft::perft_until(&pool, &board, queue, spin_mode, &|| true),
                    Err(Stopped)
                );
                assert_eq!(perft::hard_drops_until(&pool, &board, queue, &|| true), Err(Stopped));
            }
        }
    }
}

#[test]
fn playouts() {
    let rules = Rules { next: 1, ..Rules::default() };
    let whole = Playouts::new(rules, 3).play(500);
    for pool in pools() {
        let mut playouts = Playouts::new(rules, 3);
        let mut sums = vec![Stats::default()];
        let first = playouts.play_until(&pool, 200, &|| false, |sum| sums.push(*sum));
        assert!(sums.len() > 2);
        assert!(sums.windows(2).all(|pair| pair[0].games < pair[1].games));
        assert_eq!(first.as_ref(), Ok(sums.last().unwrap()));
        for sum in sums {
            assert_eq!(sum, Playouts::new(rules, 3).play(sum.games));
        }

        // Stopped at the start, in the first part, later, and in the last part.
        let mut all = first.unwrap();
        for last in [0, 40, 150, 299] {
            let mut playouts = playouts.clone();
            let mut sum = Stats::default();
            let stop = testkit::stop_at(last);
            assert_eq!(
                playouts.play_until(&pool, 300, &stop, |so_far| sum = *so_far),
                Err(Stopped)
            );
            assert!(sum.games <= last.into(), "{sum:?}");
            assert!(last < 150 || sum.games > 0 || pool.threads() > 1, "{sum:?}");
            let mut rest = playouts.play_until(&pool, 300 - sum.games, &|| false, |_| {}).unwrap();
            rest += sum;
            rest += first.unwrap();
            assert_eq!(rest, whole);
        }
        all += playouts.play(300);
        assert_eq!(all, whole);
    }
}

#[test]
fn playouts_from_a_position() {
    let mut game = Game::new(Rules::default(), &mut Rng::new(5));
    game.receive(Attack { lines: 4, column: 3 }).unwrap();
    let mv = game.legal_moves()[20];
    for start in [Playouts::from_game(&game, 3), Playouts::after_move(&game, mv, 3).unwrap()] {
        let whole = start.clone().play(200);
        for pool in pools() {
            let mut playouts = start.clone();
            let mut all = playouts.play_until(&pool, 150, &|| false, |_| {}).unwrap();
            all += playouts.play(50);
            assert_eq!(all, whole);
        }
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
