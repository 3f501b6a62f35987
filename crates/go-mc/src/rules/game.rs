//! [`Game`]: turns, passes, ko and superko.
//!
//! The stones are kept three times, each for what it is fast at: as sets in the [`Board`], in the
//! chains of a [`Mailbox`], which tells what a stone on a point would meet, and as hashes in a
//! [`History`], which finds repetitions and takes moves back.

use crate::rules::board::{Board, Color, IllegalMove, Size, Suicide};
use crate::rules::history::History;
use crate::rules::komi::{Komi, Score};
use crate::rules::mailbox::{Mailbox, Outlook};
use crate::rules::points::{MAX_SIDE, MAX_WORDS, Point, Points};
use alloc::boxed::Box;
use alloc::vec::Vec;
use bitcore::SetBits;
use core::fmt;
use core::hash::{Hash, Hasher};

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
    /// Returns the action number of the move in a [`Batch`](crate::Batch). Points are numbered row
    /// by row from the top, each row from the left; the last number is the pass. `None` if the
    /// point is off the board.
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
        let width = size.width();
        let height = size.height();
        let Self::Play(Point { x, y }) = self else { return Some((width * height) as u32) };
        let x = x as usize;
        let y = y as usize;
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
        let width = size.width();
        let height = size.height();
        let action = action as usize;
        if action < width * height {
            let x = action % width;
            let y = height - 1 - action / width;
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
    /// Situational superko: a stone may not recreate an earlier position with the same player to
    /// move.
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
pub struct Game {
    rules: Rules,
    to_move: Color,
    passes: u8,
    board: Board,
    /// On the heap: six kilobytes.
    chains: Box<Mailbox<MAX_SIDE>>,
    history: History<MAX_SIDE, MAX_WORDS>,
    /// The board before the first step, and the player to move there.
    start: (Board, Color),
    steps: Vec<Step>,
}

/// A change of the game since its start, with the turn before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Step {
    change: Change,
    before: Turn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Change {
    /// The turn passes to a player without a move.
    Turn(Color),
    /// A player moves, out of turn if it is the other player's.
    Move(Color, Move),
}

/// What a move changes besides the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Turn {
    to_move: Color,
    passes: u8,
    ko: Option<(Color, u16)>,
    /// The number of positions in the history.
    positions: u32,
}

/// Keeps room for the moves to come: lists that grow took a sixth of the time of a copy's moves.
impl Clone for Game {
    fn clone(&self) -> Self {
        let Self {
            rules,
            to_move,
            passes,
            ref board,
            ref chains,
            ref history,
            ref start,
            ref steps,
        } = *self;
        let room = board.empty().len() as usize;
        let mut all = Vec::with_capacity(steps.len() + room);
        all.extend_from_slice(steps);
        let board = board.clone();
        let chains = chains.clone();
        let start = start.clone();
        Self {
            rules,
            to_move,
            passes,
            board,
            chains,
            history: history.with_room(room),
            start,
            steps: all,
        }
    }
}

/// Compares the rules, the starts and what happened since, from which everything else follows.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules && self.start == other.start && self.steps == other.steps
    }
}
impl Eq for Game {}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.rules, &self.start, &self.steps).hash(state);
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, to_move, passes, board, start, steps, .. } = self;
        f.debug_struct("Game")
            .field("rules", rules)
            .field("to_move", to_move)
            .field("passes", passes)
            .field("board", board)
            .field("start", start)
            .field("steps", steps)
            .finish_non_exhaustive()
    }
}

impl Game {
    /// Starts a game on the empty board.
    pub fn new(rules: Rules) -> Self {
        Self::from_board(Board::new(rules.size), Color::Black, rules)
    }

