//! [`Game`]: turns, passes, ko and superko.

use crate::board::{Board, Color, IllegalMove, Size, Suicide};
use crate::points::{Point, Points};
use alloc::vec::Vec;

#[cfg(feature = "serde")]
mod saved;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A pass.
    Pass,
    /// A stone on this point.
    Play(Point),
}

/// The ko rule: the positions that may not be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ko {
    /// A ko may not be retaken at once ([`Board::ko`]).
    Simple,
    /// Positional superko: no stone may recreate any earlier position.
    Positional,
    /// Situational superko: no stone may recreate an earlier position with the same player to move.
    Situational,
}

/// The rules that differ between rule sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Rules {
    /// The ko rule.
    pub ko: Ko,
    /// The suicide rule.
    pub suicide: Suicide,
}

/// A game of alternating moves: Black begins, two passes in a row end it.
///
/// ```
/// use go_mc::{Game, IllegalMove, Ko, Move, Rules, Size, Suicide};
/// let rules = Rules { ko: Ko::Positional, suicide: Suicide::Forbidden };
/// let mut game = Game::new(Size::new(2, 1).unwrap(), rules);
/// game.play("A1".parse().unwrap()).unwrap();
/// game.play("B1".parse().unwrap()).unwrap(); // takes the stone on A1
/// assert_eq!(game.play("A1".parse().unwrap()), Err(IllegalMove::Superko));
/// game.play(Move::Pass).unwrap();
/// assert_eq!(game.play("A1".parse().unwrap()), Err(IllegalMove::Suicide));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    board: Board,
    rules: Rules,
    to_move: Color,
    passes: u8,
    /// Every position so far with the player who was to move; recorded only under superko.
    history: Vec<([Points<19>; 2], Color)>,
}

impl Game {
    /// Starts a game on the empty board.
    pub fn new(size: Size, rules: Rules) -> Self {
        let mut game =
            Self { board: Board::new(size), rules, to_move: Color::Black, passes: 0, history: Vec::new() };
        game.record_position();
        game
    }

    /// Starts a game from a board, as after a handicap or in a problem. Superko does not know earlier
    /// positions.
    pub fn from_board(board: Board, to_move: Color, rules: Rules) -> Self {
        let mut game = Self { board, rules, to_move, passes: 0, history: Vec::new() };
        game.record_position();
        game
    }

    /// Returns the board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the player to move.
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// Returns the number of consecutive passes at the end of the moves so far, 0 to 2.
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// Sets the player to move, as GTP needs it, where a player may move twice or after the end. Unless it
    /// was that player's turn in a running game, the count of passes returns to zero and the ko point becomes
    /// playable.
    ///
    /// ```
    /// use go_mc::{Color, Game, Ko, Move, Rules, Size, Suicide};
    /// let rules = Rules { ko: Ko::Simple, suicide: Suicide::Forbidden };
    /// let mut game = Game::new(Size::new(9, 9).unwrap(), rules);
    /// game.play("D4".parse().unwrap()).unwrap();
    /// game.set_to_move(Color::Black);
    /// game.play("E5".parse().unwrap()).unwrap();
    /// assert_eq!((game.board().stones(Color::Black).len(), game.to_move()), (2, Color::White));
    /// ```
    pub fn set_to_move(&mut self, color: Color) {
        if self.to_move != color || self.is_over() {
            (self.to_move, self.passes) = (color, 0);
            self.board.pass();
            self.record_position();
        }
    }

