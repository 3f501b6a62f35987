//! Groups: runs that share cells, and their shapes.

use crate::bitboard::mask::{Mask, RowMask};
use crate::board::{At, Board, Cell, MAX_COLOR, MAX_SIDE};
use crate::legality::arms;
use crate::runs::matched;
use alloc::vec::Vec;
use bitcore::SetBits;

/// The shape of a [`Group`], which rules for special pieces depend on.
///
/// The shape is the first of these that applies:
///
/// 1. [`Line5`](Self::Line5): a run of five cells or more, even if others cross it.
/// 2. Two crossing runs, one in a row and one in a column. If the crossing cell is an end of
///    neither run, the shape is [`Plus`](Self::Plus); of one of them, [`T`](Self::T); of both,
///    [`L`](Self::L). A group of more than two runs has the first of these shapes that any of its
///    crossings makes.
/// 3. A single run: [`Line4`](Self::Line4), [`Line3`](Self::Line3).
///
/// [`Square`](Self::Square) is the shape of [`squares`]; no group of runs has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A run of three: `line3`.
    Line3,
    /// A run of four: `line4`.
    Line4,
    /// A run of five or more, see [`Group::longest`]: `line5`.
    Line5,
    /// Two runs that share an end cell: `L`.
    L,
    /// A run that ends inside another one: `T`.
    T,
    /// Two runs that cross in the interior of both: `plus`.
    Plus,
    /// A block of 2 x 2 equal cells: `square`.
    Square,
}

crate::text::names! {
    Shape: "shape", ParseShapeError, "line3, line4, line5, L, T, plus or square",
    Line3 "line3", Line4 "line4", Line5 "line5", L "L", T "T", Plus "plus", Square "square"
}

/// Cells of one color that match together: runs that share cells, or one square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    color: u8,
    shape: Shape,
    longest: usize,
    cells: Vec<At>,
}

impl Group {
    /// Returns the group with exactly these cells, given as (x, y) in any order. Returns `None`
    /// unless the cells form a single group of runs or a square, `color` is a valid color, and all
    /// coordinates are below [`Board::MAX_SIDE`].
    ///
    /// ```
    /// use match3::groups::{Group, Shape};
    /// let group = Group::new(4, &[(2, 0), (2, 1), (2, 2), (1, 2), (0, 2)]).unwrap();
    /// assert_eq!(group.shape(), Shape::L);
    /// assert_eq!(Group::new(4, &[(0, 0), (1, 0)]), None);
    /// ```
    pub fn new(color: u8, cells: &[(usize, usize)]) -> Option<Self> {
        let cell = Cell::new(color)?;
        let corner = cells.iter().copied().reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))?;
        if corner.0 >= MAX_SIDE || corner.1 >= MAX_SIDE {
            return None;
        }
        let mut sorted = cells.to_vec();
        sorted.sort_unstable_by_key(|&(x, y)| (y, x));
        let mut board = Board::new(corner.0 + 1, corner.1 + 1).ok()?;
        for &at in cells {
            board[at] = cell;
        }
        let of_four = if cells.len() == 4 { squares(&board) } else { Vec::new() };
        groups(&board).into_iter().chain(of_four).find(|group| group.cells == sorted)
    }

    /// Returns the color, 1 to 35.
    pub fn color(&self) -> u8 {
        self.color
    }

    /// Returns the shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the length of the longest run, at least 3, or 2 for a square.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Returns the cells as (x, y), by row, then by column.
    pub fn cells(&self) -> &[(usize, usize)] {
        &self.cells
    }

    /// Returns whether this is a group or square of the board: its cells have its color, and no run
    /// extends beyond them.
    pub(crate) fn is_on(&self, board: &Board) -> bool {
        let is_ours =
            |(x, y): At| self.cells.binary_search_by_key(&(y, x), |&(x, y)| (y, x)).is_ok();
        self.cells.iter().all(|&at| board.contains(at) && board[at].color() == Some(self.color))
            && (self.shape == Shape::Square
                || self.cells.iter().all(|&at| run_neighbors(at, run_arms(board, at)).all(is_ours)))
    }
}

