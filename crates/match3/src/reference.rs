//! Slow, obvious algorithms that the fast ones are tested and measured against: the classic bit
//! trick for finding swaps, with its faults corrected, and the rules cell by cell ([`naive`],
//! [`plain`]).
//!
//! The trick (from an answer on a Q&A site for game developers, about possible moves in a match-3
//! game) represents the pieces of one color in one line of the board as a word, bit b for position
//! b. It finds pairs with a gap that a third stone would fill: `XoX`, `oXX` and `XXo`. A stone of
//! the same color next to the gap, the donor, either in the line or in one of the two adjacent
//! lines, makes a swap. The trick is applied to the rows, then to the columns.
//!
//! Its faults, each corrected here and documented with an example in `tests/rules/reference.rs`:
//!
//! - *Gap not tested.* The trick does not check that the gap has a stone of another color: in `111`
//!   it "offers" swaps of equal stones, and it "fills" empty gaps. Corrected: a gap must be a
//!   swappable cell of another color. Full boards without runs never show this fault.
//! - *Donor mislabeled.* Unlike donors in columns, a donor to the left of its gap is labeled as if
//!   it moved left. Corrected: a swap consists of its two cells.
//! - *Wrong cell stored.* For donors in an adjacent line, the trick stores the line of the gap with
//!   the position of the donor. Corrected in the same way.
//! - *Duplicates.* A swap that works for two colors, or for a row and a column, is found twice.
//!   Corrected: a mask of the swaps already found.
//! - *`ctz(0)`* must end the loop; [`SetBits`] handles this.
//! - *Narrow words.* A line of 8 needs more than 8 bits for the gap above a pair at its end.
//!   Corrected: 64-bit words. In a line of 64 cells, the bit that is lost is outside the board, and
//!   no swap needs it.

use crate::board::{At, Board, Cell, MAX_COLOR, MAX_SIDE};
use crate::swap::{Axis, Swap};
use alloc::vec;
use alloc::vec::Vec;
use bitcore::SetBits;
use bitcore::bits::zero_bytes;

/// The pairs of one color in one line and the gaps that a third stone would fill, before checking
/// the gaps.
///
/// ```
/// use match3::reference::Pairs;
/// let pairs = Pairs::new(0b0110_0101);
/// assert_eq!((pairs.xox, pairs.xx, pairs.up, pairs.down), (0x04, 0x40, 0x80, 0x10));
/// assert_eq!(pairs.gaps, 0x92);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairs {
    /// Bit p: stones at p and p - 2.
    pub xox: u64,
    /// Bit p: stones at p and p - 1.
    pub xx: u64,
    /// The gap above a pair.
    pub up: u64,
    /// The gap below a pair.
    pub down: u64,
    /// All gaps: `up`, `down`, and the middle of each `XoX`.
    pub gaps: u64,
}

impl Pairs {
    /// Finds the pairs among the stones `own` of a line.
    pub const fn new(own: u64) -> Self {
        let xox = own & (own << 2);
        let xx = own & (own << 1);
        let up = xx << 1;
        let down = xx >> 2;
        Self { xox, xx, up, down, gaps: up | down | (xox >> 1) }
    }
}

/// The board of the classic trick: masks of the rows and of the columns for each color, padded with
/// an empty line before the first and after the last.
#[derive(Clone, Debug)]
pub struct ColorMasks {
    rows: ColorLines,
    columns: ColorLines,
}

/// One direction of [`ColorMasks`].
#[derive(Clone, Debug)]
struct ColorLines {
    /// Lines per color, including padding.
    stride: usize,
    /// `own[color * stride + 1 + line]`, colors counted from 0.
    own: Vec<u64>,
    /// The cells that may be swapped, with the same padding.
    free: Vec<u64>,
}

impl ColorLines {
    fn new(board: &Board, colors: usize) -> Self {
        let stride = board.height() + 2;
        let mut own = vec![0; colors * stride];
        let mut free = vec![0; stride];
        for (line, row) in board.rows().enumerate() {
            for (b, cell) in row.iter().enumerate() {
                if let Some(color) = cell.color() {
                    own[(usize::from(color) - 1) * stride + 1 + line] |= 1 << b;
                }
                free[1 + line] |= u64::from(cell.is_swappable()) << b;
            }
        }
        Self { stride, own, free }
    }
}

