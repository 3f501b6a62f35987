//! Sets of cells ([`Mask`]) and of swaps ([`Swaps`]), in the layout of the board they come from.

use super::board_words::BoardWords;
use super::words::{gather_bit, interleaved};
use crate::board::{At, MAX_SIDE};
use crate::swap::{Axis, Swap};
use bitcore::{Isa, Portable, Rng, SetBits};

mod sealed {
    /// The rows of two sets of cells, in blocks of 64 cells, for [`SwapIter`](super::SwapIter).
    pub trait Sealed {
        /// The cells per row of a block, if that is known at compile time, as a binary logarithm.
        const ROW_DIGITS: Option<u32>;
        /// Whether a board may have several blocks.
        const SEVERAL: bool;
        /// Returns the binary logarithm of the cells per row of a block.
        fn row_digits(right: &Self, down: &Self) -> u32;
        /// Returns two bits per cell, row by row: whether it is in `right`, and in `down`.
        fn block(right: &Self, down: &Self, row_digits: u32, block: usize) -> [u64; 2];
    }
}

impl sealed::Sealed for RowMask {
    const ROW_DIGITS: Option<u32> = None;
    const SEVERAL: bool = true;

    #[inline]
    fn row_digits(right: &Self, down: &Self) -> u32 {
        let any = right.words().iter().chain(down.words()).fold(0, |any, row| any | row);
        match any {
            0..=0xff => 3,
            0x100..=0xffff => 4,
            _ => 6,
        }
    }

    #[inline]
    fn block(right: &Self, down: &Self, row_digits: u32, block: usize) -> [u64; 2] {
        let rows = 64 >> row_digits;
        let packed = |mask: &Self| {
            let rows = mask.words().iter().skip(rows * block).take(rows);
            rows.rev().fold(0_u64, |word, row| word.unbounded_shl(1 << row_digits) | row)
        };
        interleaved([packed(right), packed(down)])
    }
}

impl<W: BoardWords> sealed::Sealed for ColumnMask<W> {
    const ROW_DIGITS: Option<u32> = Some(W::SIDE.ilog2());
    const SEVERAL: bool = W::SIDE > 8;

    #[inline(always)]
    fn row_digits(_: &Self, _: &Self) -> u32 {
        W::SIDE.ilog2()
    }

    #[inline(always)]
    fn block(right: &Self, down: &Self, _: u32, block: usize) -> [u64; 2] {
        W::block([right.words, down.words], right.height.into(), block)
    }
}

/// A set of cells. This trait is sealed; it is implemented by [`RowMask`] and [`ColumnMask`].
pub trait Mask: sealed::Sealed {
    /// Returns the number of rows of the board.
    fn height(&self) -> usize;
    /// Returns row `y` from the top, where bit x is column x. Rows outside the board are 0.
    fn row(&self, y: usize) -> u64;
    /// Returns the number of cells.
    fn len(&self) -> usize;
    /// Returns whether the set is empty.
    fn is_empty(&self) -> bool;

    /// Returns whether the cell in column `x` of row `y` is in the set; `false` outside the board.
    fn contains(&self, x: usize, y: usize) -> bool {
        x < 64 && self.row(y) >> x & 1 == 1
    }

    /// Returns the cells as (x, y), by row, then by column.
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.height()).flat_map(|y| SetBits(self.row(y)).map(move |x| (x as usize, y)))
    }
}

/// A set of cells of a [`Board`](crate::Board): one word per row from the top, where bit x is
/// column x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowMask {
    words: Rows,
    height: u8,
}

/// The rows, padded with empty ones. The smaller array is there because finding the swaps of a
/// small board takes less time than writing 64 words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::large_enum_variant, reason = "no allocation for a result")]
enum Rows {
    UpTo16([u64; 16]),
    UpTo64([u64; MAX_SIDE]),
}

impl RowMask {
    /// The rows after the first `height` must be empty.
    #[inline(always)]
    pub(crate) fn new(rows: &[u64; MAX_SIDE], height: usize) -> Self {
        let words = match rows.first_chunk() {
            Some(rows) if height <= 16 => Rows::UpTo16(*rows),
            _ => Rows::UpTo64(*rows),
        };
        Self { words, height: height as u8 }
    }

    /// Returns the set for a board whose rows are stored as the columns of `words`, with the left
    /// cell in the lowest bit.
    #[inline(always)]
    pub(crate) fn of_words<W: BoardWords>(words: W, height: usize) -> Self {
        let mut rows = [0; 16];
        for (y, row) in rows.iter_mut().enumerate().take(W::SIDE) {
            *row = words.words()[y * W::SIDE / 64] >> (y * W::SIDE % 64) & ((1 << W::SIDE) - 1);
        }
        Self { words: Rows::UpTo16(rows), height: height as u8 }
    }

    #[inline]
    pub(crate) fn toggle(&mut self, (x, y): At) {
        match &mut self.words {
            Rows::UpTo16(words) => words[y] ^= 1 << x,
            Rows::UpTo64(words) => words[y] ^= 1 << x,
        }
    }

