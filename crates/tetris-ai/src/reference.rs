//! The search of the seventh place ("A Rust solution to Tetris", `INmouse`, August 2021), cell by cell: slow, obvious,
//! what everything faster is compared with.
//!
//! A step places the next piece of the known sequence in every way that [`children`] lists. [`search`] follows the
//! steps to a depth, sums [`evaluate`] along each path, keeps below the roots only the best few children of a board,
//! and plays the first move of the best leaf. Then it starts anew.
//!
//! What was mended, each with a witness among the tests of this crate:
//!
//! - **A worker left early.** The parallel search ended a worker as soon as every queue looked empty, although another
//!   worker could be about to push hundreds of children. Here the tasks are listed before any worker begins, and a worker
//!   ends with the list.
//! - **The first of equals won.** Leaves arrived in the order of the threads' luck, and a later leaf of the same total
//!   didn't replace an earlier one: two runs played different games. Here the order is total: (total, root, path).
//! - **A dead leaf could win.** A path that ends in death sums fewer terms, and terms are mostly negative, so an early
//!   death could outbid a long life. Here every leaf of full depth ranks above every dead one, and of the dead the
//!   longer life.
//! - **A clear by the 10,000th piece was worth something.** It never scores: no search looks beyond the 9,999th,
//!   except for the move of the 10,000th itself.
//!
//! Choices where the description is silent: tops, their mean (rounded down) and holes are taken after the full rows are
//! gone, n before; a piece is turned where it spawns, then shifted, then dropped, by single legal presses.

mod beam;
pub mod control;

pub use beam::{beam_children, locks, value};

use crate::contest::{Board, COLUMNS, FallingPiece, Key, PIECES, Piece, ROWS, SPAWN, Sequence, multiplier};
use crate::placements::Placement;
use crate::tree::{Leaf, Outcome, horizon, width};

/// A board after one more piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    /// How the piece was placed.
    pub placement: Placement,
    /// The board after it, its full rows removed.
    pub board: Board,
    /// What [`evaluate`] makes of it.
    pub evaluated: i32,
}

/// The evaluation of a board that a piece has just reached.
///
/// ```text
/// - sum over columns of (top - avg)^2      top = y of the highest filled cell, 20 if none; avg = their mean, rounded down
/// - 20 for each empty cell below a top
/// + 4 n + m(k) n                           n = filled cells with the piece, before the k full rows were removed
/// ```
///
/// ```
/// use tetris_ai::contest::Board;
/// use tetris_ai::reference::evaluate;
/// // Tops 18 and 19 and eight times 20: the mean is 19, the spread 1 + 0 + 8. One hole, three cells.
/// let board: Board = "#.........\n.#........".parse()?;
/// assert_eq!(evaluate(&board, 2, 0), -9 - 20 + 4 * 2);
/// # Ok::<(), tetris_ai::ParseBoardError>(())
/// ```
pub fn evaluate(board: &Board, cells_before: u32, cleared: u32) -> i32 {
    let rows = ROWS as i8;
    let top = |x: i8| (0..rows).find(|&y| board.filled(x, y)).unwrap_or(rows);
    let tops: [i8; COLUMNS] = std::array::from_fn(|x| top(x as i8));
    let mean = tops.iter().map(|&top| i32::from(top)).sum::<i32>() / COLUMNS as i32;
    let spread: i32 = tops.iter().map(|&top| (i32::from(top) - mean).pow(2)).sum();
    let holes = (0..).zip(tops).map(|(x, top)| (top..rows).filter(|&y| !board.filled(x, y)).count());
    let holes = holes.sum::<usize>() as i32;
    let n = cells_before as i32;
    -spread - 20 * holes + 4 * n + multiplier(cleared) as i32 * n
}

/// Every drop that leaves the game going on, best first, equals in the order of their keys: fewest turns, then from the
/// left. Each is reached by single presses under the rules of the game.
pub fn children(board: &Board, piece: Piece) -> Vec<Child> {
    let press =
        |falling: FallingPiece, key| Some(falling.after_key(key)).filter(|&target| board.fits(target));
    let mut children = Vec::new();
    let mut spawned = board.spawn(piece);
    for turns in 0..piece.shape().orientations() {
        let Some(start) = spawned else { break };
        for x in 0..COLUMNS as i8 {
            let key = if x < SPAWN.0 { Key::Left } else { Key::Right };
            let shifted = (0..x.abs_diff(SPAWN.0)).try_fold(start, |falling, _| press(falling, key));
            let Some(mut falling) = shifted else { continue };
            while let Some(lower) = press(falling, Key::Down) {
                falling = lower;
            }
            let mut after = *board;
            after.place(falling);
            if after.top_touched() {
                continue;
            }
            let cells_before = after.cells();
            let cleared = after.clear_full_rows();
            let placement = Placement { turns, x: x as u8, y: falling.y as u8 };
            children.push(Child {
                placement,
                board: after,
                evaluated: evaluate(&after, cells_before, cleared),
            });
        }
        spawned = press(start, Key::Rotate);
    }
    children.sort_by_key(|child| -child.evaluated);
    children
}

/// The search itself, depth first: every root, below the roots the best [`width`] children, the best leaf.
/// `None` if the piece `start` has no child.
///
/// ```
/// use tetris_ai::contest::{Board, Sequence};
/// let outcome = tetris_ai::reference::search(&Sequence::contest(), 0, &Board::new(), 4).unwrap();
/// assert_eq!(outcome.leaves, 17 * 3 * 3 * 3);
/// ```
pub fn search(sequence: &Sequence, start: usize, board: &Board, depth: usize) -> Option<Outcome> {
    if start >= PIECES {
        return None;
    }
    let pieces = &sequence.pieces()[..horizon(start, depth)];
    let mut best: Option<Outcome> = None;
    let mut leaves = 0;
    for (root, child) in children(board, pieces[start]).iter().enumerate() {
        let mut ranks = vec![root];
        let mut visit = |leaf: Leaf| {
            leaves += 1;
            if best.as_ref().is_none_or(|best| leaf > best.leaf) {
                best = Some(Outcome {
                    placement: child.placement,
                    board: (&child.board).into(),
                    leaf,
                    leaves: 0,
                });
            }
        };
        descend(pieces, start + 1, child, child.evaluated, &mut ranks, &mut visit);
    }
    best.map(|best| Outcome { leaves, ..best })
}

/// Visits the leaves under a board that `level` pieces have led to.
fn descend(
    pieces: &[Piece],
    level: usize,
    node: &Child,
    total: i32,
    ranks: &mut Vec<usize>,
    visit: &mut impl FnMut(Leaf),
) {
    let end = pieces.len();
    let children = if level < end { children(&node.board, pieces[level]) } else { Vec::new() };
    if children.is_empty() {
        return visit(Leaf::new(level, total, ranks));
    }
    for (rank, child) in children.iter().take(width(end - level)).enumerate() {
        ranks.push(rank);
        descend(pieces, level + 1, child, total + child.evaluated, ranks, visit);
        ranks.pop();
    }
}
