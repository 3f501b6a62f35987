//! [`Random`]: uniformly random legal swaps.

use super::game::Agent;
use crate::bitboard::planes::{AnyBoard, with_board};
use crate::swap::Swap;
use bitcore::Rng;

/// A player that plays a uniformly random legal swap: the baseline of other players.
///
/// It draws once per move, [`below`](Rng::below) the number of swaps, which counts the horizontal swaps
/// first, then the vertical ones, both by column from the left and in a column from the lowest cell up.
///
/// ```
/// use bitcore::Rng;
/// use match3::agent::{Agent, Random};
/// use match3::{Board, Board8};
/// let board: Board8 = Board8::new(&"1121\n3213\n2132".parse::<Board>()?)?;
/// let swap = Random::new(Rng::new(1)).choose(&board.into(), 30).ok_or("a legal swap")?;
/// assert!(board.swaps().contains(swap));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// Creates a player that draws from a generator.
    pub const fn new(rng: Rng) -> Self {
        Self { rng }
    }
}

impl Agent for Random {
    fn choose(&mut self, board: &AnyBoard, _moves_left: u32) -> Option<Swap> {
        with_board!(board, board => {
            board.swaps().draw(&mut self.rng).map(|swap| board.swap_at(swap))
        })
    }
}
