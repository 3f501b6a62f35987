//! [`Game`]: turns, passes, ko and superko.

use crate::board::{Board, Color, IllegalMove, Size, Suicide};
use crate::komi::{Komi, Score};
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

impl Move {
    /// Returns the action number of the move in a [`Batch`](crate::Batch). Points are numbered row by row
    /// from the top, each row from the left; the last number is the pass. `None` if the point is off the
    /// board.
    ///
    /// ```
    /// use go_mc::{Move, Size};
    /// let size = Size::square(9).unwrap();
    /// assert_eq!("A9".parse::<Move>()?.action(size), Some(0));
    /// assert_eq!("J1".parse::<Move>()?.action(size), Some(80));
    /// assert_eq!(Move::Pass.action(size), Some(81));
    /// assert_eq!("A10".parse::<Move>()?.action(size), None);
    /// # Ok::<(), go_mc::Error>(())
    /// ```
    pub const fn action(self, size: Size) -> Option<u32> {
        let (width, height) = (size.width(), size.height());
        let Self::Play(Point { x, y }) = self else { return Some((width * height) as u32) };
        let (x, y) = (x as usize, y as usize);
        if x < width && y < height { Some((width * (height - 1 - y) + x) as u32) } else { None }
    }

    /// Returns the move with an [action number](Self::action), or `None` if there is no such move.
    ///
    /// ```
    /// use go_mc::{Move, Size};
    /// let size = Size::square(19).unwrap();
    /// assert_eq!((0..=361).find(|&action| Move::from_action(action, size).is_none()), None);
    /// assert_eq!(Move::from_action(3, size), Some("D19".parse()?));
    /// assert_eq!(Move::from_action(362, size), None);
    /// # Ok::<(), go_mc::Error>(())
    /// ```
    pub const fn from_action(action: u32, size: Size) -> Option<Self> {
        let (width, height, action) = (size.width(), size.height(), action as usize);
        if action < width * height {
            let (x, y) = (action % width, height - 1 - action / width);
            Some(Self::Play(Point { x: x as u8, y: y as u8 }))
        } else if action == width * height {
            Some(Self::Pass)
        } else {
            None
        }
    }
}

/// The ko rule: which positions may not be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ko {
    /// Simple ko: a ko may not be retaken immediately ([`Board::ko`]).
    Simple,
    /// Positional superko: a stone may not recreate any earlier position.
    Positional,
    /// Situational superko: a stone may not recreate an earlier position with the same player to move.
    Situational,
}

/// The rules of a game: the size of the board and everything that differs between rule sets.
///
/// ```
/// use go_mc::{Ko, Rules, Suicide};
/// let rules = Rules { size: "19x19".parse()?, komi: "6.5".parse()?, ..Rules::default() };
/// assert_eq!((rules.ko, rules.suicide), (Ko::Positional, Suicide::Forbidden));
/// # Ok::<(), go_mc::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Rules {
    /// The size of the board.
    pub size: Size,
    /// The ko rule.
    pub ko: Ko,
    /// The suicide rule.
    pub suicide: Suicide,
    /// White's compensation for moving second.
    pub komi: Komi,
}

impl From<Size> for Rules {
    /// Returns the default rules on a board of this size.
    fn from(size: Size) -> Self {
        Self { size, ..Self::default() }
    }
}

impl Default for Rules {
    /// Returns the default rules: 9 x 9, positional superko, no suicide, a komi of 7.5 points.
    fn default() -> Self {
        Self {
            size: const { Size::square(9).expect("at most 19") },
            ko: Ko::Positional,
            suicide: Suicide::Forbidden,
            komi: Komi::default(),
        }
    }
}

/// A change of the board outside of play, such as an SGF setup node. The three sets are disjoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The points to fill with black stones (SGF `AB`).
    pub black: Points<19>,
    /// The points to fill with white stones (`AW`).
    pub white: Points<19>,
    /// The points to clear (`AE`).
    pub empty: Points<19>,
}

/// A game of alternating moves: Black moves first and two consecutive passes end the game. Nothing
/// in it is random.
///
/// A game doesn't take moves back: to undo, keep clones of the earlier games.
///
/// ```
/// use go_mc::{Game, IllegalMove, Move, Rules};
/// let mut game = Game::new(Rules { size: "2x1".parse().unwrap(), ..Rules::default() });
/// game.play("A1".parse().unwrap()).unwrap();
/// game.play("B1".parse().unwrap()).unwrap(); // takes the stone on A1
/// assert_eq!(game.play("A1".parse().unwrap()), Err(IllegalMove::Superko));
/// game.play(Move::Pass).unwrap();
/// assert_eq!(game.play("A1".parse().unwrap()), Err(IllegalMove::Suicide));
/// assert_eq!(game.legal_moves(), [Move::Pass]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    board: Board,
    rules: Rules,
    to_move: Color,
    passes: u8,
    /// Every position so far with its player to move; recorded only under superko.
    history: Vec<([Points<19>; 2], Color)>,
}

