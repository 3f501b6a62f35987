//! [`Foresight`]: a board with special pieces, to play swaps without new pieces.
//!
//! The rules of [`SpecialBoard`](crate::special::SpecialBoard) on sets of cells. A special piece is
//! set off once, and what it clears only depends on the board before the level, so the order
//! doesn't matter: each round adds all that the new ones hit.

use super::board_words::{BoardWords, load_words_with};
use super::fall::{fall_by_steps, resting_cells_with};
use super::formula::{Colored, EqualMasks, swaps_of, union};
use super::four_words::FourWords;
use super::mask::{ColumnMask, Mask, Swaps};
use super::planes::PlaneBoard;
use super::words::Columns;
use crate::board::{At, Board, Cell, MAX_COLOR};
use crate::cascade_result::CascadeResult;
use crate::special_kind::Special;
use crate::swap::Swap;
use bitcore::{Isa, Lanes, Portable, SetBits, dispatch};

const KINDS: usize = Special::Color as usize + 1;

/// A board with special pieces.
#[derive(Clone, Copy)]
pub(crate) struct Foresight<W, const P: usize> {
    board: PlaneBoard<W, P>,
    /// The pieces of each kind.
    kinds: [W; KINDS],
}

impl<W: BoardWords + Columns<Portable>, const P: usize> Foresight<W, P> {
    /// Returns `None` if the board doesn't fit.
    pub(crate) fn new(board: &Board, kinds: &[Option<Special>]) -> Option<Self> {
        let mut this =
            Self { board: PlaneBoard::try_from(board).ok()?, kinds: [W::default(); KINDS] };
        for (kinds, y) in kinds.chunks_exact(board.width()).zip(0..) {
            for (&kind, x) in kinds.iter().zip(0..) {
                if let Some(kind) = kind {
                    let cell = this.cell((x, y));
                    this.kinds[kind as usize] = this.kinds[kind as usize] | cell;
                }
            }
        }
        Some(this)
    }

    /// Writes the pieces of the board.
    pub(crate) fn store(&self, board: &mut Board, kinds: &mut [Option<Special>]) {
        let width = board.width();
        let mut colors = [0; 256];
        let colors = &mut colors[..kinds.len()];
        self.board.write_colors(colors);
        for (y, (colors, kinds)) in
            colors.chunks_exact(width).zip(kinds.chunks_exact_mut(width)).enumerate()
        {
            for (x, (&color, kind)) in colors.iter().zip(kinds).enumerate() {
                if board[(x, y)] != Cell::BLOCKED {
                    board[(x, y)] = Cell::from_byte(color);
                }
                *kind = None;
            }
        }
        let at = |mask: &W| ColumnMask::new(*mask, self.board.height() as u8);
        for (x, y) in at(&self.board.locked).cells() {
            board[(x, y)] = board[(x, y)].locked();
        }
        let all = [Special::Row, Special::Column, Special::Bomb, Special::Color];
        for kind in all {
            for (x, y) in at(&self.kinds[kind as usize]).cells() {
                kinds[y * width + x] = Some(kind);
            }
        }
    }

    fn cell(&self, (x, y): At) -> W {
        let (word, bit) = self.board.word_and_bit(x, y);
        let mut cell = W::default();
        cell.words_mut()[word] = 1 << bit;
        cell
    }