impl LinePass for ColorLines {
    fn pass(&self, mut found: impl FnMut(usize, u32, bool)) {
        for own in self.own.chunks_exact(self.stride) {
            let lines = own.array_windows().zip(self.free.array_windows());
            for (line, (&[before, own, after], &[free_before, free, free_after])) in
                lines.enumerate()
            {
                let gap = free & !own;
                let pairs = Pairs::new(own);
                let gaps = pairs.gaps & gap;
                // Of the two cells of a swap, the first is noted: a donor above its pair is the
                // second.
                for donor in SetBits((pairs.up & gap) << 1 & own & free) {
                    found(line, donor - 1, true);
                }
                for donor in SetBits((pairs.down & gap) >> 1 & own & free) {
                    found(line, donor, true);
                }
                for donor in SetBits(gaps & before & free_before) {
                    found(line - 1, donor, false);
                }
                for gap in SetBits(gaps & after & free_after) {
                    found(line, gap, false);
                }
            }
        }
    }
}

impl From<&Board> for ColorMasks {
    /// Creates the masks of a board.
    fn from(board: &Board) -> Self {
        let colors = board.cells().iter().filter_map(|cell| cell.color()).max().unwrap_or(0);
        let colors = usize::from(colors);
        Self {
            rows: ColorLines::new(board, colors),
            columns: ColorLines::new(&board.transposed(), colors),
        }
    }
}

impl ColorMasks {
    /// Returns all legal swaps, in order.
    ///
    /// ```
    /// use match3::reference::ColorMasks;
    /// let board: match3::Board = "121\n212".parse()?;
    /// assert!(match3::swaps(&board).iter().eq(ColorMasks::from(&board).swaps()));
    /// # Ok::<(), match3::ParseBoardError>(())
    /// ```
    pub fn swaps(&self) -> Vec<Swap> {
        let mut swaps = Vec::new();
        self.list(&mut swaps);
        sorted(swaps)
    }

    /// Appends all legal swaps in search order: rows, then columns, color by color, each swap once.
    /// Returns their number.
    pub fn list(&self, swaps: &mut Vec<Swap>) -> usize {
        both_passes(self.rows.stride - 2, &self.rows, &self.columns, |swap| swaps.push(swap))
    }

    /// Returns the number of legal swaps, without listing them.
    ///
    /// ```
    /// use match3::reference::ColorMasks;
    /// let board: match3::Board = "112\n221".parse()?;
    /// assert_eq!(ColorMasks::from(&board).count(), 1);
    /// # Ok::<(), match3::ParseBoardError>(())
    /// ```
    pub fn count(&self) -> usize {
        both_passes(self.rows.stride - 2, &self.rows, &self.columns, |_| ())
    }
}

trait LinePass {
    /// Calls `found` with the first cell of each swap, as line and bit, and whether the second cell
    /// is in the same line. Finds a swap several times if several patterns contain it.
    fn pass(&self, found: impl FnMut(usize, u32, bool));
}

/// Calls `first` with the swaps of the row pass and the column pass, each once, in the order found.
/// Returns their number.
fn both_passes(
    height: usize,
    rows: &impl LinePass,
    columns: &impl LinePass,
    first: impl FnMut(Swap),
) -> usize {
    if height <= 16 {
        both_passes_up_to::<16>(rows, columns, first)
    } else {
        both_passes_up_to::<MAX_SIDE>(rows, columns, first)
    }
}

fn both_passes_up_to<const HEIGHT: usize>(
    rows: &impl LinePass,
    columns: &impl LinePass,
    mut first: impl FnMut(Swap),
) -> usize {
    let mut seen = [[0_u64; 2]; HEIGHT];
    let mut note = |x: usize, y: usize, axis: Axis| {
        let mask = &mut seen[y][axis as usize];
        if *mask >> x & 1 == 0 {
            first(Swap { x, y, axis });
        }
        *mask |= 1 << x;
    };
    let axis = |is_horizontal| if is_horizontal { Axis::Horizontal } else { Axis::Vertical };
    rows.pass(|y, x, along| note(x as usize, y, axis(along)));
    columns.pass(|x, y, along| note(x, y as usize, axis(!along)));
    seen.as_flattened().iter().map(|mask| mask.count_ones() as usize).sum()
}

