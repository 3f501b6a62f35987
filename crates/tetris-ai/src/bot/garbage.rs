//! Features of garbage: how much work the way down to its holes is.
//!
//! A garbage row has one empty cell, its hole, below a filled cell. [`pieces_to_dig`] goes down row by
//! row. The rows that cover the holes of a row have to be cleared first: each connected gap of them
//! takes a piece for every four cells. They are gone for the rows below.
//!
//! ```text
//! . . # . . .    row of h: gaps of 3 and 5 cells above it, 1 + 2 pieces
//! # . # . # .
//! # # h # # #    row of i: one gap above it, of one cell, 1 piece
//! # # # # i #
//! ```
//!
//! The estimate and its corrections for what pieces share are those of
//! [blockfish](https://github.com/iitalics/blockfish).

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

/// The rows above a hole whose gaps are counted, as many as fit into 128 bits.
const MOST_ROWS: u32 = 12;

/// Estimates the pieces that it takes to open all holes and fill them.
#[inline(always)]
pub(super) fn pieces_to_dig(board: &Board) -> u32 {
    let rows = rows(board);
    let height = board.columns().iter().fold(0, |any, column| any | column);
    let height = (u64::BITS - height.leading_zeros()) as usize;
    // The rows above that aren't cleared for a hole, each with the columns that it and those above it
    // fill.
    let mut above = [(0, 0); Board::HEIGHT + 1];
    let mut count = 1;
    let mut depth = 0;
    let mut pieces = 0;
    for row in rows[..height].iter().rev() {
        let mut holes = above[count - 1].1 & !row;
        if holes != 0 {
            let mut gaps = 0;
            let mut shift = 0;
            while above[count - 1].0 & holes != 0 {
                count -= 1;
                holes &= above[count].0;
                if shift < MOST_ROWS * ROW.count_ones() {
                    gaps |= u128::from(!above[count].0 & ROW) << shift;
                    shift += ROW.count_ones();
                }
            }
            // A piece also reaches into rows that an earlier step has counted.
            depth += 1;
            pieces += pieces_to_fill(gaps).saturating_sub(depth) + 1;
        }
        above[count] = (*row, row | above[count - 1].1);
        count += 1;
    }
    pieces
}

const ROW: u64 = (1 << Board::WIDTH) - 1;

/// Returns the rows, bit x of each for column x.
#[inline(always)]
fn rows(board: &Board) -> [u64; Board::HEIGHT] {
    let mut rows = [0; Board::HEIGHT];
    for (x, column) in board.columns().iter().enumerate() {
        for (y, row) in rows.iter_mut().enumerate() {
            *row |= (column >> y & 1) << x;
        }
    }
    rows
}

/// Returns a piece for every four cells of each connected gap. Rows have ten bits.
#[inline(always)]
fn pieces_to_fill(mut gaps: u128) -> u32 {
    const FIRST_COLUMN: u128 = {
        let mut cells = 0;
        let mut row = 0;
        while row < MOST_ROWS {
            cells |= 1 << (row * ROW.count_ones());
            row += 1;
        }
        cells
    };
    const LAST_COLUMN: u128 = FIRST_COLUMN << (Board::WIDTH - 1);
    let mut pieces = 0;
    while gaps != 0 {
        let mut gap = gaps & gaps.wrapping_neg();
        loop {
            let sideways = (gap & !LAST_COLUMN) << 1 | (gap & !FIRST_COLUMN) >> 1;
            let larger = (gap | sideways | gap << Board::WIDTH | gap >> Board::WIDTH) & gaps;
            if larger == gap {
                break;
            }
            gap = larger;
        }
        gaps &= !gap;
        pieces += gap.count_ones().div_ceil(4);
    }
    pieces
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
        let tower = rng.below(100) as usize;
        let columns = std::array::from_fn(|x| {
            let height = rng.below(if x == tower { 17 } else { 6 });
            let stack = ((1u64 << height) - 1) & !u64::from(rng.below(16) & rng.below(16));
            holes.iter().fold(stack, |column, &hole| column << 1 | u64::from(hole != x as u64))
        });
        let mut board = Board::try_from(columns).expect("low columns");
        board.clear_lines();
        board
    }

    /// Cell by cell; a cleared row is taken out of the list of rows.
    fn by_cells(board: &Board) -> (u32, u32, u32) {
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
        let mut pieces = 0;
        for depth in 1.. {
            let has_hole = |y: &usize| (0..10).any(|x| covered(&rows, x, *y));
            let Some(hole) = (0..rows.len()).rev().find(has_hole) else { break };
            let mut above: Vec<usize> = (0..10).flat_map(|x| covers(&rows, x, hole)).collect();
            above.sort_unstable();
            above.dedup();
            let most = &above[..above.len().min(MOST_ROWS as usize)];
            let cells = most.iter().flat_map(|&y| (0..10).map(move |x| (x, y)));
            let mut left: Vec<_> = cells.filter(|&(x, y)| !rows[y][x]).collect();
            let mut fill: u32 = 0;
            while let Some(first) = left.pop() {
                let mut gap = vec![first];
                let mut next = 0;
                while let Some(&(x, y)) = gap.get(next) {
                    next += 1;
                    gap.extend(left.extract_if(.., |at| at.0.abs_diff(x) + at.1.abs_diff(y) == 1));
                }
                fill += (gap.len() as u32).div_ceil(4);
            }
            pieces += fill.saturating_sub(depth) + 1;
            for y in above.into_iter().rev() {
                rows.remove(y);
            }
        }
        (garbage, pieces, of_i)
    }

    #[test]
    fn garbage_cell_by_cell() {
        let mut rng = bitcore::Rng::new(5);
        for _ in 0..3_000 {
            let board = board_of(&mut rng);
            let (garbage, pieces, of_i) = by_cells(&board);
            assert_eq!(garbage_rows(&board), garbage, "{board}");
            assert_eq!(pieces_to_dig(&board), pieces, "{board}");
            assert_eq!(i_columns(&board), of_i, "{board}");
        }
    }
}
