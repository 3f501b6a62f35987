//! [`Weights`]: what a board and a clear are worth to the bot.

use super::t_slot;
use bitcore::Level;
use serde::{Deserialize, Serialize};
use tetris::attack::{AttackTable, Clear};
use tetris::{Board, Piece, Spin};

/// The evaluation, in hundredths of a line sent. What a path is worth is the sum of its clears and the worth of the
/// board at its end. By [`serde`] all but the attack table can be read and written; what is missing has its default.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// What clears send: each line counts 100.
    #[serde(skip)]
    pub attack: AttackTable,
    /// Added to a clear of 0 to 4 lines without a spin.
    pub plain: [i32; 5],
    /// Added to a clear of 0 to 2 lines with a mini T-spin.
    pub mini: [i32; 3],
    /// Added to a clear of 0 to 3 lines with a full T-spin.
    pub full: [i32; 4],
    /// Of a T that locks without a full spin of two lines at least.
    pub wasted_t: i32,
    /// Of a chain of back-to-back clears that the next one would prolong.
    pub back_to_back: i32,
    /// Of each clear in a row so far.
    pub combo: i32,
    /// Of a slot for a T-spin of 0 to 2 lines, if there is a T for it.
    pub t_slot: [i32; 3],
    /// Of each empty cell under the top of its column.
    pub covered: i32,
    /// Of each filled cell over a hole: [`Board::hole_depth`].
    pub hole_depth: i32,
    /// Of each [row with a covered cell](Board::rows_with_holes).
    pub rows_with_holes: i32,
    /// Of each [row transition](Board::row_transitions).
    pub row_transitions: i32,
    /// Of each step between neighboring columns, that into the lowest column left out, squared.
    pub bumps: i32,
    /// Of each row over the lowest column that is full but for it.
    pub well: i32,
    /// Of each row of the highest column.
    pub height: i32,
    /// Of each row of the highest column above row 10.
    pub height_above_10: i32,
    /// Of each row of the highest column above row 15.
    pub height_above_15: i32,
}

impl Default for Weights {
    /// Tuned by matches of the bot with itself.
    fn default() -> Self {
        Self {
            attack: AttackTable::GUIDELINE,
            plain: [0, -150, -207, -157, 4],
            mini: [0, -81, -151],
            full: [0, -100, 0, 0],
            wasted_t: -143,
            back_to_back: 53,
            combo: 15,
            t_slot: [20, 120, 250],
            covered: -120,
            hole_depth: -40,
            rows_with_holes: -20,
            row_transitions: -20,
            bumps: -5,
            well: 25,
            height: -44,
            height_above_10: -227,
            height_above_15: -450,
        }
    }
}

/// One in hundredths.
const LINE: i32 = 100;

impl Weights {
    /// What a lock is worth.
    #[inline(always)]
    pub(super) fn of_clear(&self, piece: Piece, clear: Clear) -> i32 {
        let mut worth = if clear.lines > 0 { LINE * self.attack.attack(clear) as i32 } else { 0 };
        let lines = clear.lines as usize;
        // A perfect clear leaves nothing behind that a clear could be too early for.
        if !clear.perfect {
            worth += match clear.spin {
                Spin::None => self.plain[lines.min(4)],
                Spin::Mini => self.mini[lines.min(2)],
                Spin::Full => self.full[lines.min(3)],
            };
        }
        if piece == Piece::T && (clear.spin != Spin::Full || lines < 2) {
            worth += self.wasted_t;
        }
        worth
    }

    /// What a board is worth with so many T pieces to come.
    #[inline(always)]
    pub(super) fn of_board(&self, level: Level, board: &Board, ts: u32) -> i32 {
        let (mut board, mut worth) = (*board, 0);
        for _ in 0..ts {
            let Some((at, lines)) = t_slot::best(&board) else { break };
            worth += self.t_slot[lines as usize];
            if lines < 2 {
                break;
            }
            // The roof will be gone: what is under it is no hole.
            board = board.place(at).unwrap_or(board);
            board.clear_lines_on(level);
        }
        worth + self.of_stack(&board)
    }

    #[inline(always)]
    fn of_stack(&self, board: &Board) -> i32 {
        let heights = board.heights();
        let (mut lowest, mut highest) = (0, heights[0]);
        for (x, &height) in heights.iter().enumerate() {
            if height < heights[lowest] {
                lowest = x;
            }
            highest = highest.max(height);
        }
        let highest = highest as i32;
        self.covered * board.covered_cells() as i32
            + self.hole_depth * board.hole_depth() as i32
            + self.rows_with_holes * board.rows_with_holes() as i32
            + self.row_transitions * board.row_transitions() as i32
            + self.bumps * bumps(&heights, lowest)
            + self.well * well(board, lowest, heights[lowest])
            + self.height * highest
            + self.height_above_10 * (highest - 10).max(0)
            + self.height_above_15 * (highest - 15).max(0)
    }
}

/// The squares of the steps, at most 4 each, from column to column as if the lowest weren't there.
#[inline(always)]
fn bumps(heights: &[u32; 10], lowest: usize) -> i32 {
    let mut sum = 0;
    let mut before = heights[usize::from(lowest == 0)];
    for (x, &height) in heights.iter().enumerate() {
        if x != lowest {
            let step = height.abs_diff(before).min(4);
            sum += step * step;
            before = height;
        }
    }
    sum as i32
}

/// Rows from the top of the lowest column up that are full but for it.
#[inline(always)]
fn well(board: &Board, lowest: usize, height: u32) -> i32 {
    let mut rows = !0;
    for (x, column) in board.columns().iter().enumerate() {
        rows &= if x == lowest { !0 } else { *column };
    }
    (rows >> height).trailing_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bumps_and_wells_cell_by_cell() {
        let mut rng = bitcore::Rng::new(8);
        for _ in 0..2_000 {
            let columns = std::array::from_fn(|_| ((1u64 << rng.below(9)) - 1) & !(1 << rng.below(30)));
            let board = Board::from_columns(columns).expect("low columns");
            let heights = board.heights();
            let lowest = rng.below(10) as usize;
            let others: Vec<i64> = (0..10).filter(|&x| x != lowest).map(|x| i64::from(heights[x])).collect();
            let expected: i64 = others.windows(2).map(|pair| (pair[0] - pair[1]).abs().min(4).pow(2)).sum();
            assert_eq!(i64::from(bumps(&heights, lowest)), expected, "{board}");
            let full = |y: i32| (0..10).all(|x| x == lowest as i32 || board.occupied(x, y));
            let first = heights[lowest] as i32;
            let expected = (first..40).take_while(|&y| full(y)).count();
            assert_eq!(well(&board, lowest, heights[lowest]), expected as i32, "{board}");
        }
    }
}
