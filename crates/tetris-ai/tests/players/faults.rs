//! The bugs of the published search (the contest's seventh-place entry), each with an input that
//! demonstrates it.

use tetris_ai::Columns;
use tetris_ai::contest::tree::{HardDrop, TreeSearch, branch_limit};
use tetris_ai::contest::{Board, PIECES, Sequence, reference};

/// A leaf as the published collector received it: (first drop, pieces placed, total).
type Arrived = (HardDrop, usize, i32);

/// Returns all leaves of a search that ends with `end` pieces placed, in path order.
fn leaves(sequence: &Sequence, start: usize, board: &Board, end: usize) -> Vec<Arrived> {
    fn descend(
        sequence: &Sequence,
        node: Arrived,
        board: &Board,
        end: usize,
        leaves: &mut Vec<Arrived>,
    ) {
        let (first, ply, total) = node;
        let children =
            if ply < end { reference::children(board, sequence.pieces()[ply]) } else { Vec::new() };
        if children.is_empty() {
            leaves.push(node);
        }
        for child in children.iter().take(branch_limit(end - ply)) {
            descend(sequence, (first, ply + 1, total + child.value), &child.board, end, leaves);
        }
    }
    let mut all = Vec::new();
    for root in reference::children(board, sequence.pieces()[start]) {
        let node = (root.drop, start + 1, root.value);
        descend(sequence, node, &root.board, end, &mut all);
    }
    all
}

/// The published collector: returns the leaf with the greatest total, on ties the first to arrive.
fn collected(leaves: impl Iterator<Item = Arrived>) -> Option<Arrived> {
    leaves.reduce(|chosen, leaf| if leaf.2 > chosen.2 { leaf } else { chosen })
}

fn mended(start: usize, board: &Board, depth: usize) -> Option<(HardDrop, usize, i32)> {
    let search = TreeSearch { depth, ..TreeSearch::default() };
    let result = search.best(&Sequence::contest(), start, &Columns::from(board))?;
    assert_eq!(reference::search(&Sequence::contest(), start, board, depth), Some(result));
    Some((result.drop, result.leaf.ply, result.leaf.total))
}

/// The published worker ended when every queue was empty, although another worker could be about to
/// push children. Here the task list is complete before any worker starts, so no subtree is missed.
#[test]
fn a_worker_left_early() {
    let sequence = Sequence::contest();
    let board = Columns::new();
    let search = |threads| {
        let result = TreeSearch { depth: 7, threads }.best(&sequence, 0, &board);
        result.unwrap()
    };
    // 17 roots with six children each: 102 tasks for up to 40 threads.
    assert_eq!(search(40), search(1));
    assert_eq!(search(1).leaves, 17 * 6 * 5 * 4 * 3 * 3 * 3);
}

/// On the empty board many leaves have equal totals, and the first to arrive won.
#[test]
fn the_first_of_equals_won() {
    let sequence = Sequence::contest();
    let board = Board::new();
    let all = leaves(&sequence, 0, &board, 3);
    let forwards = collected(all.iter().copied()).unwrap();
    let backwards = collected(all.iter().rev().copied()).unwrap();
    assert_eq!(forwards.2, backwards.2);
    assert_ne!(forwards.0, backwards.0, "two runs, two games");
    assert_eq!(mended(0, &board, 3), Some(forwards), "always the first path");
}

/// A dead end after two pieces has a greater total (497) than the best path of three pieces (487).
#[test]
fn a_dead_leaf_could_win() {
    let board: Board = "
....#.....
.#..#.....
.#.##..##.
.####...##
########.#
#.########
#########.
######.###
#####.####
#########.
#####.####
#.########
.#########
#######.##
#####.####
#####.####
#.########
######.###
###.######"
        .trim()
        .parse()
        .unwrap();
    let chosen = collected(leaves(&Sequence::contest(), 0, &board, 3).into_iter()).unwrap();
    assert_eq!(chosen.1, 2, "the published choice is dead after two pieces");
    assert_eq!(chosen.2, 497, "the published choice is dead after two pieces");
    let (drop, ply, total) = mended(0, &board, 3).unwrap();
    assert_eq!(ply, 3);
    assert_eq!(total, 487);
    assert_ne!(drop, chosen.0);
}

/// An L piece that sets up a clear by the 10,000th piece instead of making the best board.
#[test]
fn a_clear_by_the_last_piece_was_worth_something() {
    let board: Board = ".#########".parse().unwrap();
    let start = PIECES - 2;
    let chosen =
        collected(leaves(&Sequence::contest(), start, &board, PIECES).into_iter()).unwrap();
    let (drop, ply, _) = mended(start, &board, 2).unwrap();
    assert_eq!(ply, PIECES - 1, "the search ends with the last piece that can score");
    assert_ne!(drop, chosen.0);
    // The search for the last piece does place it.
    assert_eq!(mended(PIECES - 1, &board, 8).map(|(_, ply, _)| ply), Some(PIECES));
    assert_eq!(mended(PIECES, &board, 8), None);
}
