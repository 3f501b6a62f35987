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
/// in it is random. It remembers its [moves](Self::moves), which [`undo`](Self::undo) takes back.
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
    /// The board before the first step, and the player to move there.
    start: (Board, Color),
    steps: Vec<Step>,
}

/// A change of the game since its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// The turn passes to a player without a move.
    Turn(Color),
    /// A player moves, out of turn if it is the other player's.
    Move(Color, Move),
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
        let start = (board.clone(), to_move);
        let (history, steps) = (Vec::new(), Vec::new());
        let mut game = Self { board, rules, to_move, passes: 0, history, start, steps };
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
        if self.turn_to(color) {
            self.steps.push(Step::Turn(color));
        }
    }

    /// Returns whether anything changed.
    fn turn_to(&mut self, color: Color) -> bool {
        let changes = self.to_move != color || self.is_over();
        if changes {
            (self.to_move, self.passes) = (color, 0);
            self.board.pass();
            self.record_position();
        }
        changes
    }

    /// Returns the moves played since the [start](Self::start), with their players, in order. A player may have
    /// moved twice in a row.
    ///
    /// ```
    /// use go_mc::{Color, Game, Move, Rules};
    /// let mut game = Game::new(Rules::default());
    /// game.play("D4".parse()?)?;
    /// game.play(Move::Pass)?;
    /// let last = game.moves().next_back();
    /// assert_eq!((game.moves().count(), last), (2, Some((Color::White, Move::Pass))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = (Color, Move)> + Clone + '_ {
        self.steps.iter().filter_map(|&step| match step {
            Step::Turn(_) => None,
            Step::Move(color, mv) => Some((color, mv)),
        })
    }

    /// Returns the game before the first of its [moves](Self::moves): the board that it was made from, or that
    /// of the last [setup](Self::set_up).
    #[must_use]
    pub fn start(&self) -> Self {
        let (board, to_move) = self.start.clone();
        Self::from_board(board, to_move, self.rules)
    }

    /// Takes back the last move, and the turns [set](Self::set_to_move) after it: the game is as it was before
    /// the move, with its captured stones, ko and superko, passes and player to move. Returns the move, or
    /// `None` if there is none. Costs as much as playing the moves that are left.
    ///
    /// ```
    /// use go_mc::{Color, Game, IllegalMove, Rules};
    /// let mut game = Game::new(Rules { size: "2x1".parse().unwrap(), ..Rules::default() });
    /// let [left, right] = ["A1", "B1"].map(|point| point.parse().unwrap());
    /// game.play(left).unwrap();
    /// let before = game.clone();
    /// game.play(right).unwrap(); // takes the stone on A1
    /// assert_eq!(game.play(left), Err(IllegalMove::Superko));
    /// assert_eq!((game.undo(), &game), (Some((Color::White, right)), &before));
    /// ```
    pub fn undo(&mut self) -> Option<(Color, Move)> {
        let last = self.moves().next_back()?;
        let at = self.steps.iter().rposition(|step| matches!(step, Step::Move(..)))?;
        self.steps.truncate(at);
        self.replay();
        Some(last)
    }

    /// Makes all steps again from the start. A move that became illegal is played like one of a record.
    fn replay(&mut self) {
        let steps = core::mem::take(&mut self.steps);
        *self = self.start();
        self.steps.reserve(steps.len());
        for step in steps {
            self.take(step);
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Turn(color) => self.set_to_move(color),
            Step::Move(color, mv) => drop(self.play_recorded(color, mv)),
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
        let broken = self.play_as(color, mv).err()?;
        let Move::Play(point) = mv else { return Some(broken) };
        let Some(index) = Points::<19>::index(point) else { return Some(broken) };
        let mut board = self.board.without(Points::bit(index));
        if board.play_ignoring_ko(color, point, Suicide::All).is_ok() {
            self.turn_to(color);
            (self.board, self.passes, self.to_move) = (board, 0, color.other());
            self.record_position();
            self.steps.push(Step::Move(color, mv));
        }
        Some(broken)
    }

    /// Places and removes stones, like a setup node in a game record; points off the board are ignored. Then
    /// removes and returns all stones without a liberty. The player to move stays the same, the superko
    /// history is cleared, and a finished game resumes. The game [starts](Self::start) here: earlier moves are
    /// forgotten.
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
        *self = Self::from_board(board, self.to_move, self.rules);
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
        let color = self.to_move;
        self.advance(mv)?;
        self.steps.push(Step::Move(color, mv));
        Ok(())
    }

    /// Plays a move for either player, even out of turn or after the end of the game, as GTP allows:
    /// [`set_to_move`](Self::set_to_move) and [`play`](Self::play), taken back by one [`undo`](Self::undo).
    ///
    /// ```
    /// use go_mc::{Color, Game, Rules};
    /// let mut game = Game::new(Rules::default());
    /// game.play_as(Color::White, "D4".parse()?)?;
    /// game.undo();
    /// assert_eq!(game, Game::new(Rules::default()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Any [`IllegalMove`] except [`GameOver`](IllegalMove::GameOver); the game is then unchanged.
    pub fn play_as(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        let board = self.board.clone();
        let (to_move, passes, seen) = (self.to_move, self.passes, self.history.len());
        self.turn_to(color);
        let played = self.play(mv);
        if played.is_err() {
            (self.board, self.to_move, self.passes) = (board, to_move, passes);
            self.history.truncate(seen);
        }
        played
    }

    /// Plays a move that can't be taken back.
    fn advance(&mut self, mv: Move) -> Result<(), IllegalMove> {
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

    /// Returns the position after a move, without the moves that led to it; `None` if the move is illegal.
    pub(crate) fn position_after(&self, mv: Move) -> Option<Self> {
        let history = self.history.clone();
        let (start, steps) = (self.start.clone(), Vec::new());
        let mut next = Self { board: self.board.clone(), history, start, steps, ..*self };
        next.advance(mv).is_ok().then_some(next)
    }

    #[cfg(feature = "gtp")]
    pub(crate) fn set_komi(&mut self, komi: Komi) {
        self.rules.komi = komi;
    }

    /// Replaces the rules, also for the moves so far, which stay even if they are illegal now. The size stays
    /// the board's.
    #[cfg(feature = "gtp")]
    pub(crate) fn set_rules(&mut self, rules: Rules) {
        self.rules = Rules { size: self.board.size(), ..rules };
        self.replay();
    }

    /// Returns whether a move is legal for the player to move: whether [`play`](Self::play) would play it.
    /// Costs much less than that for most moves.
    ///
    /// ```
    /// use go_mc::{Game, Move, Rules};
    /// let mut game = Game::new(Rules::default());
    /// game.play("E5".parse()?)?;
    /// assert!(game.allows(Move::Pass) && game.allows("E4".parse()?));
    /// assert!(!game.allows("E5".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn allows(&self, mv: Move) -> bool {
        !self.is_over()
            && match mv {
                Move::Pass => true,
                Move::Play(point) => self.is_plainly_legal(point) || self.board_after(point).is_ok(),
            }
    }

    /// Returns whether a look at the neighbors tells that a stone is legal: it has a liberty, and takes nothing
    /// or may take anything.
    fn is_plainly_legal(&self, point: Point) -> bool {
        let empty = self.board.empty();
        let Some(index) = Points::<19>::index(point).filter(|&index| empty.contains(index)) else {
            return false;
        };
        let stone = Points::bit(index);
        let around = stone.neighbors();
        if (around & empty).is_empty() {
            return false;
        }
        if self.rules.ko == Ko::Simple {
            return self.board.ko(self.to_move) != Some(point);
        }
        let mut stones = self.board.stones_by_color();
        let is_quiet = (around & stones[self.to_move.other() as usize]).is_empty();
        stones[self.to_move as usize] |= stone;
        is_quiet && !self.repeats(stones)
    }

    /// Returns whether superko forbids a stone of the player to move that leads to these stones.
    fn repeats(&self, stones: [Points<19>; 2]) -> bool {
        let (any_turn, next) = (self.rules.ko == Ko::Positional, self.to_move.other());
        self.history.iter().any(|&(earlier, to_move)| earlier == stones && (any_turn || to_move == next))
    }

    fn board_after(&self, point: Point) -> Result<Board, IllegalMove> {
        let (mut board, Rules { ko, suicide, .. }) = (self.board.clone(), self.rules);
        if ko == Ko::Simple {
            board.play(self.to_move, point, suicide)?;
        } else {
            board.play_ignoring_ko(self.to_move, point, suicide)?;
            if self.repeats(board.stones_by_color()) {
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
