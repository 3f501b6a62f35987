//! [`Direction`], and sets of directions.

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
}

/// The neighbors of all cells on one side, as sets of cells in any layout.
#[derive(Clone, Copy)]
pub(crate) struct Neighbors {
    /// The cells that have a neighbor; the other two sets may contain any other cells.
    pub(crate) exist: u64,
    /// The cells with an empty neighbor.
    pub(crate) empty: u64,
    /// The cells whose neighbor has the same rank.
    pub(crate) like: u64,
}

/// A set of directions: bit d is number d of [`Direction::ALL`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Directions(u8);

impl Directions {
    /// Returns the legal moves of a board with these empty cells.
    #[inline(always)]
    pub(crate) fn legal(empty: u64, right: Neighbors, below: Neighbors) -> Self {
        // A tile moves over to an empty neighbor or an equal one.
        let moves =
            |near: u64, far: u64, of: Neighbors| u8::from((near | of.like) & !far & of.exist != 0);
        let [left, up] = [right, below].map(|of| moves(empty, of.empty, of));
        let [right, down] = [right, below].map(|of| moves(of.empty, empty, of));
        Self(left | right << 1 | up << 2 | down << 3)
    }

    #[inline(always)]
    pub(crate) const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 == 1
    }

    /// Returns the directions, in the order of [`Direction::ALL`].
    #[inline(always)]
    pub(crate) fn list(self) -> &'static [Direction] {
        use Direction::{Down, Left, Right, Up};
        static LISTS: [&[Direction]; 16] = [
            &[],
            &[Left],
            &[Right],
            &[Left, Right],
            &[Up],
            &[Left, Up],
            &[Right, Up],
            &[Left, Right, Up],
            &[Down],
            &[Left, Down],
            &[Right, Down],
            &[Left, Right, Down],
            &[Up, Down],
            &[Left, Up, Down],
            &[Right, Up, Down],
            &[Left, Right, Up, Down],
        ];
        LISTS[usize::from(self.0 % 16)]
    }
}
