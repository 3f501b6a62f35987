//! [`Features`]: board features for evaluation functions, computed on whole columns.
//!
//! A board lower than sixteen rows packs four columns per word, three words in all, and counts bits
//! once per word instead of once per column:
//!
//! ```text
//! bits     48..64    32..48    16..32    0..16
//! word 0   column 3  column 2  column 1  column 0      bit 0 of each = bottom row, bit 15 = row 15, empty
//! word 1   column 7  column 6  column 5  column 4
//! word 2   wall      wall      column 9  column 8
//! ```

use crate::board::{Board, HEIGHT, ROWS, WIDTH, height};
use crate::location::Location;
use bitcore::dispatch;

/// All features of a board, computed by [`Board::features`] for use in evaluation functions.
///
/// Names and definitions follow the literature: Dellacherie's features (holes, transitions, wells)
/// as given in Thiery and Scherrer, "Building Controllers for Tetris" (ICGA Journal 32, 2009), and
/// the authors' own (hole depth, rows with holes, pattern diversity) as computed by their program
/// `MDPTetris`. Walls and floor count as filled, the space above the field as empty.
/// [`reference::features`](mod@crate::reference::features) computes each feature cell by cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Features {
    /// [`Board::heights`].
    pub heights: [u32; WIDTH],
    /// [`Board::well_depths`].
    pub well_depths: [u32; WIDTH],
    /// [`Board::max_height`].
    pub max_height: u32,
    /// [`Board::filled_cells`].
    pub filled_cells: u32,
    /// [`Board::holes`].
    pub holes: u32,
    /// [`Board::covered_cells`].
    pub covered_cells: u32,
    /// [`Board::hole_depth`].
    pub hole_depth: u32,
    /// [`Board::rows_with_holes`].
    pub rows_with_holes: u32,
    /// [`Board::row_transitions`].
    pub row_transitions: u32,
    /// [`Board::column_transitions`].
    pub column_transitions: u32,
    /// [`Board::cumulative_wells`].
    pub cumulative_wells: u32,
    /// [`Board::bumpiness`].
    pub bumpiness: u32,
    /// [`Board::pattern_diversity`].
    pub pattern_diversity: u32,
}

/// Single features use the CPU's bit counting instructions only when inlined into a kernel. To
/// compute several features, call [`Board::features`], which enters the instruction set only once.
impl Board {
    /// Computes all features.
    ///
    /// ```
    /// let features = "1,2,4,5,f,0,0,0,0,0".parse::<tetris::Board>().unwrap().features();
    /// assert_eq!((features.max_height, features.holes, features.covered_cells), (4, 3, 4));
    /// assert_eq!((features.filled_cells, features.rows_with_holes, features.bumpiness), (9, 2, 7));
    /// ```
    pub fn features(&self) -> Features {
        dispatch!(_isa [this = self] => this.every_feature())
    }

    /// Writes the [features](Self::features) of each board.
    ///
    /// # Panics
    ///
    /// If the lengths of the slices differ.
    pub fn features_all(boards: &[Self], features: &mut [Features]) {
        assert_eq!(boards.len(), features.len(), "one result per board");
        dispatch!(_isa [boards, features] => Self::features_of_all(boards, features));
    }

    #[inline(always)]
    fn features_of_all(boards: &[Self], features: &mut [Features]) {
        for (board, features) in boards.iter().zip(features) {
            *features = board.every_feature();
        }
    }

    #[inline(always)]
    pub(crate) fn every_feature(&self) -> Features {
        let heights = self.heights();
        let max_height = self.max_height();
        let mut features = Features {
            heights,
            well_depths: well_depths(&heights),
            max_height,
            rows_with_holes: self.rows_with_holes(),
            bumpiness: bumpiness(&heights),
            pattern_diversity: pattern_diversity(&heights),
            ..Features::default()
        };
        if max_height < PackedBoard::ROWS {
            PackedBoard::new(self).count(&mut features);
        } else {
            features.filled_cells = self.filled_cells();
            features.holes = self.holes();
            features.hole_depth = self.hole_depth();
            features.row_transitions = self.row_transitions();
            features.column_transitions = self.column_transitions();
            features.cumulative_wells = self.cumulative_wells();
        }
        features.covered_cells = sum(&heights) - features.filled_cells;
        features
    }

