//! Random play on a board that stays in two registers from piece to piece.

use super::draw::{Place, draw};
use super::{RandomGame, Tally};
use crate::board::Board;
use crate::game::SKYLINE;
use crate::movegen::field::Field;
use crate::movegen::register::{CELLS, Register};
use crate::movegen::{self, Kinds, by_piece, low_stack, open_stack, search};
use crate::{Bag, Orientation, Piece};
use bitcore::{Isa, Rng, X86V3};

/// Thirty-two rows: who doesn't lock above row 20 leaves none above row 23.
#[derive(Clone, Copy)]
struct Stack {
    field: Field<Register<X86V3>, 2>,
    /// No row from here up holds a cell.
    height: u32,
}

#[inline(never)]
pub(super) fn play(isa: X86V3, game: &mut RandomGame, pieces: u64) -> Tally {
    isa.enter(
        #[inline(always)]
        || {
            let mut tally = Tally::default();
            let mut stack = Stack::load(isa, &game.board);
            let (mut bag, mut rng) = (game.bag, game.rng.clone());
            while tally.pieces < pieces {
                let piece = bag.draw_with(isa, &mut rng);
                if by_piece!(piece, Kinds::Cells, turn(isa, &mut stack, &mut rng, &mut tally)) {
                    tally.games += 1;
                    (stack, bag) = (Stack::load(isa, &Board::EMPTY), Bag::FULL);
                }
            }
            let board = Board::from_columns(stack.field.to_columns()).unwrap_or_default();
            *game = RandomGame { board, bag, rng };
            tally
        },
    )
}

/// Locks one piece. Whether the game is over.
#[inline(always)]
fn turn<const P: usize, const SPINS: bool>(
    isa: X86V3,
    stack: &mut Stack,
    rng: &mut Rng,
    tally: &mut Tally,
) -> bool {
    let Some(place) = stack.draw::<P>(isa, rng) else { return true };
    let lines = stack.lock::<P>(place);
    tally.pieces += 1;
    tally.lines += u64::from(lines);
    place.lowest_row::<P>() >= SKYLINE as u32
}

impl Stack {
    #[inline(always)]
    fn load(isa: X86V3, board: &Board) -> Self {
        let columns = board.columns();
        Self { field: Field::load(isa, columns, 0, false), height: movegen::height(columns) }
    }

    #[inline(always)]
    fn draw<const P: usize>(&self, isa: X86V3, rng: &mut Rng) -> Option<Place> {
        if self.height <= low_stack(P) {
            return draw::<_, 1, P>(isa, &Field([self.field.0[0]]), None, rng);
        }
        let from_spawn = self.height > open_stack(P);
        let spawn = from_spawn.then(
            #[inline(always)]
            || Field::load(isa, &search::SPAWN, 0, false),
        );
        draw::<_, 2, P>(isa, &self.field, spawn.as_ref(), rng)
    }

    /// Locks a piece. How many lines that clears.
    #[inline(always)]
    fn lock<const P: usize>(&mut self, place: Place) -> u32 {
        let bottom = place.lowest_row::<P>();
        let rows = Piece::ALL[P].shape(Orientation::ALL[place.orientation]).height as u32;
        let (field, lines) = self.field.with_piece(&CELLS[P][place.orientation][place.x], bottom).cleared();
        self.field = field;
        self.height = if lines == 0 {
            self.height.max(bottom + rows)
        } else {
            // There may be empty rows under the highest of the lines.
            movegen::height(&field.to_columns())
        };
        lines
    }
}
