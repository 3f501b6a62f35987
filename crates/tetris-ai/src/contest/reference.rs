//! Plain counterparts of the fast code: the published search that [`tree`](crate::contest::tree)
//! follows, cell by cell, and a plain form of the beam's move generator and evaluation. They are
//! slow and obvious; tests compare the fast code against them.
//!
//! The search comes from the contest's seventh-place entry ("A Rust solution to Tetris", `INmouse`,
//! August 2021). Each ply places the next piece of the known sequence by every drop of
//! [`children`]. [`search`] follows the plies to a depth, sums [`evaluate`] along each path, keeps
//! only the best few children of every board below the roots, and plays the first move of the best
//! leaf. The next move starts a new search.
//!
//! Four bugs of the published search are fixed. Each has a test that demonstrates it
//! (`tests/players/faults.rs`):
//!
//! - **Workers ended too early.** The parallel search ended a worker as soon as every queue looked
//!   empty, although another worker could be about to push hundreds of children. Here the tasks are
//!   a fixed list and none of them adds another, so a worker that finds the list empty is done.
//! - **The first of equal leaves won.** Leaves arrived in the threads' random order, and a later
//!   leaf with the same total did not replace an earlier one, so two runs played different games.
//!   Here the order is total: (ply, total, path).
//! - **A dead end could win.** A path that ends early sums fewer terms, and terms are mostly
//!   negative, so an early end could have a greater total. Here every leaf of full depth ranks
//!   above every dead end, and between two dead ends the one with more pieces wins.
//! - **A clear by the 10,000th piece counted.** That piece never scores. Here no search looks
//!   beyond the 9,999th piece, except the search for the 10,000th piece itself.
//!
//! Where the description is silent, this crate chooses: tops, their mean (rounded down) and holes
//! are measured after the full rows are removed, n before; a piece is rotated where it spawns, then
//! moved sideways, then dropped, by single legal key presses.

mod beam;

pub use beam::{beam_children, beam_value, placements};

use crate::columns::{COLUMNS, ROWS};
use crate::contest::board::Board;
use crate::contest::falling_piece::{ContestKey, FallingPiece, SPAWN};
use crate::contest::game::multiplier;
use crate::contest::piece::OrientedPiece;
use crate::contest::sequence::{PIECES, Sequence};
use crate::contest::tree::{Child, HardDrop, Leaf, SearchResult, branch_limit, horizon};
use crate::worker_pool::Uncompared;

/// Returns the value of a board right after a piece locks.
///
/// `cells_before` is the number of filled cells including the piece, before the `cleared` full rows
/// are removed.
///
/// ```text
/// - sum over columns of (top - avg)^2      top = y of the highest filled cell, 20 if none
///                                          avg = mean of the tops, rounded down
/// - 20 for each empty cell below a top
/// + 4 n + m(k) n                           n = cells_before, k = cleared, m = multiplier
/// ```
///
/// ```
/// use tetris_ai::contest::Board;
/// use tetris_ai::contest::reference::evaluate;
/// // Tops 18 and 19, and 20 eight times: the mean is 19, the spread 1 + 0 + 8. One hole, three cells.
/// let board: Board = "#.........\n.#........".parse()?;
/// assert_eq!(evaluate(&board, 2, 0), -9 - 20 + 4 * 2);
/// # Ok::<(), tetris_ai::contest::ParseBoardError>(())
/// ```
pub fn evaluate(board: &Board, cells_before: u32, cleared: u32) -> i32 {
    let rows = ROWS as i8;
    let top = |x: i8| (0..rows).find(|&y| board.filled(x, y)).unwrap_or(rows);
    let tops: [i8; COLUMNS] = std::array::from_fn(|x| top(x as i8));
    let mean = tops.iter().map(|&top| i32::from(top)).sum::<i32>() / COLUMNS as i32;
    let spread: i32 = tops.iter().map(|&top| (i32::from(top) - mean).pow(2)).sum();
    let holes =
        (0..).zip(tops).map(|(x, top)| (top..rows).filter(|&y| !board.filled(x, y)).count());
    let holes = holes.sum::<usize>() as i32;
    let n = cells_before as i32;
    -spread - 20 * holes + 4 * n + multiplier(cleared) as i32 * n
}