    /// Returns the height of the highest column.
    ///
    /// ```
    /// let board: tetris::Board = "1,2,8,0,0,0,0,0,0,7".parse().unwrap();
    /// assert_eq!(board.max_height(), 4);
    /// ```
    #[inline(always)]
    pub fn max_height(&self) -> u32 {
        height(self.columns())
    }

    /// Counts the filled cells.
    #[inline(always)]
    pub fn filled_cells(&self) -> u32 {
        let mut cells = 0;
        for column in self.columns() {
            cells += column.count_ones();
        }
        cells
    }

    /// Counts the empty cells with a filled cell anywhere above: Dellacherie's holes.
    /// [`holes`](Self::holes), by contrast, counts a gap only once.
    ///
    /// ```
    /// let board: tetris::Board = "1,8,5,0,0,0,0,0,0,0".parse().unwrap();
    /// assert_eq!((board.covered_cells(), board.holes()), (3 + 1, 2));
    /// ```
    #[inline(always)]
    pub fn covered_cells(&self) -> u32 {
        sum(&self.heights()) - self.filled_cells()
    }

    /// Counts the filled cells above holes: every vertical run of cells on top of an empty cell.
    ///
    /// ```
    /// let board: tetris::Board = "f,e,35,0,0,0,0,0,0,0".parse().unwrap();
    /// assert_eq!(board.hole_depth(), 3 + 1 + 2);
    /// ```
    #[inline(always)]
    pub fn hole_depth(&self) -> u32 {
        let mut cells = 0;
        for column in self.columns() {
            // Removes the run that starts on the floor: no hole is below it.
            cells += (column & column.wrapping_add(1)).count_ones();
        }
        cells
    }

    /// Counts the rows with a covered cell.
    ///
    /// ```
    /// let board: tetris::Board = "8,4,5,0,0,0,0,0,0,0".parse().unwrap();
    /// assert_eq!(board.rows_with_holes(), 3);
    /// ```
    #[inline(always)]
    pub fn rows_with_holes(&self) -> u32 {
        let mut rows = 0;
        for column in self.columns() {
            rows |= covered(*column);
        }
        rows.count_ones()
    }

    /// Counts the changes between filled and empty along all 40 rows, with filled walls. An empty
    /// row has two, so a 20-row field would have 40 fewer.
    ///
    /// ```
    /// let board: tetris::Board = "#.##.#####".parse().unwrap();
    /// assert_eq!(board.row_transitions(), 4 + 2 * 39);
    /// ```
    #[inline(always)]
    pub fn row_transitions(&self) -> u32 {
        let mut changes = 0;
        let mut left = ROWS;
        for &column in self.columns() {
            changes += (left ^ column).count_ones();
            left = column;
        }
        changes + (left ^ ROWS).count_ones()
    }

    /// Counts the changes between filled and empty along the columns, with a filled floor and empty
    /// space above the field. An empty column has one.
    ///
    /// ```
    /// let board: tetris::Board = "1,2,5,0,0,0,0,0,0,0".parse().unwrap();
    /// assert_eq!(board.column_transitions(), 1 + 3 + 3 + 7);
    /// ```
    #[inline(always)]
    pub fn column_transitions(&self) -> u32 {
        let mut changes = 0;
        for &column in self.columns() {
            changes += (column ^ (column << 1 | 1)).count_ones();
        }
        changes
    }

