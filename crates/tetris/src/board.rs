//! [`Board`]: the field as ten columns of bits.
//!
//! ```text
//! columns[x]   bit 39  ..  bit 2   bit 1   bit 0
//!              ceiling                     floor
//! ```
//!
//! The AND of the ten columns gives the full lines. [`Board::clear_lines`] removes them from each
//! column with one PEXT (parallel bit extract), which packs the bits of the remaining rows:
//!
//! ```text
//! full lines              0  0  0  1  0  1  0  0
//! column                 b7 b6 b5 b4 b3 b2 b1 b0
//! pext(column, !lines)    0  0 b7 b6 b5 b3 b1 b0
//! ```
//!
//! Without a fast PEXT, the rows above each full line are shifted down, from the top line to the
//! bottom one.

use crate::error::Error;
use crate::location::Location;
use bitcore::{Isa, Lanes, Portable, U64s, dispatch};

pub(crate) use crate::error::{HEIGHT, WIDTH};

/// The rows of a column, as a mask.
pub(crate) const ROWS: u64 = (1 << HEIGHT) - 1;

/// The locked cells: one word per column from the left, bit 0 = bottom row. Bits at and above
/// [`HEIGHT`](Self::HEIGHT) are zero.
///
/// ```
/// use tetris::{Board, Location, Piece};
///
/// // All but columns 3 to 6 of the bottom row, and an I that falls into the gap.
/// let mut board: Board = "1,1,1,0,0,0,0,1,1,1".parse().unwrap();
/// let landed = board.landing(Location::spawn(Piece::I)).unwrap();
/// board = board.place(landed).unwrap();
/// assert_eq!(board.clear_lines(), 1);
/// assert_eq!(board, Board::EMPTY);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    columns: [u64; WIDTH],
}

impl TryFrom<[u64; WIDTH]> for Board {
    type Error = Error;

    /// Creates a board from its columns from the left, bit 0 = bottom row.
    ///
    /// ```
    /// use tetris::{Board, Error};
    /// let board = Board::try_from([3, 1, 0, 0, 0, 0, 0, 0, 0, 1])?;
    /// assert_eq!(board.to_string(), "#.........\n##.......#");
    /// assert_eq!(Board::try_from([0, 1 << 40, 0, 0, 0, 0, 0, 0, 0, 0]), Err(Error::AboveField { column: 1 }));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn try_from(columns: [u64; WIDTH]) -> Result<Self, Error> {
        let too_high = columns.iter().position(|column| column & !ROWS != 0);
        too_high.map_or(Ok(Self { columns }), |column| Err(Error::AboveField { column }))
    }
}

impl Board {
    /// The empty board.
    pub const EMPTY: Self = Self { columns: [0; WIDTH] };

    /// The number of columns of the field.
    pub const WIDTH: usize = WIDTH;
    /// The number of rows of the field: 20 visible rows and 20 above them. Nothing passes the
    /// ceiling above row 39.
    pub const HEIGHT: usize = HEIGHT;

    /// Columns from the left, bit 0 = bottom row. Returns `None` if a bit above the field is set.
    #[inline]
    pub(crate) const fn from_columns(columns: [u64; WIDTH]) -> Option<Self> {
        let mut x = 0;
        while x < WIDTH {
            if columns[x] & !ROWS != 0 {
                return None;
            }
            x += 1;
        }
        Some(Self { columns })
    }

    /// Returns the columns from the left, bit 0 = bottom row.
    #[inline(always)]
    pub const fn columns(&self) -> &[u64; WIDTH] {
        &self.columns
    }

    /// Returns `true` if the cell in column `x` from the left and row `y` from the bottom is
    /// filled. Cells outside the field count as filled.
    #[inline]
    pub fn occupied(&self, x: i32, y: i32) -> bool {
        let outside = !(0..WIDTH as i32).contains(&x) || !(0..HEIGHT as i32).contains(&y);
        outside || self.columns[x as usize] >> y & 1 == 1
    }