    /// Returns the rows from the top, where bit x is column x.
    #[inline]
    pub fn words(&self) -> &[u64] {
        let words: &[u64] = match &self.words {
            Rows::UpTo16(words) => words,
            Rows::UpTo64(words) => words,
        };
        &words[..self.height.into()]
    }
}

impl Mask for RowMask {
    fn height(&self) -> usize {
        self.height.into()
    }
    #[inline]
    fn row(&self, y: usize) -> u64 {
        self.words().get(y).copied().unwrap_or(0)
    }
    #[inline]
    fn len(&self) -> usize {
        self.words().iter().map(|row| row.count_ones() as usize).sum()
    }
    #[inline]
    fn is_empty(&self) -> bool {
        self.words().iter().all(|&row| row == 0)
    }
}

/// A set of cells of a [`PlaneBoard`](crate::bitboard::PlaneBoard), stored by column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColumnMask<W> {
    words: W,
    height: u8,
}

impl<W: BoardWords> ColumnMask<W> {
    #[inline(always)]
    pub(crate) const fn new(words: W, height: u8) -> Self {
        Self { words, height }
    }

    /// Returns the words, in the layout of [`Board8`](crate::Board8) or
    /// [`Board16`](crate::Board16).
    #[inline(always)]
    pub const fn words(&self) -> W {
        self.words
    }

    /// Returns a row as bytes of 0 or 1, with the left column in the lowest byte.
    #[inline(always)]
    pub(crate) fn row_bytes(&self, y: usize) -> u128 {
        self.words.row_bytes((self.height() - 1 - y) as u32)
    }
}

impl<W: BoardWords> Mask for ColumnMask<W> {
    fn height(&self) -> usize {
        self.height.into()
    }

    fn row(&self, y: usize) -> u64 {
        if y >= self.height() {
            return 0;
        }
        let row = self.row_bytes(y);
        gather_bit(row as u64, 0) | gather_bit((row >> 64) as u64, 0) << 8
    }

    #[inline]
    fn contains(&self, x: usize, y: usize) -> bool {
        let columns = 64 / W::SIDE;
        let bit = self.height().wrapping_sub(1).wrapping_sub(y);
        x < W::SIDE
            && y < self.height()
            && self.words.words()[x / columns] >> (x % columns * W::SIDE + bit) & 1 == 1
    }

    #[inline(always)]
    fn len(&self) -> usize {
        let mut len = 0;
        for word in self.words.words() {
            len += word.count_ones() as usize;
        }
        len
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        let mut any = 0;
        for word in self.words.words() {
            any |= word;
        }
        any == 0
    }
}

/// The set of legal swaps of a board. Iterates by row, then column, then `H` before `V`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swaps<M = RowMask> {
    /// The cells that may be swapped with their right neighbor.
    pub right: M,
    /// The cells that may be swapped with the cell below.
    pub down: M,
}

impl<M: Mask> Swaps<M> {
    /// Returns the number of swaps.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.right.len() + self.down.len()
    }

    /// Returns whether there are no swaps, i.e. the board is dead.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.right.is_empty() && self.down.is_empty()
    }

    /// Returns whether `swap` is legal; `false` outside the board.
    #[inline]
    pub fn contains(&self, swap: Swap) -> bool {
        let mask = if swap.axis == Axis::Horizontal { &self.right } else { &self.down };
        mask.contains(swap.x, swap.y)
    }

    /// Returns the swaps by row, then column, then `H` before `V`.
    #[inline]
    pub fn iter(&self) -> SwapIter<'_, M> {
        SwapIter::new(self)
    }
}

/// A swap, given by the bit of its first cell in the words of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SwapBit {
    pub(crate) word: usize,
    pub(crate) bit: u32,
    pub(crate) axis: Axis,
}

impl SwapBit {
    #[inline(always)]
    pub(crate) fn exchange<W: BoardWords, const P: usize>(self, planes: &mut [W; P]) {
        let Self { word, bit, axis } = self;
        let (other, shift) = match axis {
            Axis::Horizontal => {
                let next = bit as usize + W::SIDE;
                (word + next / 64, next as u32 % 64)
            }
            Axis::Vertical => (word, bit - 1),
        };
        for plane in planes {
            let plane = plane.words_mut();
            let differ = (plane[word] >> bit ^ plane[other] >> shift) & 1;
            plane[word] ^= differ << bit;
            plane[other] ^= differ << shift;
        }
    }
}

