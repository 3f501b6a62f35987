//! [`Position`]: the starting position of playouts.

use crate::rules::board::{Board, Color};
use crate::rules::points::Points;

/// The starting position of playouts: the stones, the ko point, the player to move, and whether the
/// last move was a pass.
///
/// ```
/// use go_mc::{Board, Color, Position};
/// let board: Board = ("X........\n".to_owned() + &".........\n".repeat(7) + "........O").parse().unwrap();
/// let position = Position::<9>::new(&board, Color::White).unwrap();
/// assert_eq!(position.to_move(), Color::White);
/// assert_eq!(Position::<13>::new(&board, Color::White), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<const N: usize> {
    stones: [Points<N>; 2],
    ko: Points<N>,
    to_move: Color,
    passed: bool,
}

impl<const N: usize> Position<N> {
    /// The empty board, Black to move.
    pub const EMPTY: Self = Self {
        stones: [Points::EMPTY; 2],
        ko: Points::EMPTY,
        to_move: Color::Black,
        passed: false,
    };

    /// Returns the position of a board with `to_move` to move; `None` unless the board is `N` x
    /// `N`.
    pub fn new(board: &Board, to_move: Color) -> Option<Self> {
        let size = board.size();
        (size.width() == N && size.height() == N).then(|| Self {
            stones: [board.stones(Color::Black).resized(), board.stones(Color::White).resized()],
            ko: board
                .ko(to_move)
                .and_then(Points::<N>::index)
                .map_or(Points::EMPTY, Points::from_index),
            to_move,
            passed: false,
        })
    }

    /// `ko` is empty if there is no ko point.
    #[inline(always)]
    pub(crate) const fn from_stones(stones: [Points<N>; 2], ko: Points<N>, to_move: Color) -> Self {
        Self { stones, ko, to_move, passed: false }
    }

    /// Returns the position after a pass; a second pass ends the game.
    #[must_use]
    pub const fn after_pass(self) -> Self {
        Self { ko: Points::EMPTY, to_move: self.to_move.other(), passed: true, ..self }
    }

    /// Returns the stones of one color.
    #[inline(always)]
    pub const fn stones(&self, color: Color) -> Points<N> {
        self.stones[color as usize]
    }

    /// Returns the ko point, where the player to move may not play; empty if there is none.
    #[inline(always)]
    pub const fn ko(&self) -> Points<N> {
        self.ko
    }

    /// Returns the player to move.
    #[inline(always)]
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// Returns whether the last move was a pass.
    #[inline(always)]
    pub const fn passed(&self) -> bool {
        self.passed
    }
}
