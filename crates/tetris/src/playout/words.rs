//! Random play in plain `u64` words.

use super::draw::{Center, draw};
use super::stats::Stats;
use crate::bag::Bag;
use crate::board::{Board, height};
use crate::location::{Location, SKYLINE};
use crate::movegen::bitboard::Bitboard;
use crate::movegen::words::{ColumnWords, PackedBlock};
use crate::movegen::{max_height_in_16_rows, max_height_under_free_spawn, search};
use crate::piece::{Orientation, Piece};
use bitcore::{Portable, Rng};

#[inline(always)]
pub(super) fn play(board: &mut Board, bag: &mut Bag, rng: &mut Rng, pieces: u64) -> Stats {
    let mut stats = Stats::default();
    while stats.pieces < pieces {
        let piece = bag.draw(rng);
        let center = draw_center(board, piece, rng);
        let over = center.is_none_or(|Center { orientation, x, y }| {
            let at = Location {
                piece,
                orientation: Orientation::ALL[orientation],
                x: x as i8,
                y: y as i8,
            };
            // A reached location fits.
            *board = board.place(at).unwrap_or(*board);
            stats.pieces += 1;
            stats.lines += u64::from(board.clear_lines_with(Portable));
            at.lowest_row() >= SKYLINE
        });
        if over {
            stats.games += 1;
            (*board, *bag) = (Board::EMPTY, Bag::FULL);
        }
    }
    stats
}

/// Stacks end below row 24, so no piece comes near the ceiling.
#[inline(always)]
fn draw_center(board: &Board, piece: Piece, rng: &mut Rng) -> Option<Center> {
    let columns = board.columns();
    let height = height(columns);
    if height <= max_height_in_16_rows(piece) {
        let field = Bitboard::<PackedBlock, 1>::load_low(Portable, columns);
        return draw::<_, _, 1, 1>(Portable, &field, None, piece, rng);
    }
    let spawn = Bitboard::load(Portable, &search::SPAWN, 0);
    let from_spawn = height > max_height_under_free_spawn(piece);
    let field = Bitboard::<ColumnWords, 1>::load(Portable, columns, 0);
    draw::<_, _, 1, 2>(Portable, &field, from_spawn.then_some(&spawn), piece, rng)
}