fn sorted(mut swaps: Vec<Swap>) -> Vec<Swap> {
    swaps.sort_unstable();
    swaps
}

/// Rows of up to eight cells as the bytes of a word: one XOR with the shifted row compares all
/// neighbors, for all colors.
///
/// Zero bytes must be found exactly ([`bitcore::bits::zero_bytes`]), because the classic haszero
/// trick also flags an 0x01 above a zero byte. Two empty cells are equal bytes, so each comparison
/// also checks for a color.
#[derive(Clone, Debug)]
pub struct ByteRows {
    rows: ByteLines,
    columns: ByteLines,
}

#[derive(Clone, Debug)]
struct ByteLines {
    /// Colors, byte b = position b; an empty line before the first and after the last.
    colors: Vec<u64>,
    /// The top bit of byte b: the cell may be swapped.
    free: Vec<u64>,
}

impl ByteLines {
    fn new(board: &Board) -> Self {
        let mut colors = vec![0];
        let mut free = vec![0];
        for row in board.rows() {
            let mut word = 0;
            let mut flags = 0;
            for (b, cell) in row.iter().enumerate() {
                word |= u64::from(cell.color().unwrap_or(0)) << (8 * b);
                flags |= u64::from(cell.is_swappable()) << (8 * b + 7);
            }
            colors.push(word);
            free.push(flags);
        }
        colors.push(0);
        free.push(0);
        Self { colors, free }
    }
}

impl LinePass for ByteLines {
    fn pass(&self, mut found: impl FnMut(usize, u32, bool)) {
        let bytes = |flags| SetBits(flags).map(|bit| bit / 8);
        let lines = self.colors.array_windows().zip(self.free.array_windows());
        for (line, (&[before, row, after], &[free_before, free, free_after])) in lines.enumerate() {
            // Flags of the bytes c that equal byte c of `other`; byte c of `row >> 8 * k` is byte c +
            // k.
            let equal = |other| zero_bytes(row ^ other);
            let colored = !zero_bytes(row);
            let xx = equal(row << 8) & colored;
            let xox = equal(row << 16) & colored;
            // XXo: the gap is c + 1.
            let gap = xx & (free >> 8) & !(xx >> 8);
            for c in bytes(gap & (xox >> 16) & (free >> 16)) {
                found(line, c + 1, true);
            }
            for c in bytes(gap & equal(before >> 8) & (free_before >> 8)) {
                found(line - 1, c + 1, false);
            }
            for c in bytes(gap & equal(after >> 8) & (free_after >> 8)) {
                found(line, c + 1, false);
            }
            // oXX: the gap is c - 2.
            let gap = xx & (free << 16) & !xox;
            for c in bytes(gap & equal(row << 24) & (free << 24)) {
                found(line, c - 3, true);
            }
            for c in bytes(gap & equal(before << 16) & (free_before << 16)) {
                found(line - 1, c - 2, false);
            }
            for c in bytes(gap & equal(after << 16) & (free_after << 16)) {
                found(line, c - 2, false);
            }
            // XoX: the gap is c - 1.
            let gap = xox & (free << 8) & !xx;
            for c in bytes(gap & equal(before << 8) & (free_before << 8)) {
                found(line - 1, c - 1, false);
            }
            for c in bytes(gap & equal(after << 8) & (free_after << 8)) {
                found(line, c - 1, false);
            }
        }
    }
}

impl ByteRows {
    /// Creates the byte rows and columns of a board, or returns `None` if its width or height is
    /// larger than 8.
    pub fn new(board: &Board) -> Option<Self> {
        (board.width() <= 8 && board.height() <= 8).then(|| Self {
            rows: ByteLines::new(board),
            columns: ByteLines::new(&board.transposed()),
        })
    }

    /// Returns all legal swaps, in order.
    ///
    /// ```
    /// use match3::reference::ByteRows;
    /// let board: match3::Board = "121\n212".parse()?;
    /// let rows = ByteRows::new(&board).expect("at most 8 x 8");
    /// assert!(match3::swaps(&board).iter().eq(rows.swaps()));
    /// # Ok::<(), match3::ParseBoardError>(())
    /// ```
    pub fn swaps(&self) -> Vec<Swap> {
        let mut swaps = Vec::new();
        self.list(&mut swaps);
        sorted(swaps)
    }

