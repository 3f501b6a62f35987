//! Random boards of bit planes to begin with.

use crate::colours::RandomColours;
use crate::planes::{Layout, PlaneBoard};
use crate::planes_error::{PlanesError, check_colours};
use bitcore::Level;

/// Boards drawn before a deal gives up.
const BOARDS: u32 = 10_000;

impl<const WORDS: usize, const P: usize> PlaneBoard<WORDS, P>
where
    Self: Layout<WORDS, P>,
{
    /// A full random board without a run and with a legal swap.
    ///
    /// Draws the cells row by row from the top, each again while it would end a run to the left or above; and the whole
    /// board again if it has no legal swap. ([`deal`](crate::deal) is the same for boards of cells, of any size and
    /// with fewer colours.)
    ///
    /// # Errors
    ///
    /// [`PlanesError::Size`]; [`PlanesError::Colours`] if there are fewer than three colours: a cell could end a run with
    /// each of them; [`PlanesError::Dead`] if none of 10,000 boards had a legal swap, as on 2 x 2.
    ///
    /// ```
    /// use bitcore::Rng;
    /// use match3::{Board16, PlanesError, RandomColours};
    /// let mut colours = RandomColours::new(5, Rng::new(1))?;
    /// let board: Board16 = Board16::deal(9, 11, &mut colours)?;
    /// assert!(board.is_stable() && board.has_swap());
    /// assert!(matches!(Board16::deal(2, 2, &mut colours), Err(PlanesError::Dead { .. })));
    /// # Ok::<(), PlanesError>(())
    /// ```
    pub fn deal(width: usize, height: usize, colours: &mut RandomColours<P>) -> Result<Self, PlanesError> {
        Self::deal_on(Level::detect(), width, height, colours)
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
        colours: &mut RandomColours<P>,
    ) -> Result<Self, PlanesError> {
        let empty = Self::empty(width, height)?;
        check_colours::<P>(colours.count())?;
        let dealt = empty.dealt_on(level, colours);
        dealt.ok_or(PlanesError::Dead { width, height, colours: colours.count(), boards: BOARDS })
    }

    /// Deals onto an empty board.
    fn dealt_on(&self, level: Level, colours: &mut RandomColours<P>) -> Option<Self> {
        for _ in 0..BOARDS {
            let mut board = *self;
            board.set_colours(&without_runs(level, colours, self.width(), self.height()));
            if !board.swaps_on(level).is_empty() {
                return Some(board);
            }
        }
        None
    }
}

/// The colours of a full board without a run, row by row.
fn without_runs<const P: usize>(
    level: Level,
    colours: &mut RandomColours<P>,
    width: usize,
    height: usize,
) -> [u8; 256] {
    let mut cells = [0; 256];
    for at in 0..width * height {
        let (x, y) = (at % width, at / width);
        cells[at] = loop {
            let colour = colours.next_on(level);
            let left = x >= 2 && cells[at - 1] == colour && cells[at - 2] == colour;
            let above = y >= 2 && cells[at - width] == colour && cells[at - 2 * width] == colour;
            if !left && !above {
                break colour;
            }
        };
    }
    cells
}
