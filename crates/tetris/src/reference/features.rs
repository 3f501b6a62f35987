//! The [features](crate::Features) of a board, cell by cell.

use crate::board::{Board, HEIGHT, WIDTH};
use crate::features::Features;
use crate::location::Location;
use alloc::vec::Vec;

const X: i32 = WIDTH as i32;
const Y: i32 = HEIGHT as i32;

fn cells() -> impl Iterator<Item = (i32, i32)> {
    (0..X).flat_map(|x| (0..Y).map(move |y| (x, y)))
}

fn is_covered(board: &Board, x: i32, y: i32) -> bool {
    !board.occupied(x, y) && (y + 1..Y).any(|above| board.occupied(x, above))
}

/// Returns one more than the row of the highest filled cell, 0 if there is none.
fn height(board: &Board, x: i32) -> u32 {
    (0..Y).rev().find(|&y| board.occupied(x, y)).map_or(0, |y| y as u32 + 1)
}

/// Computes all features from their definitions.
///
/// ```
/// use tetris::{Board, reference::features};
/// let board: Board = "1,2,4,5,f,0,0,0,0,0".parse().unwrap();
/// assert_eq!(features::features(&board), board.features());
/// ```
pub fn features(board: &Board) -> Features {
    let count = |is: &dyn Fn(i32, i32) -> bool| cells().filter(|&(x, y)| is(x, y)).count() as u32;
    let heights: [u32; WIDTH] = core::array::from_fn(|x| height(board, x as i32));
    let steps: Vec<i32> = heights.windows(2).map(|pair| pair[1] as i32 - pair[0] as i32).collect();
    Features {
        heights,
        well_depths: core::array::from_fn(|x| well_depth(&heights, x)),
        max_height: heights.into_iter().max().unwrap_or(0),
        filled_cells: count(&|x, y| board.occupied(x, y)),
        holes: count(&|x, y| y + 1 < Y && !board.occupied(x, y) && board.occupied(x, y + 1)),
        covered_cells: count(&|x, y| is_covered(board, x, y)),
        hole_depth: count(&|x, y| stands_on_a_hole(board, x, y)),
        rows_with_holes: (0..Y).filter(|&y| (0..X).any(|x| is_covered(board, x, y))).count() as u32,
        // Between each cell and the one to its left; then the right wall.
        row_transitions: count(&|x, y| board.occupied(x, y) != board.occupied(x - 1, y))
            + (0..Y).filter(|&y| !board.occupied(X - 1, y)).count() as u32,
        // Between each cell and the one below; then the space above the field, which `occupied`
        // treats as filled.
        column_transitions: count(&|x, y| board.occupied(x, y) != board.occupied(x, y - 1))
            + (0..X).filter(|&x| board.occupied(x, Y - 1)).count() as u32,
        cumulative_wells: cells().map(|(x, y)| well_cell(board, x, y)).sum(),
        bumpiness: steps.iter().map(|step| step.unsigned_abs()).sum(),
        pattern_diversity: (-2..=2).filter(|step| steps.contains(step)).count() as u32,
    }
}

/// Returns `true` for a filled cell in a run of filled cells above an empty one.
fn stands_on_a_hole(board: &Board, x: i32, y: i32) -> bool {
    let mut below = y;
    while below >= 0 && board.occupied(x, below) {
        below -= 1;
    }
    board.occupied(x, y) && below >= 0
}

/// Returns the length of the empty run from a well cell straight down, or 0 for any other cell.
fn well_cell(board: &Board, x: i32, y: i32) -> u32 {
    let is = !board.occupied(x, y) && board.occupied(x - 1, y) && board.occupied(x + 1, y);
    if is { (0..=y).rev().take_while(|&y| !board.occupied(x, y)).count() as u32 } else { 0 }
}

fn well_depth(heights: &[u32; WIDTH], x: usize) -> u32 {
    let neighbors = [x.checked_sub(1), Some(x + 1)].into_iter().flatten();
    let lower = neighbors.filter_map(|x| heights.get(x)).min();
    lower.map_or(0, |lower| lower.saturating_sub(heights[x]))
}

/// Computes [`Board::eroded_cells`] of a piece in the field, cell by cell.
pub fn eroded_cells(board: &Board, at: Location) -> u32 {
    let full = |y: i32| (0..X).all(|x| board.occupied(x, y));
    let lines = (0..Y).filter(|&y| full(y)).count() as u32;
    at.cells().iter().filter(|&&(_, y)| full(y)).count() as u32 * lines
}
