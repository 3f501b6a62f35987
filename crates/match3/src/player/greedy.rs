//! [`Greedy`]: plays the highest-scoring swap, not counting new pieces.

use crate::game::Game;
use crate::game::position::{Position, with_position};
use crate::swap::Swap;
use bitcade_core::Player;

/// A player that picks the swap whose cascade scores the most without new pieces
/// ([`cascade_without_refill`](crate::cascade_without_refill)).
///
/// Ties go to the swap with the lowest upper or left cell, because a low swap moves the most pieces
/// and is most likely to make further runs; then horizontal before vertical, then leftmost.
///
/// ```
/// use match3::player::Greedy;
/// use match3::{Board, Game, Player, Rules, ranked_swaps};
/// // Five in a row at the bottom, or three in the top row.
/// let board: Board = "1121234\n3232323\n5566545\n6655656".parse()?;
/// let rules = Rules { width: 7, height: 4, ..Rules::default() };
/// let game = Game::with_board(rules, &board)?;
/// assert_eq!(Greedy.choose(&game), Some(ranked_swaps(&board)[0].0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Greedy;

impl Player<Game> for Greedy {
    fn choose(&mut self, game: &Game) -> Option<Swap> {
        with_position!(&game.position, Position { board, legal } => {
            board.best_of(legal).map(|best| board.swap_at(best.swap))
        })
    }
}
