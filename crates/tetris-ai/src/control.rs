//! One-piece and two-piece controllers for plain Tetris: 10 x 20, uniformly random pieces, drops only.
//!
//! This is the game of the literature on learnt controllers, not the guideline's: a piece is turned and shifted above
//! the field and falls straight down; it may end anywhere below row 20, whatever rows it completes, and the game is over
//! when no drop does. Each piece is drawn from the seven with equal probability.
//!
//! A controller gives every drop of the known pieces a value, a weighted sum of features, and takes the best. The
//! features are those of [`tetris::features`], where walls and floor count as filled. [`Weights`] has published weights;
//! [`reference::control`](crate::reference::control) is the same, cell by cell.
//!
//! Sources: C. Thiery and B. Scherrer, *Building Controllers for Tetris* (ICGA Journal 32, 2009), which writes down
//! P. Dellacherie's controller; B. Scherrer and others, *Approximate Modified Policy Iteration and its Application to
//! the Game of Tetris* (JMLR 16, 2015), for DT-20.
//!
//! ```
//! use bitcore::Rng;
//! use tetris_ai::control::{Controller, PlainGame, Weights};
//! let mut game = PlainGame::new(Rng::new(1));
//! assert_eq!(game.play(&Controller::new(Weights::DT20), 1000), 1000);
//! assert_eq!((game.pieces(), game.over()), (1000, false));
//! // Every line takes ten cells; the rest is still there.
//! assert_eq!(4 * game.pieces(), 10 * game.lines() + u64::from(game.board().filled_cells()));
//! ```

mod field;
mod game;
mod lifetime;
mod low;
mod weights;

pub use game::PlainGame;
pub use lifetime::Lifetime;
pub use weights::{ParseWeightsError, Weights};

use bitcore::{Isa, dispatch};
use field::{Drop, Field};
use tetris::{Board, Location, Piece};

/// Rows of the field.
pub const ROWS: usize = 20;

/// A way of play: weights, and whether the piece after the next is known too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Controller {
    /// What a drop is worth.
    pub weights: Weights,
    /// Whether the piece after the one in play is known: then every pair of drops is looked at.
    pub two_piece: bool,
}

/// What a controller would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Where the piece comes to rest, [canonical](Location::canonical).
    pub at: Location,
    /// What that is worth, in the unit of [`Weights`].
    pub value: i32,
}

/// The best drop of a piece, and how many drops were valued to find it.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    best: Option<(i32, Drop)>,
    valued: u64,
}

/// Less than any drop's value, by so much that all other parts of a value don't matter.
const LOST: i32 = i32::MIN / 2;

impl Controller {
    /// The one-piece controller.
    pub const fn new(weights: Weights) -> Self {
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
    /// use tetris_ai::control::{Controller, Weights};
    /// let board: Board = "3,3,3,3,3,3,3,3,3,0".parse().unwrap();
    /// let choice = Controller::new(Weights::DELLACHERIE).choose(&board, Piece::I, None).unwrap();
    /// assert_eq!(board.place(choice.at).unwrap().clear_lines(), 2);
    /// ```
    pub fn choose(&self, board: &Board, piece: Piece, next: Option<Piece>) -> Option<Choice> {
        dispatch!(isa => self.choose_with(isa, board, piece, next))
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn choose_with<S: Isa>(
        &self,
        isa: S,
        board: &Board,
        piece: Piece,
        next: Option<Piece>,
    ) -> Option<Choice> {
        let (value, drop) = self.best_with(isa, &Field::from(board), piece, next).best?;
        Some(Choice { at: drop.location(piece), value })
    }

    #[inline(always)]
    fn best_with<S: Isa>(&self, isa: S, field: &Field, piece: Piece, next: Option<Piece>) -> Found {
        match next.filter(|_| self.two_piece) {
            None => best_one(isa, &self.weights, field, piece),
            Some(next) => self.best_pair_with(isa, field, piece, next),
        }
    }

    #[inline(always)]
    fn best_pair_with<S: Isa>(&self, isa: S, field: &Field, piece: Piece, next: Piece) -> Found {
        let mut found = Found::default();
        for drop in field.drops(piece) {
            let after = field.after(piece, drop);
            let rest = best_one(isa, &self.weights, &after, next);
            found.valued += rest.valued;
            let rest = rest.best.map_or(LOST, |(value, _)| value);
            found.take(rest + self.weights.of_drop(piece, drop), drop);
        }
        found
    }
}

impl Found {
    #[inline(always)]
    fn take(&mut self, value: i32, drop: Drop) {
        if self.best.is_none_or(|(best, _)| value > best) {
            self.best = Some((value, drop));
        }
    }
}

/// The best drop by the board that it leaves. Entered again: a pair of drops comes here for each first one.
#[inline(never)]
fn best_one<S: Isa>(isa: S, weights: &Weights, field: &Field, piece: Piece) -> Found {
    isa.enter(
        #[inline(always)]
        || {
            let mut found = Found::default();
            if let Some(low) = low::Low::new(isa, field) {
                for drop in field.drops(piece) {
                    let value = low.value(weights, piece, drop) + weights.of_drop(piece, drop);
                    found.take(value, drop);
                    found.valued += 1;
                }
                return found;
            }
            for drop in field.drops(piece) {
                let after = field.after(piece, drop).board().features_with(isa);
                let value = weights.of_board(&after) + weights.of_drop(piece, drop);
                found.take(value, drop);
                found.valued += 1;
            }
            found
        },
    )
}
