//! Features of garbage: how much work the way down to its holes is.
//!
//! A garbage row has one empty cell, its hole, below a filled cell. [`cells_to_uncover`] digs down
//! in steps. Each step clears the rows that cover the highest holes left; they need as many cells as
//! they have empty ones:
//!
//! ```text
//! . . # # . .    step 1: both rows above the hole h, 4 + 3 empty cells
//! # . # . # .
//! # # h # # #    step 2: the row of h, one empty cell
//! # # # # h #
//! ```

use super::t_slot::open_above;
use tetris::Board;

/// Counts the rows with one empty cell that is below a filled cell.
#[inline(always)]
pub(super) fn garbage_rows(board: &Board) -> u32 {
    let mut covered = 0;
    let mut empty = 0;
    let mut empty_twice = 0;
    for column in board.columns() {
        covered |= !(column | open_above(*column));
        empty_twice |= empty & !column;
        empty |= !column;
    }
    (covered & !empty_twice).count_ones()
}

/// The number of steps that are counted.
pub(super) const STEPS: usize = 3;

/// Returns the number of cells to fill in each of the first steps of digging; 0 without a step.
#[inline(always)]
pub(super) fn cells_to_uncover(board: &Board) -> [u32; STEPS] {
    let mut steps = [0; STEPS];
    let mut cleared = 0;
    for cells in &mut steps {
        let mut covered = 0;
        for column in board.columns() {
            covered |= !(column | open_above(column & !cleared));
        }
        covered &= !cleared;
        if covered == 0 {
            break;
        }
        let row = covered.ilog2();
        let mut above = 0;
        for column in board.columns() {
            if column >> row & 1 == 0 {
                above |= column;
            }
        }
        above = above >> row << row & !cleared;
        for column in board.columns() {
            *cells += (!column & above).count_ones();
        }
        cleared |= above;
    }
    steps
}

/// Counts the columns with three empty cells in a row between filled cells or walls.
#[inline(always)]
pub(super) fn i_columns(board: &Board) -> u32 {
    let columns = board.columns();
    let mut count = 0;
    for x in 0..Board::WIDTH {
        let left = if x > 0 { columns[x - 1] } else { !0 };
        let right = if x + 1 < Board::WIDTH { columns[x + 1] } else { !0 };
        let between = left & right & !columns[x];
        count += u32::from(between & between >> 1 & between >> 2 != 0);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board_of(rng: &mut bitcore::Rng) -> Board {
        let holes: Vec<u64> = (0..rng.below(7)).map(|_| rng.below(10).into()).collect();
        let columns = std::array::from_fn(|x| {
            let stack = (1u64 << rng.below(6)) - 1 & !u64::from(rng.below(16) & rng.below(16));
            holes.iter().fold(stack, |column, &hole| column << 1 | u64::from(hole != x as u64))
        });
        let mut board = Board::try_from(columns).expect("low columns");
        board.clear_lines();
        board
    }

    /// Cell by cell; a cleared row is taken out of the list of rows.
    fn by_cells(board: &Board) -> (u32, [u32; STEPS], u32) {
        let filled = |x: usize, y: usize| board.occupied(x as i32, y as i32);
        let mut rows: Vec<[bool; 10]> =
            (0..40).map(|y| std::array::from_fn(|x| filled(x, y))).collect();
        let covers = |rows: &[[bool; 10]], x: usize, y: usize| -> Vec<usize> {
            let empty = !rows[y][x];
            (y + 1..rows.len()).filter(|&above| empty && rows[above][x]).collect()
        };
        let covered = |rows: &[[bool; 10]], x, y| !covers(rows, x, y).is_empty();
        let empty = |y: usize| (0..10).filter(move |&x| !filled(x, y));
        let is_garbage = |&y: &usize| empty(y).count() == 1 && covered(&rows, empty(y).sum(), y);
        let garbage = (0..40).filter(is_garbage).count() as u32;
        let is_between = |x: usize, y: usize| {
            !rows[y][x] && (x == 0 || rows[y][x - 1]) && (x == 9 || rows[y][x + 1])
        };
        let of_i = |&x: &usize| (0..38).any(|y| (y..y + 3).all(|y| is_between(x, y)));
        let of_i = (0..10).filter(of_i).count() as u32;
        let mut steps = [0; STEPS];
        for cells in &mut steps {
            let has_hole = |y: &usize| (0..10).any(|x| covered(&rows, x, *y));
            let Some(hole) = (0..rows.len()).rev().find(has_hole) else { break };
            let mut above: Vec<usize> = (0..10).flat_map(|x| covers(&rows, x, hole)).collect();
            above.sort_unstable();
            above.dedup();
            for y in above.into_iter().rev() {
                *cells += rows.remove(y).iter().filter(|&&cell| !cell).count() as u32;
            }
        }
        (garbage, steps, of_i)
    }

    #[test]
    fn garbage_cell_by_cell() {
        let mut rng = bitcore::Rng::new(5);
        for _ in 0..3_000 {
            let board = board_of(&mut rng);
            let (garbage, steps, of_i) = by_cells(&board);
            assert_eq!(garbage_rows(&board), garbage, "{board}");
            assert_eq!(cells_to_uncover(&board), steps, "{board}");
            assert_eq!(i_columns(&board), of_i, "{board}");
        }
    }
}