/// Returns every hard drop after which the game continues, best first; drops of equal value are in
/// key order: fewest rotations first, then from the left. Each drop is reached by single key
/// presses under the rules of the game.
pub fn children(board: &Board, piece: OrientedPiece) -> Vec<Child<Board>> {
    let mut children = Vec::new();
    children_into(board, piece, &mut children);
    children
}

/// Replaces the contents of a list by the [`children`] of a board.
pub fn children_into(board: &Board, piece: OrientedPiece, children: &mut Vec<Child<Board>>) {
    let press = |falling: FallingPiece, key| {
        Some(falling.after_key(key)).filter(|&target| board.fits(target))
    };
    children.clear();
    let mut spawned = board.spawn(piece);
    for rotations in 0..piece.orientations() {
        let Some(start) = spawned else { break };
        for x in 0..COLUMNS as i8 {
            let key = if x < SPAWN.0 { ContestKey::Left } else { ContestKey::Right };
            let shifted =
                (0..x.abs_diff(SPAWN.0)).try_fold(start, |falling, _| press(falling, key));
            let Some(mut falling) = shifted else { continue };
            while let Some(lower) = press(falling, ContestKey::Down) {
                falling = lower;
            }
            let mut after = *board;
            after.place(falling);
            if after.top_touched() {
                continue;
            }
            let cells_before = after.cells();
            let cleared = after.clear_full_rows();
            let drop = HardDrop { rotations, x: x as u8, y: falling.y as u8 };
            children.push(Child {
                drop,
                board: after,
                value: evaluate(&after, cells_before, cleared),
            });
        }
        spawned = press(start, ContestKey::Rotate);
    }
    children.sort_unstable_by_key(|child| (-child.value, child.drop.rotations, child.drop.x));
}

/// Returns the best drop of piece `start` by a depth-first search of every root and, below the
/// roots, of the best [`branch_limit`] children. Returns `None` if the piece has no drop.
///
/// ```
/// use tetris_ai::contest::{Board, Sequence};
/// let result = tetris_ai::contest::reference::search(&Sequence::contest(), 0, &Board::new(), 4).unwrap();
/// assert_eq!(result.leaves, 17 * 3 * 3 * 3);
/// ```
pub fn search(
    sequence: &Sequence,
    start: usize,
    board: &Board,
    depth: usize,
) -> Option<SearchResult> {
    if start >= PIECES {
        return None;
    }
    let pieces = &sequence.pieces()[..horizon(start, depth)];
    let mut best: Option<SearchResult> = None;
    let mut leaves = 0;
    for (root, child) in children(board, pieces[start]).iter().enumerate() {
        let mut ranks = vec![root];
        let mut visit = |leaf: Leaf| {
            leaves += 1;
            if best.as_ref().is_none_or(|best| leaf > best.leaf) {
                best = Some(SearchResult {
                    drop: child.drop,
                    board: (&child.board).into(),
                    leaf,
                    leaves: 0,
                    missing_threads: Uncompared(0),
                });
            }
        };
        descend(pieces, start + 1, child, child.value, &mut ranks, &mut visit);
    }
    best.map(|best| SearchResult { leaves, ..best })
}

/// Calls `visit` with each leaf below a board reached after `ply` pieces.
fn descend(
    pieces: &[OrientedPiece],
    ply: usize,
    node: &Child<Board>,
    total: i32,
    ranks: &mut Vec<usize>,
    visit: &mut impl FnMut(Leaf),
) {
    let end = pieces.len();
    let children = if ply < end { children(&node.board, pieces[ply]) } else { Vec::new() };
    if children.is_empty() {
        return visit(Leaf::new(ply, total, ranks));
    }
    for (rank, child) in children.iter().take(branch_limit(end - ply)).enumerate() {
        ranks.push(rank);
        descend(pieces, ply + 1, child, total + child.value, ranks, visit);
        ranks.pop();
    }
}
