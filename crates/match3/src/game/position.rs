//! [`Position`]: a board in play with its legal swaps, in one layout; [`AnyPosition`]: in any layout.

use crate::bitboard::FourWords;
use crate::bitboard::colors::RandomColors;
use crate::bitboard::mask::{ColumnMask, Swaps};
use crate::bitboard::planes::{Layout, PlaneBoard, PlaneLayout};
use crate::board::Board;
use crate::cascade_result::CascadeResult;
use crate::cells::shuffle::redeal;
use crate::swap::Swap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position<W, const P: usize> {
    pub(crate) board: PlaneBoard<W, P>,
    /// Stale after the last move.
    pub(crate) legal: Swaps<ColumnMask<W>>,
}

impl<W: PlaneLayout<P>, const P: usize> Position<W, P> {
    pub(crate) fn new(board: PlaneBoard<W, P>) -> Self {
        Self { board, legal: board.swaps() }
    }

    /// Replaces the board with a new one. If ten thousand draws find none, the board stays; that is
    /// next to impossible where a deal has succeeded before.
    pub(crate) fn deal(&mut self, colors: &mut RandomColors) {
        let width = self.board.width();
        let height = self.board.height();
        if let Ok(board) = PlaneBoard::deal(width, height, colors) {
            self.board = board;
        }
        self.legal = self.board.swaps();
    }

    /// Plays a legal swap. A dead board is replaced, except after the last move.
    pub(crate) fn play(
        &mut self,
        swap: Swap,
        colors: &mut RandomColors,
        is_last: bool,
    ) -> CascadeResult {
        self.board.exchange_at(self.board.swap_bit(swap));
        let fits = colors.count() <= PlaneBoard::<W, P>::MAX_COLOR;
        let result =
            if fits { self.board.cascade_random(colors) } else { self.board.cascade(colors) };
        if !is_last {
            self.legal = self.board.swaps();
            if self.legal.is_empty() && revive(&mut self.board, colors) {
                self.legal = self.board.swaps();
            }
        }
        result
    }

    fn end(&mut self) {
        let none = ColumnMask::new(W::default(), self.board.height() as u8);
        self.legal = Swaps { right: none, down: none };
    }
}

/// Replaces a dead board: by a new deal, or by new colors of its pieces if it has holes or locks.
/// Returns `false` if there is no board with a legal swap, or none is found.
pub(crate) fn revive<W: PlaneLayout<P>, const P: usize>(
    board: &mut PlaneBoard<W, P>,
    colors: &mut RandomColors,
) -> bool {
    let revived = if board.is_plain() {
        PlaneBoard::deal(board.width(), board.height(), colors)
    } else {
        let mut cells = Board::from(*board);
        redeal(&mut cells, colors.count(), colors.rng()).and_then(|()| PlaneBoard::try_from(&cells))
    };
    revived.map(|revived| *board = revived).is_ok()
}

/// A [`Position`] whose layout is chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnyPosition {
    Size8Colors7(Position<u64, 3>),
    Size8Colors15(Position<u64, 4>),
    Size16Colors7(Position<FourWords, 3>),
    Size16Colors15(Position<FourWords, 4>),
}

/// Evaluates `$work` with the typed position bound to `$position`.
macro_rules! with_position {
    ($any:expr, $position:pat => $work:expr) => {
        match $any {
            $crate::game::position::AnyPosition::Size8Colors7($position) => $work,
            $crate::game::position::AnyPosition::Size8Colors15($position) => $work,
            $crate::game::position::AnyPosition::Size16Colors7($position) => $work,
            $crate::game::position::AnyPosition::Size16Colors15($position) => $work,
        }
    };
}
pub(crate) use with_position;

impl AnyPosition {
    pub(crate) const fn layout(&self) -> Layout {
        match self {
            Self::Size8Colors7(_) => Layout::Size8Colors7,
            Self::Size8Colors15(_) => Layout::Size8Colors15,
            Self::Size16Colors7(_) => Layout::Size16Colors7,
            Self::Size16Colors15(_) => Layout::Size16Colors15,
        }
    }

    pub(crate) fn play(
        &mut self,
        swap: Swap,
        colors: &mut RandomColors,
        is_last: bool,
    ) -> CascadeResult {
        with_position!(self, position => {
            let result = position.play(swap, colors, is_last);
            if is_last {
                position.end();
            }
            result
        })
    }

    pub(crate) fn end(&mut self) {
        with_position!(self, position => position.end());
    }
}

macro_rules! from_typed {
    ($($layout:ident: $words:ty, $planes:literal;)*) => {$(
        impl From<PlaneBoard<$words, $planes>> for AnyPosition {
            fn from(board: PlaneBoard<$words, $planes>) -> Self {
                Self::$layout(Position::new(board))
            }
        }
    )*};
}
from_typed!(
    Size8Colors7: u64, 3;
    Size8Colors15: u64, 4;
    Size16Colors7: FourWords, 3;
    Size16Colors15: FourWords, 4;
);
