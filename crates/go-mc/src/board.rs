//! [`Board`]: the exact rules of captures, suicide and simple ko on a board of any size up to 19 x 19.

use crate::points::{MAX_SIDE, Point, Points};

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// The player who moves first.
    Black,
    /// The player who moves second.
    White,
}

impl Color {
    /// Both colors, Black first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// Returns the opponent's color.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

/// The width and height of a board, each from 1 to 19.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// Returns the size of `width` columns and `height` rows; `None` unless both are from 1 to 19.
    pub const fn new(width: usize, height: usize) -> Option<Self> {
        if 0 < width && width <= MAX_SIDE && 0 < height && height <= MAX_SIDE {
            Some(Self { width: width as u8, height: height as u8 })
        } else {
            None
        }
    }

    /// Returns the size of a square of `side` columns and rows; `None` unless it is from 1 to 19.
    pub const fn square(side: usize) -> Option<Self> {
        Self::new(side, side)
    }

    /// Returns the number of columns and rows of a square; `None` for other rectangles.
    pub const fn side(self) -> Option<usize> {
        if self.width == self.height { Some(self.width as usize) } else { None }
    }

    /// Returns the number of columns.
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Returns the number of rows.
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Returns a text for messages: one number for a square.
    pub(crate) fn short(self) -> impl core::fmt::Display {
        core::fmt::from_fn(move |f| match self.side() {
            Some(side) => write!(f, "{side}"),
            None => write!(f, "{self}"),
        })
    }

    /// Returns the set of all points of the board.
    pub const fn points(self) -> Points<19> {
        Points::rectangle(self.width(), self.height())
    }
}

/// The suicide rule: the moves that may remove the player's own stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// No suicide.
    Forbidden,
    /// Suicide of two stones or more; a single stone may not remove itself.
    Multi,
    /// Any suicide.
    All,
}

/// The reason for which a move is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The point isn't on the board.
    #[error("the point is off the board")]
    OffBoard,
    /// A stone stands on the point.
    #[error("the point is occupied")]
    Occupied,
    /// The move would retake a ko at once.
    #[error("the ko may not be retaken at once")]
    Ko,
    /// The move would repeat a position.
    #[error("the move repeats a position")]
    Superko,
    /// The move would be a suicide that the rules forbid.
    #[error("the move is suicide")]
    Suicide,
    /// Both players have passed.
    #[error("the game is over")]
    GameOver,
}

