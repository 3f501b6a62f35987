//! Several threads give the result of one.

use bitcore::ThreadPool;
use quickcheck::QuickCheck;
use std::num::NonZeroU32;
use tetris::batch::{Actions, Autoreset, Batch, BatchRules, StepBuffers};
use tetris::movegen::SpinMode;
use tetris::{Board, Queue, perft};

/// The numbers of threads.
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
    fn check(seed: u64, games: u8, mode: u8) -> bool {
        let modes = [Autoreset::SameStep, Autoreset::NextStep];
        let actions = [Actions::Drops, Actions::Placements][usize::from(mode / 2) % 2];
        let rules = BatchRules { actions, max_pieces: NonZeroU32::new(7), ..BatchRules::default() };
        let batch = Batch::new(games.into(), seed, rules).unwrap();
        let batch = batch.with_autoreset(modes[usize::from(mode) % 2]);
        THREADS.into_iter().all(|threads| {
            let (pool, mut one, mut several) = (pool(threads), batch.clone(), batch.clone());
            let (mut expected, mut found) = (StepBuffers::new(one.shape()), StepBuffers::new(one.shape()));
            (0..20).all(|step| {
                if step % 10 == 0 {
                    one.reset_into(&mut expected.obs, &mut expected.mask).unwrap();
                    several.reset_into_parallel(&pool, &mut found.obs, &mut found.mask).unwrap();
                } else if step % 2 == 0 {
                    one.random_step_into(expected.out()).unwrap();
                    several.random_step_into_parallel(&pool, found.out()).unwrap();
                } else {
                    let legal = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap_or(0) as u32;
                    let actions: Vec<u32> = expected.mask.chunks(one.actions()).map(legal).collect();
                    one.step_into(&actions, expected.out()).unwrap();
                    several.step_into_parallel(&pool, &actions, found.out()).unwrap();
                }
                let results = |batch: &Batch| {
                    let envs = (0..batch.len()).filter_map(|i| batch.game(i));
                    envs.map(|env| (env.action(), env.lock_result())).collect::<Vec<_>>()
                };
                found == expected && results(&one) == results(&several)
            })
        })
    }
    QuickCheck::new().tests(5).quickcheck(check as fn(u64, u8, u8) -> bool);
}
