//! Random play on plain words.

use super::draw::{Place, draw};
use super::{RandomGame, Tally};
use crate::board::Board;
use crate::game::{SKYLINE, lowest_row};
use crate::movegen::field::Field;
use crate::movegen::words::{Columns, Packed};
use crate::movegen::{self, low_stack, open_stack, search};
use crate::{Bag, Location, Orientation, Piece};
use bitcore::{Portable, Rng};

#[inline(always)]
pub(super) fn play(game: &mut RandomGame, pieces: u64) -> Tally {
    let mut tally = Tally::default();
    while tally.pieces < pieces {
        let piece = game.bag.draw(&mut game.rng);
        let place = place(&game.board, piece, &mut game.rng);
        let over = place.is_none_or(|Place { orientation, x, y }| {
            let at = Location { piece, orientation: Orientation::ALL[orientation], x: x as i8, y: y as i8 };
            // A reached location fits.
            game.board = game.board.place(at).unwrap_or(game.board);
            tally.pieces += 1;
            tally.lines += u64::from(game.board.clear_lines_with(Portable));
            lowest_row(at) >= SKYLINE
        });
        if over {
            tally.games += 1;
            (game.board, game.bag) = (Board::EMPTY, Bag::FULL);
        }
    }
    tally
}

/// Stacks end below row 24: nothing comes near the ceiling.
#[inline(always)]
fn place(board: &Board, piece: Piece, rng: &mut Rng) -> Option<Place> {
    let columns = board.columns();
    let height = movegen::height(columns);
    if height <= low_stack(piece) {
        let field = Field::<Packed, 1>::load(Portable, columns, 0, true);
        return draw::<_, 1, 1>(Portable, &field, None, piece, rng);
    }
    let spawn = Field::load(Portable, &search::SPAWN, 0, false);
    let from_spawn = height > open_stack(piece);
    let field = Field::<Columns, 1>::load(Portable, columns, 0, false);
    draw::<_, 1, 2>(Portable, &field, from_spawn.then_some(&spawn), piece, rng)
}
