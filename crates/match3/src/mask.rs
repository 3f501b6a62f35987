//! Sets of cells and of swaps, in the layout of the board that they come from.

use crate::bit_words::gather_bit;
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
    /// The rows of the board.
    fn height(&self) -> usize;
    /// Row `y` from the top, bit x = column x; none of a row outside the board.
    fn row(&self, y: usize) -> u64;
    /// The number of cells.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool;

    /// Whether the cell in column `x` of row `y` is in the set. One outside the board isn't.
    fn contains(&self, x: usize, y: usize) -> bool {
        x < 64 && self.row(y) >> x & 1 == 1
    }

    /// The cells as (x, y), by row and column.
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.height()).flat_map(|y| SetBits(self.row(y)).map(move |x| (x as usize, y)))
    }
}

/// Cells row by row from the top, bit x = column x: what a [`Board`](crate::Board) gives out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowMask {
    words: [u64; MAX_SIDE],
    height: u8,
}

impl RowMask {
    /// No cell of a board with so many rows.
    pub(crate) const fn new(height: usize) -> Self {
        Self { words: [0; MAX_SIDE], height: height as u8 }
    }

    /// All rows; those below the board are empty.
    pub(crate) const fn words_mut(&mut self) -> &mut [u64; MAX_SIDE] {
        &mut self.words
    }

    /// The rows from the top, bit x = column x.
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

/// Cells in columns, in one word for boards up to 8 x 8 and in four up to 16 x 16: what a
/// [`PlaneBoard`](crate::PlaneBoard) gives out.
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

    /// The words: see [`Board8`](crate::Board8) and [`Board16`](crate::Board16).
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
    /// The number of swaps.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.right.len() + self.down.len()
    }

    /// Whether there is none: the board is dead.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.right.is_empty() && self.down.is_empty()
    }

    /// Whether `swap` is legal. One outside the board isn't.
    pub fn contains(&self, swap: Swap) -> bool {
        let mask = if swap.axis == Axis::Horizontal { &self.right } else { &self.down };
        mask.contains(swap.x, swap.y)
    }

    /// The swaps, by row, column, `H` before `V`.
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

/// The swaps of a board in order: what [`Swaps::iter`] gives.
#[derive(Clone, Debug)]
pub struct SwapIter<'a, M> {
    swaps: &'a Swaps<M>,
    /// The row to look at when row `y` is done.
    next: usize,
    /// What is left of row `y`.
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
