//! Random play on a board that stays in two registers from piece to piece.

use super::draw::{Place, draw};
use super::tally::Tally;
use crate::bag::Bag;
use crate::board::{Board, height};
use crate::game::SKYLINE;
use crate::movegen::field::Field;
use crate::movegen::register::{CELLS, Register};
use crate::movegen::{low_stack, open_stack, search};
use crate::piece::{Orientation, Piece};
use bitcore::{Isa, Rng};

/// Thirty-two rows: who doesn't lock above row 20 leaves none above row 23.
#[derive(Clone, Copy)]
struct Stack<S: Isa> {
    field: Field<Register<S>, 2>,
    /// No row from here up holds a cell.
    height: u32,
}

#[inline(always)]
pub(super) fn play<S: Isa>(
    isa: S,
    board: &mut Board,
    bag_then: &mut Bag,
    rng_then: &mut Rng,
    pieces: u64,
) -> Tally {
    let mut tally = Tally::default();
    let mut stack = Stack::load(isa, board);
    let (mut bag, mut rng) = (*bag_then, rng_then.clone());
    while tally.pieces < pieces {
        let piece = bag.draw_with(isa, &mut rng);
        let over = stack.draw(isa, piece, &mut rng).is_none_or(|place| {
            tally.pieces += 1;
            tally.lines += u64::from(stack.lock(piece, place));
            place.lowest_row(piece) >= SKYLINE as u32
        });
        if over {
            tally.games += 1;
            (stack, bag) = (Stack::load(isa, &Board::EMPTY), Bag::FULL);
        }
    }
    *board = Board::from_columns(stack.field.to_columns()).unwrap_or_default();
    (*bag_then, *rng_then) = (bag, rng);
    tally
}

impl<S: Isa> Stack<S> {
    #[inline(always)]
    fn load(isa: S, board: &Board) -> Self {
        let columns = board.columns();
        Self { field: Field::load(isa, columns, 0, false), height: height(columns) }
    }

    #[inline(always)]
    fn draw(&self, isa: S, piece: Piece, rng: &mut Rng) -> Option<Place> {
        if self.height <= low_stack(piece) {
            return draw::<_, 1, 1>(isa, &Field([self.field.0[0]]), None, piece, rng);
        }
        let spawn = Field::load(isa, &search::SPAWN, 0, false);
        let from_spawn = self.height > open_stack(piece);
        draw::<_, 2, 2>(isa, &self.field, from_spawn.then_some(&spawn), piece, rng)
    }

    /// Locks a piece. How many lines that clears.
    #[inline(always)]
    fn lock(&mut self, piece: Piece, place: Place) -> u32 {
        let bottom = place.lowest_row(piece);
        let rows = piece.shape(Orientation::ALL[place.orientation]).height as u32;
        let cells = &CELLS[piece as usize][place.orientation][place.x];
        let (field, lines) = self.field.with_piece(cells, bottom).cleared();
        self.field = field;
        self.height = if lines == 0 {
            self.height.max(bottom + rows)
        } else {
            // There may be empty rows under the highest of the lines.
            height(&field.to_columns())
        };
        lines
    }
}
