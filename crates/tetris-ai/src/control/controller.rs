//! The choice of a piece's best drop.
//!
//! ```text
//! one piece:   best = argmax over drops d of       board_value(board after d) + drop_value(d)
//! two pieces:  best = argmax over drops d, e of    board_value(board after d, e) + drop_value(d)
//!                                                  + drop_value(e)
//!
//! drop_value   landing height, eroded cells
//! board_value  row and column transitions, holes, cumulative wells, hole depth, rows with holes,
//!              pattern diversity
//! ```
//!
//! Boards filled only below row 11 are evaluated in one register of 16 lanes ([`LowBoard`]); higher
//! boards column by column with the features of [`tetris::Board`].

use super::drops::{ControllerDrop, ControllerDrops};
use super::low_board::LowBoard;
use super::weights::ControllerWeights;
use crate::columns::Columns;
use bitcore::{Isa, dispatch};
use tetris::{Board, Features, Location, Piece};

/// A controller: its feature weights and whether it looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Controller {
    /// The weights that determine the value of a drop.
    pub weights: ControllerWeights,
    /// `true` if the controller also uses the next piece; it then evaluates every pair of drops.
    pub two_piece: bool,
}

/// The drop chosen by a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Choice {
    /// The location where the piece comes to rest, in [canonical](Location::canonical) form.
    pub at: Location,
    /// The value of the drop, in the unit of [`ControllerWeights`].
    pub value: i32,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BestDrop {
    pub(super) best: Option<(i32, ControllerDrop)>,
    pub(super) evaluated: u64,
}

/// The board value of a first drop after which the next piece has no drop: lower than any other
/// value.
const NO_DROP_LEFT: i32 = i32::MIN / 2;

impl Controller {
    /// Creates a one-piece controller.
    pub const fn new(weights: ControllerWeights) -> Self {
        Self { weights, two_piece: false }
    }

    /// Returns the best drop of `piece`, or `None` if no drop ends below row 20. Ties go to the
    /// first orientation, then to the leftmost column. Cells of the board in row 20 or above are
    /// ignored.
    ///
    /// A one-piece controller evaluates the board after the drop. A two-piece controller evaluates
    /// the board after the drops of `piece` and `next` and adds the landing heights and eroded
    /// cells of both; a drop after which `next` has no drop ranks below all others. If `next` is
    /// `None`, a two-piece controller chooses like a one-piece controller.
    ///
    /// ```
    /// use tetris::{Board, Piece};
    /// use tetris_ai::control::{Controller, ControllerWeights};
    /// let board: Board = "3,3,3,3,3,3,3,3,3,0".parse().unwrap();
    /// let choice = Controller::new(ControllerWeights::DELLACHERIE).choose(&board, Piece::I, None).unwrap();
    /// assert_eq!(board.place(choice.at).unwrap().clear_lines(), 2);
    /// ```
    pub fn choose(&self, board: &Board, piece: Piece, next: Option<Piece>) -> Option<Choice> {
        let field = &Columns::lowest_rows(board);
        let found =
            dispatch!(isa [this = self, field, piece, next] => this.best(isa, field, piece, next));
        let (value, drop) = found.best?;
        Some(Choice { at: drop.location(piece), value })
    }

    #[inline(always)]
    pub(super) fn best<S: Isa>(
        &self,
        isa: S,
        field: &Columns,
        piece: Piece,
        next: Option<Piece>,
    ) -> BestDrop {
        match next.filter(|_| self.two_piece) {
            None => best_one(isa, &self.weights, field, piece),
            Some(next) => self.best_pair(isa, field, piece, next),
        }
    }

    #[inline(always)]
    fn best_pair<S: Isa>(&self, isa: S, field: &Columns, piece: Piece, next: Piece) -> BestDrop {
        let mut found = BestDrop::default();
        for drop in ControllerDrops::new(field, piece) {
            let after = drop.child(isa, field, piece);
            let rest = best_one(isa, &self.weights, &after, next);
            found.evaluated += rest.evaluated;
            let rest = rest.best.map_or(NO_DROP_LEFT, |(value, _)| value);
            found.consider(rest + self.weights.drop_value(piece, drop), drop);
        }
        found
    }
}

impl BestDrop {
    #[inline(always)]
    fn consider(&mut self, value: i32, drop: ControllerDrop) {
        if self.best.is_none_or(|(best, _)| value > best) {
            self.best = Some((value, drop));
        }
    }
}

/// A separate kernel entry, because a two-piece controller calls it once per first drop.
#[inline(never)]
fn best_one<S: Isa>(
    isa: S,
    weights: &ControllerWeights,
    field: &Columns,
    piece: Piece,
) -> BestDrop {
    isa.enter(
        #[inline(always)]
        || {
            let mut found = BestDrop::default();
            if let Some(low) = LowBoard::new(isa, field) {
                for drop in ControllerDrops::new(field, piece) {
                    let value =
                        low.value_after(weights, piece, drop) + weights.drop_value(piece, drop);
                    found.consider(value, drop);
                    found.evaluated += 1;
                }
                return found;
            }
            for drop in ControllerDrops::new(field, piece) {
                let after = drop.child(isa, field, piece).board();
                let features = Features {
                    row_transitions: after.row_transitions(),
                    column_transitions: after.column_transitions(),
                    covered_cells: after.covered_cells(),
                    cumulative_wells: after.cumulative_wells(),
                    hole_depth: after.hole_depth(),
                    rows_with_holes: after.rows_with_holes(),
                    pattern_diversity: after.pattern_diversity(),
                    ..Features::default()
                };
                let value = weights.board_value(&features) + weights.drop_value(piece, drop);
                found.consider(value, drop);
                found.evaluated += 1;
            }
            found
        },
    )
}