    /// Returns the legal swaps, of color pieces too.
    pub(crate) fn swaps(&self) -> Swaps<ColumnMask<W>> {
        let PlaneBoard { planes, locked, .. } = &self.board;
        let (right, down) = swaps_of(Portable, planes, *locked);
        let free = union(planes).and_not(*locked);
        let color = self.kinds[Special::Color as usize];
        let across = (color | color.at::<1, 0>()) & free & free.at::<1, 0>();
        let along =
            (color | color.at::<0, 1>()) & free.without_lowest(Portable, 1) & free.at::<0, 1>();
        let mask = |cells| ColumnMask::new(cells, self.board.height() as u8);
        Swaps { right: mask(right | across), down: mask(down | along) }
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

    /// Returns what special pieces in runs, or swapped ones, clear in addition.
    #[inline(never)]
    fn set_off(&self, runs: W, swapped: &[W]) -> W {
        let colored = union(&self.board.planes);
        let mut hit = runs;
        let mut done = W::default();
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
                let above = bomb.without_top(Portable).at::<0, 1>();
                let three = bomb | above | bomb.without_lowest(Portable, 1).at::<0, -1>();
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

    /// Plays a legal swap and its cascade, without new pieces if `color` is `None`.
    #[inline(always)]
    fn play_with<S: Isa>(
        &mut self,
        isa: S,
        swap: Swap,
        mut color: Option<&mut dyn FnMut() -> u8>,
    ) -> CascadeResult
    where
        W: Columns<S>,
    {
        let bit = self.board.swap_bit(swap);
        self.board.exchange_at(bit);
        bit.exchange(&mut self.kinds);
        let cells = swap.cells().map(|at| self.cell(at));
        let mut swapped: &[W] = &cells;
        let mut result = CascadeResult::default();
        while result.levels < CascadeResult::MAX_LEVELS {
            let runs = Runs::new(&self.board.planes);
            let mut hit = runs.row | runs.column;
            let color_pieces = self.kinds[Special::Color as usize];
            let is_swapped = swapped.iter().any(|&cell| cell & color_pieces != W::default());
            if is_swapped || hit & union(&self.kinds) != W::default() {
                hit = self.set_off(hit, swapped);
            }
            let cleared = ColumnMask::new(hit, 0).len() as u64;
            if cleared == 0 {
                break;
            }
            result.add_level(cleared);
            let before = *self;
            for mask in self.masks() {
                *mask = *mask & !hit;
            }
            if runs.seeds() != W::default() {
                before.create(&runs, swapped, self);
            }
            swapped = &[];
            let pieces = self.fall_with(isa);
            if let Some(color) = &mut color {
                for (word, &pieces) in pieces.words().iter().enumerate() {
                    for bit in SetBits(self.board.open_cells(word, pieces)) {
                        let color = color().clamp(1, MAX_COLOR);
                        for (k, plane) in self.board.planes.iter_mut().enumerate() {
                            plane.words_mut()[word] |= u64::from(color >> k & 1) << bit;
                        }
                    }
                }
            }
        }
        result
    }

    /// All that falls with a piece.
    #[inline(always)]
    fn masks(&mut self) -> impl Iterator<Item = &mut W> {
        self.board.planes.iter_mut().chain(&mut self.kinds).chain([&mut self.board.locked])
    }

    /// Lets the pieces fall and returns them.
    #[inline(always)]
    fn fall_with<S: Isa>(&mut self, isa: S) -> W {
        let PlaneBoard { inside, blocked, .. } = self.board;
        let mut pieces = union(&self.board.planes);
        if !S::FAST_PEXT || blocked != W::default() {
            for (word, pieces) in pieces.words_mut().iter_mut().enumerate() {
                let inside = inside.words()[word];
                let blocked = blocked.words()[word];
                let planes = self.board.planes.each_mut().map(|plane| &mut plane.words_mut()[word]);
                let rest = fall_in(planes, |planes| {
                    fall_by_steps::<W, P>(planes, *pieces, inside, blocked)
                });
                let [row, column, bomb, color] =
                    self.kinds.each_mut().map(|kind| &mut kind.words_mut()[word]);
                let others = [row, column, bomb, color, &mut self.board.locked.words_mut()[word]];
                if others.iter().any(|&&mut other| other != 0) {
                    fall_in(others, |others| {
                        fall_by_steps::<W, 5>(others, *pieces, inside, blocked)
                    });
                }
                *pieces = rest;
            }
            return pieces;
        }
        let rest = resting_cells_with::<S, W>(isa, load_words_with(isa, &pieces)).to_array();
        for (word, pieces) in pieces.words_mut().iter_mut().enumerate() {
            if *pieces != rest[word] {
                for mask in self.masks() {
                    let bits = &mut mask.words_mut()[word];
                    *bits = isa.pdep(isa.pext(*bits, *pieces), rest[word]);
                }
                *pieces = rest[word];
            }
        }
        pieces
    }
}

/// Lets words of several masks fall.
#[inline(always)]
fn fall_in<const N: usize>(words: [&mut u64; N], fall: impl FnOnce(&mut [u64; N]) -> u64) -> u64 {
    let mut fallen = words.each_ref().map(|word| **word);
    let pieces = fall(&mut fallen);
    for (word, fallen) in words.into_iter().zip(fallen) {
        *word = fallen;
    }
    pieces
}

/// Compiles the kernel here, once per layout and ISA level.
macro_rules! layouts {
    ($($words:ty, $planes:literal;)*) => {$(
        impl Foresight<$words, $planes> {
            /// Plays a legal swap and its cascade, without new pieces if `color` is `None`.
            pub(crate) fn play(&mut self, swap: Swap, color: Option<&mut dyn FnMut() -> u8>) -> CascadeResult {
                dispatch!(isa + slow_pext [this = self, swap, color] => this.play_with(isa, swap, color))
            }
        }
    )*};
}
layouts! {
    u64, 3;
    u64, 6;
    FourWords, 3;
    FourWords, 6;
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

impl<W: BoardWords + Columns<Portable>> Runs<W> {
    #[inline(always)]
    fn new<const P: usize>(planes: &[W; P]) -> Self {
        let EqualMasks { right, down, .. } = EqualMasks::new(planes, Colored::of(Portable, planes));
        let across = right & right.at::<1, 0>();
        let along = down & down.at::<0, 1>();
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
    #[inline(always)]
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
        let five = self.four_right & self.four_right.at::<1, 0>()
            | self.four_down & self.four_down.at::<0, 1>();
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
fn cells<W: BoardWords>(mut set: W) -> impl Iterator<Item = W> {
    core::iter::from_fn(move || {
        let word = set.words().iter().position(|&word| word != 0)?;
        let mut cell = W::default();
        cell.words_mut()[word] = set.words()[word] & set.words()[word].wrapping_neg();
        set.words_mut()[word] ^= cell.words()[word];
        Some(cell)
    })
}

/// Returns all cells of the columns with a cell of the set.
fn in_columns<W: BoardWords>(mut set: W) -> W {
    let column = u64::MAX >> (64 - W::SIDE);
    for word in set.words_mut() {
        let columns = SetBits(*word)
            .fold(0, |columns, bit| columns | column << (bit as usize / W::SIDE * W::SIDE));
        *word = columns;
    }
    set
}

/// Returns all cells of the rows with a cell of the set.
fn in_rows<W: BoardWords>(mut set: W) -> W {
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
