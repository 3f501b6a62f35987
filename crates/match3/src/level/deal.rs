//! Legal swaps of a level's board, new boards, and shuffles of dead ones.

use super::Level;
use super::board::{Content, LevelBoard};
use super::kind::Kind;
use super::spec::{Effects, LevelError, Place, ShuffleRule, Start};
use crate::bitboard::mask::Swaps;
use crate::board::{At, Board, Cell, MAX_COLOR};
use crate::cells::groups::squares;
use crate::cells::shuffle::{ColorPieces, Deal, permute, shuffled};
use crate::error::Error;
use crate::legality::{in_run, in_square, pairs};
use crate::runs::is_stable;
use crate::swap::{Axis, Swap, SwapError};
use crate::swaps::{has_swap, swaps};
use alloc::vec;
use alloc::vec::Vec;
use bitcore::Rng;

/// Shuffles that are tried in levels with squares.
const MAX_SHUFFLES: usize = 64;

impl LevelBoard {
    /// Returns the legal swaps in order: by row, then column, horizontal before vertical.
    pub(super) fn swaps(&self, effects: Effects) -> Vec<Swap> {
        let mut found = swaps(&self.plain);
        let has_more = self.spots.iter().any(|spot| spot.is_item || spot.kind.is_some());
        if has_more || effects.square {
            self.add_swaps(effects, &mut found);
        }
        found.iter().collect()
    }

    /// Adds the swaps that aren't those of the plain board.
    fn add_swaps(&self, effects: Effects, found: &mut Swaps) {
        let mut after = self.plain.clone();
        for swap in pairs(&self.plain) {
            if !found.contains(swap) && self.is_special_swap(swap, effects, &mut after) {
                let mask = match swap.axis {
                    Axis::Horizontal => &mut found.right,
                    Axis::Vertical => &mut found.down,
                };
                mask.toggle((swap.x, swap.y));
            }
        }
    }

    /// Returns whether a swap is legal for another reason than a run of pieces. `after` must be a
    /// copy of the plain board.
    fn is_special_swap(&self, swap: Swap, effects: Effects, after: &mut Board) -> bool {
        let Ok([a, b]) = self.swappable(swap) else { return false };
        let is_item = [a, b].map(|at| self.spots[self.index(at)].is_item);
        if is_item == [true; 2] {
            return false;
        }
        if is_item == [false; 2] && self.makes_effect([a, b], effects) {
            return true;
        }
        if self.plain[a].matches(self.plain[b]) {
            return false;
        }
        after.exchange(a, b);
        // Where the item is now, there is a hole.
        let makes_match = [a, b].into_iter().any(|at| {
            !after[at].is_hole() && (in_run(after, at) || effects.square && in_square(after, at))
        });
        after.exchange(a, b);
        makes_match
    }

    /// Returns whether the pieces in two cells can be swapped because of their kinds.
    fn makes_effect(&self, cells: [At; 2], effects: Effects) -> bool {
        let kinds = cells.map(|at| self.spots[self.index(at)].kind);
        kinds.contains(&Some(Kind::Color)) || effects.pairs && kinds.iter().all(Option::is_some)
    }

    /// Returns the cells of a swap if each has an item or a free piece.
    fn swappable(&self, swap: Swap) -> Result<[At; 2], SwapError> {
        let inside =
            |at| if self.plain.contains(at) { Ok(()) } else { Err(SwapError::Outside(at)) };
        // The upper or left cell first: far outside the board, its neighbor could overflow `usize`.
        inside((swap.x, swap.y))?;
        let cells = swap.cells();
        inside(cells[1])?;
        for at in cells {
            match self.plain[at] {
                Cell::EMPTY => return Err(SwapError::Empty(at)),
                Cell::BLOCKED if !self.spots[self.index(at)].is_item => {
                    return Err(SwapError::Blocked(at));
                }
                cell if cell.is_locked() => return Err(SwapError::Locked(at)),
                _ => {}
            }
        }
        Ok(cells)
    }

    /// Returns why a swap that isn't in the list of [`swaps`](Self::swaps) is illegal.
    pub(super) fn why_illegal(&self, swap: Swap) -> SwapError {
        match self.swappable(swap) {
            Err(error) => error,
            Ok([a, b]) if self.plain[a].matches(self.plain[b]) => SwapError::SameColor(a),
            Ok([a, _]) => SwapError::NoRun(a),
        }
    }

    /// Returns whether special pieces make a swap legal, whatever the colors are.
    fn has_effect_swap(&self, effects: Effects) -> bool {
        self.spots.iter().any(|spot| spot.kind.is_some())
            && pairs(&self.plain).any(|swap| {
                self.swappable(swap).is_ok_and(|[a, b]| {
                    !self.plain[a].is_hole()
                        && !self.plain[b].is_hole()
                        && self.makes_effect([a, b], effects)
                })
            })
    }

