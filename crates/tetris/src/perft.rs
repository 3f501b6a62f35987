//! Perft: the number of ways to lock a whole queue, which one wrong rule anywhere changes.

use crate::board::{Board, height};
use crate::movegen::field::{Band, Field};
use crate::movegen::register::{CELLS, Register};
use crate::movegen::sink::{Count, Sink};
use crate::movegen::{self, Placements, low_field, low_stack, open_stack, places, search};
use crate::piece::{Orientation, Piece};
use crate::placement::Kinds;
use bitcore::{Isa, Level, dispatch};

/// Counts the ways to lock the whole queue by [every placement](Placements); full lines are cleared. 1 if the queue is
/// empty. The placements of the last piece are counted and not played. Its definition is
/// [`reference::naive::perft`](crate::reference::naive::perft).
///
/// ```
/// use tetris::{Board, Queue, movegen::Kinds, perft};
/// let queue: Queue = "IOLJ".parse().unwrap();
/// assert_eq!(perft::perft(&Board::EMPTY, &queue, Kinds::Cells), 188374);
/// ```
pub fn perft(board: &Board, queue: &[Piece], kinds: Kinds) -> u64 {
    perft_on(Level::detect(), board, queue, kinds)
}

/// [`perft`] on a level.
pub fn perft_on(level: Level, board: &Board, queue: &[Piece], kinds: Kinds) -> u64 {
    dispatch!(level, isa [board, queue, kinds] => any_board(isa, board, queue, kinds))
}

/// A position on a board.
#[inline(always)]
fn any_board<S: Isa>(isa: S, board: &Board, queue: &[Piece], kinds: Kinds) -> u64 {
    if S::HAS_SIMD {
        let height = height(board.columns());
        if height <= LOW {
            return node(isa, &Bands::<S, 1>::load(isa, board.columns(), 0, true), height, queue, kinds);
        }
        if height <= open_stack(Piece::I) {
            return node(isa, &Bands::<S, 2>::load(isa, board.columns(), 0, false), height, queue, kinds);
        }
    }
    by_boards(isa, board, queue, kinds)
}

/// One ply on a board of any height.
#[inline(always)]
fn by_boards<S: Isa>(isa: S, board: &Board, queue: &[Piece], kinds: Kinds) -> u64 {
    isa.call3(
        board,
        queue,
        kinds,
        #[inline(always)]
        move |board, queue, kinds| {
            let Some((&piece, rest)) = queue.split_first() else { return 1 };
            if rest.is_empty() {
                let mut count = Count(0);
                places(isa, board, piece, kinds, &mut count);
                return count.0.into();
            }
            let mut placements = Placements::new();
            placements.fill_on(isa.into(), board, piece, kinds);
            let mut nodes = 0;
            for placement in &placements {
                let Some(mut child) = board.place(placement.at) else { continue };
                child.clear_lines_with(isa);
                nodes += any_board(isa, &child, rest, kinds);
            }
            nodes
        },
    )
}

/// A board that stays in one or two registers from ply to ply.
type Bands<S, const N: usize> = Field<Register<S>, N>;

/// No piece that is placed on a stack of so many rows leaves sixteen rows.
const LOW: u32 = 16 - 4;

/// A position whose stack ends below the row `height`.
#[inline(always)]
fn node<S: Isa, const N: usize>(
    isa: S,
    field: &Bands<S, N>,
    height: u32,
    queue: &[Piece],
    kinds: Kinds,
) -> u64 {
    isa.call4(
        field,
        height,
        queue,
        kinds,
        #[inline(always)]
        move |field, height, queue: &[Piece], kinds| {
            let Some((&piece, rest)) = queue.split_first() else { return 1 };
            let highest = match N {
                // A leaf's centers stay in the sixteen rows, a piece that is placed stays in them as a whole.
                1 if rest.is_empty() => low_stack(piece),
                1 => LOW,
                _ => open_stack(piece),
            };
            if height > highest {
                return out_of_rows(isa, field, height, queue, kinds);
            }
            if N == 1 && rest.is_empty() {
                let mut count = Count(0);
                low_field(isa, &Field([field.0[0]]), piece, kinds, &mut count);
                return count.0.into();
            }
            let Some(found) = search::found_any(isa, field, None, false, piece, kinds) else { return 0 };
            if rest.is_empty() {
                let mut count = Count(0);
                count.take(piece, true, &found, 0);
                return count.0.into();
            }
            let mut nodes = 0;
            found.for_each(
                piece,
                true,
                #[inline(always)]
                |number, places| {
                    nodes += children(isa, field, height, (piece, number & 3, places), rest, kinds);
                },
            );
            nodes
        },
    )
}