    /// Starts a game from a given board, e.g. a handicap or a problem. Superko starts with an empty
    /// history. The size in [`rules`](Self::rules) is replaced by the board's.
    pub fn from_board(board: Board, to_move: Color, rules: Rules) -> Self {
        let rules = Rules { size: board.size(), ..rules };
        let mut history = History::new();
        history.start(&board.stones_by_color());
        // A game has about as many moves as empty points.
        let moves = board.empty().len() as usize;
        history.reserve(moves);
        let chains = Mailbox::of_board(&board);
        let start = (board.clone(), to_move);
        let steps = Vec::with_capacity(moves);
        Self { rules, to_move, passes: 0, board, chains, history, start, steps }
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

    /// Sets the player to move: in GTP, a player may move twice in a row or after the end of the
    /// game. Unless `color` was already to move in an unfinished game, this resets the pass count
    /// and lifts the ko.
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
        let before = self.turn();
        self.turn_to(color);
        if self.turn() != before {
            self.steps.push(Step { change: Change::Turn(color), before });
        }
    }

    fn turn_to(&mut self, color: Color) {
        if self.to_move != color {
            self.to_move = color;
            self.history.pass();
        } else if !self.is_over() {
            return;
        }
        self.passes = 0;
        self.board.pass();
    }

    fn turn(&self) -> Turn {
        let Self { to_move, passes, .. } = *self;
        Turn { to_move, passes, ko: self.board.ko_index(), positions: self.history.len() as u32 }
    }

