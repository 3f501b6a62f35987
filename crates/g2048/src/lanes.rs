//! [`Boards32`]: 32 boards in byte lanes, slid by one kernel.

use crate::board::{Board, Size};
use crate::slide::Direction;
use bitcore::{Bytes, Isa, Lanes, SetBits, dispatch};

/// 32 boards of one size, lane by lane: lane i of a cell's group is board i's rank there.
///
/// A slide is then a fixed sequence of compares and blends per line, without a branch or a table, the same for any
/// line length and any rank.
///
/// ```
/// use g2048::{Board, Boards32, Direction};
/// let boards: [Board; 2] = ["2 2 \n . 4".parse()?, "2 4 \n 8 2".parse()?];
/// let lanes = Boards32::from_boards(&boards).unwrap();
/// let left = lanes.slide(Direction::Left);
/// assert_eq!(left.boards.board(0), "4 . \n 4 .".parse()?);
/// assert_eq!((left.gains[0], left.gains[1]), (4, 0));
/// assert_eq!(left.changed, 0b01);
/// # Ok::<_, g2048::ParseBoardError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Boards32 {
    size: Size,
    /// The groups of the cells, row by row; zeros behind the last cell.
    cells: [[u8; 32]; 64],
}

/// Why boards don't fit into one [`Boards32`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 1 to 32 boards of one size")]
pub struct Boards32Error;

/// What a slide makes of 32 boards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slides {
    /// The boards after the slide.
    pub boards: Boards32,
    /// Each board's gain: the sum of its merged tiles' new values.
    pub gains: [u64; 32],
    /// Bit i = board i changed.
    pub changed: u32,
}

impl Boards32 {
    /// 32 empty boards.
    pub const fn empty(size: Size) -> Self {
        Self { size, cells: [[0; 32]; 64] }
    }

    /// These boards in the first lanes, empty boards in the rest.
    ///
    /// # Errors
    ///
    /// If there are none, more than 32, or boards of several sizes.
    pub fn from_boards(boards: &[Board]) -> Result<Self, Boards32Error> {
        let size = boards.first().ok_or(Boards32Error)?.size();
        if boards.len() > 32 || boards.iter().any(|board| board.size() != size) {
            return Err(Boards32Error);
        }
        let mut lanes = Self::empty(size);
        for (lane, board) in boards.iter().enumerate() {
            lanes.set(lane, board);
        }
        Ok(lanes)
    }

    /// The boards' size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The board of a lane.
    ///
    /// # Panics
    ///
    /// If `lane` is 32 or more.
    pub fn board(&self, lane: usize) -> Board {
        Board::from_fn(self.size, |cell| self.cells[cell][lane])
    }

    /// Puts a board of this size into a lane.
    pub(crate) fn set(&mut self, lane: usize, board: &Board) {
        debug_assert_eq!(board.size(), self.size);
        for (group, &rank) in self.cells.iter_mut().zip(board.ranks()) {
            group[lane] = rank;
        }
    }

    /// The groups of the board's cells, row by row.
    #[inline(always)]
    pub(crate) fn groups(&self) -> &[[u8; 32]] {
        &self.cells[..self.size.cells()]
    }

    /// The groups of the board's cells, row by row, to be changed.
    #[inline(always)]
    pub(crate) fn groups_mut(&mut self) -> &mut [[u8; 32]] {
        &mut self.cells[..self.size.cells()]
    }

    /// Slides every board the same way; each as [`Board::slide`] does.
    pub fn slide(&self, direction: Direction) -> Slides {
        let mut slides = Slides::new(self.size);
        self.slide_into(direction, &mut slides);
        slides
    }

    /// [`slide`](Self::slide) into slides that were made before, whatever they hold.
    pub fn slide_into(&self, direction: Direction, slides: &mut Slides) {
        dispatch!(isa => slide_into_with(isa, self, direction, slides));
    }
}

impl Slides {
    /// Of 32 empty boards.
    pub const fn new(size: Size) -> Self {
        Self { boards: Boards32::empty(size), gains: [0; 32], changed: 0 }
    }
}

/// [`Boards32::slide_into`] on the instruction set of a token.
#[doc(hidden)]
#[inline(always)]
pub fn slide_into_with<S: Isa>(isa: S, boards: &Boards32, direction: Direction, slides: &mut Slides) {
    if slides.boards.size != boards.size {
        slides.boards = Boards32::empty(boards.size);
    }
    slides.gains = [0; 32];
    slides.changed =
        slide_groups_with::<S, true>(isa, boards, direction, &mut slides.boards, &mut slides.gains);
}

