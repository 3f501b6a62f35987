//! [`Random`]: any legal swap.

use super::Agent;
use crate::planes::PlaneBoard;
use crate::swaps::Swap;
use bitcore::{Isa, Level, Rng, dispatch};

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

    /// [`choose`](Agent::choose) for kernels.
    #[doc(hidden)]
    #[inline(always)]
    pub fn choose_with<S: Isa, const WORDS: usize, const P: usize>(
        &mut self,
        isa: S,
        board: &PlaneBoard<WORDS, P>,
    ) -> Option<Swap> {
        let swaps = board.swaps_with(isa);
        if swaps.is_empty() {
            return None;
        }
        let mut k = self.rng.below(swaps.len() as u32);
        for (masks, down) in [(swaps.right.words(), false), (swaps.down.words(), true)] {
            for (word, mask) in masks.into_iter().enumerate() {
                if k < mask.count_ones() {
                    return Some(board.swap_at(word, isa.select(mask, k), down));
                }
                k -= mask.count_ones();
            }
        }
        None
    }
}

impl<const WORDS: usize, const P: usize> Agent<WORDS, P> for Random {
    fn choose(&mut self, board: &PlaneBoard<WORDS, P>, _moves_left: u32) -> Option<Swap> {
        dispatch!(isa => self.choose_with(isa, board))
    }

    fn choose_on(&mut self, level: Level, board: &PlaneBoard<WORDS, P>, _moves_left: u32) -> Option<Swap> {
        dispatch!(level, isa => self.choose_with(isa, board))
    }
}