/// Counts the cells to the left, right, top and bottom that are in a run with a cell, at most two
/// in each direction.
fn run_arms(board: &Board, at: At) -> [usize; 4] {
    let [left, right, up, down] = arms(board, at);
    let (left, right) = if left + right >= 2 { (left, right) } else { (0, 0) };
    let (up, down) = if up + down >= 2 { (up, down) } else { (0, 0) };
    [left, right, up, down]
}

fn run_neighbors((x, y): At, arms: [usize; 4]) -> impl Iterator<Item = At> {
    let neighbors = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    neighbors.into_iter().zip(arms).filter(|&(_, arm)| arm > 0).map(|(at, _)| at)
}

/// Returns the groups of a board, ordered by first cell: by row, then by column.
///
/// Each [`matched`] cell belongs to exactly one group. Runs that share a cell are in the same
/// group, directly or through other runs; runs that merely touch are not.
///
/// ```
/// use match3::groups::{Shape, groups};
/// let found = groups(&"1112\n3213\n2213".parse()?);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].color(), found[0].shape()), (1, Shape::L));
/// assert_eq!(found[0].cells(), [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]);
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn groups(board: &Board) -> Vec<Group> {
    groups_in(board, matched(board))
}

/// Like [`groups`](fn@groups), given the cells returned by [`matched`].
pub(crate) fn groups_in(board: &Board, mut open: RowMask) -> Vec<Group> {
    let mut found = Vec::new();
    for y in 0..board.height() {
        while let Some(x) = SetBits(open.row(y)).next() {
            found.push(take_group(board, (x as usize, y), &mut open));
        }
    }
    found
}

/// Removes the cells of one group from `open` with a flood fill along its runs. A run is measured
/// only from its first cell, so the time is linear.
fn take_group(board: &Board, first: At, open: &mut RowMask) -> Group {
    let color = board[first];
    let mut cells = Vec::new();
    let mut take = |(x, y): At, cells: &mut Vec<At>| {
        if open.contains(x, y) {
            open.toggle((x, y));
            cells.push((x, y));
        }
    };
    take(first, &mut cells);
    // At the best crossing, the number of runs that extend to both sides.
    let mut longest = 0;
    let mut inside = None;
    for next in 0.. {
        let Some(&at) = cells.get(next) else { break };
        let arms = run_arms(board, at);
        run_neighbors(at, arms).for_each(|at| take(at, &mut cells));
        let [left, right, up, down] = arms;
        if left + right > 0 && up + down > 0 {
            let here = usize::from(left.min(right) > 0) + usize::from(up.min(down) > 0);
            inside = inside.max(Some(here));
        }
        for (before, after, step) in [(left, right, (1, 0)), (up, down, (0, 1))] {
            if before == 0 && after > 0 {
                let rest = (1..).map_while(|n| board.step(at, step, n));
                longest = longest.max(1 + rest.take_while(|&at| color.matches(board[at])).count());
            }
        }
    }
    let shape = match (longest, inside) {
        (5.., _) => Shape::Line5,
        (_, Some(2)) => Shape::Plus,
        (_, Some(1)) => Shape::T,
        (_, Some(_)) => Shape::L,
        (4, None) => Shape::Line4,
        (_, None) => Shape::Line3,
    };
    cells.sort_unstable_by_key(|&(x, y)| (y, x));
    Group { color: color.color().unwrap_or(MAX_COLOR), shape, longest, cells }
}

/// Returns all squares of a board, blocks of 2 x 2 equal cells, ordered by their upper left cells.
///
/// Squares may overlap each other and share cells with runs. The rules of this crate don't match
/// squares: neither [`swaps`](crate::swaps()) nor [`cascade`](crate::cascade()) considers them.
/// They are there for games that do.
///
/// ```
/// use match3::groups::{Shape, squares};
/// let found = squares(&"112\n113".parse()?);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].shape(), found[0].cells()), (Shape::Square, &[(0, 0), (1, 0), (0, 1), (1, 1)][..]));
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn squares(board: &Board) -> Vec<Group> {
    let square = |(x, y): At| {
        let cells = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
        let color = board[(x, y)].color()?;
        let is_equal = |&at: &At| board.contains(at) && board[at].color() == Some(color);
        cells.iter().all(is_equal).then(|| Group {
            color,
            shape: Shape::Square,
            longest: 2,
            cells: cells.to_vec(),
        })
    };
    board.places().filter_map(square).collect()
}