    /// Plays a move of a record, for `color` and whether or not the rules allow it: a stone in its way is
    /// replaced, and a chain without a liberty is removed. Returns the rule that it breaks, if any. Only a
    /// point off the board is not played.
    ///
    /// ```
    /// use go_mc::{Color, Game, IllegalMove, Ko, Rules, Size, Suicide};
    /// let rules = Rules { ko: Ko::Simple, suicide: Suicide::Forbidden };
    /// let mut game = Game::new(Size::new(9, 9).unwrap(), rules);
    /// let point = "D4".parse().unwrap();
    /// assert_eq!(game.play_recorded(Color::Black, point), None);
    /// assert_eq!(game.play_recorded(Color::White, point), Some(IllegalMove::Occupied));
    /// assert_eq!(game.board().at("D4".parse().unwrap()), Some(Color::White));
    /// ```
    pub fn play_recorded(&mut self, color: Color, mv: Move) -> Option<IllegalMove> {
        self.set_to_move(color);
        let broken = self.play(mv).err()?;
        let Move::Play(point) = mv else { return Some(broken) };
        let Some(index) = Points::<19>::index(point) else { return Some(broken) };
        let mut board = self.board.without(Points::bit(index));
        if board.play_ignoring_ko(color, point, Suicide::All).is_ok() {
            (self.board, self.passes, self.to_move) = (board, 0, color.other());
            self.record_position();
        }
        Some(broken)
    }

    /// Places stones and empties points, as a record can do between two moves; points off the board are left
    /// out. Chains without a liberty are then removed and returned. The player to move stays the same,
    /// superko knows no earlier positions, and a game that was over goes on.
    ///
    /// ```
    /// use go_mc::{Board, Color, Game, Ko, Point, Points, Rules, Size, Suicide};
    /// let rules = Rules { ko: Ko::Simple, suicide: Suicide::Forbidden };
    /// let mut game = Game::new(Size::new(3, 1).unwrap(), rules);
    /// game.play("B1".parse().unwrap()).unwrap();
    /// let left: Points<19> = [Point { x: 0, y: 0 }].into_iter().filter_map(Points::<19>::index).collect();
    /// assert_eq!(game.set_up(Points::EMPTY, left, Points::EMPTY), left);
    /// assert_eq!((game.board().to_string().as_str(), game.to_move()), (".X.\n", Color::White));
    /// ```
    pub fn set_up(&mut self, black: Points<19>, white: Points<19>, empty: Points<19>) -> Points<19> {
        let (board, lost) = self.board.set_up(black, white, empty);
        (self.board, self.passes) = (board, 0);
        self.history.clear();
        self.record_position();
        lost
    }

    /// Returns every position so far with the player who was to move; empty under simple ko.
    #[cfg(feature = "std")]
    pub(crate) fn seen(&self) -> &[([Points<19>; 2], Color)] {
        &self.history
    }

    /// Returns whether the last two moves were passes.
    pub const fn is_over(&self) -> bool {
        self.passes == 2
    }

    /// Plays a move for the player to move.
    ///
    /// # Errors
    ///
    /// Any [`IllegalMove`]; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        match mv {
            Move::Pass => {
                self.board.pass();
                self.passes += 1;
            }
            Move::Play(point) => {
                self.board = self.board_after(point)?;
                self.passes = 0;
            }
        }
        self.to_move = self.to_move.other();
        self.record_position();
        Ok(())
    }

    #[cfg(feature = "std")]
    pub(crate) fn allows(&self, mv: Move) -> bool {
        !self.is_over()
            && match mv {
                Move::Pass => true,
                Move::Play(point) => self.board_after(point).is_ok(),
            }
    }

    fn board_after(&self, point: Point) -> Result<Board, IllegalMove> {
        let (mut board, Rules { ko, suicide }) = (self.board.clone(), self.rules);
        if ko == Ko::Simple {
            board.play(self.to_move, point, suicide)?;
        } else {
            board.play_ignoring_ko(self.to_move, point, suicide)?;
            let (stones, next) = (board.stones_by_color(), self.to_move.other());
            let repeats = |&(earlier, to_move): &([_; 2], _)| {
                earlier == stones && (ko == Ko::Positional || to_move == next)
            };
            if self.history.iter().any(repeats) {
                return Err(IllegalMove::Superko);
            }
        }
        Ok(board)
    }

    fn record_position(&mut self) {
        if self.rules.ko != Ko::Simple {
            self.history.push((self.board.stones_by_color(), self.to_move));
        }
    }
}
