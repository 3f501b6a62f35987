//! [`Size`] and [`Board`]: a position and its symmetries.

use crate::direction::{Directions, Neighbors};
use crate::error::{self, Error};
use bitcore::RandomSource;
use core::array::from_fn;

/// The width and height of a board, each from 2 to 8.
///
/// ```
/// use g2048::Size;
/// let size = Size::new(5, 3).unwrap();
/// assert_eq!((size.width(), size.height(), size.cells()), (5, 3, 15));
/// assert_eq!("5x3".parse(), Ok(size));
/// assert!(Size::new(9, 3).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The size of the original game, 4x4.
    pub const CLASSIC: Self = Self { width: 4, height: 4 };

    /// Returns the size of `width` x `height` cells.
    ///
    /// # Errors
    ///
    /// [`Error::Size`] if the width or height is outside 2..=8.
    pub const fn new(width: usize, height: usize) -> Result<Self, Error> {
        match (width, height) {
            (2..=8, 2..=8) => Ok(Self { width: width as u8, height: height as u8 }),
            _ => Err(Error::Size),
        }
    }

    /// Returns all 49 sizes, ordered by width, then by height.
    pub fn all() -> impl Iterator<Item = Self> {
        (2..=8).flat_map(|width| (2..=8).map(move |height| Self { width, height }))
    }

    /// Returns the number of cells in a row.
    #[inline(always)]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Returns the number of cells in a column.
    #[inline(always)]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Returns the number of cells of the board.
    #[inline(always)]
    pub const fn cells(self) -> usize {
        self.width() * self.height()
    }

    /// Returns the size with width and height swapped.
    #[must_use]
    pub const fn transpose(self) -> Self {
        Self { width: self.height, height: self.width }
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::CLASSIC
    }
}

/// A position: the *rank* of each cell, row-major. Rank 0 is an empty cell, and rank r is the tile
/// 2^r.
///
/// The size is a value rather than a type parameter, so programs handle all 49 sizes without
/// generics; kernels specialize on the line length internally. A rank takes a byte because play on
/// n cells can reach the tile 2^(n+1), which is 131072 on 4x4. Engines with four bits per cell stop
/// at 32768.
///
/// [`FromStr`](core::str::FromStr) and [`Display`](core::fmt::Display) use rows of tile values:
///
/// ```
/// use g2048::{Board, Direction};
/// let board: Board = "2 2 4 . \n . . . 8".parse()?;
/// assert_eq!(board.ranks(), [1, 1, 2, 0, 0, 0, 0, 3]);
/// let left = board.slide(Direction::Left);
/// assert_eq!(left.board, "4 4 . . \n 8 . . .".parse()?);
/// assert_eq!((left.gain, left.changed), (4, true));
/// # Ok::<_, g2048::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    size: Size,
    /// The ranks, row-major; zeros after the last cell.
    cells: [u8; 64],
}

/// The result of sliding a [`Board`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// The board first: it is then copied in the pieces in which it was written, which the CPU forwards.
#[repr(C)]
pub struct Slide {
    /// The board after the slide, before the spawn (the afterstate).
    pub board: Board,
    /// The sum of the merged tiles.
    pub gain: u64,
    /// Whether any cell changed, which makes the move legal.
    pub changed: bool,
}

impl Board {
    /// The largest rank that [`from_ranks`](Self::from_ranks) and the parser accept, for the tile
    /// 2^50.
    ///
    /// Play can exceed it. The limit covers every tile reachable on up to 49 cells, and keeps all
    /// later scores within 64 bits: the tiles of a full 8x8 board then sum to at most 2^56.
    pub const MAX_RANK: u8 = error::MAX_RANK;

    /// Returns an empty board.
    pub const fn empty(size: Size) -> Self {
        Self { size, cells: [0; 64] }
    }

    /// Returns the board with the given ranks, row-major.
    ///
    /// # Errors
    ///
    /// [`Error::RankCount`] if `ranks` doesn't have one entry per cell, [`Error::Rank`] if a rank
    /// exceeds [`MAX_RANK`](Self::MAX_RANK).
    pub fn from_ranks(size: Size, ranks: &[u8]) -> Result<Self, Error> {
        if ranks.len() != size.cells() {
            return Err(Error::RankCount { expected: size.cells(), found: ranks.len() });
        }
        if let Some(cell) = ranks.iter().position(|&rank| rank > Self::MAX_RANK) {
            return Err(Error::Rank { cell, rank: ranks[cell], most: Self::MAX_RANK });
        }
        Ok(Self::from_fn(size, |cell| ranks[cell]))
    }

