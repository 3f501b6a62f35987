//! [`Foresight`]: a board with special pieces, to play swaps without new pieces.
//!
//! The rules of [`SpecialBoard`](crate::special::SpecialBoard) on sets of cells. A special piece is set off once,
//! and what it clears only depends on the board before the level, so the order doesn't matter: each round adds
//! all that the new ones hit.

use super::fall::fall_by_steps;
use super::formula::{Colored, EqualMasks, union};
use super::mask::{ColumnMask, Mask, Swaps};
use super::planes::{PlaneBoard, PlaneLayout};
use super::words::Columns;
use crate::board::{At, Board};
use crate::cascade_result::CascadeResult;
use crate::cells::special::Special;
use crate::swap::Swap;
use bitcore::{Portable, SetBits};

const PLANES: usize = 4;
const KINDS: usize = Special::Color as usize + 1;
/// What falls with a piece: its color, its kind and its lock.
const FALLING: usize = PLANES + KINDS + 1;

/// A board of up to 15 colors with special pieces.
#[derive(Clone, Copy)]
pub(crate) struct Foresight<W> {
    board: PlaneBoard<W, PLANES>,
    /// The pieces of each kind.
    kinds: [W; KINDS],
}

impl<W: PlaneLayout<PLANES> + Columns<Portable>> Foresight<W> {
    /// Returns `None` if the board doesn't fit.
    pub(crate) fn new(board: &Board, kinds: &[Option<Special>]) -> Option<Self> {
        let mut this = Self { board: PlaneBoard::try_from(board).ok()?, kinds: [W::default(); KINDS] };
        for (at, kind) in kinds.iter().enumerate() {
            if let Some(kind) = kind {
                let cell = this.cell((at % board.width(), at / board.width()));
                this.kinds[*kind as usize] = this.kinds[*kind as usize] | cell;
            }
        }
        Some(this)
    }

    fn cell(&self, (x, y): At) -> W {
        let (word, bit) = self.board.word_and_bit(x, y);
        let mut cell = W::default();
        cell.words_mut()[word] = 1 << bit;
        cell
    }

    /// Returns the legal swaps, of color pieces too.
    pub(crate) fn swaps(&self) -> Swaps<ColumnMask<W>> {
        let Swaps { right, down } = self.board.swaps();
        let free = union(&self.board.planes).and_not(self.board.locked);
        let color = self.kinds[Special::Color as usize];
        let (across, along) = (color | color.at::<1, 0>(), color | color.at::<0, 1>());
        let free_above = free.without_lowest(Portable, 1);
        let height = self.board.height() as u8;
        Swaps {
            right: ColumnMask::new(right.words() | across & free & free.at::<1, 0>(), height),
            down: ColumnMask::new(down.words() | along & free_above & free.at::<0, 1>(), height),
        }
    }

    /// Plays a legal swap and its cascade on a copy.
    pub(crate) fn after(mut self, swap: Swap) -> CascadeResult {
        let bit = self.board.swap_bit(swap);
        self.board.exchange_at(bit);
        bit.exchange(&mut self.kinds);
        let cells = swap.cells().map(|at| self.cell(at));
        let mut result = CascadeResult::default();
        loop {
            let is_first = result.levels == 0;
            let equal = Runs::new(&self.board.planes);
            let hit = self.hit(equal.row | equal.column, if is_first { &cells } else { &[] });
            let cleared = ColumnMask::new(hit, 0).len() as u64;
            if cleared == 0 {
                return result;
            }
            result.add_level(cleared);
            let mut after = self;
            after.keep(!hit);
            if !equal.seeds().is_zero() {
                self.create(&equal, if is_first { &cells } else { &[] }, &mut after);
            }
            after.fall();
            self = after;
        }
    }

    /// Returns the pieces that a level clears, given those in runs and the cells of the swap.
    fn hit(&self, runs: W, swapped: &[W]) -> W {
        let colored = union(&self.board.planes);
        let (mut hit, mut done) = (runs, W::default());
        // A swapped color piece takes the color of the other cell.
        for (at, &cell) in swapped.iter().enumerate() {
            if !(cell & self.kinds[Special::Color as usize]).is_zero() {
                hit = hit | cell | self.of_color_of(swapped[1 - at]);
                done = done | cell;
            }
        }
        loop {
            let new = (hit & union(&self.kinds)).and_not(done);
            if new.is_zero() {
                return hit;
            }
            done = done | new;
            let [row, column, bomb, color] = self.kinds.map(|kind| kind & new);
            let mut reach = in_rows(row) | in_columns(column);
            if !bomb.is_zero() {
                let up = bomb.without_top(Portable).at::<0, 1>();
                let three = bomb | up | bomb.without_lowest(Portable, 1).at::<0, -1>();
                reach = reach | three | three.at::<1, 0>() | three.at::<-1, 0>();
            }
            for cell in cells(color) {
                reach = reach | self.of_color_of(cell);
            }
            hit = hit | reach & colored;
        }
    }

    /// Returns the pieces of the same color as that of a cell.
    fn of_color_of(&self, cell: W) -> W {
        let mut same = union(&self.board.planes);
        for &plane in &self.board.planes {
            same = if (plane & cell).is_zero() { same.and_not(plane) } else { same & plane };
        }
        same
    }