/// Slides `from` into `to`, of the same size, and returns the mask of the boards that changed. The gains are added
/// only if they are `SCORED`.
#[inline(always)]
pub(crate) fn slide_groups_with<S: Isa, const SCORED: bool>(
    isa: S,
    from: &Boards32,
    direction: Direction,
    to: &mut Boards32,
    gains: &mut [u64; 32],
) -> u32 {
    debug_assert_eq!(from.size, to.size);
    // The length as a constant keeps a line in registers.
    match direction.lines(from.size).1 {
        2 => slide_lines::<S, SCORED, 2>(isa, from, direction, to, gains),
        3 => slide_lines::<S, SCORED, 3>(isa, from, direction, to, gains),
        4 => slide_lines::<S, SCORED, 4>(isa, from, direction, to, gains),
        5 => slide_lines::<S, SCORED, 5>(isa, from, direction, to, gains),
        6 => slide_lines::<S, SCORED, 6>(isa, from, direction, to, gains),
        7 => slide_lines::<S, SCORED, 7>(isa, from, direction, to, gains),
        _ => slide_lines::<S, SCORED, 8>(isa, from, direction, to, gains),
    }
}

/// [`slide_groups_with`] for lines of `N` cells.
#[inline(always)]
fn slide_lines<S: Isa, const SCORED: bool, const N: usize>(
    isa: S,
    from: &Boards32,
    direction: Direction,
    to: &mut Boards32,
    gains: &mut [u64; 32],
) -> u32 {
    let mut difference = isa.splat_u8(0);
    for i in 0..direction.lines(from.size).0 {
        let first = direction.cell(from.size, i, 0);
        let stride = direction.cell(from.size, i, 1).wrapping_sub(first);
        let cell = |k: usize| first.wrapping_add(k.wrapping_mul(stride));
        let mut line = [isa.splat_u8(0); N];
        for (k, group) in line.iter_mut().enumerate() {
            *group = isa.u8x32(&from.cells[cell(k)]);
        }
        let before = line;
        close_up(isa, &mut line);
        merge::<S, SCORED, N>(isa, &mut line, gains);
        for k in 0..N {
            difference = difference | (before[k] ^ line[k]);
            to.cells[cell(k)] = line[k].to_array();
        }
    }
    !difference.zero_mask()
}

/// One line of 32 boards, the cell at the wall first, loses its gaps. From the far end to the wall: where a cell is
/// empty, all behind it move up by one; what is behind it is closed up already, so one step is enough.
#[inline(always)]
fn close_up<S: Isa, const N: usize>(isa: S, line: &mut [S::U8x32; N]) {
    for i in (0..N - 1).rev() {
        let empty = line[i].lanes_eq(isa.splat_u8(0));
        line[i] = line[i] | (line[i + 1] & empty);
        move_up::<S, N>(line, i + 1, empty);
    }
}

/// Merges the pairs of a line without gaps. From the wall outward: where a cell equals the next one it takes the next
/// rank, and all behind move up. That cell isn't looked at again: no tile merges twice.
#[inline(always)]
fn merge<S: Isa, const SCORED: bool, const N: usize>(
    isa: S,
    line: &mut [S::U8x32; N],
    gains: &mut [u64; 32],
) {
    for i in 0..N - 1 {
        let equal = line[i].lanes_eq(line[i + 1]).and_not(line[i].lanes_eq(isa.splat_u8(0)));
        // A lane mask is -1.
        line[i] = line[i] - equal;
        if SCORED {
            add_gains::<S>(line[i] & equal, gains);
        }
        move_up::<S, N>(line, i + 1, equal);
    }
}

/// Adds the values of new tiles, given by rank; 0 where there is none.
#[inline(always)]
fn add_gains<S: Isa>(merged: S::U8x32, gains: &mut [u64; 32]) {
    let ranks = merged.to_array();
    for lane in SetBits(u64::from(!merged.zero_mask())) {
        gains[lane as usize] += 1 << ranks[lane as usize];
    }
}

/// Under the lane mask, cells `from..` take the next cell's rank and the last one becomes empty.
#[inline(always)]
fn move_up<S: Isa, const N: usize>(line: &mut [S::U8x32; N], from: usize, mask: S::U8x32) {
    for i in from..N - 1 {
        line[i] = mask.blend(line[i + 1], line[i]);
    }
    line[N - 1] = line[N - 1].and_not(mask);
}
