//! [`Board`]: the exact rules of captures, suicide and simple ko on a board of any size up to 19 x 19.

use crate::rules::points::{MAX_SIDE, Point, Points};

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
    /// Returns the size of a `width` x `height` board; `None` unless both are from 1 to 19.
    pub const fn new(width: usize, height: usize) -> Option<Self> {
        if 0 < width && width <= MAX_SIDE && 0 < height && height <= MAX_SIDE {
            Some(Self { width: width as u8, height: height as u8 })
        } else {
            None
        }
    }

    /// Returns the size of a `side` x `side` board; `None` unless `side` is from 1 to 19.
    pub const fn square(side: usize) -> Option<Self> {
        Self::new(side, side)
    }

    /// Returns the side of a square board; `None` if the board is not square.
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

    /// Formats the size for messages: a square as a single number.
    pub(crate) fn short(self) -> impl core::fmt::Display {
        core::fmt::from_fn(move |f| match self.side() {
            Some(side) => write!(f, "{side}"),
            None => write!(f, "{self}"),
        })
    }

    /// Returns the set of all points of the board.
    #[inline]
    pub const fn points(self) -> Points<19> {
        /// The points of boards of 19 x 19 in the first columns, and in the first rows.
        const PARTS: [[Points<19>; MAX_SIDE + 1]; 2] = {
            let mut parts = [[Points::EMPTY; MAX_SIDE + 1]; 2];
            let mut side = 1;
            while side <= MAX_SIDE {
                parts[0][side] = Points::rectangle(side, MAX_SIDE);
                parts[1][side] = Points::rectangle(MAX_SIDE, side);
                side += 1;
            }
            parts
        };
        PARTS[0][self.width()].and(&PARTS[1][self.height()])
    }
}

/// The suicide rule: which moves may remove the player's own stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// Suicide is illegal.
    Forbidden,
    /// Suicide of two or more stones is legal; a single stone may not remove itself.
    Multi,
    /// All suicide is legal.
    All,
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The point is off the board.
    #[error("the point is off the board")]
    OffBoard,
    /// The point is occupied.
    #[error("the point is occupied")]
    Occupied,
    /// The move would immediately retake a ko.
    #[error("the ko may not be retaken immediately")]
    Ko,
    /// The move would repeat an earlier position.
    #[error("the move repeats a position")]
    Superko,
    /// The move is a suicide forbidden by the rules.
    #[error("the move is suicide")]
    Suicide,
    /// Both players have passed.
    #[error("the game is over")]
    GameOver,
}

/// The stones and the ko point: everything that determines which moves are legal, except the
/// history for superko.
///
/// Invariant: every chain has a liberty. Chains are found by flood fill, which keeps each rule as
/// close as possible to its definition.
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
    /// The other points of the board.
    empty: Points<19>,
    /// The color that may not take a ko, and the index of the ko point.
    ko: Option<(Color, u16)>,
}

impl Board {
    /// Creates the empty board.
    pub const fn new(size: Size) -> Self {
        Self { size, stones: [Points::EMPTY; 2], empty: size.points(), ko: None }
    }

    fn of(size: Size, stones: [Points<19>; 2], ko: Option<(Color, u16)>) -> Self {
        Self { size, stones, empty: size.points() - stones[0] - stones[1], ko }
    }

    /// Creates a board from stones, with no ko point.
    ///
    /// # Errors
    ///
    /// The set of offending stones: stones off the board, on a point of the other color, or in a
    /// chain without a liberty.
    pub fn from_stones(
        size: Size,
        black: Points<19>,
        white: Points<19>,
    ) -> Result<Self, Points<19>> {
        let board = Self::of(size, [black, white], None);
        let misplaced = ((black | white) - size.points()) | (black & white);
        let wrong = misplaced | board.without_liberties();
        if wrong.is_empty() { Ok(board) } else { Err(wrong) }
    }

    /// Creates a board from stones and the ko point with the color it is forbidden to. Every chain
    /// must have a liberty.
    pub(crate) fn with_ko(size: Size, stones: [Points<19>; 2], ko: Option<(Color, Point)>) -> Self {
        let ko = ko.and_then(|(color, point)| Some((color, Points::<19>::index(point)? as u16)));
        Self::of(size, stones, ko)
    }