    /// Gives the open cells, indices of pieces, new colors.
    fn deal(&mut self, level: &Level, open: &[usize], rng: &mut Rng) -> Result<(), Error> {
        let spec = level.spec();
        let open: Vec<At> = open.iter().map(|&cell| self.at(cell)).collect();
        let has_effect_swap = self.has_effect_swap(spec.effects);
        let deal = Deal {
            board: &self.plain,
            open: &open,
            weights: &spec.colors,
            squares: spec.effects.square,
            is_alive: &|board| has_effect_swap || has_swap(board),
        };
        self.plain = deal.run(rng)?;
        Ok(())
    }

    /// Shuffles the board by the rule of the level. Returns whether that worked; if not, the board
    /// is unchanged.
    pub(super) fn shuffle(&mut self, level: &Level, rng: &mut Rng) -> bool {
        match level.spec().shuffle {
            ShuffleRule::Rearrange => self.rearrange(level.spec().effects.square, rng),
            ShuffleRule::Recolor => {
                let is_piece = |&cell: &usize| !self.plain.cells()[cell].is_hole();
                let open: Vec<usize> = (0..self.spots.len()).filter(is_piece).collect();
                self.deal(level, &open, rng).is_ok()
            }
            ShuffleRule::End => false,
        }
    }

    fn rearrange(&mut self, square: bool, rng: &mut Rng) -> bool {
        for _ in 0..if square { MAX_SHUFFLES } else { 1 } {
            let Ok(plain) = shuffled(&self.plain, ColorPieces::default(), rng) else {
                return false;
            };
            let kinds = self.rearranged_kinds(&plain, rng);
            if square && !squares(&plain).is_empty() {
                continue;
            }
            self.plain = plain;
            for (spot, kind) in self.spots.iter_mut().zip(kinds) {
                spot.kind = kind;
            }
            return true;
        }
        false
    }

    /// Returns the kinds of all cells when the free pieces have moved to those of `after`.
    fn rearranged_kinds(&self, after: &Board, rng: &mut Rng) -> Vec<Option<Kind>> {
        let mut kinds: Vec<Option<Kind>> = self.spots.iter().map(|spot| spot.kind).collect();
        let mut special = vec![Vec::new(); 1 + usize::from(MAX_COLOR)];
        for (cell, kind) in self.plain.cells().iter().zip(&mut kinds) {
            if cell.is_swappable() {
                special[usize::from(cell.byte())].extend(kind.take().map(Some));
            }
        }
        for (color, mut order) in special.into_iter().enumerate().filter(|(_, of)| !of.is_empty()) {
            let has = |&cell: &usize| usize::from(after.cells()[cell].byte()) == color;
            let cells: Vec<usize> = (0..kinds.len()).filter(has).collect();
            order.resize(cells.len(), None);
            permute(&mut order, rng);
            for (cell, kind) in cells.into_iter().zip(order) {
                kinds[cell] = kind;
            }
        }
        kinds
    }

    /// Returns the event of a shuffle: all pieces.
    pub(super) fn pieces(&self) -> Vec<(At, u8, Option<Kind>)> {
        let piece = |cell: usize| match self.content(cell) {
            Content::Piece { color, special, .. } => Some((self.at(cell), color, special)),
            _ => None,
        };
        (0..self.spots.len()).filter_map(piece).collect()
    }
}

impl Level {
    /// Deals the board of a new game.
    pub(super) fn deal(&self, rng: &mut Rng) -> Result<LevelBoard, Error> {
        let mut board = LevelBoard::start(&self.spec);
        let is_open = |&cell: &usize| {
            matches!(self.spec.cells[cell].start, Start::Piece { color: None, .. })
                && !board.plain.cells()[cell].is_hole()
        };
        let open: Vec<usize> = (0..self.spec.cells.len()).filter(is_open).collect();
        board.deal(self, &open, rng)?;
        Ok(board)
    }

    /// Checks that a game can begin.
    pub(super) fn check_start(&self) -> Result<(), LevelError> {
        let fail =
            |reason: &str| Err(LevelError { place: Place::Rules("pieces"), reason: reason.into() });
        let mut fixed = LevelBoard::start(&self.spec).plain;
        for (cell, start) in fixed.cells_mut().iter_mut().zip(&self.spec.cells) {
            if matches!(start.start, Start::Piece { color: None, .. }) && !cell.is_hole() {
                *cell = Cell::EMPTY;
            }
        }
        if !is_stable(&fixed) {
            return fail("three or more pieces of a color in a row");
        }
        if self.spec.effects.square && !squares(&fixed).is_empty() {
            return fail("a square of four pieces of a color");
        }
        match self.deal(&mut Rng::new(0)) {
            Ok(_) => Ok(()),
            Err(Error::NoneExists) => fail("no swap can be legal at the start"),
            Err(_) => fail("found no start with a legal swap"),
        }
    }
}
