//! [`Board`]: the field as ten columns of bits.

use crate::location::Location;
use bitcore::{Isa, Level, dispatch};

/// Columns of the field.
pub const WIDTH: usize = 10;
/// Rows of the field: 20 in sight, 20 above. Nothing passes the ceiling over row 39.
pub const HEIGHT: usize = 40;

/// One bit for each row of the field.
pub(crate) const ROWS: u64 = (1 << HEIGHT) - 1;

/// The locked cells: one word a column from the left, bit 0 = bottom row. Bits from [`HEIGHT`] up are zero.
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

impl Board {
    /// No cell filled.
    pub const EMPTY: Self = Self { columns: [0; WIDTH] };

    /// A board from its columns. None if a bit above the field is set.
    #[inline]
    pub const fn from_columns(columns: [u64; WIDTH]) -> Option<Self> {
        let mut x = 0;
        while x < WIDTH {
            if columns[x] & !ROWS != 0 {
                return None;
            }
            x += 1;
        }
        Some(Self { columns })
    }

    /// The columns from the left, bit 0 = bottom row.
    #[inline(always)]
    pub const fn columns(&self) -> &[u64; WIDTH] {
        &self.columns
    }

    /// Whether the cell is filled. Walls, floor and ceiling, everything outside the field, count as filled.
    #[inline]
    pub fn occupied(&self, x: i32, y: i32) -> bool {
        let outside = !(0..WIDTH as i32).contains(&x) || !(0..HEIGHT as i32).contains(&y);
        outside || self.columns[x as usize] >> y & 1 == 1
    }

    /// Whether the piece stands in the field and on no filled cell.
    ///
    /// ```
    /// use tetris::{Board, Location, Piece};
    /// let spawn = Location::spawn(Piece::T);
    /// assert!(Board::EMPTY.fits(spawn));
    /// assert!(!Board::EMPTY.fits(Location { y: -1, ..spawn }));
    /// ```
    #[inline]
    pub fn fits(&self, at: Location) -> bool {
        let Some((x, y)) = corner(at) else { return false };
        let shape = at.piece.shape(at.orientation);
        self.columns[x..].iter().zip(shape.columns).all(|(column, cells)| column & cells << y == 0)
    }

    /// Where the piece stops when it falls straight down. None if it doesn't [fit](Self::fits) where it is.
    #[inline]
    pub fn landing(&self, at: Location) -> Option<Location> {
        if !self.fits(at) {
            return None;
        }
        let (x, y) = corner(at)?;
        let shape = at.piece.shape(at.orientation);
        let mut under = 0;
        for (column, foot) in self.columns[x..].iter().zip(&shape.feet[..shape.width as usize]) {
            // Bit 63 becomes the cell under the piece's lowest one here; what is higher leaves the word.
            under |= column << (63 - (y + foot)) << 1;
        }
        let fall = under.leading_zeros().min(y);
        Some(at.moved(0, -(fall as i8)))
    }

    /// The board with the piece's cells filled; full lines stay until [`clear_lines`](Self::clear_lines). None if it
    /// doesn't [fit](Self::fits). It need not rest on anything.
    #[inline(always)]
    #[must_use]
    pub fn place(mut self, at: Location) -> Option<Self> {
        if !self.fits(at) {
            return None;
        }
        let (x, y) = corner(at)?;
        let shape = at.piece.shape(at.orientation);
        self.columns[x..].iter_mut().zip(shape.columns).for_each(|(column, cells)| *column |= cells << y);
        Some(self)
    }

    /// One bit for each row that is full.
    ///
    /// ```
    /// let board: tetris::Board = "7,7,5,7,7,7,7,7,7,7".parse().unwrap();
    /// assert_eq!(board.full_lines(), 0b101);
    /// ```
    #[inline(always)]
    pub fn full_lines(&self) -> u64 {
        self.columns.iter().fold(ROWS, |lines, column| lines & column)
    }

    /// Removes the full lines; what is above them moves down. Returns how many there were.
    ///
    /// ```
    /// let mut board: tetris::Board = "7,7,5,7,7,7,7,7,7,f".parse().unwrap();
    /// assert_eq!(board.clear_lines(), 2);
    /// assert_eq!(board, "1,1,0,1,1,1,1,1,1,3".parse().unwrap());
    /// ```
    pub fn clear_lines(&mut self) -> u32 {
        self.clear_lines_on(Level::detect())
    }

    /// [`clear_lines`](Self::clear_lines) on a level.
    pub fn clear_lines_on(&mut self, level: Level) -> u32 {
        dispatch!(level, isa [this = self] => this.clear_lines_with(isa))
    }

    /// [Removes the full lines](Self::clear_lines) of every board. Returns how many there were in all of them.
    ///
    /// ```
    /// use tetris::Board;
    /// let mut boards: [Board; 2] = ["1,1,1,1,1,1,1,1,1,3", "3,3,3,3,3,3,3,3,3,3"].map(|columns| columns.parse().unwrap());
    /// assert_eq!(Board::clear_all(&mut boards), 3);
    /// assert_eq!(boards, ["0,0,0,0,0,0,0,0,0,1".parse().unwrap(), Board::EMPTY]);
    /// ```
    pub fn clear_all(boards: &mut [Self]) -> u64 {
        Self::clear_all_on(Level::detect(), boards)
    }

    /// [`clear_all`](Self::clear_all) on a level.
    pub fn clear_all_on(level: Level, boards: &mut [Self]) -> u64 {
        dispatch!(level, isa [boards] => Self::clear_all_with(isa, boards))
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
            // Ten extractions in software cost more than closing the few rows, from the top one down.
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

    /// The height of each column: one more than the row of its highest filled cell, 0 if it has none.
    ///
    /// ```
    /// let board: tetris::Board = "1,2,8000000000,0,0,0,0,0,0,7".parse().unwrap();
    /// assert_eq!(board.heights(), [1, 2, 40, 0, 0, 0, 0, 0, 0, 3]);
    /// ```
    #[inline]
    pub fn heights(&self) -> [u32; WIDTH] {
        self.columns.map(|column| u64::BITS - column.leading_zeros())
    }

    /// Empty cells with a filled cell directly above: a covered gap counts once, however deep it is.
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

/// The height of the highest column.
#[inline(always)]
pub(crate) const fn height(columns: &[u64; WIDTH]) -> u32 {
    let [a, b, c, d, e, f, g, h, i, j] = *columns;
    u64::BITS - (a | b | c | d | e | f | g | h | i | j).leading_zeros()
}

/// The lowest left cell of the piece's bounding box, if that lies in the field.
#[inline(always)]
fn corner(at: Location) -> Option<(usize, u32)> {
    let shape = at.piece.shape(at.orientation);
    let (x, y) = (i32::from(at.x) + shape.left, i32::from(at.y) + shape.bottom);
    let inside = x >= 0 && x + shape.width <= WIDTH as i32 && y >= 0 && y + shape.height <= HEIGHT as i32;
    inside.then_some((x as usize, y as u32))
}