impl<W: BoardWords> Swaps<ColumnMask<W>> {
    /// Returns the swaps in draw order: horizontal swaps before vertical ones, each by column from
    /// the left and within a column from the bottom up.
    #[inline(always)]
    pub(crate) fn in_draw_order(&self) -> DrawOrder<'_, W> {
        DrawOrder {
            swaps: self,
            axis: Axis::Horizontal,
            word: 0,
            left: self.right.words.words()[0],
        }
    }

    /// Draws one of the swaps with [`below`](Rng::below) their number, counted in draw order.
    /// Returns `None` without drawing if there are none.
    pub(crate) fn draw(&self, rng: &mut Rng) -> Option<SwapBit> {
        self.draw_with(Portable, rng)
    }

    #[inline(always)]
    pub(crate) fn draw_with<S: Isa>(&self, isa: S, rng: &mut Rng) -> Option<SwapBit> {
        let right = self.right.words.words();
        let down = self.down.words.words();
        let mut counts = [0; 8];
        let mut legal = 0;
        for (count, word) in counts.iter_mut().zip(right.iter().chain(down)) {
            *count = word.count_ones();
            legal += *count;
        }
        if legal == 0 {
            return None;
        }
        let mut k = rng.below(legal);
        let mut at = 0;
        while k >= counts[at] {
            k -= counts[at];
            at += 1;
        }
        let (word, masks, axis) = match at.checked_sub(right.len()) {
            None => (at, right, Axis::Horizontal),
            Some(word) => (word, down, Axis::Vertical),
        };
        Some(SwapBit { word, bit: isa.select(masks[word], k), axis })
    }
}

/// The iterator returned by [`Swaps::in_draw_order`]. Written by hand: with chained iterators, a
/// player took 1.4 times as long.
pub(crate) struct DrawOrder<'a, W> {
    swaps: &'a Swaps<ColumnMask<W>>,
    axis: Axis,
    word: usize,
    /// The remaining bits of the word.
    left: u64,
}

impl<W: BoardWords> Iterator for DrawOrder<'_, W> {
    type Item = SwapBit;

    #[inline(always)]
    fn next(&mut self) -> Option<SwapBit> {
        while self.left == 0 {
            self.word += 1;
            if self.word == self.swaps.right.words.words().len() {
                if self.axis == Axis::Vertical {
                    self.word -= 1;
                    return None;
                }
                (self.axis, self.word) = (Axis::Vertical, 0);
            }
            let mask =
                if self.axis == Axis::Horizontal { &self.swaps.right } else { &self.swaps.down };
            self.left = mask.words.words()[self.word];
        }
        let bit = self.left.trailing_zeros();
        self.left &= self.left - 1;
        Some(SwapBit { word: self.word, bit, axis: self.axis })
    }
}

impl<'a, M: Mask> IntoIterator for &'a Swaps<M> {
    type Item = Swap;
    type IntoIter = SwapIter<'a, M>;

    fn into_iter(self) -> SwapIter<'a, M> {
        self.iter()
    }
}

/// The iterator returned by [`Swaps::iter`].
#[derive(Clone, Debug)]
pub struct SwapIter<'a, M> {
    swaps: &'a Swaps<M>,
    row_digits: u32,
    /// The remaining swaps of the current half block, two bits per cell: with the right neighbor,
    /// with the cell below.
    left: u64,
    /// The second half of the block.
    second: u64,
    /// The number of the half block.
    half: usize,
    /// Its first cell.
    at: At,
}

impl<'a, M: Mask> SwapIter<'a, M> {
    #[inline]
    fn new(swaps: &'a Swaps<M>) -> Self {
        let row_digits = M::row_digits(&swaps.right, &swaps.down);
        let [left, second] = M::block(&swaps.right, &swaps.down, row_digits, 0);
        Self { swaps, row_digits, left, second, half: 0, at: (0, 0) }
    }

    #[inline]
    fn row_digits(&self) -> u32 {
        M::ROW_DIGITS.unwrap_or(self.row_digits)
    }

    /// Goes on to the next half block with a swap. Returns `false` if there is none.
    #[inline]
    fn advance(&mut self) -> bool {
        while self.left == 0 {
            let half = self.half + 1;
            let x = 32 * half % (1 << self.row_digits());
            let y = (32 * half) >> self.row_digits();
            if half % 2 == 1 {
                self.left = self.second;
            } else if M::SEVERAL && y < self.swaps.right.height() {
                let Swaps { right, down } = self.swaps;
                [self.left, self.second] = M::block(right, down, self.row_digits(), half / 2);
            } else {
                return false;
            }
            (self.half, self.at) = (half, (x, y));
        }
        true
    }

    /// Takes the next swap of the current half block.
    #[inline]
    fn take_next(&mut self) -> Swap {
        let bit = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        let x = self.at.0 + (bit / 2) % (1 << self.row_digits());
        let y = self.at.1 + ((bit / 2) >> self.row_digits());
        Swap { x, y, axis: if bit.is_multiple_of(2) { Axis::Horizontal } else { Axis::Vertical } }
    }
}

impl<M: Mask> Iterator for SwapIter<'_, M> {
    type Item = Swap;

    #[inline]
    fn next(&mut self) -> Option<Swap> {
        if self.left == 0 && !self.advance() {
            return None;
        }
        Some(self.take_next())
    }

    #[inline]
    fn fold<T, F: FnMut(T, Swap) -> T>(mut self, first: T, mut each: F) -> T {
        let mut sum = first;
        while self.advance() {
            while self.left != 0 {
                sum = each(sum, self.take_next());
            }
        }
        sum
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let mut rest = Self { ..*self };
        let mut len = 0;
        while rest.advance() {
            len += rest.left.count_ones();
            rest.left = 0;
        }
        (len as usize, Some(len as usize))
    }
}
