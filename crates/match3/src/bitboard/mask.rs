//! Sets of cells ([`Mask`]) and of swaps ([`Swaps`]), in the layout of the board that they come from.

use crate::bitboard::words::gather_bit;
use crate::board::MAX_SIDE;
use crate::swap::{Axis, Swap};
use bitcore::SetBits;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::RowMask {}
    impl<const WORDS: usize> Sealed for super::ColumnMask<WORDS> {}
}

/// A set of cells. Sealed: [`RowMask`] and [`ColumnMask`].
pub trait Mask: sealed::Sealed {
    /// Returns the number of rows of the board.
    fn height(&self) -> usize;
    /// Returns row `y` from the top: bit x is column x. A row outside the board is 0.
    fn row(&self, y: usize) -> u64;
    /// Returns the number of cells.
    fn len(&self) -> usize;
    /// Returns whether the set has no cell.
    fn is_empty(&self) -> bool;

    /// Returns whether the cell in column `x` of row `y` is in the set. A cell outside the board isn't.
    fn contains(&self, x: usize, y: usize) -> bool {
        x < 64 && self.row(y) >> x & 1 == 1
    }

    /// Returns the cells as (x, y), by row, then by column.
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.height()).flat_map(|y| SetBits(self.row(y)).map(move |x| (x as usize, y)))
    }
}

/// A set of cells of a [`Board`](crate::Board): one word per row from the top, bit x is column x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowMask {
    words: [u64; MAX_SIDE],
    height: u8,
}

impl RowMask {
    /// Returns the empty set of a board with this number of rows.
    pub(crate) const fn new(height: usize) -> Self {
        Self { words: [0; MAX_SIDE], height: height as u8 }
    }

    /// Returns all rows; those below the board are empty.
    pub(crate) const fn words_mut(&mut self) -> &mut [u64; MAX_SIDE] {
        &mut self.words
    }

    /// Returns the rows from the top: bit x is column x.
    pub fn words(&self) -> &[u64] {
        &self.words[..self.height.into()]
    }
}

impl Mask for RowMask {
    fn height(&self) -> usize {
        self.height.into()
    }
    fn row(&self, y: usize) -> u64 {
        self.words.get(y).copied().unwrap_or(0)
    }
    fn len(&self) -> usize {
        self.words().iter().map(|row| row.count_ones() as usize).sum()
    }
    fn is_empty(&self) -> bool {
        self.words().iter().all(|&row| row == 0)
    }
}

/// A set of cells of a [`PlaneBoard`](crate::planes::PlaneBoard), in columns: one word for boards of up to 8
/// x 8, four for boards of up to 16 x 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColumnMask<const WORDS: usize> {
    words: [u64; WORDS],
    height: u8,
}

impl<const WORDS: usize> ColumnMask<WORDS> {
    #[inline(always)]
    pub(crate) const fn new(words: [u64; WORDS], height: u8) -> Self {
        Self { words, height }
    }

    /// Returns the words, in the layout of [`Board8`](crate::Board8) or [`Board16`](crate::Board16).
    #[inline(always)]
    pub const fn words(&self) -> [u64; WORDS] {
        self.words
    }
}

impl<const WORDS: usize> Mask for ColumnMask<WORDS> {
    fn height(&self) -> usize {
        self.height.into()
    }

    fn row(&self, y: usize) -> u64 {
        if y >= self.height() {
            return 0;
        }
        let bit = self.height() - 1 - y;
        if WORDS == 1 {
            return gather_bit(self.words[0], bit as u32);
        }
        let mut row = 0;
        for (i, word) in self.words.iter().enumerate() {
            let flags = (word >> bit) & 0x0001_0001_0001_0001;
            row |= (flags.wrapping_mul(0x0001_0002_0004_0008) >> 48 & 15) << (4 * i);
        }
        row
    }

    #[inline(always)]
    fn len(&self) -> usize {
        let mut len = 0;
        for word in self.words {
            len += word.count_ones() as usize;
        }
        len
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        let mut any = 0;
        for word in self.words {
            any |= word;
        }
        any == 0
    }
}

/// The legal swaps of a board: a set, iterated by row, column, `H` before `V`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swaps<M = RowMask> {
    /// The cells that may be swapped with their right neighbor.
    pub right: M,
    /// The cells that may be swapped with the one below.
    pub down: M,
}

impl<M: Mask> Swaps<M> {
    /// Returns the number of swaps.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.right.len() + self.down.len()
    }

    /// Returns whether there is no swap: the board is dead.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.right.is_empty() && self.down.is_empty()
    }

    /// Returns whether `swap` is legal. A swap outside the board isn't.
    pub fn contains(&self, swap: Swap) -> bool {
        let mask = if swap.axis == Axis::Horizontal { &self.right } else { &self.down };
        mask.contains(swap.x, swap.y)
    }

    /// Returns the swaps, by row, column, `H` before `V`.
    pub fn iter(&self) -> SwapIter<'_, M> {
        SwapIter { swaps: self, next: 0, y: 0, right: 0, down: 0 }
    }
}

impl<'a, M: Mask> IntoIterator for &'a Swaps<M> {
    type Item = Swap;
    type IntoIter = SwapIter<'a, M>;

    fn into_iter(self) -> SwapIter<'a, M> {
        self.iter()
    }
}

/// The iterator of [`Swaps::iter`].
#[derive(Clone, Debug)]
pub struct SwapIter<'a, M> {
    swaps: &'a Swaps<M>,
    /// The row after `y`.
    next: usize,
    /// The row of the bits in `right` and `down` that are still to come.
    y: usize,
    right: u64,
    down: u64,
}

impl<M: Mask> Iterator for SwapIter<'_, M> {
    type Item = Swap;

    fn next(&mut self) -> Option<Swap> {
        while self.right | self.down == 0 {
            if self.next == self.swaps.right.height() {
                return None;
            }
            self.y = self.next;
            self.next += 1;
            (self.right, self.down) = (self.swaps.right.row(self.y), self.swaps.down.row(self.y));
        }
        let x = (self.right | self.down).trailing_zeros();
        let horizontal = self.right >> x & 1 == 1;
        let (axis, mask) =
            if horizontal { (Axis::Horizontal, &mut self.right) } else { (Axis::Vertical, &mut self.down) };
        *mask &= !(1 << x);
        Some(Swap { x: x as usize, y: self.y, axis })
    }
}
