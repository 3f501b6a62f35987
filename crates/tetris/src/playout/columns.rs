//! Random play on plain words.

use super::draw::{Place, draw};
use super::tally::Tally;
use crate::bag::Bag;
use crate::board::{Board, height};
use crate::game::{SKYLINE, lowest_row};
use crate::location::Location;
use crate::movegen::field::Field;
use crate::movegen::words::{Columns, Packed};
use crate::movegen::{low_stack, open_stack, search};
use crate::piece::{Orientation, Piece};
use bitcore::{Portable, Rng};

#[inline(always)]
pub(super) fn play(board: &mut Board, bag: &mut Bag, rng: &mut Rng, pieces: u64) -> Tally {
    let mut tally = Tally::default();
    while tally.pieces < pieces {
        let piece = bag.draw(rng);
        let place = place(board, piece, rng);
        let over = place.is_none_or(|Place { orientation, x, y }| {
            let at = Location { piece, orientation: Orientation::ALL[orientation], x: x as i8, y: y as i8 };
            // A reached location fits.
            *board = board.place(at).unwrap_or(*board);
            tally.pieces += 1;
            tally.lines += u64::from(board.clear_lines_with(Portable));
            lowest_row(at) >= SKYLINE
        });
        if over {
            tally.games += 1;
            (*board, *bag) = (Board::EMPTY, Bag::FULL);
        }
    }
    tally
}

/// Stacks end below row 24: nothing comes near the ceiling.
#[inline(always)]
fn place(board: &Board, piece: Piece, rng: &mut Rng) -> Option<Place> {
    let columns = board.columns();
    let height = height(columns);
    if height <= low_stack(piece) {
        let field = Field::<Packed, 1>::load(Portable, columns, 0, true);
        return draw::<_, 1, 1>(Portable, &field, None, piece, rng);
    }
    let spawn = Field::load(Portable, &search::SPAWN, 0, false);
    let from_spawn = height > open_stack(piece);
    let field = Field::<Columns, 1>::load(Portable, columns, 0, false);
    draw::<_, 1, 2>(Portable, &field, from_spawn.then_some(&spawn), piece, rng)
}
