//! [`PlaneBoard::deal`]: random boards at the start of a game.

use crate::colors::RandomColors;
use crate::planes::{PlaneBoard, PlaneLayout};
use crate::planes_error::{PlanesError, check_colors};
use bitcore::Level;

/// The number of boards drawn before a deal gives up.
const BOARDS: u32 = 10_000;

impl<const WORDS: usize, const P: usize> PlaneBoard<WORDS, P>
where
    Self: PlaneLayout<WORDS, P>,
{
    /// Deals a full random board without a run and with a legal swap.
    ///
    /// Draws the cells row by row from the top, each again while it would end a run to the left or above, and
    /// the whole board again if it has no legal swap. ([`deal`](crate::deal) makes boards of cells, of any
    /// size and with fewer colors.)
    ///
    /// # Errors
    ///
    /// [`PlanesError::Size`]; [`PlanesError::Colors`] if there are fewer than three colors, since a cell
    /// could end a run with each of them, or more than the planes hold; [`PlanesError::Dead`] if none of
    /// 10,000 boards had a legal swap, as on 2 x 2.
    ///
    /// ```
    /// use bitcore::Rng;
    /// use match3::colors::RandomColors;
    /// use match3::planes::PlanesError;
    /// use match3::Board16;
    /// let mut colors = RandomColors::new(5, Rng::new(1))?;
    /// let board: Board16 = Board16::deal(9, 11, &mut colors)?;
    /// assert!(board.is_stable() && board.has_swap());
    /// assert!(matches!(Board16::<3>::deal(2, 2, &mut colors), Err(PlanesError::Dead { .. })));
    /// # Ok::<(), PlanesError>(())
    /// ```
    pub fn deal(width: usize, height: usize, colors: &mut RandomColors) -> Result<Self, PlanesError> {
        Self::deal_on(Level::detect(), width, height, colors)
    }

    /// [`deal`](Self::deal) on a level.
    ///
    /// # Errors
    ///
    /// As for [`deal`](Self::deal).
    pub fn deal_on(
        level: Level,
        width: usize,
        height: usize,
        colors: &mut RandomColors,
    ) -> Result<Self, PlanesError> {
        let empty = Self::empty(width, height)?;
        check_colors::<P>(colors.count())?;
        let dealt = empty.dealt_on(level, colors);
        dealt.ok_or(PlanesError::Dead { width, height, colors: colors.count(), boards: BOARDS })
    }

    /// Deals onto an empty board. Returns none if no board had a legal swap.
    fn dealt_on(&self, level: Level, colors: &mut RandomColors) -> Option<Self> {
        for _ in 0..BOARDS {
            let mut board = *self;
            board.set_colors(&without_runs::<P>(level, colors, self.width(), self.height()));
            if !board.swaps_on(level).is_empty() {
                return Some(board);
            }
        }
        None
    }
}

/// Draws the colors of a full board without a run, row by row.
fn without_runs<const P: usize>(
    level: Level,
    colors: &mut RandomColors,
    width: usize,
    height: usize,
) -> [u8; 256] {
    let mut cells = [0; 256];
    for at in 0..width * height {
        let (x, y) = (at % width, at / width);
        cells[at] = loop {
            let color = colors.next_on::<P>(level);
            let left = x >= 2 && cells[at - 1] == color && cells[at - 2] == color;
            let above = y >= 2 && cells[at - width] == color && cells[at - 2 * width] == color;
            if !left && !above {
                break color;
            }
        };
    }
    cells
}
