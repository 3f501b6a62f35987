//! [`GameState`]: what a bot knows.

use bitcore::Level;
use tetris::attack::Clear;
use tetris::{Bag, Board, Game, Move, Piece, Placement};

/// One player's side of a game, as far as its bot can see it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GameState {
    /// The locked cells.
    pub board: Board,
    /// The piece in the hold.
    pub hold: Option<Piece>,
    /// The piece in play, then those shown.
    pub queue: Vec<Piece>,
    /// Clears in a row up to now.
    pub combo: u32,
    /// Whether the last clear was a quad or by a spin.
    pub back_to_back: bool,
    /// What may come after the queue: the rest of a bag. All seven where nothing is known.
    pub bag: Bag,
}

impl GameState {
    /// Plays a turn: hold, lock, clear. Returns the clear; None, and no change, if the piece isn't the one in play, or
    /// doesn't fit. Whether it can be reached is not looked at.
    ///
    /// ```
    /// use tetris::{Board, Location, Move, Piece, Placement, Spin};
    /// use tetris_ai::bot::GameState;
    /// let mut state = GameState { queue: vec![Piece::O, Piece::I], ..GameState::default() };
    /// let at = Board::EMPTY.landing(Location::spawn(Piece::I)).unwrap();
    /// let mv = Move { hold: true, placement: Placement { at, spin: Spin::None } };
    /// assert_eq!(state.play(mv).unwrap().lines, 0);
    /// assert_eq!((state.hold, state.queue.len()), (Some(Piece::O), 0));
    /// ```
    pub fn play(&mut self, mv: Move) -> Option<Clear> {
        let &piece = self.queue.first()?;
        let used = 1 + usize::from(mv.hold && self.hold.is_none());
        let in_play = if mv.hold { self.hold.or(self.queue.get(1).copied()) } else { Some(piece) };
        if in_play != Some(mv.placement.at.piece) {
            return None;
        }
        let (combo, back_to_back) = (self.combo, self.back_to_back);
        let (board, clear) = lock(Level::detect(), &self.board, mv.placement, combo, back_to_back)?;
        self.queue.drain(..used);
        if mv.hold {
            self.hold = Some(piece);
        }
        (self.board, self.combo) = (board, clear.combo);
        if clear.lines > 0 {
            self.back_to_back = clear.keeps_back_to_back();
        }
        Some(clear)
    }

    /// The turn that locks a piece where a placement says: with hold where that isn't the piece in play.
    pub fn move_for(&self, placement: Placement) -> Move {
        Move { hold: self.queue.first() != Some(&placement.at.piece), placement }
    }
}

/// The board after a lock, its full rows gone, and what was cleared. The back-to-back chain counts to two.
#[inline(always)]
pub(super) fn lock(
    level: Level,
    board: &Board,
    placement: Placement,
    combo: u32,
    back_to_back: bool,
) -> Option<(Board, Clear)> {
    let mut after = board.place(placement.at)?;
    // Asked here: most locks fill no line.
    let lines = if after.full_lines() == 0 { 0 } else { after.clear_lines_on(level) };
    let mut clear = Clear { lines, spin: placement.spin, ..Clear::default() };
    if lines > 0 {
        clear.perfect = after == Board::EMPTY;
        clear.combo = combo.saturating_add(1);
        clear.back_to_back = u32::from(clear.keeps_back_to_back()) * (1 + u32::from(back_to_back));
    }
    Some((after, clear))
}

impl From<&Game> for GameState {
    fn from(game: &Game) -> Self {
        let mut queue = vec![game.piece()];
        queue.extend_from_slice(game.next());
        Self {
            board: *game.board(),
            hold: game.held(),
            queue,
            combo: game.combo(),
            back_to_back: game.back_to_back() > 0,
            bag: game.bag(),
        }
    }
}
