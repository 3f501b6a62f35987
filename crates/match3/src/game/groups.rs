//! Groups: runs that share cells, and their shapes.

use crate::board::{Board, Cell, MAX_COLOR, MAX_SIDE};
use crate::runs::matched;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::SetBits;
use core::fmt;
use core::str::FromStr;

/// The shape of a [`Group`], on which rules for special pieces depend.
///
/// The shape of a group is the first of these that applies:
///
/// 1. [`Line5`](Self::Line5): one of its runs has five cells or more, even if others cross it.
/// 2. Two of its runs cross, one in a row and one in a column. A crossing cell that is an end of neither run
///    makes a [`Plus`](Self::Plus), an end of one of them a [`T`](Self::T), an end of both an [`L`](Self::L).
///    In a group of more than two runs, the first of these that some crossing makes.
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
    /// Two runs that end in a common cell: `L`.
    L,
    /// A run that ends inside another: `T`.
    T,
    /// Two runs that cross inside both: `plus`.
    Plus,
    /// Two by two equal cells: `square`.
    Square,
}

impl Shape {
    const ALL: [Self; 7] =
        [Self::Line3, Self::Line4, Self::Line5, Self::L, Self::T, Self::Plus, Self::Square];

    /// Returns the name: `line3`, `line4`, `line5`, `L`, `T`, `plus` or `square`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line3 => "line3",
            Self::Line4 => "line4",
            Self::Line5 => "line5",
            Self::L => "L",
            Self::T => "T",
            Self::Plus => "plus",
            Self::Square => "square",
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no shape has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown shape: expected line3, line4, line5, L, T, plus or square")]
pub struct ParseShapeError;

impl FromStr for Shape {
    type Err = ParseShapeError;

    /// Parses the [`name`](Self::name) of a shape.
    fn from_str(name: &str) -> Result<Self, ParseShapeError> {
        Self::ALL.into_iter().find(|shape| shape.name() == name).ok_or(ParseShapeError)
    }
}

/// Cells of one color that are matched together: runs that share cells, or one square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    color: u8,
    shape: Shape,
    longest: usize,
    cells: Vec<(usize, usize)>,
}