    /// Appends all legal swaps in search order: rows, then columns, each swap once. Returns their
    /// number.
    pub fn list(&self, swaps: &mut Vec<Swap>) -> usize {
        both_passes_up_to::<8>(&self.rows, &self.columns, |swap| swaps.push(swap))
    }

    /// Returns the number of legal swaps, without listing them.
    ///
    /// ```
    /// use match3::reference::ByteRows;
    /// let board: match3::Board = "112\n221".parse()?;
    /// assert_eq!(ByteRows::new(&board).map(|rows| rows.count()), Some(1));
    /// # Ok::<(), match3::ParseBoardError>(())
    /// ```
    pub fn count(&self) -> usize {
        both_passes_up_to::<8>(&self.rows, &self.columns, |_| ())
    }
}

/// The rules cell by cell.
pub mod naive {
    use super::{At, Board, Cell, MAX_COLOR, SetBits, Swap, Vec};
    pub use crate::cascade_result::CascadeResult;
    use crate::legality::pairs;

    fn in_run(board: &Board, (x, y): At) -> bool {
        let cell = board[(x, y)];
        let count = |cells: &mut dyn Iterator<Item = At>| {
            cells.take_while(|&at| cell.matches(board[at])).count()
        };
        let left = count(&mut (0..x).rev().map(|x| (x, y)));
        let right = count(&mut (x + 1..board.width()).map(|x| (x, y)));
        let up = count(&mut (0..y).rev().map(|y| (x, y)));
        let down = count(&mut (y + 1..board.height()).map(|y| (x, y)));
        !cell.is_hole() && (left + right >= 2 || up + down >= 2)
    }

    /// Finds the cells in runs like [`matched`](crate::matched), cell by cell.
    pub fn matched(board: &Board) -> Vec<u64> {
        let row =
            |y| (0..board.width()).fold(0, |mask, x| mask | u64::from(in_run(board, (x, y))) << x);
        (0..board.height()).map(row).collect()
    }

    fn is_legal(board: &Board, swap: Swap) -> bool {
        let [a, b] = swap.cells();
        if !board.contains(b)
            || !board[a].is_swappable()
            || !board[b].is_swappable()
            || board[a].matches(board[b])
        {
            return false;
        }
        let mut after = board.clone();
        after.exchange(a, b);
        in_run(&after, a) || in_run(&after, b)
    }

    /// Lists the legal swaps like [`swaps`](crate::swaps()), by brute force: exchanges each pair on
    /// a copy of the board and looks for runs.
    pub fn swaps(board: &Board) -> Vec<Swap> {
        pairs(board).filter(|&swap| is_legal(board, swap)).collect()
    }

    /// Clears all runs, lets the columns fall and refills them, repeatedly until the board is
    /// stable.
    ///
    /// Pieces fall straight down through empty cells; blocked cells stay in place and stop them.
    /// New pieces enter at the top, column by column from the left; within a column, they fill the
    /// empty cells without a blocked cell above, lowest first. Each call of `color` draws the color
    /// of one piece, clamped to 1..=35.
    pub fn cascade(board: &mut Board, mut color: impl FnMut() -> u8) -> CascadeResult {
        let mut result = CascadeResult::default();
        loop {
            let runs = matched(board);
            let cells: u64 = runs.iter().map(|row| u64::from(row.count_ones())).sum();
            if cells == 0 {
                return result;
            }
            result.add_level(cells);
            for (y, row) in runs.into_iter().enumerate() {
                for x in SetBits(row) {
                    board[(x as usize, y)] = Cell::EMPTY;
                }
            }
            for x in 0..board.width() {
                fall(board, x);
                let open =
                    (0..board.height()).take_while(|&y| board[(x, y)] == Cell::EMPTY).count();
                for y in (0..open).rev() {
                    board[(x, y)] = Cell::from_byte(color().clamp(1, MAX_COLOR));
                }
            }
        }
    }