    /// Returns `true` if all cells of the piece are inside the field and empty.
    ///
    /// ```
    /// use tetris::{Board, Location, Piece};
    /// let spawn = Location::spawn(Piece::T);
    /// assert!(Board::EMPTY.fits(spawn));
    /// assert!(!Board::EMPTY.fits(Location { y: -1, ..spawn }));
    /// ```
    #[inline]
    pub fn fits(&self, at: Location) -> bool {
        cells(at).is_some_and(|(first, cells)| self.are_empty(first, cells))
    }

    /// Returns the location where the piece comes to rest in a straight drop, or `None` if it
    /// doesn't [fit](Self::fits) where it is.
    #[inline]
    pub fn landing(&self, at: Location) -> Option<Location> {
        self.landing_with(Portable, at)
    }

    #[inline(always)]
    pub(crate) fn landing_with<S: Isa>(&self, isa: S, at: Location) -> Option<Location> {
        let (x, y) = corner(at)?;
        let shape = at.piece.shape(at.orientation);
        let first = x.min(WIDTH - 4);
        let columns = isa.u64x4(self.columns[first..].first_chunk()?);
        let cells = isa.u64x4(&shape.columns_from(x - first)).shl_all(y);
        if !(columns & cells).is_zero() {
            return None;
        }
        // The cell below the piece's lowest one in each column becomes bit 63. Higher cells are
        // shifted out, and all cells of columns without one of the piece.
        let feet = isa.u64x4(&shape.feet_from(x - first));
        let [a, b, c, d] =
            columns.shl_each(isa.splat_u64(u64::from(u64::BITS - y)) - feet).to_array();
        let fall = (a | b | c | d).leading_zeros().min(y);
        Some(at.moved(0, -(fall as i8)))
    }

    /// Returns the board with the piece's cells filled, or `None` if the piece doesn't
    /// [fit](Self::fits).
    ///
    /// Full lines remain until [`clear_lines`](Self::clear_lines). The piece may float.
    #[inline(always)]
    #[must_use]
    pub fn place(mut self, at: Location) -> Option<Self> {
        self.add(at).then_some(self)
    }

    /// Fills the piece's cells in place. Returns `false` and changes nothing if the piece doesn't
    /// [fit](Self::fits).
    #[inline(always)]
    pub(crate) fn add(&mut self, at: Location) -> bool {
        let Some((first, cells)) = cells(at) else { return false };
        let empty = self.are_empty(first, cells);
        if empty {
            self.columns[first..first + 4]
                .iter_mut()
                .zip(cells)
                .for_each(|(column, cells)| *column |= cells);
        }
        empty
    }

    #[inline(always)]
    fn are_empty(&self, first: usize, cells: [u64; 4]) -> bool {
        self.columns[first..first + 4]
            .iter()
            .zip(cells)
            .fold(0, |all, (column, cells)| all | column & cells)
            == 0
    }

    /// Returns one bit for each full row, bit 0 = bottom row.
    ///
    /// ```
    /// let board: tetris::Board = "7,7,5,7,7,7,7,7,7,7".parse().unwrap();
    /// assert_eq!(board.full_lines(), 0b101);
    /// ```
    #[inline(always)]
    pub fn full_lines(&self) -> u64 {
        self.columns.iter().fold(ROWS, |lines, column| lines & column)
    }

    /// Removes the full lines, moves the rows above them down, and returns the number of lines
    /// removed.
    ///
    /// ```
    /// let mut board: tetris::Board = "7,7,5,7,7,7,7,7,7,f".parse().unwrap();
    /// assert_eq!(board.clear_lines(), 2);
    /// assert_eq!(board, "1,1,0,1,1,1,1,1,1,3".parse().unwrap());
    /// ```
    pub fn clear_lines(&mut self) -> u32 {
        dispatch!(isa + portable_for_slow_pext [this = self] => this.clear_lines_with(isa))
    }

