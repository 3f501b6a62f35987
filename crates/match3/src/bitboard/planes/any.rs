//! [`AnyBoard`]: a board of bit planes whose layout is chosen at run time.

use super::plane_board::{Board8, Board16};
use crate::bitboard::error::PlanesError;
use crate::board::{Board, Cell};
use crate::cascade_result::CascadeResult;
use crate::swap::Swap;
use alloc::vec::Vec;

/// The layouts of a [`PlaneBoard`](super::PlaneBoard).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Up to 8 x 8 cells and 7 colors: [`Board8<3>`](Board8).
    Size8Colors7,
    /// Up to 8 x 8 cells and 15 colors: [`Board8<4>`](Board8).
    Size8Colors15,
    /// Up to 16 x 16 cells and 7 colors: [`Board16<3>`](Board16).
    Size16Colors7,
    /// Up to 16 x 16 cells and 15 colors: [`Board16<4>`](Board16).
    Size16Colors15,
}

impl Layout {
    /// Returns the smallest layout that holds boards of this size with colors 1 to `colors`; the largest
    /// layout if none does.
    ///
    /// ```
    /// use match3::planes::Layout;
    /// assert_eq!(Layout::smallest(8, 7, 6), Layout::Size8Colors7);
    /// assert_eq!(Layout::smallest(9, 7, 8), Layout::Size16Colors15);
    /// ```
    pub const fn smallest(width: usize, height: usize, colors: u8) -> Self {
        match (width <= 8 && height <= 8, colors <= Board8::<3>::MAX_COLOR) {
            (true, true) => Self::Size8Colors7,
            (true, false) => Self::Size8Colors15,
            (false, true) => Self::Size16Colors7,
            (false, false) => Self::Size16Colors15,
        }
    }
}

/// A [`PlaneBoard`](super::PlaneBoard) in a layout that is chosen at run time: the board that an
/// [`Agent`](crate::agent::Agent) sees.
///
/// ```
/// use match3::planes::{AnyBoard, Layout};
/// let cells: match3::Board = "1121\n3213\n2132".parse()?;
/// let board = AnyBoard::new(Layout::smallest(4, 3, 3), &cells)?;
/// assert_eq!(board.swaps().len(), match3::swaps(&cells).len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnyBoard {
    /// A board of up to 8 x 8 cells and 7 colors.
    Size8Colors7(Board8<3>),
    /// A board of up to 8 x 8 cells and 15 colors.
    Size8Colors15(Board8<4>),
    /// A board of up to 16 x 16 cells and 7 colors.
    Size16Colors7(Board16<3>),
    /// A board of up to 16 x 16 cells and 15 colors.
    Size16Colors15(Board16<4>),
}

/// Evaluates `$work` with the typed board of an [`AnyBoard`] bound to `$board`.
macro_rules! with_board {
    ($any:expr, $board:ident => $work:expr) => {
        match $any {
            $crate::bitboard::planes::AnyBoard::Size8Colors7($board) => $work,
            $crate::bitboard::planes::AnyBoard::Size8Colors15($board) => $work,
            $crate::bitboard::planes::AnyBoard::Size16Colors7($board) => $work,
            $crate::bitboard::planes::AnyBoard::Size16Colors15($board) => $work,
        }
    };
}
pub(crate) use with_board;

/// Evaluates `$work` with `$typed` as the name of the board type of a [`Layout`].
macro_rules! with_layout {
    ($layout:expr, $typed:ident => $work:expr) => {
        with_layout!(@arms $layout, $typed, $work;
            Size8Colors7: Board8<3>, Size8Colors15: Board8<4>, Size16Colors7: Board16<3>, Size16Colors15: Board16<4>)
    };
    (@arms $layout:expr, $typed:ident, $work:expr; $($variant:ident: $board:ident<$planes:literal>),*) => {
        match $layout {
            $($crate::planes::Layout::$variant => {
                type $typed = $crate::planes::$board<$planes>;
                $work
            })*
        }
    };
}
pub(crate) use with_layout;

impl AnyBoard {
    /// Converts a board of cells to a layout.
    ///
    /// # Errors
    ///
    /// [`PlanesError::Size`] or [`PlanesError::Color`] if the layout doesn't hold the board.
    pub fn new(layout: Layout, board: &Board) -> Result<Self, PlanesError> {
        Ok(with_layout!(layout, Typed => Typed::new(board)?.into()))
    }

    /// Returns the layout.
    pub const fn layout(&self) -> Layout {
        match self {
            Self::Size8Colors7(_) => Layout::Size8Colors7,
            Self::Size8Colors15(_) => Layout::Size8Colors15,
            Self::Size16Colors7(_) => Layout::Size16Colors7,
            Self::Size16Colors15(_) => Layout::Size16Colors15,
        }
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        with_board!(self, board => board.width())
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        with_board!(self, board => board.height())
    }

    /// Returns the cell in column `x` of row `y`.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    pub fn get(&self, x: usize, y: usize) -> Cell {
        with_board!(self, board => board.get(x, y))
    }

    /// Returns all legal swaps, by row, column, horizontal before vertical.
    pub fn swaps(&self) -> Vec<Swap> {
        with_board!(self, board => board.swaps().iter().collect())
    }

    /// Exchanges two neighbors without any check of the rules.
    ///
    /// # Panics
    ///
    /// If one of them is outside the board.
    pub fn exchange(&mut self, swap: Swap) {
        with_board!(self, board => board.exchange(swap));
    }

    /// Clears and lets columns fall until the board is stable, without new pieces
    /// ([`PlaneBoard::cascade_without_refill`](super::PlaneBoard::cascade_without_refill)).
    pub fn cascade_without_refill(&mut self) -> CascadeResult {
        with_board!(self, board => board.cascade_without_refill())
    }

    /// Returns the same board in a layout that holds colors 1 to `colors`, as far as there is one.
    pub(crate) fn with_colors(self, colors: u8) -> Self {
        if colors <= Board8::<3>::MAX_COLOR {
            return self;
        }
        match self {
            Self::Size8Colors7(board) => Self::Size8Colors15(board.with_planes()),
            Self::Size16Colors7(board) => Self::Size16Colors15(board.with_planes()),
            Self::Size8Colors15(_) | Self::Size16Colors15(_) => self,
        }
    }
}

impl From<AnyBoard> for Board {
    fn from(any: AnyBoard) -> Self {
        with_board!(any, board => board.into())
    }
}

macro_rules! from_typed {
    ($($layout:ident($board:ty)),*) => {$(
        impl From<$board> for AnyBoard {
            fn from(board: $board) -> Self {
                Self::$layout(board)
            }
        }
    )*};
}
from_typed!(
    Size8Colors7(Board8<3>),
    Size8Colors15(Board8<4>),
    Size16Colors7(Board16<3>),
    Size16Colors15(Board16<4>)
);
