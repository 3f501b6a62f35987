//! [`AnyBoard`]: a board of bit planes whose layout is chosen at run time.

use super::plane_board::{Board8, Board16};
use crate::board::Board;

/// The layouts of a [`PlaneBoard`](super::PlaneBoard). `Size8Colors7`: up to 8 x 8 cells and 7
/// colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Layout {
    Size8Colors7,
    Size8Colors15,
    Size16Colors7,
    Size16Colors15,
}

impl Layout {
    /// Returns the smallest layout for boards of this size with colors 1 to `colors`, or the
    /// largest layout if none fits.
    pub(crate) const fn smallest(width: usize, height: usize, colors: u8) -> Self {
        match (width <= 8 && height <= 8, colors <= Board8::<3>::MAX_COLOR) {
            (true, true) => Self::Size8Colors7,
            (true, false) => Self::Size8Colors15,
            (false, true) => Self::Size16Colors7,
            (false, false) => Self::Size16Colors15,
        }
    }
}

/// A [`PlaneBoard`](super::PlaneBoard) whose layout is chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AnyBoard {
    Size8Colors7(Board8<3>),
    Size8Colors15(Board8<4>),
    Size16Colors7(Board16<3>),
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

/// Evaluates `$work` with `$typed` bound to the board type of a [`Layout`].
macro_rules! with_layout {
    ($layout:expr, $typed:ident => $work:expr) => {
        with_layout!(@arms $layout, $typed, $work;
            Size8Colors7: Board8<3>, Size8Colors15: Board8<4>, Size16Colors7: Board16<3>, Size16Colors15: Board16<4>)
    };
    (@arms $layout:expr, $typed:ident, $work:expr; $($variant:ident: $board:ident<$planes:literal>),*) => {
        match $layout {
            $($crate::bitboard::planes::Layout::$variant => {
                type $typed = $crate::bitboard::planes::$board<$planes>;
                $work
            })*
        }
    };
}
pub(crate) use with_layout;

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
