//! [`Random`]: any legal swap.

use super::game::Agent;
use crate::planes::{Layout, PlaneBoard};
use crate::swap::Swap;
use bitcore::bits::select;
use bitcore::{Level, Rng};

/// Plays a uniformly random legal swap: the floor that a player is measured from.
///
/// One draw a move, [`below`](Rng::below) the number of swaps, which counts the horizontal ones first, then the
/// vertical ones, each by column from the left and in a column from the lowest cell up.
///
/// ```
/// use bitcore::Rng;
/// use match3::{Agent, Board, Board8, Random};
/// let board: Board8 = Board8::new(&"1121\n3213\n2132".parse::<Board>()?)?;
/// let swap = Random::new(Rng::new(1)).choose(&board, 30).ok_or("a legal swap")?;
/// assert!(board.swaps().contains(swap));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// Draws its swaps from a generator.
    pub const fn new(rng: Rng) -> Self {
        Self { rng }
    }
}

impl<const WORDS: usize, const P: usize> Agent<WORDS, P> for Random
where
    PlaneBoard<WORDS, P>: Layout<WORDS, P>,
{
    fn choose(&mut self, board: &PlaneBoard<WORDS, P>, moves_left: u32) -> Option<Swap> {
        self.choose_on(Level::detect(), board, moves_left)
    }

    fn choose_on(&mut self, level: Level, board: &PlaneBoard<WORDS, P>, _moves_left: u32) -> Option<Swap> {
        let swaps = board.swaps_on(level);
        if swaps.is_empty() {
            return None;
        }
        let mut k = self.rng.below(swaps.len() as u32);
        for (masks, down) in [(swaps.right.words(), false), (swaps.down.words(), true)] {
            for (word, mask) in masks.into_iter().enumerate() {
                if k < mask.count_ones() {
                    return Some(board.swap_at(word, select(mask, k), down));
                }
                k -= mask.count_ones();
            }
        }
        None
    }
}