    /// Returns the 4x4 board whose ranks are the bytes of two words, the first cell lowest.
    #[inline(always)]
    pub(crate) fn classic(words: [u64; 2]) -> Self {
        let mut board = Self::empty(Size::CLASSIC);
        for (cells, word) in board.cells.as_chunks_mut().0.iter_mut().zip(words) {
            *cells = word.to_le_bytes();
        }
        board
    }

    /// Returns the ranks of the first 8 `N` cells, at most 64, like [`classic`](Self::classic)
    /// takes them.
    #[inline(always)]
    pub(crate) fn words<const N: usize>(&self) -> [u64; N] {
        let cells = self.cells.as_chunks().0;
        from_fn(|word| u64::from_le_bytes(cells[word]))
    }

    /// Returns the ranks of the first 16 cells.
    #[inline(always)]
    pub(crate) const fn first_ranks(&self) -> [u8; 16] {
        self.cells.as_chunks().0[0]
    }

    /// Calls `f` in row-major order.
    #[inline(always)]
    pub(crate) fn from_fn(size: Size, mut f: impl FnMut(usize) -> u8) -> Self {
        let mut board = Self::empty(size);
        for (cell, rank) in board.cells[..size.cells()].iter_mut().enumerate() {
            *rank = f(cell);
        }
        board
    }

    /// Returns a starting position: two [spawns](Self::spawn) on the empty board.
    ///
    /// ```
    /// use g2048::{Board, Size};
    /// let start = Board::start(Size::CLASSIC, &mut g2048::Rng::new(1));
    /// assert_eq!(start.empty_cells(), 14);
    /// ```
    pub fn start(size: Size, rng: &mut (impl RandomSource + ?Sized)) -> Self {
        let mut board = Self::empty(size);
        board.spawn(rng);
        board.spawn(rng);
        board
    }

    /// Returns the board's size.
    #[inline(always)]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the ranks, row-major.
    #[inline(always)]
    pub fn ranks(&self) -> &[u8] {
        &self.cells[..self.size.cells()]
    }

