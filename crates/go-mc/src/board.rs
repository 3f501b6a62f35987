//! [`Board`]: stones on a board of any size up to 19 x 19, captures, suicide and simple ko by the exact rules.

use crate::points::{MAX_SIDE, Point, Points};

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

impl Color {
    /// Both, Black first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

/// The width and height of a board, each 1 to 19.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The size, if both are 1 to 19.
    pub const fn new(width: usize, height: usize) -> Option<Self> {
        if 0 < width && width <= MAX_SIDE && 0 < height && height <= MAX_SIDE {
            Some(Self { width: width as u8, height: height as u8 })
        } else {
            None
        }
    }

    /// The number of columns.
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// The number of rows.
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Every point.
    pub const fn points(self) -> Points<19> {
        Points::rectangle(self.width(), self.height())
    }
}

/// Which moves may take the player's own stones off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// None.
    Forbidden,
    /// Those that remove two stones or more; a single stone may not take itself off.
    Multi,
    /// All.
    All,
}

/// Why a move is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IllegalMove {
    /// The point isn't on the board.
    #[error("the point is off the board")]
    OffBoard,
    /// A stone stands there.
    #[error("the point is occupied")]
    Occupied,
    /// It would take back a ko at once.
    #[error("the ko may not be taken back at once")]
    Ko,
    /// It would repeat a position.
    #[error("the move repeats a position")]
    Superko,
    /// It would be suicide of a forbidden kind.
    #[error("the move is suicide")]
    Suicide,
    /// Both players have passed.
    #[error("the game is over")]
    GameOver,
}

/// The stones and the ko of the last move: all that a move's legality depends on but for superko.
///
/// Every chain has a liberty. Chains are found by flood, so everything here is the definition itself.
///
/// ```
/// use go_mc::{Board, Color, IllegalMove, Suicide};
/// let mut board: Board = ".XO.\nXO.O\n.XO.\n....".parse().unwrap();
/// let (taken, back) = ("C3".parse().unwrap(), "B3".parse().unwrap());
/// board.play(Color::Black, taken, Suicide::Forbidden).unwrap();
/// assert_eq!(board.to_string(), ".XO.\nX.XO\n.XO.\n....\n");
/// assert_eq!(board.play(Color::White, back, Suicide::Forbidden), Err(IllegalMove::Ko));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: Size,
    stones: [Points<19>; 2],
    ko: Option<(Color, usize)>,
}

impl Board {
    /// The empty board.
    pub const fn new(size: Size) -> Self {
        Self { size, stones: [Points::EMPTY; 2], ko: None }
    }

    /// The board with these stones and no ko.
    ///
    /// # Errors
    ///
    /// The stones that can't stand: off the board, two on a point, or in a chain without a liberty.
    pub fn from_stones(size: Size, black: Points<19>, white: Points<19>) -> Result<Self, Points<19>> {
        let board = Self { size, stones: [black, white], ko: None };
        let misplaced = ((black | white) - size.points()) | (black & white);
        let wrong = misplaced | board.without_liberties();
        if wrong.is_empty() { Ok(board) } else { Err(wrong) }
    }

    /// The size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The stones of one color.
    #[inline]
    pub const fn stones(&self, color: Color) -> Points<19> {
        self.stones[color as usize]
    }

    /// The stones of each color, Black's first.
    pub(crate) const fn stones_by_color(&self) -> [Points<19>; 2] {
        self.stones
    }

    /// The points without a stone.
    #[inline]
    pub fn empty(&self) -> Points<19> {
        self.size.points() - self.stones[0] - self.stones[1]
    }

    /// The color of the stone on a point.
    pub fn at(&self, point: Point) -> Option<Color> {
        let index = Points::<19>::index(point)?;
        Color::ALL.into_iter().find(|&color| self.stones(color).contains(index))
    }

    /// The point that `color` may not take now under simple ko: where a single stone was captured by the last move,
    /// if the capturer is a lone stone whose only liberty is that point.
    pub fn ko(&self, color: Color) -> Option<Point> {
        self.ko.filter(|&(banned, _)| banned == color).map(|(_, index)| Points::<19>::point(index))
    }

    /// The chain of a point: its stone and all that are connected with it. Empty where there is no stone.
    pub fn chain(&self, point: Point) -> Points<19> {
        match (Points::<19>::index(point), self.at(point)) {
            (Some(index), Some(color)) => Points::from_index(index).flood(self.stones(color)),
            _ => Points::EMPTY,
        }
    }

    /// The liberties of a point's chain.
    pub fn liberties(&self, point: Point) -> Points<19> {
        self.chain(point).neighbors() & self.empty()
    }

