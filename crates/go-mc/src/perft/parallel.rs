//! Multi-threaded perft: one task per sequence of two moves.

use super::sequential::{MAX_DEPTH, Passes, after, count, moves, perft_until};
use crate::game::Game;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::ThreadPool;
use core::ops::ControlFlow;

/// Returns the numbers of [`perft_until`], counted on the threads of a pool.
///
/// ```
/// use go_mc::ThreadPool;
/// use go_mc::perft::Passes;
/// use go_mc::{Game, Ko, Rules, perft};
/// let game = Game::new(Rules { size: "2x2".parse()?, ko: Ko::Simple, ..Rules::default() });
/// let pool = ThreadPool::new(2.try_into()?);
/// assert_eq!(perft::perft_parallel(&pool, &game, 4, Passes::LeftOut, &|| false), Some(vec![4, 12, 24, 16]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If `depth` is greater than [`MAX_DEPTH`].
pub fn perft_parallel(
    pool: &ThreadPool,
    game: &Game,
    depth: usize,
    passes: Passes,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<u64>> {
    if !(2..=MAX_DEPTH).contains(&depth) {
        return perft_until(game, depth, passes, stop);
    }
    let roots: Vec<Game> = moves(game, passes).filter_map(|mv| after(game, mv)).collect();
    let tasks = roots.iter().flat_map(|root| moves(root, passes).map(move |mv| (root, mv)));
    let all = roots.iter().map(|root| moves(root, passes).count()).sum::<usize>();
    let from = |(root, mv): (&Game, _)| {
        let mut nodes = vec![0; depth - 1];
        if let Some(next) = after(root, mv) {
            nodes[0] = 1;
            count(&next, passes, &mut nodes[1..], stop)?;
        }
        (!stop()).then_some(nodes)
    };
    let mut nodes = vec![0; depth];
    nodes[0] = roots.len() as u64;
    let mut done = 0;
    pool.map_in_order(tasks, from, |counts| {
        for (sum, count) in nodes[1..].iter_mut().zip(counts) {
            *sum += count;
        }
        done += 1;
        ControlFlow::Continue(())
    });
    (done == all).then_some(nodes)
}