    /// Returns Dellacherie's cumulative wells. Each empty cell between two filled cells or walls
    /// adds the length of the empty run from it straight down, so a well of depth `d` adds
    /// `1 + 2 + .. + d`. Covered wells count too.
    ///
    /// ```
    /// let board: tetris::Board = "7,0,7,1,0,1,7,7,7,0".parse().unwrap();
    /// assert_eq!(board.cumulative_wells(), (1 + 2 + 3) + 1 + (1 + 2 + 3));
    /// ```
    #[inline(always)]
    pub fn cumulative_wells(&self) -> u32 {
        let columns = self.columns();
        let mut wells = [0; WIDTH];
        for x in 0..WIDTH {
            let left = if x > 0 { columns[x - 1] } else { ROWS };
            let right = if x + 1 < WIDTH { columns[x + 1] } else { ROWS };
            wells[x] = left & right & !columns[x];
        }
        // Each round moves every well cell down by one, until it meets a filled cell or the floor.
        let mut sum = 0;
        loop {
            let mut any = 0;
            for (well, column) in wells.iter_mut().zip(columns) {
                sum += well.count_ones();
                *well = *well >> 1 & !column;
                any |= *well;
            }
            if any == 0 {
                return sum;
            }
        }
    }

    /// Returns how many rows each column is below its lower neighbor, 0 if a neighbor isn't higher.
    /// Walls aren't neighbors.
    ///
    /// ```
    /// let board: tetris::Board = "0,7,3,7,f,1,0,1,0,3".parse().unwrap();
    /// assert_eq!(board.well_depths(), [3, 0, 1, 0, 0, 0, 1, 0, 1, 0]);
    /// ```
    #[inline(always)]
    pub fn well_depths(&self) -> [u32; WIDTH] {
        well_depths(&self.heights())
    }

    /// Returns the sum of the height differences between neighboring columns.
    ///
    /// ```
    /// let board: tetris::Board = "1,2,8,0,0,0,0,0,0,7".parse().unwrap();
    /// assert_eq!(board.bumpiness(), 1 + 2 + 4 + 3);
    /// ```
    #[inline(always)]
    pub fn bumpiness(&self) -> u32 {
        bumpiness(&self.heights())
    }

    /// Counts how many of the height steps -2, -1, 0, 1 and 2 occur between neighboring columns.
    ///
    /// ```
    /// let board: tetris::Board = "1,1,3,f,0,0,0,0,0,0".parse().unwrap();
    /// assert_eq!(board.pattern_diversity(), 3); // 0, 1 and 2
    /// ```
    #[inline(always)]
    pub fn pattern_diversity(&self) -> u32 {
        pattern_diversity(&self.heights())
    }

    /// Returns Dellacherie's eroded piece cells: the number of full rows times the number of the
    /// piece's cells in them. Call it on a board with the piece placed but its full rows not yet
    /// cleared. Returns 0 if the piece isn't in the field.
    ///
    /// ```
    /// use tetris::{Board, Location, Orientation, Piece};
    /// let gap: Board = "3,3,3,1,0,1,3,3,3,3".parse().unwrap();
    /// let at = Location { piece: Piece::T, orientation: Orientation::South, x: 4, y: 1 };
    /// assert_eq!(gap.place(at).unwrap().eroded_cells(at), 4 * 2);
    /// ```
    #[inline(always)]
    pub fn eroded_cells(&self, at: Location) -> u32 {
        let rows = self.full_lines();
        let shape = at.piece.shape(at.orientation);
        let bottom = i32::from(at.y) + shape.bottom;
        if bottom < 0 || bottom + shape.height > HEIGHT as i32 {
            return 0;
        }
        let mut cells = 0;
        for column in shape.columns {
            cells += (column << bottom & rows).count_ones();
        }
        cells * rows.count_ones()
    }
}

impl Location {
    /// Returns twice Dellacherie's landing height, the height of the piece's middle: the sum of its
    /// lowest and highest row, counted from 0.
    ///
    /// ```
    /// use tetris::{Location, Orientation, Piece};
    /// let upright = Location { piece: Piece::I, orientation: Orientation::East, x: 4, y: 7 };
    /// assert_eq!(upright.landing_height_twice(), 5 + 8);
    /// ```
    #[inline(always)]
    pub const fn landing_height_twice(self) -> i32 {
        let shape = self.piece.shape(self.orientation);
        2 * (self.y as i32 + shape.bottom) + shape.height - 1
    }
}

/// A low board, four columns of 16 bits per word. The last two columns are walls.
///
/// Row 15 must be empty: it stops shifts and carries from crossing into the next column.
struct PackedBoard([u64; 3]);