    /// Puts a stone of `color` on a point, takes off what it captures (or itself) and returns the number of stones
    /// that left the board. Simple ko is kept; any color may move.
    ///
    /// # Errors
    ///
    /// [`OffBoard`](IllegalMove::OffBoard), [`Occupied`](IllegalMove::Occupied), [`Ko`](IllegalMove::Ko) or
    /// [`Suicide`](IllegalMove::Suicide); the board is then as it was.
    pub fn play(&mut self, color: Color, point: Point, suicide: Suicide) -> Result<u32, IllegalMove> {
        if self.ko(color) == Some(point) {
            return Err(IllegalMove::Ko);
        }
        self.play_ignoring_ko(color, point, suicide)
    }

    /// [`play`](Self::play) where the ko rule is not the simple one.
    pub(crate) fn play_ignoring_ko(
        &mut self,
        color: Color,
        point: Point,
        suicide: Suicide,
    ) -> Result<u32, IllegalMove> {
        let index = Points::<19>::index(point)
            .filter(|&index| self.size.points().contains(index))
            .ok_or(IllegalMove::OffBoard)?;
        if !self.empty().contains(index) {
            return Err(IllegalMove::Occupied);
        }
        let mut next = self.clone();
        next.ko = None;
        next.stones[color as usize].insert(index);
        // The opponent's stones go first; only if none goes can the player's own chain be without a liberty.
        let captured = next.without_liberties() & next.stones(color.other());
        next.stones[color.other() as usize] -= captured;
        let own = next.without_liberties();
        if own.len() > 1 && suicide == Suicide::Forbidden || own.is_single() && suicide != Suicide::All {
            return Err(IllegalMove::Suicide);
        }
        next.stones[color as usize] -= own;
        if captured.is_single() && next.chain(point).is_single() && next.liberties(point) == captured {
            next.ko = captured.iter().next().map(|taken| (color.other(), taken));
        }
        *self = next;
        Ok(captured.len() + own.len())
    }

    /// A pass: the ko is lifted.
    pub fn pass(&mut self) {
        self.ko = None;
    }

    /// The stones of chains without a liberty.
    fn without_liberties(&self) -> Points<19> {
        let empty = self.empty();
        let [black, white] = self.stones;
        let [blacks, whites] = [empty.neighbors().flood(black), empty.neighbors().flood(white)];
        (black | white) - blacks - whites
    }

    /// Whether a point is an eye of `color`: empty, its neighbors on the board all stones of `color`, and among its
    /// diagonals fewer than two strikes: one for each opponent's stone, one more if any is off the board.
    pub fn is_eye(&self, color: Color, point: Point) -> bool {
        let Some(index) = Points::<19>::index(point) else { return false };
        let (one, board) = (Points::from_index(index), self.size.points());
        let surrounded = ((one.neighbors() & board) - self.stones(color)).is_empty();
        let diagonals = one.diagonals() & board;
        let strikes = (diagonals & self.stones(color.other())).len() + u32::from(diagonals.len() < 4);
        self.empty().contains(index) && surrounded && strikes < 2
    }

    /// Each color's points, Black's first: its stones, and the empty points whose neighbors are all its stones. At
    /// the end of a light playout that is its whole area.
    pub fn points(&self) -> [u32; 2] {
        self.stones.map(|stones| {
            let others = self.size.points() - stones;
            let owned = (self.empty() & stones.neighbors()) - others.neighbors();
            stones.len() + owned.len()
        })
    }

    /// The board without some stones, as after the players have agreed on what is dead. The ko is forgotten.
    #[must_use]
    pub fn without(&self, stones: Points<19>) -> Self {
        Self { size: self.size, stones: self.stones.map(|color| color - stones), ko: None }
    }

    /// Each color's area by the Tromp-Taylor rules, Black's first: its stones, and the empty points that reach its
    /// stones and no others.
    ///
    /// ```
    /// let board: go_mc::Board = ".X.\n.XO\n.X.".parse().unwrap();
    /// assert_eq!(board.area(), [6, 1]);
    /// ```
    pub fn area(&self) -> [u32; 2] {
        area(self.stones, self.empty())
    }
}

/// Each color's area by the Tromp-Taylor rules, Black's first.
pub(crate) fn area<const N: usize>(stones: [Points<N>; 2], empty: Points<N>) -> [u32; 2] {
    let [black, white] = stones;
    let [blacks, whites] = [black.neighbors().flood(empty), white.neighbors().flood(empty)];
    [black.len() + (blacks - whites).len(), white.len() + (whites - blacks).len()]
}
