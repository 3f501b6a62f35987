//! [`MoveList`]: a list of moves, written in groups.

use crate::board::WIDTH;
use crate::game::Move;
use crate::location::Location;
use crate::movegen::placements::{Placements, placement};
use crate::piece::{Orientation, Piece};
use crate::placement::{Placement, Spin};
use alloc::vec::Vec;
use bitcore::{Isa, dispatch};

/// A list of moves with space for those of almost all positions. Elements from `len` on are still
/// to be written.
pub(crate) struct MoveList {
    moves: [Move; 128],
    len: usize,
}

/// All bytes zero, for a fast list of them.
const UNWRITTEN: Move = Move {
    hold: false,
    placement: Placement {
        at: Location { piece: Piece::I, orientation: Orientation::North, x: 0, y: 0 },
        spin: Spin::None,
    },
};

impl MoveList {
    pub(crate) const EMPTY: Self = Self { moves: [UNWRITTEN; 128], len: 0 };

    /// Adds a move for each placement, in order. Returns `false` if there is no space for them.
    pub(crate) fn add(&mut self, placements: &Placements, hold: bool) -> bool {
        dispatch!(isa [list = self, placements, hold] => list.add_with(isa, placements, hold).is_some())
    }

    #[inline(always)]
    fn add_with<S: Isa>(&mut self, _: S, placements: &Placements, hold: bool) -> Option<()> {
        // Most columns have one placement.
        if placements.is_packed() {
            self.add_in_groups::<4, true>(placements, hold)
        } else {
            self.add_in_groups::<2, false>(placements, hold)
        }
    }

    #[inline(always)]
    fn add_in_groups<const N: usize, const PACKED: bool>(
        &mut self,
        placements: &Placements,
        hold: bool,
    ) -> Option<()> {
        let mut len = self.len;
        for (number, words) in
            placements.words().chunks_exact(if PACKED { 3 } else { WIDTH }).enumerate()
        {
            let mut any = 0;
            for word in words {
                any |= word;
            }
            // Most positions have no spins.
            if any == 0 {
                continue;
            }
            let mut first = placements.first(number);
            for &word in words {
                len = self.write::<N, PACKED>(len, Move { hold, placement: first }, word)?;
                first.at.x += if PACKED { 4 } else { 1 };
            }
        }
        self.len = len;
        Some(())
    }

    /// Writes the moves of a word and returns the new length. `first` is the move for bit 0.
    ///
    /// They are written in groups of `N`, which most words don't exceed: a loop over the exact
    /// number would end by a branch that is hard to predict. What a group has too much is written
    /// over.
    #[inline(always)]
    fn write<const N: usize, const PACKED: bool>(
        &mut self,
        len: usize,
        first: Move,
        mut word: u64,
    ) -> Option<usize> {
        let end = len + word.count_ones() as usize;
        let mut at = len;
        loop {
            for mv in self.moves.get_mut(at..at + N)? {
                let bit = word.trailing_zeros() & 63;
                word &= word.wrapping_sub(1);
                *mv = Move { placement: placement(first.placement, bit, PACKED), ..first };
            }
            at += N;
            if at >= end {
                return Some(end);
            }
        }
    }

    pub(crate) fn to_vec(&self) -> Vec<Move> {
        self.moves.get(..self.len).unwrap_or_default().to_vec()
    }
}