    /// Returns a mask of the bytes of a row in its word.
    #[inline(always)]
    pub(crate) const fn columns(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.size.width())
    }

    /// Returns row `y`, below 8, as a word, the first cell lowest, with zeros outside of the board.
    #[inline(always)]
    pub(crate) fn row(&self, y: usize) -> u64 {
        // Rows below the board are zeros, too: the minimum only tells the compiler that a word is
        // left.
        let row = self.cells[(y * self.size.width()).min(56)..].first_chunk();
        row.map_or(0, |&row| u64::from_le_bytes(row)) & self.columns()
    }

    /// Returns all eight [rows](Self::row).
    #[inline(always)]
    pub(crate) fn rows(&self) -> [u64; 8] {
        from_fn(|y| self.row(y))
    }

    /// Sets all [`rows`](Self::rows).
    #[inline(always)]
    pub(crate) fn set_rows(&mut self, rows: &[u64; 8]) {
        for (y, row) in rows.iter().enumerate() {
            // The next row overwrites the zeros behind this one.
            if let Some(cells) = self.cells[(y * self.size.width()).min(56)..].first_chunk_mut() {
                *cells = row.to_le_bytes();
            }
        }
    }

    /// Returns the set of empty cells; bit k is cell k.
    #[inline(always)]
    pub(crate) fn empty_set(&self) -> u64 {
        let mut empty = 0;
        let words = self.cells.as_chunks().0.iter().take(self.size.cells().div_ceil(8));
        for (i, &word) in words.enumerate() {
            empty |= gather_bits(zero_bytes(u64::from_le_bytes(word))) << (8 * i);
        }
        empty & u64::MAX >> (64 - self.size.cells())
    }

    /// Returns the legal moves: compares each cell with its neighbors to the right and below, eight
    /// cells at a time.
    #[inline(always)]
    pub(crate) fn legal_set(&self) -> Directions {
        let width = self.size.width();
        let cells = self.size.cells();
        let words = self.cells.as_chunks::<8>().0;
        let [mut empty, mut like_right, mut like_below] = [0; 3];
        let mut word = u64::from_le_bytes(words[0]);
        for i in 0..cells.div_ceil(8) {
            let next = words.get(i + 1).map_or(0, |&word| u64::from_le_bytes(word));
            let from =
                |cell: usize| ((u128::from(next) << 64 | u128::from(word)) >> (8 * cell)) as u64;
            empty |= gather_bits(zero_bytes(word)) << (8 * i);
            like_right |= gather_bits(zero_bytes(word ^ from(1))) << (8 * i);
            like_below |= gather_bits(zero_bytes(word ^ from(width))) << (8 * i);
            word = next;
        }
        let inner = (u64::MAX >> (64 - cells)) & !LAST_COLUMN[width];
        let above = u64::MAX >> (64 - (cells - width));
        Directions::legal(
            empty,
            Neighbors { exist: inner, empty: empty >> 1, like: like_right },
            Neighbors { exist: above, empty: empty >> width, like: like_below },
        )
    }

    /// Returns the rank of the cell in column `x` and row `y`, 0 if it is empty.
    ///
    /// # Panics
    ///
    /// Panics if the cell is outside the board.
    #[inline(always)]
    pub const fn rank(&self, x: usize, y: usize) -> u8 {
        assert!(x < self.size.width() && y < self.size.height(), "a cell of the board");
        self.cells[y * self.size.width() + x]
    }

    /// Returns the value of the tile in column `x` and row `y`, 0 for an empty cell.
    ///
    /// # Panics
    ///
    /// Panics if the cell is outside the board.
    ///
    /// ```
    /// use g2048::Board;
    /// let board: Board = "2 4 8 \n . 16 32".parse()?;
    /// assert_eq!((board.tile(2, 1), board.tile(0, 1), board.rank(2, 1)), (32, 0, 5));
    /// # Ok::<_, g2048::Error>(())
    /// ```
    #[inline(always)]
    pub const fn tile(&self, x: usize, y: usize) -> u64 {
        tile(self.rank(x, y))
    }

    /// Returns the tile values, row-major, with 0 for empty cells.
    #[inline(always)]
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = u64> {
        self.ranks().iter().map(|&rank| tile(rank))
    }

    /// Returns the number of empty cells.
    #[inline(always)]
    pub fn empty_cells(&self) -> usize {
        self.ranks().iter().map(|&rank| usize::from(rank == 0)).sum()
    }

    /// Returns the largest rank on the board.
    #[inline(always)]
    pub fn max_rank(&self) -> u8 {
        self.ranks().iter().copied().max().unwrap_or(0)
    }

    /// Returns the score of building these tiles from 2s alone: the sum of (r - 1) 2^r over the
    /// ranks r.
    ///
    /// A slide raises the potential by its gain, a spawned 2 leaves it unchanged, and a spawned 4
    /// raises it by 4. A game's score is therefore the potential of its last position minus 4 per
    /// spawned 4.
    ///
    /// ```
    /// use g2048::Board;
    /// assert_eq!("8 4 \n 2 .".parse::<Board>()?.potential(), 2 * 8 + 4);
    /// # Ok::<_, g2048::Error>(())
    /// ```
    #[inline(always)]
    pub fn potential(&self) -> u64 {
        self.ranks()
            .iter()
            .map(|&rank| u64::from(rank).wrapping_sub(1).wrapping_mul(tile(rank)))
            .sum()
    }

    /// Spawns a tile on a random empty cell and returns the cell's index. Returns `None`, without
    /// drawing, if the board is full.
    ///
    /// Draws twice: k = `rng.below(empty cells)` selects the k-th empty cell in row-major order,
    /// then `rng.below(10)` selects the tile, a 4 if it is 0, otherwise a 2.
    pub fn spawn(&mut self, rng: &mut (impl RandomSource + ?Sized)) -> Option<usize> {
        let empty = self.empty_set();
        if empty == 0 {
            return None;
        }
        let (k, rank) = draw_spawn(rng, empty.count_ones());
        Some(self.set_nth_empty(empty, k, rank))
    }

    /// Returns the cell, number `k` of the [empty ones](Self::empty_set).
    #[inline(always)]
    pub(crate) fn set_nth_empty(&mut self, mut empty: u64, k: u32, rank: u8) -> usize {
        for _ in 0..k {
            empty &= empty.wrapping_sub(1);
        }
        let cell = empty.trailing_zeros() as usize % 64;
        self.cells[cell] = rank;
        cell
    }

    /// Returns all positions after one spawn, cell by cell, the 2 before the 4.
    ///
    /// ```
    /// use g2048::{Board, Size};
    /// assert_eq!(Board::empty(Size::CLASSIC).spawns().count(), 32);
    /// ```
    pub fn spawns(&self) -> impl Iterator<Item = Self> {
        let cells = (0..self.size.cells()).filter(|&cell| self.cells[cell] == 0);
        cells.flat_map(|cell| {
            [1, 2].map(|rank| {
                let mut board = *self;
                board.cells[cell] = rank;
                board
            })
        })
    }

    /// Returns the board with rows and columns swapped: a W x H board becomes H x W.
    #[must_use]
    pub fn transpose(&self) -> Self {
        let size = self.size.transpose();
        Self::from_fn(size, |cell| {
            self.cells[cell % size.width() * self.size.width() + cell / size.width()]
        })
    }

    /// Returns the board with left and right swapped.
    #[must_use]
    pub fn mirror(&self) -> Self {
        let width = self.size.width();
        Self::from_fn(self.size, |cell| self.cells[cell / width * width + width - 1 - cell % width])
    }

    /// Returns the eight images under the symmetries of the square, starting with the board itself.
    ///
    /// The order is the rotations by 0, 1, 2 and 3 quarter turns clockwise, then the same rotations
    /// of the mirrored board. If the board isn't square, four images have its size, and four have
    /// width and height swapped.
    pub fn symmetries(&self) -> [Self; 8] {
        let quarter = |board: &Self| board.transpose().mirror();
        let r0 = *self;
        let m0 = self.mirror();
        let r1 = quarter(&r0);
        let m1 = quarter(&m0);
        let r2 = quarter(&r1);
        let m2 = quarter(&m1);
        [r0, r1, r2, quarter(&r2), m0, m1, m2, quarter(&m2)]
    }

    /// Returns the smallest of the [symmetries](Self::symmetries). Two boards have equal canonical
    /// forms if and only if one is an image of the other.
    ///
    /// ```
    /// use g2048::Board;
    /// let (a, b): (Board, Board) = ("2 4 \n . 8".parse()?, "8 . \n 4 2".parse()?);
    /// assert_eq!(a.canonical(), b.canonical());
    /// # Ok::<_, g2048::Error>(())
    /// ```
    #[must_use]
    pub fn canonical(&self) -> Self {
        self.symmetries().into_iter().fold(*self, Ord::min)
    }
}

