//! The bot's evaluation of clears and boards.
//!
//! ```text
//! value of a path  = sum of clear_value over its locks + board_value(last board)
//! clear_value      = 100 * lines sent + wasted_t for a T without a full T-spin of two lines
//!                  + plain[lines], mini[lines] or full[lines] by the kind of spin, plain for minis of
//!                    three or four lines; 0 for a perfect clear
//! board_value      = t_slot[lines] for each T-spin slot that a known T can fill
//!                  + weighted features of the stack: holes, row transitions, bumpiness, well, height
//! ```

use super::garbage;
use super::t_slot;
use serde::{Deserialize, Serialize};
use tetris::{AttackTable, Board, Clear, Piece, Spin};

/// The weights of the bot's evaluation, in hundredths of a line sent.
///
/// The value of a path is the sum of its clears' values plus the value of its last board. [`serde`]
/// covers all fields except the attack table; a missing field gets its default value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BotWeights {
    /// The lines sent by each clear; one line counts 100.
    #[serde(skip)]
    pub attack: AttackTable,
    /// The bonus of a clear of 0 to 4 lines without a spin.
    pub plain: [i32; 5],
    /// The bonus of a clear of 0 to 2 lines with a mini spin.
    pub mini: [i32; 3],
    /// The bonus of a clear of 0 to 3 lines with a full T-spin.
    pub full: [i32; 4],
    /// The weight of a wasted T: one that locks without a full T-spin of at least two lines.
    pub wasted_t: i32,
    /// The weight of an active back-to-back chain.
    pub back_to_back: i32,
    /// The weight of each clear in the current combo.
    pub combo: i32,
    /// The weight of a slot for a T-spin of 0 to 2 lines, if a T to fill it is known.
    pub t_slot: [i32; 3],
    /// The weight of each empty cell below the top of its column: [`Board::covered_cells`].
    pub covered: i32,
    /// The weight of each filled cell above a hole: [`Board::hole_depth`].
    pub hole_depth: i32,
    /// The weight of each [row with a covered cell](Board::rows_with_holes).
    pub rows_with_holes: i32,
    /// The weight of each [row transition](Board::row_transitions).
    pub row_transitions: i32,
    /// The weight of the bumpiness: the sum of squared height differences, at most 4 each before
    /// squaring, between neighboring columns, skipping the lowest column.
    pub bumps: i32,
    /// The weight of the well's depth: the number of consecutive rows above the lowest column that
    /// are full except for that column.
    pub well: i32,
    /// The weight of each row of the highest column.
    pub height: i32,
    /// The weight of each row by which the highest column exceeds 10.
    pub height_above_10: i32,
    /// The weight of each row by which the highest column exceeds 15.
    pub height_above_15: i32,
    /// The weight of each piece that it takes to open all holes and fill them, by an estimate.
    pub pieces_to_dig: i32,
    /// The weight of each column that only an I fills: one with three empty cells in a row between
    /// filled cells or walls.
    pub i_columns: i32,
    /// The number of garbage rows from which the weights in [`dig`](Self::dig) replace all others.
    /// A garbage row has one empty cell, below a filled one.
    pub dig_from: u32,
    /// The weights of positions with garbage; `None` if the other weights are for all positions.
    /// The position at the start of a search counts. The attack table stays, and `dig` in `dig` has
    /// no effect.
    ///
    /// ```
    /// use tetris::Piece;
    /// use tetris_ai::bot::{BotWeights, GameState, Search};
    /// let values = |garbage: &str, weights: &BotWeights| {
    ///     let board = format!("######....\n#######...\n{garbage}#.########\n####.#####").parse().unwrap();
    ///     let queue = vec![Piece::L, Piece::I, Piece::T];
    ///     let state = GameState { board, queue, ..GameState::default() };
    ///     let mut search = Search::new(&state, weights.clone());
    ///     search.run(1_000);
    ///     search.values()
    /// };
    /// let all = BotWeights::default();
    /// let attack = BotWeights { dig: None, ..all.clone() };
    /// let dig = all.dig.as_deref().unwrap();
    /// // The third garbage row makes the difference.
    /// assert_eq!(values("", &all), values("", &attack));
    /// assert_eq!(values("##.#######\n", &all), values("##.#######\n", dig));
    /// ```
    pub dig: Option<Box<BotWeights>>,
}

impl Default for BotWeights {
    /// Returns weights tuned by self-play, and weights for digging tuned on races through garbage.
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
            pieces_to_dig: 0,
            i_columns: 0,
            dig_from: 3,
            dig: Some(Box::new(Self::digging())),
        }
    }
}

impl BotWeights {
    /// Down to the holes: a piece less to dig is worth three lines sent.
    fn digging() -> Self {
        Self {
            attack: AttackTable::GUIDELINE,
            plain: [0, 20, 15, 30, 105],
            mini: [0; 3],
            full: [0; 4],
            wasted_t: 0,
            back_to_back: 53,
            combo: 15,
            t_slot: [0; 3],
            covered: -35,
            hole_depth: 0,
            rows_with_holes: -65,
            row_transitions: -35,
            bumps: -2,
            well: 0,
            height: -70,
            height_above_10: -300,
            height_above_15: -750,
            pieces_to_dig: -300,
            i_columns: -110,
            dig_from: 0,
            dig: None,
        }
    }

