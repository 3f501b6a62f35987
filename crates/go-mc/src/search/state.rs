//! [`State`]: a position on the way down the tree.

use super::pool::PASS;
use crate::board::Color;
use crate::chains::Chains;
use crate::game::Game;
use crate::position::Position;

/// A position on the way from the root to a leaf.
#[derive(Clone)]
pub(super) struct State<const N: usize> {
    pub(super) chains: Chains<N>,
    pub(super) color: Color,
    pub(super) passes: u8,
    /// Where the last stones were put, the opponent's first; none for a pass.
    pub(super) last: [Option<usize>; 2],
}

impl<const N: usize> State<N> {
    /// The empty board.
    pub(super) fn empty() -> Self {
        Self { chains: Chains::new(), color: Color::Black, passes: 0, last: [None; 2] }
    }

    pub(super) fn new(game: &Game) -> Option<Self> {
        let position = Position::new(game.board(), game.to_move())?;
        let chains = Chains::from_position(&position);
        Some(Self { chains, color: game.to_move(), passes: game.passes(), last: [None; 2] })
    }

    /// Becomes a copy of another.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.chains.copy_from(&other.chains);
        (self.color, self.passes, self.last) = (other.color, other.passes, other.last);
    }

    /// The same for playouts.
    pub(super) fn position(&self) -> Position<N> {
        if self.passes == 1 {
            Position::from_chains(&self.chains, self.color.other()).after_pass()
        } else {
            Position::from_chains(&self.chains, self.color)
        }
    }

    pub(super) fn play(&mut self, point: u16) {
        if point == PASS {
            self.pass();
        } else {
            self.put(point.into());
        }
    }

    pub(super) fn put(&mut self, index: usize) {
        self.chains.play(self.color, index);
        self.passes = 0;
        self.last = [Some(index), self.last[0]];
        self.color = self.color.other();
    }

    pub(super) fn pass(&mut self) {
        self.chains.pass();
        self.passes += 1;
        self.last = [None, self.last[0]];
        self.color = self.color.other();
    }
}