/// The last column of a board of each width, as a set of cells.
const LAST_COLUMN: [u64; 9] = {
    let mut columns = [0; 9];
    let mut width = 2;
    while width <= 8 {
        let mut cell = width - 1;
        while cell < 64 {
            columns[width] |= 1 << cell;
            cell += width;
        }
        width += 1;
    }
    columns
};

/// Returns a word with the lowest bit of each byte set that is 0. No byte may exceed 128, which no
/// rank does.
#[inline(always)]
pub(crate) const fn zero_bytes(word: u64) -> u64 {
    !(word + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101
}

/// Sets all bits of the bytes whose lowest bit is set.
#[inline(always)]
pub(crate) const fn byte_mask(flags: u64) -> u64 {
    (flags << 8).wrapping_sub(flags)
}

/// Gathers the lowest bits of eight bytes.
#[inline(always)]
pub(crate) const fn gather_bits(flags: u64) -> u64 {
    // The top byte of the product has bit k of each byte k.
    flags.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Swaps byte k of each word i with byte i of word k.
#[inline(always)]
pub(crate) const fn transpose_bytes(words: [u64; 8]) -> [u64; 8] {
    let [a, b, c, d, e, f, g, h] = words;
    let [(a, b), (c, d), (e, f), (g, h)] = [
        swap_fields::<8>(a, b),
        swap_fields::<8>(c, d),
        swap_fields::<8>(e, f),
        swap_fields::<8>(g, h),
    ];
    let [(a, c), (b, d), (e, g), (f, h)] = [
        swap_fields::<16>(a, c),
        swap_fields::<16>(b, d),
        swap_fields::<16>(e, g),
        swap_fields::<16>(f, h),
    ];
    let [(a, e), (b, f), (c, g), (d, h)] = [
        swap_fields::<32>(a, e),
        swap_fields::<32>(b, f),
        swap_fields::<32>(c, g),
        swap_fields::<32>(d, h),
    ];
    [a, b, c, d, e, f, g, h]
}

/// Swaps the odd fields of `BITS` bits of the first word with the even fields of the second.
#[inline(always)]
const fn swap_fields<const BITS: u32>(first: u64, second: u64) -> (u64, u64) {
    let even = u64::MAX / ((1 << BITS) + 1);
    let swap = (first >> BITS ^ second) & even;
    (first ^ swap << BITS, second ^ swap)
}

/// Returns the value of a rank's tile; 0 for an empty cell.
#[inline(always)]
pub(crate) const fn tile(rank: u8) -> u64 {
    // Rank 0 is no tile: clear 2^0.
    (1 << rank) & !1
}

/// Draws a spawn on a board with `empty` > 0 empty cells: the index among the empty cells, and the
/// new rank.
#[inline(always)]
pub(crate) fn draw_spawn(rng: &mut (impl RandomSource + ?Sized), empty: u32) -> (u32, u8) {
    let k = rng.below(empty);
    (k, if rng.below(10) == 0 { 2 } else { 1 })
}