    /// The largest absolute weight. Within it, no sum of an evaluation overflows.
    pub const MAX: i32 = 1_000_000;

    fn clamped(mut self) -> Self {
        let single = [
            &mut self.wasted_t,
            &mut self.back_to_back,
            &mut self.combo,
            &mut self.covered,
            &mut self.hole_depth,
            &mut self.rows_with_holes,
            &mut self.row_transitions,
            &mut self.bumps,
            &mut self.well,
            &mut self.height,
            &mut self.height_above_10,
            &mut self.height_above_15,
            &mut self.pieces_to_dig,
            &mut self.i_columns,
        ];
        let lists = [&mut self.plain[..], &mut self.mini, &mut self.full, &mut self.t_slot];
        for weight in single.into_iter().chain(lists.into_iter().flatten()) {
            *weight = (*weight).clamp(-Self::MAX, Self::MAX);
        }
        self
    }
}

/// The value of one line sent, in hundredths.
const LINE: i32 = 100;

impl BotWeights {
    #[inline(always)]
    pub(super) fn clear_value(&self, piece: Piece, clear: Clear) -> i32 {
        let mut value = if clear.lines > 0 { LINE * self.attack.attack(clear) as i32 } else { 0 };
        let lines = clear.lines as usize;
        // Bonuses and penalties rate the cost of a clear to the stack; after a perfect clear there
        // is no stack.
        if !clear.perfect {
            value += match clear.spin {
                Spin::Mini if lines < 3 => self.mini[lines],
                Spin::None | Spin::Mini => self.plain[lines.min(4)],
                Spin::Full => self.full[lines.min(3)],
            };
        }
        if piece == Piece::T && (clear.spin != Spin::Full || lines < 2) {
            value += self.wasted_t;
        }
        value
    }

    /// Returns the value of a board when `t_pieces` T pieces are known to come.
    #[inline(always)]
    pub(super) fn board_value(&self, board: &Board, t_pieces: u32) -> i32 {
        let mut board = *board;
        let mut value = 0;
        for _ in 0..t_pieces {
            let Some((at, lines)) = t_slot::best_t_slot(&board) else { break };
            value += self.t_slot[lines as usize];
            if lines < 2 {
                break;
            }
            // Play the T-spin: its clear opens the overhang, so the cells below it do not count as
            // holes.
            board = board.place(at).unwrap_or(board);
            board.clear_lines();
        }
        value + self.stack_value(&board)
    }

    #[inline(always)]
    fn stack_value(&self, board: &Board) -> i32 {
        let heights = board.heights();
        let mut lowest = 0;
        let mut highest = heights[0];
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
            + self.bumps * bumpiness(&heights, lowest)
            + self.well * well(board, lowest, heights[lowest])
            + self.height * highest
            + self.height_above_10 * (highest - 10).max(0)
            + self.height_above_15 * (highest - 15).max(0)
            + self.dig_value(board)
    }

    /// Returns the value of the features that only digging weights have; others don't pay for them.
    #[inline(always)]
    fn dig_value(&self, board: &Board) -> i32 {
        let mut value = 0;
        if self.pieces_to_dig != 0 {
            value += self.pieces_to_dig * garbage::pieces_to_dig(board) as i32;
        }
        if self.i_columns != 0 {
            value += self.i_columns * garbage::i_columns(board) as i32;
        }
        value
    }

    /// Returns the weights of the position, clamped to ±[`MAX`](Self::MAX).
    pub(super) fn of_position(self, board: &Board) -> Self {
        let weights = match self.dig {
            Some(dig) if garbage::garbage_rows(board) >= self.dig_from => {
                Self { attack: self.attack, ..*dig }
            }
            _ => self,
        };
        weights.clamped()
    }
}

/// Returns the sum of squared height differences, each capped at 4, between neighbors without the
/// lowest column.
#[inline(always)]
fn bumpiness(heights: &[u32; 10], lowest: usize) -> i32 {
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

/// Returns the depth of the well: the rows above the lowest column that are full except for it.
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
            let columns =
                std::array::from_fn(|_| ((1u64 << rng.below(9)) - 1) & !(1 << rng.below(30)));
            let board = Board::try_from(columns).expect("low columns");
            let heights = board.heights();
            let lowest = rng.below(10) as usize;
            let others: Vec<i64> =
                (0..10).filter(|&x| x != lowest).map(|x| i64::from(heights[x])).collect();
            let expected: i64 =
                others.windows(2).map(|pair| (pair[0] - pair[1]).abs().min(4).pow(2)).sum();
            assert_eq!(i64::from(bumpiness(&heights, lowest)), expected, "{board}");
            let full = |y: i32| (0..10).all(|x| x == lowest as i32 || board.occupied(x, y));
            let first = heights[lowest] as i32;
            let expected = (first..40).take_while(|&y| full(y)).count();
            assert_eq!(well(&board, lowest, heights[lowest]), expected as i32, "{board}");
        }
    }
}
