//! A game state from one player's perspective.

use tetris::movegen::{MoveRules, SpinMode};
use tetris::{Bag, Board, Clear, Game, Move, Piece, Placement, RotationSystem};

/// One player's view of a game: the input of the bot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct GameState {
    /// The locked cells.
    pub board: Board,
    /// The held piece.
    pub hold: Option<Piece>,
    /// The piece in play and the preview after it.
    pub queue: Vec<Piece>,
    /// The number of consecutive locks with a clear.
    pub combo: u32,
    /// `true` if the last clear was a quad or a T-spin.
    pub back_to_back: bool,
    /// The pieces that can come after the queue: the rest of the current bag, or all seven if the
    /// bag is unknown.
    pub bag: Bag,
    /// `true` if a piece with a blocked spawn tries one row higher, as in the guideline and the
    /// Tetris Bot Protocol.
    pub second_spawn_row: bool,
    /// The kicks, and whether pieces rotate by 180 degrees.
    pub rotation_system: RotationSystem,
    /// The locks that count as spins.
    pub spin_mode: SpinMode,
    /// `true` if the rules allow holding.
    pub can_hold: bool,
}

impl Default for GameState {
    /// Returns an empty board and queue under guideline rules.
    fn default() -> Self {
        Self {
            board: Board::EMPTY,
            hold: None,
            queue: Vec::new(),
            combo: 0,
            back_to_back: false,
            bag: Bag::FULL,
            second_spawn_row: true,
            rotation_system: RotationSystem::Srs,
            spin_mode: SpinMode::TSpins,
            can_hold: true,
        }
    }
}

impl GameState {
    /// Plays a move (swap, lock, clear) and returns the clear. Returns `None`, leaving the state
    /// unchanged, if the placement's piece is not in play or does not fit, or if the move swaps
    /// pieces against the rules. Does not check whether the placement is reachable.
    ///
    /// ```
    /// use tetris::{Board, Location, Move, Piece, Placement, Spin};
    /// use tetris_ai::bot::GameState;
    /// let mut state = GameState { queue: vec![Piece::O, Piece::I], ..GameState::default() };
    /// let at = Board::EMPTY.landing(Location::spawn(Piece::I)).unwrap();
    /// let mv = Move { hold: true, placement: Placement { at, spin: Spin::None } };
    /// assert_eq!(state.play(mv).unwrap().lines, 0);
    /// assert_eq!(state.hold, Some(Piece::O));
    /// assert!(state.queue.is_empty());
    /// ```
    pub fn play(&mut self, mv: Move) -> Option<Clear> {
        let &piece = self.queue.first()?;
        let used = 1 + usize::from(mv.hold && self.hold.is_none());
        let in_play = if mv.hold { self.hold.or(self.queue.get(1).copied()) } else { Some(piece) };
        if in_play != Some(mv.placement.at.piece) || mv.hold && !self.can_hold {
            return None;
        }
        let combo = self.combo;
        let back_to_back = self.back_to_back;
        let (board, clear) = lock(&self.board, mv.placement, combo, back_to_back)?;
        self.queue.drain(..used);
        if mv.hold {
            self.hold = Some(piece);
        }
        self.board = board;
        self.combo = clear.combo;
        if clear.lines > 0 {
            self.back_to_back = clear.keeps_back_to_back();
        }
        Some(clear)
    }

    pub(super) const fn rules(&self) -> MoveRules {
        let Self { spin_mode, second_spawn_row, rotation_system, .. } = *self;
        MoveRules { spin_mode, second_spawn_row, rotation_system }
    }

    /// Returns the move that locks a piece at a placement, holding first if the piece is not in
    /// play.
    pub fn move_for(&self, placement: Placement) -> Move {
        Move { hold: self.queue.first() != Some(&placement.at.piece), placement }
    }
}

/// `None` if the piece does not fit. The back-to-back chain of the clear saturates at 2.
#[inline(always)]
pub(super) fn lock(
    board: &Board,
    placement: Placement,
    combo: u32,
    back_to_back: bool,
) -> Option<(Board, Clear)> {
    let mut after = board.place(placement.at)?;
    // Most locks complete no line; this cheap test saves the call.
    let lines = if after.full_lines() == 0 { 0 } else { after.clear_lines() };
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
            second_spawn_row: game.rules().second_spawn_row,
            rotation_system: game.rules().rotation_system,
            spin_mode: game.rules().spin_mode,
            can_hold: game.rules().hold,
        }
    }
}