    fn fall(board: &mut Board, x: usize) {
        for y in (0..board.height()).rev() {
            if !board[(x, y)].is_hole() {
                let below = (y + 1..board.height()).take_while(|&y| board[(x, y)] == Cell::EMPTY);
                let to = y + below.count();
                board.exchange((x, y), (x, to));
            }
        }
    }
}

/// The rules with special pieces, cell by cell.
pub mod special {
    use super::{Swap, Vec};
    use crate::cascade_result::CascadeResult;
    use crate::special::SpecialBoard;
    use crate::swap::SwapError;

    /// Ranks the legal swaps like [`SpecialBoard::ranked_swaps`], each played on a copy of the
    /// board.
    ///
    /// ```
    /// use match3::special::SpecialBoard;
    /// let board = SpecialBoard::from("1213\n3122\n2331".parse::<match3::Board>()?);
    /// assert_eq!(match3::reference::special::ranked_swaps(&board), board.ranked_swaps());
    /// # Ok::<(), match3::ParseBoardError>(())
    /// ```
    pub fn ranked_swaps(board: &SpecialBoard) -> Vec<(Swap, CascadeResult)> {
        board.ranked_in_cells()
    }

    /// Plays a swap and its cascade like [`SpecialBoard::try_swap`] without a journal.
    ///
    /// # Errors
    ///
    /// The reason the swap is illegal. The board is then unchanged, and no color is drawn.
    pub fn try_swap(
        board: &mut SpecialBoard,
        swap: Swap,
        mut color: impl FnMut() -> u8,
    ) -> Result<CascadeResult, SwapError> {
        board.play_quietly_in_cells(swap, Some(&mut color))
    }
}

/// A plain, efficient board with one byte per cell, the baseline that the fast boards are measured
/// against.
pub mod plain {
    use super::naive::CascadeResult;
    use super::{Board, Cell, MAX_COLOR, Swap, Vec, sorted};
    use crate::bitboard::colors::{Colors, RandomColors};
    use crate::bitboard::planes::Board16;
    use alloc::vec;

    /// A board with one byte per cell, 0 for empty, and its buffers.
    ///
    /// ```
    /// use match3::Rng;
    /// use match3::reference::plain::ByteBoard;
    /// use match3::{Board, Board8, RandomColors};
    /// let board: Board = "1121\n3213\n2132".parse()?;
    /// let colors = RandomColors::new(6, Rng::new(7))?;
    /// let mut plain = ByteBoard::new(&board).ok_or("no blocked and no locked cell")?;
    /// let mut fast: Board8 = Board8::try_from(&board)?;
    /// assert_eq!(plain.random_move(&mut colors.clone()), fast.random_move(&mut colors.clone()));
    /// assert_eq!(plain.board(), fast.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Debug)]
    pub struct ByteBoard {
        width: usize,
        height: usize,
        cells: Vec<u8>,
        runs: Vec<bool>,
        swaps: Vec<(usize, usize)>,
    }

    impl ByteBoard {
        /// Converts a board, or returns `None` if it has blocked or locked cells.
        pub fn new(board: &Board) -> Option<Self> {
            let plain = |cell: &Cell| *cell != Cell::BLOCKED && !cell.is_locked();
            let cells: Vec<u8> = board.cells().iter().map(|cell| cell.byte()).collect();
            board.cells().iter().all(plain).then(|| Self {
                width: board.width(),
                height: board.height(),
                runs: vec![false; cells.len()],
                swaps: Vec::new(),
                cells,
            })
        }

        /// Returns the current board.
        #[allow(clippy::missing_panics_doc, reason = "a board of this size exists")]
        pub fn board(&self) -> Board {
            let cells = self.cells.iter().copied().map(Cell::from_byte).collect();
            Board::from_cells(self.width, self.height, cells).expect("a board of the same size")
        }

        fn in_run(&self, x: usize, y: usize) -> bool {
            let at = y * self.width + x;
            // The position in a line, the length of the line, and the step between its cells.
            [(x, self.width, 1), (y, self.height, self.width)].into_iter().any(
                |(i, length, step)| {
                    let equal = |j: &usize| self.cells[at - i * step + j * step] == self.cells[at];
                    let before = (0..i).rev().take_while(equal).count();
                    before + (i + 1..length).take_while(equal).count() >= 2
                },
            )
        }