    /// Places and removes stones, then removes every chain without a liberty. Returns the new board
    /// and the removed stones.
    pub(crate) fn set_up(
        &self,
        black: Points<19>,
        white: Points<19>,
        empty: Points<19>,
    ) -> (Self, Points<19>) {
        let [blacks, whites] = self.stones.map(|stones| stones - black - white - empty);
        let on_board = |points: Points<19>| points & self.size.points();
        let stones = [blacks | on_board(black - white), whites | on_board(white)];
        let board = Self::of(self.size, stones, None);
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

    /// Returns the color that a ko binds, and the index of the ko point.
    pub(crate) const fn ko_index(&self) -> Option<(Color, u16)> {
        self.ko
    }

    /// Puts a stone on an empty point.
    pub(crate) fn place(&mut self, color: Color, index: usize) {
        self.stones[color as usize].set_bit(index);
        self.empty.clear_bit(index);
    }

    /// Takes stones of a color. Every chain left must have a liberty.
    pub(crate) fn take(&mut self, color: Color, stones: &Points<19>) {
        self.stones[color as usize] -= *stones;
        self.empty |= *stones;
    }

    pub(crate) const fn set_ko(&mut self, ko: Option<(Color, u16)>) {
        self.ko = ko;
    }

    /// Replaces the stones and the ko. Every chain must have a liberty.
    pub(crate) fn set(&mut self, stones: [Points<19>; 2], ko: Option<(Color, u16)>) {
        *self = Self::of(self.size, stones, ko);
    }

    pub(crate) const fn stones_by_color(&self) -> [Points<19>; 2] {
        self.stones
    }

    /// Returns the points without a stone.
    #[inline]
    pub const fn empty(&self) -> Points<19> {
        self.empty
    }

    /// Returns the color of the stone on a point; `None` if the point is empty or off the board.
    pub fn at(&self, point: Point) -> Option<Color> {
        let index = Points::<19>::index(point)?;
        Color::ALL.into_iter().find(|&color| self.stones(color).contains(index))
    }

    /// Returns the ko point, where `color` may not play this turn under simple ko: the point of the
    /// single stone captured by the last move, if the capturing stone has no other stone in its
    /// chain and no other liberty.
    pub fn ko(&self, color: Color) -> Option<Point> {
        self.ko
            .filter(|&(banned, _)| banned == color)
            .map(|(_, index)| Points::<19>::point(index.into()))
    }

    /// Returns the chain on a point, the stone and all stones connected to it; empty if there is no
    /// stone.
    pub fn chain(&self, point: Point) -> Points<19> {
        match (Points::<19>::index(point), self.at(point)) {
            (Some(index), Some(color)) => Points::bit(index).flood(self.stones(color)),
            _ => Points::EMPTY,
        }
    }

    /// Returns the liberties of the chain on a point; empty if there is no stone.
    pub fn liberties(&self, point: Point) -> Points<19> {
        self.chain(point).neighbors() & self.empty()
    }

    /// Plays a stone of `color`, removes the captured stones (or the player's own, if the move is
    /// suicide) and returns the number of removed stones. The simple ko rule applies. The colors
    /// need not alternate.
    ///
    /// # Errors
    ///
    /// [`OffBoard`](IllegalMove::OffBoard), [`Occupied`](IllegalMove::Occupied),
    /// [`Ko`](IllegalMove::Ko) or [`Suicide`](IllegalMove::Suicide); the board is then unchanged.
    pub fn play(
        &mut self,
        color: Color,
        point: Point,
        suicide: Suicide,
    ) -> Result<u32, IllegalMove> {
        let x = usize::from(point.x);
        let y = usize::from(point.y);
        if x >= self.size.width() || y >= self.size.height() {
            return Err(IllegalMove::OffBoard);
        }
        let index = y * Points::<19>::STRIDE + x;
        if self.ko == Some((color, index as u16)) {
            return Err(IllegalMove::Ko);
        }
        if !self.empty.contains(index) {
            return Err(IllegalMove::Occupied);
        }
        let around = Points::<19>::neighbor_indices(index);
        let touches = |points: &Points<19>| around.iter().any(|&near| points.contains(near));
        let is_free = touches(&self.empty);
        let is_alone = !touches(&self.stones[color as usize]);
        self.place(color, index);
        let mut captured = Points::EMPTY;
        for near in around {
            if self.stones[color.other() as usize].contains(near)
                && let Some(chain) = self.surrounded(color.other(), near)
            {
                captured |= chain;
            }
        }
        let ko = self.ko.take();
        if !captured.is_empty() {
            self.take(color.other(), &captured);
            let taken =
                captured.iter().next().filter(|_| captured.is_single() && is_alone && !is_free);
            self.ko = taken.map(|taken| (color.other(), taken as u16));
            return Ok(captured.len());
        }
        // The player's own chain can only lack a liberty if nothing was captured.
        if is_free {
            return Ok(0);
        }
        let Some(chain) = self.surrounded(color, index) else { return Ok(0) };
        if suicide == Suicide::Forbidden || suicide == Suicide::Multi && is_alone {
            self.take(color, &Points::bit(index));
            self.ko = ko;
            return Err(IllegalMove::Suicide);
        }
        self.take(color, &chain);
        Ok(chain.len())
    }

    /// Returns the chain of a stone of `color` if it has no liberty.
    fn surrounded(&self, color: Color, index: usize) -> Option<Points<19>> {
        // Most chains show a liberty at the first stone.
        let mut around = Points::<19>::neighbor_indices(index).into_iter();
        if around.any(|near| self.empty.contains(near)) { None } else { self.flood(color, index) }
    }

    #[inline(never)]
    fn flood(&self, color: Color, index: usize) -> Option<Points<19>> {
        let stones = &self.stones[color as usize];
        let mut chain = Points::bit(index);
        let mut list = [index as u16; MAX_SIDE * MAX_SIDE];
        let mut next = 0;
        let mut end = 1;
        while next < end {
            for near in Points::<19>::neighbor_indices(list[next].into()) {
                if self.empty.contains(near) {
                    return None;
                }
                if stones.contains(near) && !chain.contains(near) {
                    chain.set_bit(near);
                    list[end] = near as u16;
                    end += 1;
                }
            }
            next += 1;
        }
        Some(chain)
    }

    /// Passes, which lifts the ko.
    pub fn pass(&mut self) {
        self.ko = None;
    }

    fn without_liberties(&self) -> Points<19> {
        let empty = self.empty();
        let [black, white] = self.stones;
        let [blacks, whites] = [empty.neighbors().flood(black), empty.neighbors().flood(white)];
        (black | white) - blacks - whites
    }

    /// Returns whether a point is a real eye of `color`: it is empty, all its neighbors on the
    /// board are stones of `color`, and fewer than two of its diagonals are lost. A diagonal with
    /// an enemy stone is lost; on the edge of the board, one more diagonal counts as lost.
    pub fn is_eye(&self, color: Color, point: Point) -> bool {
        let Some(index) = Points::<19>::index(point).filter(|&index| self.empty.contains(index))
        else {
            return false;
        };
        let enemy = &self.stones[color.other() as usize];
        let mut around = Points::<19>::neighbor_indices(index).into_iter();
        if around.any(|near| self.empty.contains(near) || enemy.contains(near)) {
            return false;
        }
        let near = Points::<19>::STRIDE - 1;
        let far = Points::<19>::STRIDE + 1;
        let diagonals =
            [index.wrapping_sub(far), index.wrapping_sub(near), index + near, index + far];
        let strikes = diagonals.into_iter().filter(|&diagonal| enemy.contains(diagonal)).count();
        let x = usize::from(point.x);
        let y = usize::from(point.y);
        let is_edge = x == 0 || y == 0 || x + 1 == self.size.width() || y + 1 == self.size.height();
        strikes + usize::from(is_edge) < 2
    }

    /// Returns each color's simple area, Black's first: its stones and the empty points whose
    /// neighbors are all its stones. After a light playout that ended with two passes, it equals
    /// [`area`](Self::area).
    pub fn simple_area(&self) -> [u32; 2] {
        self.stones.map(|stones| {
            let others = self.size.points() - stones;
            let owned = (self.empty() & stones.neighbors()) - others.neighbors();
            stones.len() + owned.len()
        })
    }

    /// Returns the board without `stones`, for scoring once the players agree on the dead stones.
    /// Clears the ko point.
    #[must_use]
    pub fn without(&self, stones: Points<19>) -> Self {
        Self::of(self.size, self.stones.map(|color| color - stones), None)
    }

    /// Returns each color's area by the Tromp-Taylor rules, Black's first: its stones, and the
    /// empty points that reach only its stones by paths of empty points.
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
pub(crate) fn area<const N: usize, const W: usize>(
    stones: [Points<N, W>; 2],
    empty: Points<N, W>,
) -> [u32; 2] {
    let [black, white] = stones;
    let [blacks, whites] = [black.neighbors().flood(empty), white.neighbors().flood(empty)];
    [black.len() + (blacks - whites).len(), white.len() + (whites - blacks).len()]
}