impl Game {
    /// Starts a game on the empty board.
    pub fn new(rules: Rules) -> Self {
        Self::from_board(Board::new(rules.size), Color::Black, rules)
    }

    /// Starts a game from a given board, e.g. a handicap or a problem. Superko starts with an empty history.
    /// The size in [`rules`](Self::rules) is replaced by the board's.
    pub fn from_board(board: Board, to_move: Color, rules: Rules) -> Self {
        let rules = Rules { size: board.size(), ..rules };
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

    /// Returns the number of consecutive passes at the end of the game so far, 0 to 2.
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// Sets the player to move: in GTP, a player may move twice in a row or after the end of the game. Unless
    /// `color` was already to move in an unfinished game, this resets the pass count and lifts the ko.
    ///
    /// ```
    /// use go_mc::{Color, Game, Rules};
    /// let mut game = Game::new(Rules::default());
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

    /// Plays a move of a game record for `color`, even if it is illegal: an existing stone on the point is
    /// replaced, and chains without a liberty are removed. Returns the broken rule, if any. Only a move off
    /// the board is ignored.
    ///
    /// ```
    /// use go_mc::{Color, Game, IllegalMove, Rules};
    /// let mut game = Game::new(Rules::default());
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

    /// Places and removes stones, like a setup node in a game record; points off the board are ignored. Then
    /// removes and returns all stones without a liberty. The player to move stays the same, the superko
    /// history is cleared, and a finished game resumes.
    ///
    /// ```
    /// use go_mc::{Color, Game, Point, Points, Rules, Setup};
    /// let mut game = Game::new(Rules { size: "3x1".parse().unwrap(), ..Rules::default() });
    /// game.play("B1".parse().unwrap()).unwrap();
    /// let left: Points<19> = [Point { x: 0, y: 0 }].into_iter().filter_map(Points::<19>::index).collect();
    /// assert_eq!(game.set_up(&Setup { white: left, ..Setup::default() }), left);
    /// assert_eq!((game.board().to_string().as_str(), game.to_move()), (".X.\n", Color::White));
    /// ```
    pub fn set_up(&mut self, setup: &Setup) -> Points<19> {
        let (board, lost) = self.board.set_up(setup.black, setup.white, setup.empty);
        (self.board, self.passes) = (board, 0);
        self.history.clear();
        self.record_position();
        lost
    }

    #[cfg(feature = "std")]
    pub(crate) fn seen(&self) -> &[([Points<19>; 2], Color)] {
        &self.history
    }

    /// Returns whether the last two moves were passes.
    pub const fn is_over(&self) -> bool {
        self.passes == 2
    }

    /// Returns every legal move in [action](Move::action) order, the pass last; empty if the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        let moves = (0..).map_while(|action| Move::from_action(action, self.rules.size));
        moves.filter(|&mv| self.allows(mv)).collect()
    }

    /// Returns the Tromp-Taylor score of the current board ([`Board::area`]), counting all stones as alive.
    pub fn score(&self) -> Score {
        self.score_without(Points::EMPTY)
    }

    /// Returns the score after removing the `dead` stones the players agree on
    /// ([`dead_stones`](crate::dead_stones) estimates them).
    ///
    /// ```
    /// use go_mc::{Color, Game, Rules};
    /// let game = Game::from_board(".O.\nXXX\n...".parse()?, Color::Black, Rules::default());
    /// let dead = game.board().stones(Color::White);
    /// assert_eq!(game.score().to_string(), "W+2.5");
    /// assert_eq!(game.score_without(dead).to_string(), "B+1.5");
    /// # Ok::<(), go_mc::Error>(())
    /// ```
    pub fn score_without(&self, dead: Points<19>) -> Score {
        Score::new(self.board.without(dead).area(), self.rules.komi)
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

    #[cfg(feature = "gtp")]
    pub(crate) fn set_komi(&mut self, komi: Komi) {
        self.rules.komi = komi;
    }

    /// Replaces the rules; earlier positions are forgotten, as after a setup. The size stays the board's.
    #[cfg(feature = "gtp")]
    pub(crate) fn set_rules(&mut self, rules: Rules) {
        self.rules = Rules { size: self.board.size(), ..rules };
        self.history.clear();
        self.record_position();
    }

    pub(crate) fn allows(&self, mv: Move) -> bool {
        !self.is_over()
            && match mv {
                Move::Pass => true,
                Move::Play(point) => self.board_after(point).is_ok(),
            }
    }

    fn board_after(&self, point: Point) -> Result<Board, IllegalMove> {
        let (mut board, Rules { ko, suicide, .. }) = (self.board.clone(), self.rules);
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