        /// Finds the legal swaps by exchanging each pair: horizontal swaps before vertical ones,
        /// each by column from the left and within a column from the bottom up.
        fn find_swaps(&mut self) {
            self.swaps.clear();
            for (dx, dy) in [(1, 0), (0, 1)] {
                for x in 0..self.width - dx {
                    for y in (0..self.height - dy).rev() {
                        let a = y * self.width + x;
                        let b = (y + dy) * self.width + x + dx;
                        let first = self.cells[a];
                        let second = self.cells[b];
                        if first == 0 || second == 0 || first == second {
                            continue;
                        }
                        self.cells.swap(a, b);
                        if self.in_run(x, y) || self.in_run(x + dx, y + dy) {
                            self.swaps.push((a, b));
                        }
                        self.cells.swap(a, b);
                    }
                }
            }
        }

        /// Returns the legal swaps, in order.
        pub fn swaps(&mut self) -> Vec<Swap> {
            self.find_swaps();
            let width = self.width;
            let at = |i: usize| (i % width, i / width);
            sorted(self.swaps.iter().filter_map(|&(a, b)| Swap::between(at(a), at(b))).collect())
        }

        /// Returns the number of legal swaps.
        pub fn count_swaps(&mut self) -> usize {
            self.find_swaps();
            self.swaps.len()
        }

        /// Plays a move like [`PlaneBoard::random_move`](crate::bitboard::PlaneBoard::random_move),
        /// with the same draws.
        pub fn random_move(&mut self, colors: &mut RandomColors) -> Option<CascadeResult> {
            self.find_swaps();
            if self.swaps.is_empty() {
                return None;
            }
            let (a, b) = self.swaps[colors.rng().below(self.swaps.len() as u32) as usize];
            self.cells.swap(a, b);
            Some(self.cascade(colors))
        }

        /// Plays a move of a [`RandomGame`](crate::RandomGame), with the same draws: a dead board
        /// is first replaced by a new one.
        ///
        /// # Panics
        ///
        /// If the board is dead and there are fewer than three colors or the board is larger than
        /// 16 x 16.
        pub fn random_step(&mut self, colors: &mut RandomColors) -> CascadeResult {
            loop {
                if let Some(result) = self.random_move(colors) {
                    return result;
                }
                let board = Board16::<4>::deal(self.width, self.height, colors)
                    .expect("at least three colors");
                *self = Self::new(&board.into()).expect("nothing blocked, nothing locked");
            }
        }

        /// Marks the cells in runs and counts them.
        fn mark(&mut self) -> u64 {
            self.runs.fill(false);
            let width = self.width;
            let height = self.height;
            // The number of lines, the step between lines, the length of a line, and the step
            // between its cells.
            for (lines, to_line, length, step) in
                [(height, width, width, 1), (width, 1, height, width)]
            {
                for line in 0..lines {
                    let at = |i: usize| line * to_line + i * step;
                    let mut start = 0;
                    for end in 1..=length {
                        let color = self.cells[at(start)];
                        if end < length && self.cells[at(end)] == color {
                            continue;
                        }
                        if end - start >= 3 && color != 0 {
                            (start..end).for_each(|i| self.runs[at(i)] = true);
                        }
                        start = end;
                    }
                }
            }
            self.runs.iter().map(|&run| u64::from(run)).sum()
        }

        /// Plays a cascade like [`PlaneBoard::cascade`](crate::bitboard::PlaneBoard::cascade), with
        /// the same draws.
        pub fn cascade(&mut self, colors: &mut impl Colors) -> CascadeResult {
            let mut result = CascadeResult::default();
            loop {
                let cells = self.mark();
                if cells == 0 {
                    return result;
                }
                result.add_level(cells);
                for x in 0..self.width {
                    let mut to = self.height;
                    for y in (0..self.height).rev() {
                        let at = y * self.width + x;
                        if !self.runs[at] && self.cells[at] != 0 {
                            to -= 1;
                            self.cells[to * self.width + x] = self.cells[at];
                        }
                    }
                    while to > 0 {
                        to -= 1;
                        self.cells[to * self.width + x] = colors.next().clamp(1, MAX_COLOR);
                    }
                }
            }
        }
    }
}