/// The stones and the ko point: everything that the legality of a move depends on, except for superko.
///
/// Invariant: every chain has a liberty. Chains are found by flood fill, so each rule is written as its
/// definition.
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
    /// Creates the empty board.
    pub const fn new(size: Size) -> Self {
        Self { size, stones: [Points::EMPTY; 2], ko: None }
    }

    /// Creates a board with these stones and no ko point.
    ///
    /// # Errors
    ///
    /// The set of the offending stones: those off the board, on a point of the other color, or in a chain
    /// without a liberty.
    pub fn from_stones(size: Size, black: Points<19>, white: Points<19>) -> Result<Self, Points<19>> {
        let board = Self { size, stones: [black, white], ko: None };
        let misplaced = ((black | white) - size.points()) | (black & white);
        let wrong = misplaced | board.without_liberties();
        if wrong.is_empty() { Ok(board) } else { Err(wrong) }
    }

    /// Creates a board of chains that each have a liberty, with the point that simple ko forbids a color.
    pub(crate) fn with_ko(size: Size, stones: [Points<19>; 2], ko: Option<(Color, Point)>) -> Self {
        let ko = ko.and_then(|(color, point)| Some((color, Points::<19>::index(point)?)));
        Self { size, stones, ko }
    }

    /// Returns the board with these stones placed and these points emptied, and the stones without a liberty,
    /// which it leaves out.
    pub(crate) fn set_up(
        &self,
        black: Points<19>,
        white: Points<19>,
        empty: Points<19>,
    ) -> (Self, Points<19>) {
        let [blacks, whites] = self.stones.map(|stones| stones - black - white - empty);
        let on_board = |points: Points<19>| points & self.size.points();
        let stones = [blacks | on_board(black - white), whites | on_board(white)];
        let board = Self { size: self.size, stones, ko: None };
        let lost = board.without_liberties();
        (board.without(lost), lost)
    }

    /// Returns the size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the stones of one color.
    #[inline]
    pub const fn stones(&self, color: Color) -> Points<19> {
        self.stones[color as usize]
    }

    /// Returns the stones of each color, Black's first.
    pub(crate) const fn stones_by_color(&self) -> [Points<19>; 2] {
        self.stones
    }

    /// Returns the points without a stone.
    #[inline]
    pub fn empty(&self) -> Points<19> {
        self.size.points() - self.stones[0] - self.stones[1]
    }

    /// Returns the color of the stone on a point; `None` where there is no stone.
    pub fn at(&self, point: Point) -> Option<Color> {
        let index = Points::<19>::index(point)?;
        Color::ALL.into_iter().find(|&color| self.stones(color).contains(index))
    }

    /// Returns the ko point, which `color` may not take now under simple ko. It is the point of the single
    /// stone that the last move captured, if the capturing stone has no other stone in its chain and no other
    /// liberty.
    pub fn ko(&self, color: Color) -> Option<Point> {
        self.ko.filter(|&(banned, _)| banned == color).map(|(_, index)| Points::<19>::point(index))
    }

    /// Returns the chain on a point: its stone and all stones connected with it. Empty where there is no
    /// stone.
    pub fn chain(&self, point: Point) -> Points<19> {
        match (Points::<19>::index(point), self.at(point)) {
            (Some(index), Some(color)) => Points::bit(index).flood(self.stones(color)),
            _ => Points::EMPTY,
        }
    }

    /// Returns the liberties of the chain on a point.
    pub fn liberties(&self, point: Point) -> Points<19> {
        self.chain(point).neighbors() & self.empty()
    }

    /// Plays a stone of `color`, removes captured stones (or the player's own, if the move is suicide) and
    /// returns the number of stones that were removed. The simple ko rule applies. The players need not
    /// alternate.
    ///
    /// # Errors
    ///
    /// [`OffBoard`](IllegalMove::OffBoard), [`Occupied`](IllegalMove::Occupied), [`Ko`](IllegalMove::Ko) or
    /// [`Suicide`](IllegalMove::Suicide); the board is then unchanged.
    pub fn play(&mut self, color: Color, point: Point, suicide: Suicide) -> Result<u32, IllegalMove> {
        if self.ko(color) == Some(point) {
            return Err(IllegalMove::Ko);
        }
        self.play_ignoring_ko(color, point, suicide)
    }

    /// Plays as [`play`](Self::play) does, without the simple ko rule.
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
        next.stones[color as usize].set_bit(index);
        // The opponent's chains are removed first; the player's own chain can lack a liberty only if none
        // was.
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

    /// Passes: the ko point becomes playable.
    pub fn pass(&mut self) {
        self.ko = None;
    }

    fn without_liberties(&self) -> Points<19> {
        let empty = self.empty();
        let [black, white] = self.stones;
        let [blacks, whites] = [empty.neighbors().flood(black), empty.neighbors().flood(white)];
        (black | white) - blacks - whites
    }

    /// Returns whether a point is a real eye of `color`: it is empty, all its neighbors on the board are
    /// stones of `color`, and fewer than two of its diagonals are lost. Each diagonal with an opponent's
    /// stone is lost; if any diagonal is off the board, that counts as one lost diagonal.
    pub fn is_eye(&self, color: Color, point: Point) -> bool {
        let Some(index) = Points::<19>::index(point) else { return false };
        let (one, board) = (Points::bit(index), self.size.points());
        let surrounded = ((one.neighbors() & board) - self.stones(color)).is_empty();
        let diagonals = one.diagonals() & board;
        let strikes = (diagonals & self.stones(color.other())).len() + u32::from(diagonals.len() < 4);
        self.empty().contains(index) && surrounded && strikes < 2
    }

    /// Returns each color's simple area, Black's first: its stones and the empty points whose neighbors are
    /// all its stones. After a light playout that two passes ended, this equals [`area`](Self::area).
    pub fn simple_area(&self) -> [u32; 2] {
        self.stones.map(|stones| {
            let others = self.size.points() - stones;
            let owned = (self.empty() & stones.neighbors()) - others.neighbors();
            stones.len() + owned.len()
        })
    }

    /// Returns the board without `stones`, as after the players have agreed on the dead stones. The ko point
    /// is cleared.
    #[must_use]
    pub fn without(&self, stones: Points<19>) -> Self {
        Self { size: self.size, stones: self.stones.map(|color| color - stones), ko: None }
    }

    /// Returns each color's area by the Tromp-Taylor rules, Black's first: its stones, and the empty points
    /// from which a path of empty points leads to its stones and none leads to the opponent's.
    ///
    /// ```
    /// let board: go_mc::Board = ".X.\n.XO\n.X.".parse().unwrap();
    /// assert_eq!(board.area(), [6, 1]);
    /// ```
    pub fn area(&self) -> [u32; 2] {
        area(self.stones, self.empty())
    }
}

/// Returns each color's area by the Tromp-Taylor rules, Black's first.
pub(crate) fn area<const N: usize>(stones: [Points<N>; 2], empty: Points<N>) -> [u32; 2] {
    let [black, white] = stones;
    let [blacks, whites] = [black.neighbors().flood(empty), white.neighbors().flood(empty)];
    [black.len() + (blacks - whites).len(), white.len() + (whites - blacks).len()]
}
