//! Perft: the number of ways to lock a whole queue, which one wrong rule anywhere changes.

use crate::board::WIDTH;
use crate::movegen::field::{Band, Field, Packed, ROWS, Register};
use crate::movegen::search::{self, Found};
use crate::movegen::{self, Kinds, Placements};
use crate::{Board, Orientation, Piece};
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
    dispatch!(isa => perft_with(isa, board, queue, kinds))
}

#[doc(hidden)]
#[inline(always)]
pub fn perft_with<S: Isa>(isa: S, board: &Board, queue: &[Piece], kinds: Kinds) -> u64 {
    let level = isa.into();
    #[cfg(target_arch = "x86_64")]
    if let Some(isa) = bitcore::isa::x86_v3(level) {
        return high_node::<_, Register<bitcore::X86V3>>(isa, board, queue, kinds);
    }
    let Level::Portable(isa) = level else { return 0 };
    high_node::<_, Packed>(isa, board, queue, kinds)
}

/// A board of any height.
#[inline(never)]
fn high_node<S: Isa, B: Band<Token = S>>(isa: S, board: &Board, queue: &[Piece], kinds: Kinds) -> u64 {
    isa.enter(
        #[inline(always)]
        || {
            let Some((&piece, rest)) = queue.split_first() else { return 1 };
            let height = movegen::height(board.columns());
            if height <= ROWS - 4 {
                let field = Field::load(isa, board.columns(), 0, true);
                return any_low_node::<S, B>(isa, &field, height, queue, kinds);
            }
            if rest.is_empty() {
                return movegen::count_with(isa, board, piece, kinds).into();
            }
            let mut placements = Placements::new();
            placements.fill_with(isa, board, piece, kinds);
            let mut nodes = 0;
            for placement in &placements {
                let Some(mut child) = board.place(placement.at) else { continue };
                child.clear_lines_with(isa);
                nodes += high_node::<S, B>(isa, &child, rest, kinds);
            }
            nodes
        },
    )
}

#[inline(always)]
fn any_low_node<S: Isa, B: Band<Token = S>>(
    isa: S,
    field: &Field<B, 1>,
    height: u32,
    queue: &[Piece],
    kinds: Kinds,
) -> u64 {
    let Some(&piece) = queue.first() else { return 1 };
    macro_rules! each {
        ($($piece:ident)*) => {
            match (piece, kinds) {
                (Piece::T, Kinds::Spins) => low_node::<S, B, { search::T }, true>(isa, field, height, queue, kinds),
                $((Piece::$piece, _) => {
                    low_node::<S, B, { Piece::$piece as usize }, false>(isa, field, height, queue, kinds)
                })*
            }
        };
    }
    each!(I O T S Z J L)
}

/// A board that stays in its register, down to the leaves. No row from `height` up holds a cell; `P` is the queue's
/// first piece.
#[inline(never)]
fn low_node<S: Isa, B: Band<Token = S>, const P: usize, const SPINS: bool>(
    isa: S,
    field: &Field<B, 1>,
    height: u32,
    queue: &[Piece],
    kinds: Kinds,
) -> u64 {
    isa.enter(
        #[inline(always)]
        || {
            // A leaf's centres stay in the sixteen rows, a piece that is placed stays in them as a whole.
            let rest = queue.get(1..).unwrap_or_default();
            let highest = if rest.is_empty() { movegen::low_stack(P) } else { ROWS - 4 };
            if height > highest {
                return leave::<S, B>(isa, field, queue, kinds);
            }
            let Some(found) = search::search::<B, 1, P, SPINS>(isa, *field, None, false) else { return 0 };
            if rest.is_empty() {
                return found.count::<P>().into();
            }
            children::<S, B, P>(isa, *field, height, &found, rest, kinds)
        },
    )
}

/// Sums up over all that can be locked.
#[inline(always)]
fn children<S: Isa, B: Band<Token = S>, const P: usize>(
    isa: S,
    field: Field<B, 1>,
    height: u32,
    found: &Found<B, 1>,
    rest: &[Piece],
    kinds: Kinds,
) -> u64 {
    let mut nodes = 0;
    let sets = [&found.none, &found.mini, &found.full];
    for set in &sets[..if found.spins { 3 } else { 1 }] {
        for (r, places) in set[..search::shapes(P)].iter().enumerate() {
            let shape = Piece::ALL[P].shape(Orientation::ALL[r]);
            for (word, x) in places.0[0].words().into_iter().zip([0, 4, 8]) {
                let mut places = word;
                while places != 0 {
                    let bit = places.trailing_zeros();
                    places &= places - 1;
                    let bottom = (15 - (bit & 15)).wrapping_add_signed(shape.bottom);
                    let cells = &CELLS[P][r][x + bit as usize / 16];
                    let mut child = Field([field.0[0].with_piece(cells, bottom)]);
                    let mut lines = child.full_lines();
                    // Not exactly its height: under the top lines that go there may be empty rows.
                    let top = height.max(bottom + shape.height as u32) - lines.count_ones();
                    while lines != 0 {
                        // From the top down.
                        child = Field([child.0[0].without_row(lines.trailing_zeros())]);
                        lines &= lines - 1;
                    }
                    nodes += any_low_node::<S, B>(isa, &child, top, rest, kinds);
                }
            }
        }
    }
    nodes
}

/// Back to a board of forty rows.
#[cold]
#[inline(never)]
fn leave<S: Isa, B: Band<Token = S>>(isa: S, field: &Field<B, 1>, queue: &[Piece], kinds: Kinds) -> u64 {
    // Sixteen rows fit into forty.
    let board = Board::from_columns(field.columns_up()).unwrap_or_default();
    high_node::<S, B>(isa, &board, queue, kinds)
}

/// The cells of a piece by orientation and column of its centre, its lowest row in bit 15 of each lane.
static CELLS: [[[[u16; 16]; WIDTH]; 4]; 7] = {
    let mut table = [[[[0; 16]; WIDTH]; 4]; 7];
    let mut i = 0;
    while i < 7 * 4 * WIDTH * 4 {
        let (piece, r, x, cell) = (i / (16 * WIDTH), i / (4 * WIDTH) % 4, i / 4 % WIDTH, i % 4);
        let orientation = Orientation::ALL[r];
        let (dx, dy) = Piece::ALL[piece].cells(orientation)[cell];
        let column = x as i32 + dx;
        if 0 <= column && column < WIDTH as i32 {
            let row = dy - Piece::ALL[piece].shape(orientation).bottom;
            table[piece][r][x][column as usize] |= 0x8000 >> row;
        }
        i += 1;
    }
    table
};

/// Counts the ways to lock the whole queue with [hard drops](movegen::hard_drops) only; full lines are cleared. 1 if
/// the queue is empty. Twins with soft drops and spins: [`reference::naive::perft`](crate::reference::naive::perft).
///
/// ```
/// use tetris::{Board, Queue, perft};
/// let queue: Queue = "IOL".parse().unwrap();
/// assert_eq!(perft::hard_drops(&Board::EMPTY, &queue), 5202);
/// ```
pub fn hard_drops(board: &Board, queue: &[Piece]) -> u64 {
    dispatch!(isa => hard_drops_with(isa, board, queue))
}

#[doc(hidden)]
pub fn hard_drops_with<S: Isa>(isa: S, board: &Board, queue: &[Piece]) -> u64 {
    // A recursion can't be inlined into its caller: each node enters the instruction set again.
    isa.enter(
        #[inline(always)]
        || {
            let Some((&piece, rest)) = queue.split_first() else { return 1 };
            let landings = movegen::hard_drops_with(isa, board, piece);
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
