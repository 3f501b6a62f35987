//! [`Direction`] and the slide of a single board.

use crate::board::{Board, Size};

/// A direction of play. The *wall* is the side that the tiles slide toward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Direction {
    /// Toward the first column.
    Left,
    /// Toward the last column.
    Right,
    /// Toward the first row.
    Up,
    /// Toward the last row.
    Down,
}

impl Direction {
    /// All four directions, in the order used by random play and action indices.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// Returns the number of this direction as an action of a [`Batch`](crate::Batch).
    pub const fn action(self) -> u32 {
        self as u32
    }

    /// Returns the direction of an action, or `None` for another number.
    ///
    /// ```
    /// use g2048::Direction;
    /// assert_eq!(Direction::from_action(Direction::Up.action()), Some(Direction::Up));
    /// assert_eq!(Direction::from_action(4), None);
    /// ```
    pub fn from_action(action: u32) -> Option<Self> {
        Self::ALL.get(action as usize).copied()
    }

    /// Returns the number of lines that slide, and their length in cells.
    #[inline(always)]
    pub(crate) const fn lines(self, size: Size) -> (usize, usize) {
        match self {
            Self::Left | Self::Right => (size.height(), size.width()),
            Self::Up | Self::Down => (size.width(), size.height()),
        }
    }

    /// Returns the index of the `k`-th cell of a line, counted from the wall.
    #[inline(always)]
    pub(crate) const fn cell(self, size: Size, line: usize, k: usize) -> usize {
        let (width, height) = (size.width(), size.height());
        match self {
            Self::Left => line * width + k,
            Self::Right => line * width + width - 1 - k,
            Self::Up => k * width + line,
            Self::Down => (height - 1 - k) * width + line,
        }
    }
}

/// The result of sliding a [`Board`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The board after the slide, before the spawn (the afterstate).
    pub board: Board,
    /// The sum of the merged tiles.
    pub gain: u64,
    /// Whether any cell changed, which makes the move legal.
    pub changed: bool,
}

impl Board {
    /// Slides all tiles toward a wall: in each line the tiles close their gaps, then equal neighbors merge in
    /// pairs, starting at the wall. A merged tile doesn't merge again.
    ///
    /// A single board doesn't fill vector lanes; [`Boards32`](crate::Boards32) slides 32 boards in one call.
    ///
    /// ```
    /// use g2048::{Board, Direction};
    /// let board: Board = "2 2 2 2 \n 4 2 2 .".parse()?;
    /// let right = board.slide(Direction::Right);
    /// assert_eq!(right.board, ". . 4 4 \n . . 4 4".parse()?);
    /// assert_eq!(right.gain, 12);
    /// assert!(!board.slide(Direction::Left).board.is_over());
    /// # Ok::<_, g2048::Error>(())
    /// ```
    pub fn slide(&self, direction: Direction) -> Slide {
        let (size, ranks) = (self.size(), self.ranks());
        let (lines, length) = direction.lines(size);
        let mut board = Self::empty(size);
        let packed = board.ranks_mut();
        let mut gain = 0;
        for line in 0..lines {
            let cell = |k| direction.cell(size, line, k);
            // `last` is the rank of the last packed tile, or 0 if that tile has merged.
            let (mut n, mut last) = (0, 0);
            for rank in (0..length).map(|k| ranks[cell(k)]).filter(|&rank| rank != 0) {
                if rank == last {
                    packed[cell(n - 1)] = rank + 1;
                    gain += 1 << (rank + 1);
                    last = 0;
                } else {
                    packed[cell(n)] = rank;
                    n += 1;
                    last = rank;
                }
            }
        }
        Slide { board, gain, changed: board != *self }
    }

    /// Returns `true` if sliding in this direction changes the board.
    #[inline]
    pub fn is_legal(&self, direction: Direction) -> bool {
        let (size, ranks) = (self.size(), self.ranks());
        let (lines, length) = direction.lines(size);
        (0..lines).any(|line| {
            (1..length).any(|k| {
                let [near, far] = [k - 1, k].map(|k| ranks[direction.cell(size, line, k)]);
                far != 0 && (near == 0 || near == far)
            })
        })
    }

    /// Returns the legal directions, in the order of [`Direction::ALL`].
    pub fn legal_moves(&self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(|&direction| self.is_legal(direction))
    }

    /// Returns `true` if no move is legal. This includes the empty board.
    pub fn is_over(&self) -> bool {
        self.legal_moves().next().is_none()
    }
}
