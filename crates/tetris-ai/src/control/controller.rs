//! [`Controller`]: the best drop of a piece.

use super::hard_drops::{HardDrop, HardDrops};
use super::low_board::LowBoard;
use super::weights::ControllerWeights;
use crate::columns::Columns;
use bitcore::{Isa, Level, dispatch};
use tetris::{Board, Features, Location, Piece};

/// A way of play: weights, and whether the piece after the next is known too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Controller {
    /// What a drop is worth.
    pub weights: ControllerWeights,
    /// Whether the piece after the one in play is known: then every pair of drops is looked at.
    pub two_piece: bool,
}

/// What a controller would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Where the piece comes to rest, [canonical](Location::canonical).
    pub at: Location,
    /// What that is worth, in the unit of [`ControllerWeights`].
    pub value: i32,
}

/// The best drop of a piece, and how many drops were evaluated to find it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BestDrop {
    pub(super) best: Option<(i32, HardDrop)>,
    pub(super) evaluated: u64,
}

/// Less than any drop's value, by so much that all other parts of a value don't matter.
const NO_DROP_LEFT: i32 = i32::MIN / 2;

impl Controller {
    /// The one-piece controller.
    pub const fn new(weights: ControllerWeights) -> Self {
        Self { weights, two_piece: false }
    }

    /// The best drop: of equals the first by orientation, then by column from the left. None if no drop ends below row
    /// 20. A cell of the board at or above row 20 is none of the game's and left out.
    ///
    /// A one-piece controller values the board after the drop. A two-piece controller values the board after the drops
    /// of `piece` and `next`, and adds the landing height and the eroded cells of both; a drop that leaves none to `next`
    /// comes after all others. Without `next` it is the one-piece controller.
    ///
    /// ```
    /// use tetris::{Board, Piece};
    /// use tetris_ai::control::{Controller, ControllerWeights};
    /// let board: Board = "3,3,3,3,3,3,3,3,3,0".parse().unwrap();
    /// let choice = Controller::new(ControllerWeights::DELLACHERIE).choose(&board, Piece::I, None).unwrap();
    /// assert_eq!(board.place(choice.at).unwrap().clear_lines(), 2);
    /// ```
    pub fn choose(&self, board: &Board, piece: Piece, next: Option<Piece>) -> Option<Choice> {
        self.choose_on(Level::detect(), board, piece, next)
    }

    /// [`choose`](Self::choose) with an instruction set; the same at every one.
    pub fn choose_on(
        &self,
        level: Level,
        board: &Board,
        piece: Piece,
        next: Option<Piece>,
    ) -> Option<Choice> {
        let field = &Columns::lowest_rows(board);
        let found =
            dispatch!(level, isa [this = self, field, piece, next] => this.best(isa, field, piece, next));
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
        for drop in HardDrops::new(field, piece) {
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
    fn consider(&mut self, value: i32, drop: HardDrop) {
        if self.best.is_none_or(|(best, _)| value > best) {
            self.best = Some((value, drop));
        }
    }
}

/// The best drop by the board that it leaves. Entered again: a pair of drops comes here for each first one.
#[inline(never)]
fn best_one<S: Isa>(isa: S, weights: &ControllerWeights, field: &Columns, piece: Piece) -> BestDrop {
    isa.enter(
        #[inline(always)]
        || {
            let mut found = BestDrop::default();
            if let Some(low) = LowBoard::new(isa, field) {
                for drop in HardDrops::new(field, piece) {
                    let value = low.value_after(weights, piece, drop) + weights.drop_value(piece, drop);
                    found.consider(value, drop);
                    found.evaluated += 1;
                }
                return found;
            }
            for drop in HardDrops::new(field, piece) {
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