impl Group {
    /// Returns the group of exactly these cells, given as (x, y) in any order. Returns none unless they are
    /// one group of runs or one square, `color` is a color, and all coordinates are below [`MAX_SIDE`].
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
        for &(x, y) in cells {
            board.set(x, y, cell);
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

    /// Returns the number of cells of its longest run, at least 3; 2 for a square.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Returns the cells as (x, y), by row, then by column.
    pub fn cells(&self) -> &[(usize, usize)] {
        &self.cells
    }

    /// Returns whether this is a group or square of the board: its cells have its color, and no run continues
    /// beyond them.
    pub(crate) fn is_on(&self, board: &Board) -> bool {
        let (width, height) = (board.width(), board.height());
        let of_color = |x: usize, y: usize| board.get(x, y).color() == Some(self.color);
        if self.cells.iter().any(|&(x, y)| x >= width || y >= height || !of_color(x, y)) {
            return false;
        }
        let is_ours =
            |at: (usize, usize)| self.cells.binary_search_by_key(&(at.1, at.0), |&(x, y)| (y, x)).is_ok();
        self.shape == Shape::Square
            || self.cells.iter().all(|&(x, y)| {
                let left = (0..x).rev().take_while(|&x| of_color(x, y)).count();
                let right = (x + 1..width).take_while(|&x| of_color(x, y)).count();
                let up = (0..y).rev().take_while(|&y| of_color(x, y)).count();
                let down = (y + 1..height).take_while(|&y| of_color(x, y)).count();
                (left + right < 2 || (x - left..=x + right).all(|x| is_ours((x, y))))
                    && (up + down < 2 || (y - up..=y + down).all(|y| is_ours((x, y))))
            })
    }
}

/// A run of `length` cells from `start` on, to the right or down.
#[derive(Clone, Copy)]
struct Run {
    start: usize,
    length: usize,
}

impl Run {
    fn ends_at(self, at: usize) -> bool {
        at == self.start || at + 1 == self.start + self.length
    }
}

/// Passes the runs of one line to `push`.
fn runs_of_line(length: usize, cell: impl Fn(usize) -> Cell, mut push: impl FnMut(Run)) {
    let mut start = 0;
    for end in 1..=length {
        if end < length && cell(start).matches(cell(end)) {
            continue;
        }
        if end - start >= 3 && !cell(start).is_hole() {
            push(Run { start, length: end - start });
        }
        start = end;
    }
}

/// The index of no run. A board has fewer than 4096 runs.
const NONE: u16 = u16::MAX;

/// Finds the first run of a group: follows the links, and shortens them (union-find with path halving).
fn root(links: &mut [u16], mut run: u16) -> u16 {
    while links[usize::from(run)] != run {
        let next = links[usize::from(run)];
        links[usize::from(run)] = links[usize::from(next)];
        run = next;
    }
    run
}

/// Returns the groups of a board, ordered by their first cells: by row, then by column.
///
/// Each [`matched`] cell lies in exactly one group. Runs that share a cell are in one group, also through
/// other runs; runs that only touch aren't. A union-find structure joins them (Galler and Fischer, "An
/// improved equivalence algorithm", 1964).
///
/// ```
/// use match3::groups::{groups, Shape};
/// let found = groups(&"1112\n3213\n2213".parse()?);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].color(), found[0].shape()), (1, Shape::L));
/// assert_eq!(found[0].cells(), [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]);
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn groups(board: &Board) -> Vec<Group> {
    groups_in(board, matched(board).words())
}

/// Does the same as [`groups`](fn@groups), given the masks of [`matched`].
pub(crate) fn groups_in(board: &Board, matched: &[u64]) -> Vec<Group> {
    let (width, height) = (board.width(), board.height());
    let columns = matched.iter().fold(0, |all, row| all | row);
    if columns == 0 {
        return Vec::new();
    }

    // The runs, and for each cell its run in the row and in the column.
    let mut runs: Vec<Run> = Vec::new();
    let mut across = vec![NONE; width * height];
    let mut down = vec![NONE; width * height];
    for y in (0..height).filter(|&y| matched[y] != 0) {
        runs_of_line(
            width,
            |x| board.get(x, y),
            |run| {
                across[y * width + run.start..][..run.length].fill(runs.len() as u16);
                runs.push(run);
            },
        );
    }
    for x in SetBits(columns).map(|x| x as usize) {
        runs_of_line(
            height,
            |y| board.get(x, y),
            |run| {
                for y in run.start..run.start + run.length {
                    down[y * width + x] = runs.len() as u16;
                }
                runs.push(run);
            },
        );
    }

    // Runs that cross become one group; a group keeps the best crossing.
    let mut links: Vec<u16> = (0..runs.len() as u16).collect();
    let crossings =
        || (0..across.len()).map(|at| (at, across[at], down[at])).filter(|c| c.1 != NONE && c.2 != NONE);
    for (_, a, b) in crossings() {
        let (a, b) = (root(&mut links, a), root(&mut links, b));
        links[usize::from(a.max(b))] = a.min(b);
    }
    let mut crossed: Vec<Option<Shape>> = vec![None; runs.len()];
    for (at, a, b) in crossings() {
        let ends = u8::from(runs[usize::from(a)].ends_at(at % width))
            + u8::from(runs[usize::from(b)].ends_at(at / width));
        let best = &mut crossed[usize::from(root(&mut links, a))];
        *best = match (ends, *best) {
            (0, _) | (_, Some(Shape::Plus)) => Some(Shape::Plus),
            (1, _) | (_, Some(Shape::T)) => Some(Shape::T),
            _ => Some(Shape::L),
        };
    }
    let mut longest = vec![0; runs.len()];
    for (i, run) in runs.iter().enumerate() {
        let first = usize::from(root(&mut links, i as u16));
        longest[first] = run.length.max(longest[first]);
    }

    let mut found: Vec<Group> = Vec::new();
    let mut place = vec![NONE; runs.len()];
    for (y, &row) in matched.iter().enumerate() {
        for x in SetBits(row).map(|x| x as usize) {
            let at = y * width + x;
            let run = if across[at] == NONE { down[at] } else { across[at] };
            let first = usize::from(root(&mut links, run));
            if place[first] == NONE {
                place[first] = found.len() as u16;
                let shape = match (longest[first], crossed[first]) {
                    (5.., _) => Shape::Line5,
                    (_, Some(shape)) => shape,
                    (4, None) => Shape::Line4,
                    _ => Shape::Line3,
                };
                let color = board.get(x, y).color().unwrap_or(MAX_COLOR);
                found.push(Group { color, shape, longest: longest[first], cells: Vec::new() });
            }
            found[usize::from(place[first])].cells.push((x, y));
        }
    }
    found
}

/// Returns the squares of a board: all blocks of two by two equal cells, ordered by their upper left cells.
///
/// Squares may overlap, and may share cells with runs. The rules of this crate don't match squares: neither
/// [`swaps`](crate::swaps()) nor [`cascade`](crate::cascade()) uses them. They are for rules that do.
///
/// ```
/// use match3::groups::{Shape, squares};
/// let found = squares(&"112\n113".parse()?);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].shape(), found[0].cells()), (Shape::Square, &[(0, 0), (1, 0), (0, 1), (1, 1)][..]));
/// # Ok::<(), match3::ParseBoardError>(())
/// ```
pub fn squares(board: &Board) -> Vec<Group> {
    let mut found = Vec::new();
    for y in 1..board.height() {
        for x in 1..board.width() {
            let cells = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)];
            let first = board.get(x - 1, y - 1);
            if let Some(color) = first.color()
                && cells[1..].iter().all(|&(x, y)| first.matches(board.get(x, y)))
            {
                found.push(Group { color, shape: Shape::Square, longest: 2, cells: cells.to_vec() });
            }
        }
    }
    found
}
