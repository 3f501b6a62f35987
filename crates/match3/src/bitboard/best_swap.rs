//! The best swap without new pieces: plays every legal swap and its cascade.
//!
//! ```text
//! for every four legal swaps:                 one per lane (8 x 8), or one at a time (16 x 16)
//!     planes = the board, with the two cells exchanged
//!     while some lane has a run:
//!         level += 1; score += level * cells in runs
//!         clear the runs and let the pieces above them fall
//!     keep the best score
//! ```
//!
//! Registers have no PEXT, so pieces fall in rounds: each round moves all pieces above the lowest
//! gap of their column down by one. Clearing a horizontal run takes one round.

use super::board_words::{BoardWords, load_planes_with};
use super::formula::{Colored, runs_of};
use super::mask::{ColumnMask, SwapBit, Swaps};
use super::words::{Columns, FourBoards};
use crate::swap::Axis;
use bitcore::{Bytes, Isa, Lanes, U64s};

/// A swap chosen by its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value the swap was chosen by, in tens of points.
    pub(crate) total: u64,
    /// The score of the swap itself, in tens of points.
    pub(crate) score: u64,
    pub(crate) swap: SwapBit,
}

#[derive(Clone, Copy)]
pub(crate) struct BestSwap {
    choice: Option<Choice>,
    /// Orders choices by total, then prefers the lower row.
    rank: u64,
}

impl BestSwap {
    pub(crate) const NONE: Self = Self { choice: None, rank: 0 };

    #[inline(always)]
    pub(crate) fn offer<W: BoardWords>(&mut self, choice: Choice) {
        let side = W::SIDE as u64;
        let rank = choice.total * side + (side - 1 - u64::from(choice.swap.bit) % side);
        if rank > self.rank {
            *self = Self { choice: Some(choice), rank };
        }
    }

    #[inline(always)]
    pub(crate) fn choice(self) -> Option<Choice> {
        self.choice
    }
}

/// The board must have no blocked cells and no gaps below pieces.
#[inline(always)]
pub(crate) fn best_swap_with<S: Isa, W: BoardWords + Columns<S>, const P: usize>(
    isa: S,
    board: &[W; P],
    swaps: &Swaps<ColumnMask<W>>,
) -> Option<Choice> {
    if !S::HAS_SIMD {
        return one_by_one_with(isa, board, swaps, |planes| planes);
    }
    if W::SIDE == 8 {
        return four_at_once_with(isa, board, swaps);
    }
    one_by_one_with(
        isa,
        board,
        swaps,
        #[inline(always)]
        |planes| load_planes_with(isa, &planes),
    )
}

/// Clears the cells `gaps` and lets the columns fall. Each round moves all cells above the lowest
/// gap of a column down by one; the number of rounds is the largest number of gaps in any column.
#[inline(always)]
fn fall_with<S: Isa, F: Columns<S>, const P: usize>(isa: S, planes: &mut [F; P], mut gaps: F) {
    while !gaps.is_zero() {
        let from = gaps.fill_up(isa);
        let sinks = from.without_top(isa);
        for plane in planes.iter_mut() {
            *plane = plane.and_not(from) | (plane.at::<0, -1>() & sinks);
        }
        gaps = gaps.at::<0, -1>() & sinks;
    }
}

/// Plays four swaps of a board of up to 8 x 8 in parallel, one per lane.
#[inline(always)]
fn four_at_once_with<S: Isa, W: BoardWords, const P: usize>(
    isa: S,
    board: &[W; P],
    swaps: &Swaps<ColumnMask<W>>,
) -> Option<Choice> {
    let zero = isa.splat_u64(0);
    let mut best = BestSwap::NONE;
    let mut right = swaps.right.words().words()[0];
    let mut down = swaps.down.words().words()[0];
    while right | down != 0 {
        let mut one = [0; 4];
        let mut other = [0; 4];
        for (one, other) in one.iter_mut().zip(&mut other) {
            if right == 0 {
                *one = down & down.wrapping_neg();
                *other = *one >> 1;
                down ^= *one;
            } else {
                *one = right & right.wrapping_neg();
                *other = *one << 8;
                right ^= *one;
            }
        }
        let lanes = (isa.u64x4(&one), isa.u64x4(&other));
        let both = lanes.0 | lanes.1;
        let mut planes = [FourBoards::<S>(zero); P];
        for (to, from) in planes.iter_mut().zip(board) {
            let plane = isa.splat_u64(from.words()[0]);
            // The two bits change if they differ, that is, if exactly one of them is set.
            let set = plane & both;
            let differ = set.cmp_eq(lanes.0) | set.cmp_eq(lanes.1);
            *to = FourBoards(plane ^ (both & differ));
        }
        let mut scores = zero;
        let mut level = zero;
        loop {
            let runs = runs_of(&planes, Colored::of(isa, &planes));
            if runs.is_zero() {
                break;
            }
            let cleared = isa.bitcast_u8_u64(isa.bitcast_u64_u8(runs.0).count_ones().sums_of_8());
            level = level + isa.splat_u64(1);
            scores = scores + cleared.mul_u32(level);
            fall_with(isa, &mut planes, runs);
        }
        for ((score, one), other) in scores.to_array().into_iter().zip(one).zip(other) {
            // A lane without a swap has scored the runs already on the board.
            if one != 0 {
                let axis = if other < one { Axis::Vertical } else { Axis::Horizontal };
                let swap = SwapBit { word: 0, bit: one.trailing_zeros(), axis };
                best.offer::<W>(Choice { total: score, score, swap });
            }
        }
    }
    best.choice()
}

#[inline(always)]
fn one_by_one_with<S: Isa, F: Columns<S>, W: BoardWords, const P: usize>(
    isa: S,
    board: &[W; P],
    swaps: &Swaps<ColumnMask<W>>,
    load: impl Fn([W; P]) -> [F; P],
) -> Option<Choice> {
    let mut best = BestSwap::NONE;
    for swap in swaps.in_draw_order() {
        let mut after = *board;
        swap.exchange(&mut after);
        let mut planes = load(after);
        let mut score = 0;
        let mut level = 0;
        loop {
            let runs = runs_of(&planes, Colored::of(isa, &planes));
            if runs.is_zero() {
                break;
            }
            level += 1;
            score += level * runs.count(isa);
            fall_with(isa, &mut planes, runs);
        }
        best.offer::<W>(Choice { total: score, score, swap });
    }
    best.choice()
}
