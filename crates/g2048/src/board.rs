//! [`Size`] and [`Board`]: the state of the game and its symmetries.

use bitcore::Rng;

/// The width and the height of a board, each from 2 to 8.
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

/// A width or a height outside 2..=8, or a text that is no size at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a size WxH with both numbers from 2 to 8, such as 4x4")]
pub struct SizeError;

impl Size {
    /// 4 x 4, the game as it was published.
    pub const CLASSIC: Self = Self { width: 4, height: 4 };

    /// # Errors
    ///
    /// If a side isn't from 2 to 8.
    pub const fn new(width: usize, height: usize) -> Result<Self, SizeError> {
        match (width, height) {
            (2..=8, 2..=8) => Ok(Self { width: width as u8, height: height as u8 }),
            _ => Err(SizeError),
        }
    }

    /// All 49 sizes, by width, then by height.
    pub fn all() -> impl Iterator<Item = Self> {
        (2..=8).flat_map(|width| (2..=8).map(move |height| Self { width, height }))
    }

    /// Cells in a row.
    #[inline(always)]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Cells in a column.
    #[inline(always)]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Cells of the board.
    #[inline(always)]
    pub const fn cells(self) -> usize {
        self.width() * self.height()
    }

    /// The size with the sides exchanged.
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

/// A position: for each cell, row by row, the *rank* of its tile. 0 is an empty cell, rank r the tile 2^r.
///
/// The size is a value, not a type: whoever types a board or a size gets it without a `match` over 49 types, and the
/// kernels become constants of the line's length where that pays, inside. A rank is a whole byte, because the
/// largest tile that play can reach on n cells is 2^(n+1), 131072 on 4x4: engines that pack a cell in four bits
/// stop at 32768 and lose tiles there.
///
/// The rows' text is [`FromStr`](core::str::FromStr) and [`Display`](core::fmt::Display):
///
/// ```
/// use g2048::{Board, Direction};
/// let board: Board = "2 2 4 . \n . . . 8".parse()?;
/// assert_eq!(board.ranks(), [1, 1, 2, 0, 0, 0, 0, 3]);
/// let left = board.slide(Direction::Left);
/// assert_eq!(left.board, "4 4 . . \n 8 . . .".parse()?);
/// assert_eq!((left.gain, left.changed), (4, true));
/// # Ok::<_, g2048::ParseBoardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    size: Size,
    /// The ranks, row by row; zeros behind the last cell.
    cells: [u8; 64],
}

/// Why ranks are no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RanksError {
    /// Not as many ranks as the size has cells.
    #[error("expected {expected} ranks, found {found}")]
    Count {
        /// Cells of the size.
        expected: usize,
        /// Ranks given.
        found: usize,
    },
    /// A rank beyond [`Board::MAX_RANK`].
    #[error("cell {cell}: expected a rank of at most {}, found {rank}", Board::MAX_RANK)]
    Rank {
        /// The cell, row by row from 0.
        cell: usize,
        /// Its rank.
        rank: u8,
    },
}

impl Board {
    /// The largest rank that a given position may contain: the tile 2^50.
    ///
    /// Play goes on beyond it; the bound is for positions from outside. It holds whatever play can reach on up to 49
    /// cells, and keeps every score that can follow within 64 bits: the tiles of a full 8x8 board then sum up to at
    /// most 2^56.
    pub const MAX_RANK: u8 = 50;

    /// The empty board.
    pub const fn empty(size: Size) -> Self {
        Self { size, cells: [0; 64] }
    }

    /// The board of these ranks, row by row.
    ///
    /// # Errors
    ///
    /// If there are more or fewer than the size has cells, or one is beyond [`MAX_RANK`](Self::MAX_RANK).
    pub fn from_ranks(size: Size, ranks: &[u8]) -> Result<Self, RanksError> {
        if ranks.len() != size.cells() {
            return Err(RanksError::Count { expected: size.cells(), found: ranks.len() });
        }
        if let Some(cell) = ranks.iter().position(|&rank| rank > Self::MAX_RANK) {
            return Err(RanksError::Rank { cell, rank: ranks[cell] });
        }
        Ok(Self::from_fn(size, |cell| ranks[cell]))
    }

    /// The board with rank `f(cell)` in each cell.
    #[inline(always)]
    pub(crate) fn from_fn(size: Size, mut f: impl FnMut(usize) -> u8) -> Self {
        let mut board = Self::empty(size);
        for (cell, rank) in board.ranks_mut().iter_mut().enumerate() {
            *rank = f(cell);
        }
        board
    }

    /// The game's first position: two [spawns](Self::spawn) on the empty board.
    ///
    /// ```
    /// use g2048::{Board, Size};
    /// let start = Board::start(Size::CLASSIC, &mut bitcore::Rng::new(1));
    /// assert_eq!(start.empty_cells(), 14);
    /// ```
    pub fn start(size: Size, rng: &mut Rng) -> Self {
        let mut board = Self::empty(size);
        board.spawn(rng);
        board.spawn(rng);
        board
    }

