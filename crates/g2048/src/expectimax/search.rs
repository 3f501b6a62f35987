//! [`Expectimax`], its limits and its evaluation.

use crate::board::{Board, Size};
use crate::game::Game;
use crate::network::quantized::Network;
use crate::network::small::SmallNetwork;
use crate::packed::Packed;
use crate::player::Player;
use crate::slide::Direction;
use crate::stopped::Stopped;
use alloc::vec;
use alloc::vec::Vec;

/// An evaluation of afterstates: boards after a slide, before the spawn.
pub trait Evaluate {
    /// Returns the estimated remaining score from an afterstate.
    fn value(&self, after: Packed) -> f32;
}

impl Evaluate for Network {
    #[inline]
    fn value(&self, after: Packed) -> f32 {
        Self::value(self, after)
    }
}

impl Evaluate for SmallNetwork {
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

/// The limits of an [`Expectimax`] search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The search depth in moves of the player, including the move to choose, from 1 to 255; 0 counts as 1.
    pub depth: u32,
    /// The probability of a line's spawns below which the line is cut off and its afterstate evaluated; 0
    /// disables the cutoff.
    pub min_probability: f32,
}

impl Limits {
    /// Returns limits with this depth and no probability cutoff.
    pub const fn depth(depth: u32) -> Self {
        Self { depth, min_probability: 0.0 }
    }
}

/// The move chosen by a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The direction of the slide.
    pub direction: Direction,
    /// The expected remaining score.
    pub value: f32,
}

/// A 4x4 player: expectimax search with a transposition table.
///
/// Results are deterministic: a choice depends on the position, the evaluation and the limits, not on earlier
/// searches. The only budget is the depth.
///
/// At the root, tiles above 32768 follow the rules; deeper in the tree they count as 32768s.
///
/// ```
/// use g2048::expectimax::Limits;
/// use g2048::{Board, Expectimax, Game, Packed, Player};
/// // Many empty cells are good.
/// let empty = |after: Packed| after.empty_cells() as f32;
/// let mut player = Expectimax::new(&empty, Limits::depth(2));
/// let board: Board = "2 4 8 2 \n . . . 2 \n . . . . \n . . . 2".parse()?;
/// let choice = player.search(&board, &|| false)?.unwrap();
/// assert!(board.is_legal(choice.direction) && choice.value > 0.0);
/// assert_eq!(player.choose(&Game::from(board)), Some(choice.direction));
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
pub struct Expectimax<'a> {
    evaluate: &'a (dyn Evaluate + Sync),
    limits: Limits,
    table: Vec<Entry>,
    /// The number of the current search, which tags its table entries.
    generation: u32,
}

/// A table entry: the value of a chance node.
#[derive(Clone, Copy)]
struct Entry {
    after: Packed,
    value: f32,
    /// The generation of the search in the upper 24 bits and the depth in the lower 8; 0 marks an empty
    /// entry.
    key: u32,
}

/// The table has 2^14 entries of 16 bytes: enough for the positions of a depth-3 search, and small enough for
/// the L2 cache.
const TABLE_BITS: u32 = 14;

impl<'a> Expectimax<'a> {
    /// Returns a search with an empty table.
    pub fn new(evaluate: &'a (dyn Evaluate + Sync), limits: Limits) -> Self {
        let empty = Entry { after: Packed::EMPTY, value: 0.0, key: 0 };
        let limits = Limits { depth: limits.depth.clamp(1, 255), ..limits };
        Self { evaluate, limits, table: vec![empty; 1 << TABLE_BITS], generation: 0 }
    }

    /// Returns the best move, or `None` if the game is over or the board isn't 4x4. Ties go to the first
    /// direction in [`Direction::ALL`].
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop`, which is called regularly during the search, returned `true`.
    pub fn search(&mut self, board: &Board, stop: &dyn Fn() -> bool) -> Result<Option<Choice>, Stopped> {
        if board.size() != Size::CLASSIC {
            return Ok(None);
        }
        // Entries of earlier searches may reflect other cutoffs. The generation invalidates them without
        // clearing.
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

    /// Returns the value of an afterstate: the mean over its spawns, or its evaluation at depth 1.
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
            if after.rank_of(cell) != 0 {
                continue;
            }
            for (rank, share) in [(1, 0.9), (2, 0.1)] {
                let board = Packed::from_bits(after.bits() | rank << (4 * cell));
                sums[rank as usize - 1] +=
                    self.max_node(board, depth - 1, probability * share / cells, stop)?;
            }
        }
        // In play an afterstate always has an empty cell.
        let value = if cells > 0.0 { (0.9 * sums[0] + 0.1 * sums[1]) / cells } else { 0.0 };
        self.table[slot] = Entry { after, value, key };
        Ok(value)
    }

    /// Returns the value of a position's best move, or 0 if the game is over.
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

impl Player for Expectimax<'_> {
    /// Returns the best move, like [`search`](Expectimax::search).
    fn choose(&mut self, game: &Game) -> Option<Direction> {
        self.choose_until(game, &|| false)
    }

    fn choose_until(&mut self, game: &Game, stop: &dyn Fn() -> bool) -> Option<Direction> {
        self.search(game.board(), stop).ok().flatten().map(|choice| choice.direction)
    }
}
