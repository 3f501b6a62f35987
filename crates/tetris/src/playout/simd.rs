//! Random play on a board that stays in two registers between pieces.

use super::draw::{Center, draw};
use super::stats::Stats;
use crate::bag::Bag;
use crate::board::{Board, height};
use crate::location::SKYLINE;
use crate::movegen::bitboard::Bitboard;
use crate::movegen::simd::{PIECE_LANES, SimdBlock};
use crate::movegen::{max_height_in_16_rows, max_height_under_free_spawn, search};
use crate::piece::{Orientation, Piece};
use bitcore::{Isa, Rng};

/// A board of 32 rows in two registers. Locks entirely above the visible rows end the game, so no
/// cell is above row 23.
#[derive(Clone, Copy)]
struct RegisterBoard<S: Isa> {
    field: Bitboard<SimdBlock<S::Shared>, 2>,
    /// An upper bound: rows from here up are empty.
    height: u32,
}

#[inline(always)]
pub(super) fn play<S: Isa>(
    isa: S,
    board: &mut Board,
    bag_then: &mut Bag,
    rng_then: &mut Rng,
    pieces: u64,
) -> Stats {
    let mut stats = Stats::default();
    let mut stack = RegisterBoard::load(isa, board);
    let mut bag = *bag_then;
    let mut rng = rng_then.clone();
    while stats.pieces < pieces {
        let piece = bag.draw_with(isa, &mut rng);
        let over = stack.draw(isa, piece, &mut rng).is_none_or(|center| {
            stats.pieces += 1;
            stats.lines += u64::from(stack.lock(piece, center));
            center.lowest_row(piece) >= SKYLINE as u32
        });
        if over {
            stats.games += 1;
            (stack, bag) = (RegisterBoard::load(isa, &Board::EMPTY), Bag::FULL);
        }
    }
    *board = Board::from_columns(stack.field.to_columns()).unwrap_or_default();
    (*bag_then, *rng_then) = (bag, rng);
    stats
}

impl<S: Isa> RegisterBoard<S> {
    #[inline(always)]
    fn load(isa: S, board: &Board) -> Self {
        let columns = board.columns();
        Self { field: Bitboard::load(isa.shared(), columns, 0), height: height(columns) }
    }

    #[inline(always)]
    fn draw(&self, isa: S, piece: Piece, rng: &mut Rng) -> Option<Center> {
        if self.height <= max_height_in_16_rows(piece) {
            return draw::<_, _, 1, 1>(isa, &Bitboard([self.field.0[0]]), None, piece, rng);
        }
        let spawn = Bitboard::load(isa.shared(), &search::SPAWN, 0);
        let from_spawn = self.height > max_height_under_free_spawn(piece);
        draw::<_, _, 2, 2>(isa, &self.field, from_spawn.then_some(&spawn), piece, rng)
    }

    #[inline(always)]
    fn lock(&mut self, piece: Piece, center: Center) -> u32 {
        let bottom = center.lowest_row(piece);
        let rows = piece.shape(Orientation::ALL[center.orientation]).height as u32;
        let cells = &PIECE_LANES[piece as usize][center.orientation][center.x];
        let (field, lines) = self.field.with_piece(cells, bottom).without_full_rows();
        self.field = field;
        self.height = if lines == 0 {
            self.height.max(bottom + rows)
        } else {
            // Rows under the highest cleared line may be empty.
            height(&field.to_columns())
        };
        lines
    }
}