    /// Returns the moves played since the [start](Self::start), with their players, in order. A
    /// player may have moved twice in a row.
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
        self.steps.iter().filter_map(|step| match step.change {
            Change::Turn(_) => None,
            Change::Move(color, mv) => Some((color, mv)),
        })
    }

    /// Returns the game before the first of its [moves](Self::moves): the board that it was made
    /// from, or that of the last [setup](Self::set_up).
    #[must_use]
    pub fn start(&self) -> Self {
        let (board, to_move) = self.start.clone();
        Self::from_board(board, to_move, self.rules)
    }

    /// Takes back the last move, and the turns [set](Self::set_to_move) after it: the game is as it
    /// was before the move, with its captured stones, ko and superko, passes and player to move.
    /// Returns the move, or `None` if there is none.
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
        let last = |step: &Step| match step.change {
            Change::Turn(_) => None,
            Change::Move(color, mv) => Some((color, mv, step.before)),
        };
        let (color, mv, before) = self.steps.iter().rev().find_map(last)?;
        while self.steps.pop_if(|step| matches!(step.change, Change::Turn(_))).is_some() {}
        self.steps.pop();
        self.go_back(before, mv);
        Some((color, mv))
    }

    /// Restores a turn, before a move that may have been played.
    fn go_back(&mut self, before: Turn, mv: Move) {
        let mut stones = self.board.stones_by_color();
        let changed = self.history.undo(before.positions as usize, &mut stones);
        if let Move::Play(point) = mv
            && let Some(index) = Points::<MAX_SIDE>::index(point)
            && !changed.is_empty()
        {
            self.chains.replace(index, changed, stones);
        }
        self.board.set(stones, before.ko);
        (self.to_move, self.passes) = (before.to_move, before.passes);
    }

    /// Makes all steps again from the start. A move that became illegal is played like one of a
    /// record.
    #[cfg(feature = "gtp")]
    fn replay(&mut self) {
        let steps = core::mem::take(&mut self.steps);
        *self = self.start();
        self.steps.reserve(steps.len());
        for step in steps {
            self.take(step.change);
        }
    }

    #[cfg(any(feature = "gtp", feature = "serde"))]
    fn take(&mut self, change: Change) {
        match change {
            Change::Turn(color) => self.set_to_move(color),
            Change::Move(color, mv) => drop(self.play_recorded(color, mv)),
        }
    }

    /// Plays a move of a game record for `color`, even if it is illegal: an existing stone on the
    /// point is replaced, and chains without a liberty are removed. Returns the broken rule, if
    /// any. Only a move off the board is ignored.
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
        let Some(index) = Points::<MAX_SIDE>::index(point) else { return Some(broken) };
        if self.chains.look(color, index).is_none() {
            return Some(broken);
        }
        let before = self.turn();
        self.turn_to(color);
        if let Some(replaced) = self.board.at(point) {
            let stone = Points::bit(index);
            let stones = self.board.stones_by_color().map(|stones| stones - stone);
            self.chains.replace(index, Points::EMPTY, stones);
            self.history.take(replaced, &stone);
            self.board.set(stones, None);
        }
        self.put(index);
        self.steps.push(Step { change: Change::Move(color, mv), before });
        Some(broken)
    }

    /// Places and removes stones, like a setup node in a game record; points off the board are
    /// ignored. Then removes and returns all stones without a liberty. The player to move stays the
    /// same, the superko history is cleared, and a finished game resumes. The game
    /// [starts](Self::start) here: earlier moves are forgotten.
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

    /// Returns the positions so far with their players to move, for a search under superko.
    #[cfg(feature = "std")]
    pub(crate) fn positions(&self) -> impl Iterator<Item = ([Points<MAX_SIDE>; 2], Color)> {
        let turns = core::iter::successors(Some(self.to_move), |color| Some(color.other()));
        self.history.positions(self.board.stones_by_color()).zip(turns)
    }

    /// Returns whether the last two moves were passes.
    pub const fn is_over(&self) -> bool {
        self.passes == 2
    }

    /// Returns every legal move in [action](Move::action) order, the pass last; empty if the game
    /// is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.is_over() {
            return Vec::new();
        }
        let legal = self.legal_points();
        let mut moves = Vec::with_capacity(legal.len() as usize + 1);
        for y in (0..self.rules.size.height()).rev() {
            for x in SetBits(legal.row(y)) {
                moves.push(Move::Play(Point { x: x as u8, y: y as u8 }));
            }
        }
        moves.push(Move::Pass);
        moves
    }

    /// Returns the set of the points where a stone is legal; empty if the game is over.
    ///
    /// ```
    /// use go_mc::{Game, Point, Points, Rules};
    /// let mut game = Game::new(Rules { size: "2x1".parse()?, ..Rules::default() });
    /// game.play("A1".parse()?)?;
    /// game.play("B1".parse()?)?; // takes the stone on A1, which may not be retaken
    /// assert!(game.legal_points().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn legal_points(&self) -> Points<19> {
        if self.is_over() {
            return Points::EMPTY;
        }
        let color = self.to_move;
        let empty = self.board.empty();
        let mut legal = empty & empty.neighbors();
        let mut suicides = Points::EMPTY;
        let mut left = empty - legal;
        while let Some(index) = left.pop() {
            match self.chains.look(color, index) {
                Some(Outlook::Lives) => legal.set_bit(index),
                Some(outlook) if self.allows_suicide(outlook) => suicides.set_bit(index),
                _ => {}
            }
        }
        if self.rules.ko == Ko::Simple {
            if let Some((banned, index)) = self.board.ko_index()
                && banned == color
            {
                legal.clear_bit(index.into());
            }
            return legal | suicides;
        }
        let mut left = legal & *self.history.may_repeat_without_anchor(color);
        while let Some(index) = left.pop() {
            if self.repeats(index, Outlook::Lives) {
                legal.clear_bit(index);
            }
        }
        while let Some(index) = suicides.pop() {
            if !self.repeats(index, Outlook::Suicide) {
                legal.set_bit(index);
            }
        }
        legal
    }

    /// Returns the Tromp-Taylor score of the current board ([`Board::area`]), counting all stones
    /// as alive.
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
        let before = self.turn();
        self.advance(mv)?;
        self.steps.push(Step { change: Change::Move(color, mv), before });
        Ok(())
    }

    /// Plays a move for either player, even out of turn or after the end of the game, as GTP
    /// allows: [`set_to_move`](Self::set_to_move) and [`play`](Self::play), taken back by one
    /// [`undo`](Self::undo).
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
        let before = self.turn();
        self.turn_to(color);
        if let Err(illegal) = self.advance(mv) {
            self.go_back(before, Move::Pass);
            return Err(illegal);
        }
        self.steps.push(Step { change: Change::Move(color, mv), before });
        Ok(())
    }

    fn advance(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match mv {
            _ if self.is_over() => return Err(IllegalMove::GameOver),
            Move::Pass => {
                self.board.pass();
                self.passes += 1;
                self.history.pass();
                self.to_move = self.to_move.other();
            }
            Move::Play(point) => {
                let index = self.check(point)?;
                self.put(index);
            }
        }
        Ok(())
    }

    /// Puts a stone of the player to move on an empty point. Chains without a liberty are removed.
    #[inline(never)]
    fn put(&mut self, index: usize) {
        let color = self.to_move;
        let taken = self.chains.play_and_take(color, index);
        self.board.place(color, index);
        self.board.set_ko(self.chains.ko_index().map(|index| (color.other(), index as u16)));
        if let Some(taken) = taken {
            // Only a suicide empties the point of its stone.
            let of = if taken.contains(index) { color } else { color.other() };
            self.board.take(of, &taken);
            self.history.play(color, index, Some((of, &taken)));
        } else {
            self.history.play(color, index, None);
        }
        (self.to_move, self.passes) = (color.other(), 0);
    }

    #[cfg(feature = "gtp")]
    pub(crate) fn set_komi(&mut self, komi: Komi) {
        self.rules.komi = komi;
    }

    /// Replaces the rules, also for the moves so far, which stay even if they are illegal now. The
    /// size stays the board's.
    #[cfg(feature = "gtp")]
    pub(crate) fn set_rules(&mut self, rules: Rules) {
        self.rules = Rules { size: self.board.size(), ..rules };
        self.replay();
    }

    /// Returns whether a move is legal for the player to move: whether [`play`](Self::play) would
    /// play it.
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
                Move::Play(point) => self.check(point).is_ok(),
            }
    }

    /// Returns the index of a point where a stone of the player to move is legal.
    #[inline]
    fn check(&self, point: Point) -> Result<usize, IllegalMove> {
        let color = self.to_move;
        let index = Points::<MAX_SIDE>::index(point).ok_or(IllegalMove::OffBoard)?;
        let outlook = match self.chains.look(color, index) {
            None => return Err(IllegalMove::OffBoard),
            Some(Outlook::Occupied) => return Err(IllegalMove::Occupied),
            Some(outlook) => outlook,
        };
        if self.rules.ko == Ko::Simple && self.board.ko_index() == Some((color, index as u16)) {
            return Err(IllegalMove::Ko);
        }
        if outlook != Outlook::Lives && !self.allows_suicide(outlook) {
            return Err(IllegalMove::Suicide);
        }
        if self.rules.ko != Ko::Simple && self.repeats(index, outlook) {
            return Err(IllegalMove::Superko);
        }
        Ok(index)
    }

    const fn allows_suicide(&self, outlook: Outlook) -> bool {
        match self.rules.suicide {
            Suicide::Forbidden => false,
            Suicide::Multi => matches!(outlook, Outlook::Suicide),
            Suicide::All => true,
        }
    }

    /// Returns whether superko forbids a stone of the player to move on an empty point.
    #[inline]
    fn repeats(&self, index: usize, outlook: Outlook) -> bool {
        let color = self.to_move;
        let is_suspect = outlook != Outlook::Lives
            || self.history.may_repeat_without_anchor(color).contains(index);
        is_suspect && self.looks_back(index, outlook)
    }

    /// Compares the position after a stone with all earlier ones.
    #[inline(never)]
    fn looks_back(&self, index: usize, outlook: Outlook) -> bool {
        let color = self.to_move;
        let [own, enemy] = [color as usize, color.other() as usize];
        let mut difference = [Points::EMPTY; 2];
        if outlook == Outlook::Lives {
            difference[own].set_bit(index);
            difference[enemy] = self.chains.captured_by(color, index);
            let takes_anchor = !(difference[enemy] & self.history.anchors()).is_empty();
            if !takes_anchor && !self.history.may_repeat(color).contains(index) {
                return false;
            }
        } else {
            difference[own] = self.chains.joined_by(color, index);
        }
        self.history.repeats(&difference, self.rules.ko == Ko::Situational)
    }
}