    /// [Removes the full lines](Self::clear_lines) of each board and returns the total number of
    /// lines removed.
    ///
    /// ```
    /// use tetris::Board;
    /// let texts = ["1,1,1,1,1,1,1,1,1,3", "3,3,3,3,3,3,3,3,3,3"];
    /// let mut boards: [Board; 2] = texts.map(|columns| columns.parse().unwrap());
    /// assert_eq!(Board::clear_all(&mut boards), 3);
    /// assert_eq!(boards, ["0,0,0,0,0,0,0,0,0,1".parse().unwrap(), Board::EMPTY]);
    /// ```
    pub fn clear_all(boards: &mut [Self]) -> u64 {
        dispatch!(isa + slow_pext [boards] => Self::clear_all_with(isa, boards))
    }

    #[inline(always)]
    fn clear_all_with<S: Isa>(isa: S, boards: &mut [Self]) -> u64 {
        let mut lines = 0;
        for board in boards {
            lines += u64::from(board.clear_lines_with(isa));
        }
        lines
    }

    #[inline(always)]
    pub(crate) fn clear_lines_with<S: Isa>(&mut self, isa: S) -> u32 {
        let lines = self.full_lines();
        if lines == 0 {
            return 0;
        }
        if S::FAST_PEXT {
            for column in &mut self.columns {
                *column = isa.pext(*column, !lines);
            }
        } else {
            // Ten software extractions cost more than shifting for the few full lines, from the top
            // down.
            let mut open = lines;
            while open != 0 {
                let below = (1 << open.ilog2()) - 1;
                for column in &mut self.columns {
                    *column = *column & below | *column >> 1 & !below;
                }
                open &= below;
            }
        }
        lines.count_ones()
    }

    /// Returns the height of each column: one more than the row of its highest filled cell, 0 if
    /// the column is empty.
    ///
    /// ```
    /// let board: tetris::Board = "1,2,8000000000,0,0,0,0,0,0,7".parse().unwrap();
    /// assert_eq!(board.heights(), [1, 2, 40, 0, 0, 0, 0, 0, 0, 3]);
    /// ```
    #[inline]
    pub fn heights(&self) -> [u32; WIDTH] {
        self.columns.map(|column| u64::BITS - column.leading_zeros())
    }

    /// Counts the empty cells directly below a filled one. A covered gap counts once, whatever its
    /// depth.
    ///
    /// ```
    /// let board: tetris::Board = "1,2,4,5,15,0,0,0,0,0".parse().unwrap();
    /// assert_eq!(board.holes(), 1 + 1 + 1 + 2);
    /// ```
    #[inline]
    pub fn holes(&self) -> u32 {
        self.columns.iter().map(|column| (column >> 1 & !column).count_ones()).sum()
    }
}

/// Returns the cells of a piece in four columns, and the first of these columns, if the piece is
/// inside the field. There are always four, because a loop over the piece's own ends by a branch
/// that is hard to predict.
#[inline(always)]
fn cells(at: Location) -> Option<(usize, [u64; 4])> {
    let (x, y) = corner(at)?;
    let first = x.min(WIDTH - 4);
    let columns = at.piece.shape(at.orientation).columns_from(x - first);
    Some((first, columns.map(|cells| cells << y)))
}

#[inline(always)]
pub(crate) const fn height(columns: &[u64; WIDTH]) -> u32 {
    let [a, b, c, d, e, f, g, h, i, j] = *columns;
    u64::BITS - (a | b | c | d | e | f | g | h | i | j).leading_zeros()
}

/// Returns the column and row of the bottom left cell of the piece's bounding box if the box is
/// inside the field.
#[inline(always)]
fn corner(at: Location) -> Option<(usize, u32)> {
    let shape = at.piece.shape(at.orientation);
    let x = i32::from(at.x) + shape.left;
    let y = i32::from(at.y) + shape.bottom;
    // Negative numbers are large ones then.
    let inside = x as u32 <= (WIDTH as i32 - shape.width) as u32
        && y as u32 <= (HEIGHT as i32 - shape.height) as u32;
    inside.then_some((x as usize, y as u32))
}
