//! Multi-threaded perft: one task per sequence of two moves.

use super::sequential::{MAX_DEPTH, Passes, after, count, moves};
use crate::rules::game::Game;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped, ThreadPool};
use core::ops::ControlFlow;

/// Returns the numbers of [`perft`](super::perft), counted on the threads of a pool.
///
/// ```
/// use go_mc::perft::Passes;
/// use go_mc::{Game, Ko, Rules, ThreadPool, perft};
/// let game = Game::new(Rules { size: "2x2".parse()?, ko: Ko::Simple, ..Rules::default() });
/// let nodes = perft::perft_until(&ThreadPool::single(), &game, 4, Passes::LeftOut, &|| false);
/// assert_eq!(nodes, Ok(vec![4, 12, 24, 16]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`Stopped`] if `stop` returned `true`.
///
/// # Panics
///
/// If `depth` is greater than [`MAX_DEPTH`].
pub fn perft_until(
    pool: &ThreadPool,
    game: &Game,
    depth: usize,
    passes: Passes,
    stop: Stop<'_>,
) -> Result<Vec<u64>, Stopped> {
    assert!(depth <= MAX_DEPTH, "expected a depth of at most {MAX_DEPTH} plies, found {depth}");
    let mut nodes = vec![0; depth];
    if depth < 2 || pool.threads() == 1 {
        return count(&mut game.clone(), passes, &mut nodes, stop).map(|()| nodes).ok_or(Stopped);
    }
    let roots: Vec<Game> = moves(game, passes).map(|mv| after(game, mv)).collect();
    let tasks = roots.iter().flat_map(|root| moves(root, passes).map(move |mv| (root, mv)));
    let all = roots.iter().map(|root| moves(root, passes).count()).sum::<usize>();
    let from = |(root, mv): (&Game, _)| {
        let mut nodes = vec![0; depth - 1];
        nodes[0] = 1;
        count(&mut after(root, mv), passes, &mut nodes[1..], stop)?;
        (!stop()).then_some(nodes)
    };
    nodes[0] = roots.len() as u64;
    let mut done = 0;
    pool.map_in_order(tasks, from, |counts| {
        for (sum, count) in nodes[1..].iter_mut().zip(counts) {
            *sum += count;
        }
        done += 1;
        ControlFlow::Continue(())
    });
    if done == all { Ok(nodes) } else { Err(Stopped) }
}