/// Sums up over all that a piece can lock with its centers in these places.
#[inline(always)]
fn children<S: Isa, const N: usize>(
    isa: S,
    field: &Bands<S, N>,
    height: u32,
    (piece, r, places): (Piece, usize, &Bands<S, N>),
    rest: &[Piece],
    kinds: Kinds,
) -> u64 {
    isa.call5(
        (field, places),
        height,
        (piece, r),
        rest,
        kinds,
        #[inline(always)]
        move |(field, places), height, (piece, r), rest, kinds| {
            let mut nodes = 0;
            let shape = piece.shape(Orientation::ALL[r]);
            for (band, base) in places.0.iter().zip([0, 16]) {
                for (word, x) in band.words().into_iter().zip([0, 4, 8]) {
                    let mut places = word;
                    while places != 0 {
                        let bit = places.trailing_zeros();
                        places &= places - 1;
                        let bottom = (base + 15 - bit % 16).wrapping_add_signed(shape.bottom);
                        let cells = &CELLS[piece as usize][r][x + (bit / 16) as usize];
                        let (child, lines) = field.with_piece(cells, bottom).cleared();
                        // Not exactly its height: under the highest lines there may be empty rows.
                        let height = height.max(bottom + shape.height as u32) - lines;
                        nodes += if N > 1 && height <= LOW {
                            node(isa, &Field([child.0[0]]), height, rest, kinds)
                        } else {
                            node(isa, &child, height, rest, kinds)
                        };
                    }
                }
            }
            nodes
        },
    )
}

/// On with more rows.
#[inline(always)]
fn out_of_rows<S: Isa, const N: usize>(
    isa: S,
    field: &Bands<S, N>,
    height: u32,
    queue: &[Piece],
    kinds: Kinds,
) -> u64 {
    isa.call4(
        field,
        height,
        queue,
        kinds,
        #[inline(always)]
        move |field, height, queue, kinds| {
            if N == 1 && height <= open_stack(Piece::I) {
                let above = Field::<_, 1>::splat(isa, 0);
                return node(isa, &Field([field.0[0], above.0[0]]), height, queue, kinds);
            }
            // Thirty-two rows fit into forty.
            let board = Board::from_columns(field.to_columns()).unwrap_or_default();
            by_boards(isa, &board, queue, kinds)
        },
    )
}

/// Counts the ways to lock the whole queue with [hard drops](movegen::hard_drops) only; full lines are cleared. 1 if
/// the queue is empty. Twins with soft drops and spins: [`reference::naive::perft`](crate::reference::naive::perft).
///
/// ```
/// use tetris::{Board, Queue, perft};
/// let queue: Queue = "IOL".parse().unwrap();
/// assert_eq!(perft::hard_drops(&Board::EMPTY, &queue), 5202);
/// ```
pub fn hard_drops(board: &Board, queue: &[Piece]) -> u64 {
    hard_drops_on(Level::detect(), board, queue)
}

/// [`hard_drops`] on a level.
pub fn hard_drops_on(level: Level, board: &Board, queue: &[Piece]) -> u64 {
    dispatch!(level, isa [board, queue] => hard_drops_with(isa, board, queue))
}

#[inline(never)]
fn hard_drops_with<S: Isa>(isa: S, board: &Board, queue: &[Piece]) -> u64 {
    // A recursion can't be inlined into its caller: each node enters the instruction set again.
    isa.enter(
        #[inline(always)]
        || {
            let Some((&piece, rest)) = queue.split_first() else { return 1 };
            let landings = movegen::hard_drops_here(board, piece);
            if rest.is_empty() {
                return landings.len() as u64;
            }
            let mut nodes = 0;
            for mut child in landings.iter().filter_map(|at| board.place(at)) {
                child.clear_lines_with(isa);
                nodes += hard_drops_with(isa, &child, rest);
            }
            nodes
        },
    )
}
