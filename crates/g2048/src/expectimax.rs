//! Play by looking ahead: [`Expectimax`] over any value of a board.
//!
//! A search of depth 1 takes the move with the largest sum of gain and value; one of depth d looks at every spawn that
//! may follow, plays the best move there at depth d - 1, and takes the mean. The value of a game that is over is 0.

use crate::board::{Board, Size};
use crate::network::Network;
use crate::packed::Packed;
use crate::slide::Direction;
use alloc::vec;
use alloc::vec::Vec;

/// What a search ends with: a value for each board after a slide, before the spawn, in points still to come.
pub trait Evaluate {
    /// The value of an afterstate.
    fn value(&self, after: Packed) -> f32;
}

impl Evaluate for Network {
    #[inline]
    fn value(&self, after: Packed) -> f32 {
        Self::value(self, after)
    }
}

impl<F: Fn(Packed) -> f32> Evaluate for F {
    #[inline]
    fn value(&self, after: Packed) -> f32 {
        self(after)
    }
}

/// How an [`Expectimax`] looks ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Moves of the player that a line of play has, the one to choose among them; 0 counts as 1.
    pub depth: u32,
    /// Lines less probable than this, by their spawns, aren't looked at to their end: they get the value of where they
    /// are. 0 looks at all.
    pub min_probability: f32,
}

impl Limits {
    /// A depth, and no line cut off.
    pub const fn depth(depth: u32) -> Self {
        Self { depth, min_probability: 0.0 }
    }
}

/// The move that a search takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Where to slide.
    pub direction: Direction,
    /// The mean score from here on, as the search sees it.
    pub value: f32,
}

/// A search was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped")]
pub struct Stopped;

/// Looks ahead on 4x4, with a table of the positions it has met.
///
/// The same positions in the same order give the same choices: no clock is asked, depth alone is the budget. With
/// `min_probability` 0 the choice for a position doesn't depend on what was asked before.
///
/// Tiles beyond 32768 are played by the rule at the root; ahead of it they look like 32768s.
///
/// ```
/// use g2048::expectimax::{Expectimax, Limits};
/// use g2048::{Board, Packed};
/// // Many empty cells are good.
/// let empty = |after: Packed| after.empty_cells() as f32;
/// let mut search = Expectimax::new(&empty, Limits::depth(2));
/// let board: Board = "2 4 8 2 \n . . . 2 \n . . . . \n . . . 2".parse()?;
/// let choice = search.choose(&board, &|| false).unwrap().unwrap();
/// assert!(board.is_legal(choice.direction));
/// # Ok::<_, g2048::ParseBoardError>(())
/// ```
pub struct Expectimax<'a> {
    evaluate: &'a (dyn Evaluate + Sync),
    limits: Limits,
    table: Vec<Entry>,
    /// Marks the entries of this search.
    generation: u32,
}

/// The mean over the spawns behind an afterstate.
#[derive(Clone, Copy)]
struct Entry {
    after: Packed,
    value: f32,
    /// The number of the search, and the depth in its lowest byte; 0 is no entry.
    key: u32,
}

/// 2^14 entries of 16 bytes: a search's positions at depth 3, within the second cache.
const TABLE_BITS: u32 = 14;

impl<'a> Expectimax<'a> {
    /// A search that has met nothing.
    pub fn new(evaluate: &'a (dyn Evaluate + Sync), limits: Limits) -> Self {
        let empty = Entry { after: Packed::EMPTY, value: 0.0, key: 0 };
        let limits = Limits { depth: limits.depth.clamp(1, 255), ..limits };
        Self { evaluate, limits, table: vec![empty; 1 << TABLE_BITS], generation: 0 }
    }

    /// The best move, the first of [`Direction::ALL`] among equals; `None` if the game is over, or isn't 4x4.
    ///
    /// # Errors
    ///
    /// If `stop`, asked now and then, said yes.
    pub fn choose(&mut self, board: &Board, stop: &dyn Fn() -> bool) -> Result<Option<Choice>, Stopped> {
        if board.size() != Size::CLASSIC {
            return Ok(None);
        }
        // Entries of an earlier search may have been cut off elsewhere: this one starts anew, without clearing.
        self.generation = (self.generation + 1) & 0x00ff_ffff;
        if self.generation == 0 {
            self.table.fill(Entry { after: Packed::EMPTY, value: 0.0, key: 0 });
            self.generation = 1;
        }
        let mut best: Option<Choice> = None;
        for direction in Direction::ALL {
            let slide = board.slide(direction);
            if slide.changed {
                let after = Packed::clamped(&slide.board);
                let value = slide.gain as f32 + self.chance_node(after, self.limits.depth, 1.0, stop)?;
                if best.is_none_or(|best| value > best.value) {
                    best = Some(Choice { direction, value });
                }
            }
        }
        Ok(best)
    }

    /// The value of an afterstate by its spawns, `depth` - 1 moves behind it.
    fn chance_node(
        &mut self,
        after: Packed,
        depth: u32,
        probability: f32,
        stop: &dyn Fn() -> bool,
    ) -> Result<f32, Stopped> {
        if depth == 1 || probability < self.limits.min_probability {
            return Ok(self.evaluate.value(after));
        }
        if depth > 2 && stop() {
            return Err(Stopped);
        }
        let key = self.generation << 8 | depth;
        let slot = (after.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - TABLE_BITS)) as usize;
        let entry = &self.table[slot];
        if entry.after == after && entry.key == key {
            return Ok(entry.value);
        }
        let cells = after.empty_cells() as f32;
        let mut sums = [0.0; 2];
        for cell in 0..16 {
            if after.rank(cell) != 0 {
                continue;
            }
            for (rank, share) in [(1, 0.9), (2, 0.1)] {
                let board = Packed::from_bits(after.bits() | rank << (4 * cell));
                sums[rank as usize - 1] +=
                    self.max_node(board, depth - 1, probability * share / cells, stop)?;
            }
        }
        // No empty cell follows only from what play never makes: a slide always frees one.
        let value = if cells > 0.0 { (0.9 * sums[0] + 0.1 * sums[1]) / cells } else { 0.0 };
        self.table[slot] = Entry { after, value, key };
        Ok(value)
    }

    /// The value of a position by its best move; 0 if the game is over.
    fn max_node(
        &mut self,
        board: Packed,
        depth: u32,
        probability: f32,
        stop: &dyn Fn() -> bool,
    ) -> Result<f32, Stopped> {
        let mut best: Option<f32> = None;
        for direction in Direction::ALL {
            let slide = board.slide_clamped(direction);
            if slide.changed {
                let value = slide.gain as f32 + self.chance_node(slide.board, depth, probability, stop)?;
                best = Some(best.map_or(value, |best| best.max(value)));
            }
        }
        Ok(best.unwrap_or(0.0))
    }
}