    /// The board's size.
    #[inline(always)]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The ranks, row by row.
    #[inline(always)]
    pub fn ranks(&self) -> &[u8] {
        &self.cells[..self.size.cells()]
    }

    /// The ranks, row by row, to be changed.
    #[inline(always)]
    pub(crate) fn ranks_mut(&mut self) -> &mut [u8] {
        &mut self.cells[..self.size.cells()]
    }

    /// The tiles' values, row by row; 0 is an empty cell.
    #[inline(always)]
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = u64> {
        self.ranks().iter().map(|&rank| tile(rank))
    }

    /// How many cells are empty.
    #[inline(always)]
    pub fn empty_cells(&self) -> usize {
        self.ranks().iter().map(|&rank| usize::from(rank == 0)).sum()
    }

    /// The largest rank on the board.
    #[inline(always)]
    pub fn max_rank(&self) -> u8 {
        self.ranks().iter().copied().max().unwrap_or(0)
    }

    /// What building these tiles from 2s alone scores: the sum of (r - 1) 2^r over the ranks r.
    ///
    /// A slide raises it by the slide's gain, a spawned 2 leaves it, a spawned 4 raises it by 4. So a game's score is
    /// the potential of its last position less 4 for each 4 that was spawned.
    ///
    /// ```
    /// use g2048::Board;
    /// assert_eq!("8 4 \n 2 .".parse::<Board>()?.potential(), 2 * 8 + 4);
    /// # Ok::<_, g2048::ParseBoardError>(())
    /// ```
    #[inline(always)]
    pub fn potential(&self) -> u64 {
        self.ranks().iter().map(|&rank| u64::from(rank).wrapping_sub(1).wrapping_mul(tile(rank))).sum()
    }

    /// Puts a tile on a random empty cell and returns the cell; `None`, and no draw, if the board is full.
    ///
    /// Two draws, in this order: the k-th empty cell, row by row, k = `rng.below(empty cells)`; then the tile, a 4 if
    /// `rng.below(10)` is 0, else a 2.
    pub fn spawn(&mut self, rng: &mut Rng) -> Option<usize> {
        let empty = self.empty_cells();
        if empty == 0 {
            return None;
        }
        let (k, rank) = draw_spawn(rng, empty as u32);
        self.set_nth_empty(k as usize, rank)
    }

    /// Puts a rank on the k-th empty cell, row by row, if there is one; returns the cell.
    pub(crate) fn set_nth_empty(&mut self, k: usize, rank: u8) -> Option<usize> {
        let cell = self.ranks().iter().enumerate().filter(|&(_, &rank)| rank == 0).nth(k)?.0;
        self.cells[cell] = rank;
        Some(cell)
    }

    /// Every position that a spawn can make, cell by cell, the 2 before the 4.
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

    /// Rows become columns. The board of W x H becomes one of H x W.
    #[must_use]
    pub fn transpose(&self) -> Self {
        let size = self.size.transpose();
        Self::from_fn(size, |cell| self.cells[cell % size.width() * self.size.width() + cell / size.width()])
    }

    /// Left becomes right.
    #[must_use]
    pub fn mirror(&self) -> Self {
        let width = self.size.width();
        Self::from_fn(self.size, |cell| self.cells[cell / width * width + width - 1 - cell % width])
    }

    /// The eight images under the square's symmetries, this board first. An oblong board has four images of its own
    /// size and four with the sides exchanged.
    pub fn symmetries(&self) -> [Self; 8] {
        let quarter = |board: &Self| board.transpose().mirror();
        let (r0, m0) = (*self, self.mirror());
        let (r1, m1) = (quarter(&r0), quarter(&m0));
        let (r2, m2) = (quarter(&r1), quarter(&m1));
        [r0, r1, r2, quarter(&r2), m0, m1, m2, quarter(&m2)]
    }

    /// The least of the [symmetries](Self::symmetries): equal for two boards exactly if one is an image of the other.
    ///
    /// ```
    /// use g2048::Board;
    /// let (a, b): (Board, Board) = ("2 4 \n . 8".parse()?, "8 . \n 4 2".parse()?);
    /// assert_eq!(a.canonical(), b.canonical());
    /// # Ok::<_, g2048::ParseBoardError>(())
    /// ```
    #[must_use]
    pub fn canonical(&self) -> Self {
        self.symmetries().into_iter().fold(*self, Ord::min)
    }
}

/// The value of the tile of a rank; 0 for an empty cell.
#[inline(always)]
pub(crate) const fn tile(rank: u8) -> u64 {
    // The tile of rank 0 would be 1.
    (1 << rank) & !1
}

/// The draws of a spawn on a board with `empty` > 0 empty cells: which of them, and the new rank.
#[inline(always)]
pub(crate) fn draw_spawn(rng: &mut Rng, empty: u32) -> (u32, u8) {
    let k = rng.below(empty);
    (k, if rng.below(10) == 0 { 2 } else { 1 })
}