const COLUMN_BOTTOMS: u64 = 0x0001_0001_0001_0001;
/// The walls of the last word.
const WALLS: u64 = 0xFFFF_FFFF_0000_0000;

impl PackedBoard {
    /// The number of rows. The board must be lower, see above.
    const ROWS: u32 = 16;

    #[inline(always)]
    fn new(board: &Board) -> Self {
        let c = board.columns();
        let word = |x: usize| c[x] | c[x + 1] << 16 | c[x + 2] << 32 | c[x + 3] << 48;
        Self([word(0), word(4), c[8] | c[9] << 16 | WALLS])
    }

    #[inline(always)]
    fn count(&self, features: &mut Features) {
        let bottom = COLUMN_BOTTOMS;
        let top = COLUMN_BOTTOMS << (Self::ROWS - 1);
        let [a, b, c] = self.0;
        let cells = c & !WALLS;
        features.filled_cells = count_ones(a, b, cells);
        let holes = |cells: u64| cells >> 1 & !cells & !top;
        features.holes = count_ones(holes(a), holes(b), holes(cells));
        let depth = |cells: u64| cells & (cells + bottom);
        features.hole_depth = count_ones(depth(a), depth(b), depth(cells));
        let changes = |cells: u64| cells ^ (cells << 1 | bottom);
        features.column_transitions = count_ones(changes(a), changes(b), changes(cells) & !WALLS);
        let left = [a << 16 | 0xFFFF, b << 16 | a >> 48, c << 16 | b >> 48];
        let right = [a >> 16 | b << 48, b >> 16 | c << 48, c >> 16];
        // Each row above has two transitions.
        features.row_transitions =
            count_ones(a ^ left[0], b ^ left[1], c ^ left[2]) + 2 * (HEIGHT as u32 - Self::ROWS);
        let mut x = left[0] & right[0] & !a;
        let mut y = left[1] & right[1] & !b;
        let mut z = left[2] & right[2] & !c;
        let mut wells = 0;
        let down = |well: u64, cells: u64| well >> 1 & !cells & !top;
        while x | y | z != 0 {
            wells += count_ones(x, y, z);
            (x, y, z) = (down(x, a), down(y, b), down(z, c));
        }
        features.cumulative_wells = wells;
    }
}

#[inline(always)]
fn count_ones(a: u64, b: u64, c: u64) -> u32 {
    a.count_ones() + b.count_ones() + c.count_ones()
}

/// Returns the empty cells below the top of a column.
#[inline(always)]
const fn covered(column: u64) -> u64 {
    // A column has at most 40 bits: the shift stays in the word.
    ((1 << (u64::BITS - column.leading_zeros())) - 1) & !column
}

#[inline(always)]
fn sum(heights: &[u32; WIDTH]) -> u32 {
    let mut sum = 0;
    for height in heights {
        sum += height;
    }
    sum
}

#[inline(always)]
fn bumpiness(heights: &[u32; WIDTH]) -> u32 {
    let mut bumps = 0;
    for x in 1..WIDTH {
        bumps += heights[x - 1].abs_diff(heights[x]);
    }
    bumps
}

#[inline(always)]
fn well_depths(heights: &[u32; WIDTH]) -> [u32; WIDTH] {
    let mut depths = [0; WIDTH];
    for x in 0..WIDTH {
        let left = if x > 0 { heights[x - 1] } else { u32::MAX };
        let right = if x + 1 < WIDTH { heights[x + 1] } else { u32::MAX };
        depths[x] = left.min(right).saturating_sub(heights[x]);
    }
    depths
}

#[inline(always)]
fn pattern_diversity(heights: &[u32; WIDTH]) -> u32 {
    let mut steps = 0u64;
    for x in 1..WIDTH {
        // A step of -2 becomes bit 38. Steps are in -40..=40; bits beyond the word aren't counted.
        steps |= 1u64.unbounded_shl(heights[x] + HEIGHT as u32 - heights[x - 1]);
    }
    (steps >> (HEIGHT - 2) & 0b1_1111).count_ones()
}
