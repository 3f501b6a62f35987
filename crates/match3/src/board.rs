//! [`Board`] and [`Cell`]: a board of any size as a vector of cells.

use crate::error::Error;
use alloc::vec::Vec;
use core::ops::{Index, IndexMut};

/// The position of a cell: column and row, from the upper left.
pub(crate) type At = (usize, usize);

pub(crate) const MAX_SIDE: usize = 64;

pub(crate) const MAX_COLOR: u8 = 35;

/// One cell: empty, blocked, or a piece of some color, which may be locked.
///
/// A cell is one byte: 0 for empty, 0x40 for blocked, 1 to 35 for a color, with 0x80 added if the
/// piece is locked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Cell(u8);

impl Cell {
    /// An empty cell. Pieces fall through it. It [matches](Self::matches) nothing, not even another
    /// empty cell.
    pub const EMPTY: Self = Self(0);
    /// A blocked cell. It never moves, and pieces don't fall through it.
    pub const BLOCKED: Self = Self(0x40);
    /// The largest color: `z` in the text form.
    pub const MAX_COLOR: u8 = MAX_COLOR;
    const LOCK: u8 = 0x80;
    /// The color bits of the byte, all clear in an empty or blocked cell.
    pub(crate) const COLOR_BITS: u8 = 0x3f;

    /// Returns an unlocked piece of the given color, or `None` if the color isn't 1 to
    /// [`MAX_COLOR`](Self::MAX_COLOR).
    pub const fn new(color: u8) -> Option<Self> {
        if 1 <= color && color <= MAX_COLOR { Some(Self(color)) } else { None }
    }

    /// Returns the piece locked: it can still be matched, but not swapped. Empty and blocked cells
    /// are returned unchanged.
    #[must_use]
    pub const fn locked(self) -> Self {
        if self.is_hole() { self } else { Self(self.0 | Self::LOCK) }
    }

    /// Returns the cell for a byte that is 0 or a color.
    pub(crate) const fn from_byte(byte: u8) -> Self {
        debug_assert!(byte <= MAX_COLOR);
        Self(byte)
    }

    /// Returns the byte described on the type.
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// Returns the color, 1 to 35, or `None` for an empty or blocked cell.
    pub const fn color(self) -> Option<u8> {
        if self.is_hole() { None } else { Some(self.0 & Self::COLOR_BITS) }
    }

    /// Returns whether the cell is empty or blocked.
    pub const fn is_hole(self) -> bool {
        self.0 & Self::COLOR_BITS == 0
    }

    /// Returns whether the cell is a locked piece.
    pub const fn is_locked(self) -> bool {
        self.0 & Self::LOCK != 0
    }

    /// Returns whether the cell is an unlocked piece.
    pub const fn is_swappable(self) -> bool {
        !self.is_hole() && !self.is_locked()
    }

    /// Returns whether both cells are pieces of the same color.
    pub const fn matches(self, other: Self) -> bool {
        !self.is_hole() && (self.0 ^ other.0) & Self::COLOR_BITS == 0
    }
}

/// A grid of `width` x `height` cells, each side 1 to [`MAX_SIDE`](Self::MAX_SIDE). (0, 0) is the
/// upper left cell.
///
/// ```
/// use match3::{Board, Cell};
/// let mut board = Board::new(3, 2)?;
/// board[(2, 1)] = Cell::new(4).unwrap();
/// assert_eq!(board.to_string(), "...\n..4");
/// # Ok::<(), match3::Error>(())
/// ```
///
/// As text, a board has one row per line: `.` is an empty cell, `#` a blocked one, `1` to `9` and
/// `a` to `z` are the colors 1 to 35, and `!` before a color locks the piece. Spaces between the
/// cells are ignored. Also read are `_` and `0` for empty, `X` for blocked, and rows of numbers
/// with commas or in brackets, as Python and JSON print them.
///
/// ```
/// use match3::{Board, Cell};
/// let board: Board = "
/// 1 2 # .
/// 1 !3 1 b"
///     .parse()?;
/// assert_eq!((board[(2, 0)], board[(1, 1)].is_locked()), (Cell::BLOCKED, true));
/// assert_eq!(board.to_string(), "12#.\n1!31b");
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    width: usize,
    cells: Vec<Cell>,
}

impl Board {
    /// The largest width and height.
    pub const MAX_SIDE: usize = MAX_SIDE;

    /// Creates an empty board.
    ///
    /// # Errors
    ///
    /// [`Error::Size`].
    pub fn new(width: usize, height: usize) -> Result<Self, Error> {
        let cells = width.saturating_mul(height).min(MAX_SIDE * MAX_SIDE);
        Self::from_cells(width, height, alloc::vec![Cell::EMPTY; cells])
    }

    /// Creates a board from `cells`, row by row from the top.
    ///
    /// # Errors
    ///
    /// [`Error::Size`], [`Error::Cells`].
    pub fn from_cells(width: usize, height: usize, cells: Vec<Cell>) -> Result<Self, Error> {
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return Err(Error::Size { width, height, longest: MAX_SIDE });
        }
        if cells.len() != width * height {
            return Err(Error::Cells { expected: width * height, found: cells.len() });
        }
        Ok(Self { width, cells })
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.cells.len() / self.width
    }

    /// Returns the cells, row by row from the top.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    pub(crate) fn cells_mut(&mut self) -> &mut [Cell] {
        &mut self.cells
    }

    /// Returns the rows, from the top.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Cell]> {
        self.cells.chunks_exact(self.width)
    }

    /// Exchanges two cells, given as (x, y).
    ///
    /// # Panics
    ///
    /// If a cell is outside the board.
    pub fn exchange(&mut self, a: (usize, usize), b: (usize, usize)) {
        let a = self.index_of(a);
        let b = self.index_of(b);
        self.cells.swap(a, b);
    }

    /// Returns the board mirrored along its main diagonal: columns become rows.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let height = self.height();
        let cells = (0..self.cells.len()).map(|i| self[(i / height, i % height)]).collect();
        Self { width: height, cells }
    }

    #[inline]
    pub(crate) fn contains(&self, (x, y): At) -> bool {
        x < self.width && y < self.height()
    }

    /// Returns the positions of all cells, row by row.
    pub(crate) fn places(&self) -> impl Iterator<Item = At> + use<> {
        let width = self.width;
        let height = self.height();
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// Returns the position `n` steps from `at`, or `None` if it is outside the board.
    pub(crate) fn step(&self, (x, y): At, (dx, dy): (isize, isize), n: isize) -> Option<At> {
        let at = (x.checked_add_signed(dx * n)?, y.checked_add_signed(dy * n)?);
        self.contains(at).then_some(at)
    }

    #[inline]
    pub(crate) fn index_of(&self, (x, y): At) -> usize {
        assert!(x < self.width, "column {x} of a board {} wide", self.width);
        y * self.width + x
    }
}

/// Accesses the cell in column x of row y as `board[(x, y)]`. Panics if it is outside the board.
impl Index<(usize, usize)> for Board {
    type Output = Cell;

    #[inline]
    fn index(&self, at: (usize, usize)) -> &Cell {
        &self.cells[self.index_of(at)]
    }
}

impl IndexMut<(usize, usize)> for Board {
    #[inline]
    fn index_mut(&mut self, at: (usize, usize)) -> &mut Cell {
        let place = self.index_of(at);
        &mut self.cells[place]
    }
}
