//! Multi-threaded perft.
//!
//! ```text
//! repeat until all boards of the last row are extended:
//!     in parallel, one task per 128 boards of the last row:  list the boards after them, by shard
//!     in parallel, one task per shard:                       add the listed boards to the shard's map
//! ```
//!
//! The shard of a board depends only on its cells, so no two threads write to the same map.

use super::{Frontier, NoRow, Paths, Perft, PerftError, PerftRow, add, deepen, extend, reserve};
use crate::board::Board;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped, ThreadPool};
use bitcore::bits::fold;
use core::iter::from_fn;

/// Maps per row: several for each thread of a large machine.
const SHARDS: usize = 64;
/// Boards per task; their children take about 1 MB.
const BOARDS_PER_TASK: usize = 128;
/// Tasks per thread between two merges.
const TASKS_PER_THREAD: usize = 4;

impl Perft {
    /// Returns the next row, like [`next`](Iterator::next), counted on the threads of a pool. Each
    /// thread takes a few more megabytes of memory.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The next call counts the same row again.
    ///
    /// ```
    /// use g2048::{Board, Perft, Stopped, ThreadPool};
    /// let corners: Board = "2 . \n . 2".parse()?;
    /// let pool = ThreadPool::single();
    /// let mut perft = Perft::new(&corners);
    /// assert_eq!(perft.next_until(&pool, &|| true), Err(Stopped));
    /// let row = perft.next_until(&pool, &|| false)?.ok_or("a row")??;
    /// assert_eq!((row.depth, row.nodes), (1, 16));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn next_until(
        &mut self,
        pool: &ThreadPool,
        stop: Stop<'_>,
    ) -> Result<Option<Result<PerftRow, PerftError>>, Stopped> {
        if pool.threads() == 1 || self.boards().nth(BOARDS_PER_TASK).is_none() {
            self.next_row(|frontier| deepen(frontier, stop))
        } else {
            self.next_row(|frontier| deepen_by_threads(pool, frontier, stop))
        }
    }
}

struct Children {
    /// The boards one move later, by shard.
    shards: Vec<Vec<(Board, Paths)>>,
    /// The number of paths that can't continue.
    dead: u128,
}

fn deepen_by_threads(
    pool: &ThreadPool,
    frontier: &[Frontier],
    stop: Stop<'_>,
) -> Result<(Vec<Frontier>, u128), NoRow> {
    let mut next: Vec<Frontier> = (0..SHARDS).map(|_| Frontier::new()).collect();
    let mut boards = frontier.iter().flatten();
    let mut dead = 0u128;
    loop {
        let task = || {
            Some(boards.by_ref().take(BOARDS_PER_TASK).collect())
                .filter(|task: &Vec<_>| !task.is_empty())
        };
        let tasks = from_fn(task).take(TASKS_PER_THREAD * pool.threads());
        let lists = pool.map(tasks, |task| Some(children(&task, stop)));
        let lists = lists.into_iter().collect::<Result<Vec<_>, NoRow>>()?;
        if lists.is_empty() {
            return Ok((next, dead));
        }
        for children in &lists {
            dead = dead.checked_add(children.dead).ok_or(NoRow::Overflow)?;
        }
        let merge = |(shard, map): (usize, &mut Frontier)| {
            Some(lists.iter().try_for_each(|children| merge(&mut *map, &children.shards[shard])))
        };
        pool.map(next.iter_mut().enumerate(), merge).into_iter().collect::<Result<(), NoRow>>()?;
    }
}

fn children(boards: &[(&Board, &Paths)], stop: Stop<'_>) -> Result<Children, NoRow> {
    if stop() {
        return Err(NoRow::Stopped);
    }
    let mut shards = vec![Vec::new(); SHARDS];
    let mut dead = 0u128;
    for &(board, &paths) in boards {
        let is_over = extend(board, paths, |child, paths| {
            let list: &mut Vec<_> = &mut shards[shard(&child)];
            list.try_reserve(1).map_err(|_| NoRow::OutOfMemory)?;
            list.push((child, paths));
            Ok(())
        })?;
        if is_over {
            dead = dead.checked_add(paths.count).ok_or(NoRow::Overflow)?;
        }
    }
    Ok(Children { shards, dead })
}

fn merge(map: &mut Frontier, list: &[(Board, Paths)]) -> Result<(), NoRow> {
    for part in list.chunks(super::MAX_SPAWNS) {
        reserve(map).ok_or(NoRow::OutOfMemory)?;
        for &(board, paths) in part {
            add(map, board, paths)?;
        }
    }
    Ok(())
}

fn shard(board: &Board) -> usize {
    let word = |ranks: &[u8]| ranks.iter().fold(0, |word, &rank| word << 8 | u64::from(rank));
    // The upper bits of a product are the best mixed.
    (board.ranks().chunks(8).map(word).fold(0, fold) >> 32) as usize % SHARDS
}