    fn keep(&mut self, cells: W) {
        let Self { board, kinds } = self;
        for mask in board.planes.iter_mut().chain(kinds).chain([&mut board.locked]) {
            *mask = *mask & cells;
        }
    }

    /// Puts the special pieces that the groups create into the board after the clear.
    #[cold]
    #[inline(never)]
    fn create(&self, runs: &Runs<W>, swapped: &[W], after: &mut Self) {
        let mut seeds = runs.seeds();
        while let Some(seed) = cells(seeds).next() {
            let group = runs.group(seed);
            seeds = seeds.and_not(group);
            let mask = ColumnMask::new(group, self.board.height() as u8);
            let middle = || mask.cells().nth(mask.len() / 2).map(|at| self.cell(at));
            let swapped = swapped.iter().copied().find(|&cell| !(cell & group).is_zero());
            let Some(cell) = swapped.or_else(middle) else { continue };
            for (to, plane) in after.board.planes.iter_mut().zip(self.board.planes) {
                if !(plane & seed).is_zero() {
                    *to = *to | cell;
                }
            }
            let kind = &mut after.kinds[runs.kind(group) as usize];
            *kind = *kind | cell;
        }
    }

    fn fall(&mut self) {
        let Self { board, kinds } = self;
        let pieces = union(&board.planes);
        for word in 0..pieces.words().len() {
            let (inside, blocked) = (board.inside.words()[word], board.blocked.words()[word]);
            let mut falling = [0; FALLING];
            let masks = || board.planes.iter().chain(&*kinds).chain([&board.locked]);
            for (to, mask) in falling.iter_mut().zip(masks()) {
                *to = mask.words()[word];
            }
            fall_by_steps::<W, FALLING>(&mut falling, pieces.words()[word], inside, blocked);
            let masks = board.planes.iter_mut().chain(&mut *kinds).chain([&mut board.locked]);
            for (mask, from) in masks.zip(falling) {
                mask.words_mut()[word] = from;
            }
        }
    }
}

/// The cells in runs, and how they hang together.
struct Runs<W> {
    /// The cells in runs of a row, and of a column.
    row: W,
    column: W,
    /// Those with the next cell, to the right or below, in the same run.
    right: W,
    down: W,
    /// The first cells of four equal cells.
    four_right: W,
    four_down: W,
}

impl<W: PlaneLayout<PLANES> + Columns<Portable>> Runs<W> {
    fn new(planes: &[W; PLANES]) -> Self {
        let EqualMasks { right, down, .. } = EqualMasks::new(planes, Colored::of(Portable, planes));
        let (across, along) = (right & right.at::<1, 0>(), down & down.at::<0, 1>());
        let row = across | across.at::<-1, 0>() | across.at::<-2, 0>();
        let column = along | along.at::<0, -1>() | along.at::<0, -2>();
        Self {
            row,
            column,
            right: right & row,
            down: down & column,
            four_right: across & across.at::<1, 0>(),
            four_down: along & along.at::<0, 1>(),
        }
    }

    /// Returns at least one cell of each group that creates a special piece, and of no other.
    fn seeds(&self) -> W {
        self.four_right | self.four_down | self.row & self.column
    }

    /// Returns the group of a cell.
    fn group(&self, cell: W) -> W {
        let mut group = cell;
        loop {
            let before = group;
            group = group | (group & self.right).at::<-1, 0>() | group.at::<1, 0>() & self.right;
            group = group | (group & self.down).at::<0, -1>() | group.at::<0, 1>() & self.down;
            if group == before {
                return group;
            }
        }
    }

    /// Returns the special piece that a group creates.
    fn kind(&self, group: W) -> Special {
        let five =
            self.four_right & self.four_right.at::<1, 0>() | self.four_down & self.four_down.at::<0, 1>();
        if !(five & group).is_zero() {
            Special::Color
        } else if !(self.row & self.column & group).is_zero() {
            Special::Bomb
        } else if !(self.four_right & group).is_zero() {
            Special::Row
        } else {
            Special::Column
        }
    }
}

/// Returns the cells, each as a set of its own.
fn cells<W: PlaneLayout<PLANES>>(mut set: W) -> impl Iterator<Item = W> {
    core::iter::from_fn(move || {
        let word = set.words().iter().position(|&word| word != 0)?;
        let mut cell = W::default();
        cell.words_mut()[word] = set.words()[word] & set.words()[word].wrapping_neg();
        set.words_mut()[word] ^= cell.words()[word];
        Some(cell)
    })
}

/// Returns all cells of the columns with a cell of the set.
fn in_columns<W: PlaneLayout<PLANES>>(mut set: W) -> W {
    let column = u64::MAX >> (64 - W::SIDE);
    for word in set.words_mut() {
        let columns =
            SetBits(*word).fold(0, |columns, bit| columns | column << (bit as usize / W::SIDE * W::SIDE));
        *word = columns;
    }
    set
}

/// Returns all cells of the rows with a cell of the set.
fn in_rows<W: PlaneLayout<PLANES>>(mut set: W) -> W {
    let mut rows = set.words().iter().fold(0, |rows, word| rows | word);
    if rows == 0 {
        return set;
    }
    let mut shift = 32;
    while shift >= W::SIDE {
        rows |= rows >> shift;
        shift /= 2;
    }
    let column = u64::MAX >> (64 - W::SIDE);
    set.words_mut().fill((rows & column) * (u64::MAX / column));
    set
}
