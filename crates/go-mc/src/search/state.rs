//! The position between the root and a leaf.

use super::arena::PASS;
use crate::rules::board::Color;
use crate::rules::chains::Chains;
use crate::rules::game::{Game, Move};
use crate::rules::points::Points;
use crate::rules::position::Position;

/// A position between the root and a leaf, and during a heavy playout.
#[derive(Clone)]
pub(super) struct SearchState<const N: usize> {
    pub(super) chains: Chains<N>,
    pub(super) to_move: Color,
    /// Consecutive passes at the end of the game so far.
    pub(super) passes: u8,
    /// The points of the last two moves, the latest first; `None` for a pass.
    pub(super) last: [Option<usize>; 2],
}

impl<const N: usize> SearchState<N> {
    pub(super) fn empty() -> Self {
        Self { chains: Chains::new(), to_move: Color::Black, passes: 0, last: [None; 2] }
    }

    /// Returns the position of a game, or `None` if its board is not N x N. A single pass before it
    /// does not count: in the tree an answering pass must be as good as the game that goes on, and
    /// whether it ends the game is decided at the root.
    pub(super) fn new(game: &Game) -> Option<Self> {
        let position = Position::new(game.board(), game.to_move())?;
        let chains = Chains::from(&position);
        let passes = if game.is_over() { 2 } else { 0 };
        let mut moves = game.moves().rev().map(|(_, mv)| match mv {
            Move::Play(point) => Points::<N>::index(point),
            Move::Pass => None,
        });
        let last = [(); 2].map(|()| moves.next().flatten());
        Some(Self { chains, to_move: game.to_move(), passes, last })
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.chains.copy_from(&other.chains);
        (self.to_move, self.passes, self.last) = (other.to_move, other.passes, other.last);
    }

    /// Returns the starting position for light playouts.
    pub(super) fn position(&self) -> Position<N> {
        if self.passes == 1 {
            self.chains.position(self.to_move.other()).after_pass()
        } else {
            self.chains.position(self.to_move)
        }
    }

    pub(super) fn play(&mut self, point: u16) {
        if point == PASS {
            self.pass();
        } else {
            self.place_stone(point.into());
        }
    }

    pub(super) fn place_stone(&mut self, index: usize) {
        self.chains.play_on_empty(self.to_move, index);
        self.passes = 0;
        self.last = [Some(index), self.last[0]];
        self.to_move = self.to_move.other();
    }

    pub(super) fn pass(&mut self) {
        self.chains.pass();
        self.passes += 1;
        self.last = [None, self.last[0]];
        self.to_move = self.to_move.other();
    }
}
