//! Perft: the number of ways to lock a whole queue, which one wrong rule anywhere changes.

use crate::movegen::{self, Kinds, Placements};
use crate::{Board, Piece};
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
    dispatch!(level, isa [board, queue, kinds] => perft_with(isa, board, queue, kinds))
}

#[inline(always)]
fn perft_with<S: Isa>(isa: S, board: &Board, queue: &[Piece], kinds: Kinds) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(isa) = bitcore::isa::x86_v3(isa.into()) {
        return x86_v3::perft(isa, board, queue, kinds);
    }
    by_boards(isa, board, queue, kinds)
}

/// One ply on a board of any height.
#[inline(always)]
fn by_boards<S: Isa>(isa: S, board: &Board, queue: &[Piece], kinds: Kinds) -> u64 {
    let Some((&piece, rest)) = queue.split_first() else { return 1 };
    if rest.is_empty() {
        return movegen::count_with(isa, board, piece, kinds).into();
    }
    let mut placements = Placements::new();
    placements.fill_with(isa, board, piece, kinds);
    let mut nodes = 0;
    for placement in &placements {
        let Some(mut child) = board.place(placement.at) else { continue };
        child.clear_lines_with(isa);
        nodes += perft_by_level(isa, &child, rest, kinds);
    }
    nodes
}

/// A recursion can't be inlined into its caller.
#[inline(never)]
fn perft_by_level<S: Isa>(isa: S, board: &Board, queue: &[Piece], kinds: Kinds) -> u64 {
    isa.enter(
        #[inline(always)]
        || perft_with(isa, board, queue, kinds),
    )
}

/// Boards that stay in one or two registers from ply to ply.
#[cfg(target_arch = "x86_64")]
mod x86_v3 {
    use crate::movegen::field::{Band, Field, ROWS};
    use crate::movegen::register::{CELLS, Register};
    use crate::movegen::search::{search, shapes};
    use crate::movegen::{Kinds, by_piece, height, low_stack, open_stack};
    use crate::{Board, Orientation, Piece};
    use bitcore::{Isa, X86V3};

    type Bands<const N: usize> = Field<Register<X86V3>, N>;

    /// No piece that is placed on a stack of so many rows leaves sixteen rows.
    const LOW: u32 = ROWS - 4;

    #[inline(never)]
    pub(super) fn perft(isa: X86V3, board: &Board, queue: &[Piece], kinds: Kinds) -> u64 {
        isa.enter(
            #[inline(always)]
            || {
                let height = height(board.columns());
                if height <= LOW {
                    return any_piece::<1>(
                        isa,
                        &Field::load(isa, board.columns(), 0, true),
                        height,
                        queue,
                        kinds,
                    );
                }
                if height <= open_stack(crate::movegen::search::I) {
                    let field = Field::load(isa, board.columns(), 0, false);
                    return any_piece::<2>(isa, &field, height, queue, kinds);
                }
                super::by_boards(isa, board, queue, kinds)
            },
        )
    }

    #[inline(always)]
    fn any_piece<const N: usize>(
        isa: X86V3,
        field: &Bands<N>,
        height: u32,
        queue: &[Piece],
        kinds: Kinds,
    ) -> u64 {
        let Some(&piece) = queue.first() else { return 1 };
        by_piece!(piece, kinds, node[N](isa, field, height, queue, kinds))
    }

    /// `P` is the queue's first piece; no row from `height` up holds a cell.
    #[inline(never)]
    fn node<const P: usize, const SPINS: bool, const N: usize>(
        isa: X86V3,
        field: &Bands<N>,
        height: u32,
        queue: &[Piece],
        kinds: Kinds,
    ) -> u64 {
        isa.enter(
            #[inline(always)]
            || {
                let rest = queue.get(1..).unwrap_or_default();
                let highest = match N {
                    // A leaf's centres stay in the sixteen rows, a piece that is placed stays in them as a whole.
                    1 if rest.is_empty() => low_stack(P),
                    1 => LOW,
                    _ => open_stack(P),
                };
                if height > highest {
                    return out_of_rows(isa, field, height, queue, kinds);
                }
                let Some(found) = search::<_, N, P, SPINS>(isa, *field, None, false) else { return 0 };
                if rest.is_empty() {
                    return found.count::<P>().into();
                }
                let mut nodes = children::<P, N>(isa, *field, height, &found.none, rest, kinds);
                if let Some([mini, full]) = &found.spins {
                    nodes += children::<P, N>(isa, *field, height, mini, rest, kinds);
                    nodes += children::<P, N>(isa, *field, height, full, rest, kinds);
                }
                nodes
            },
        )
    }

    /// Sums up over all that can be locked in these places.
    #[inline(always)]
    fn children<const P: usize, const N: usize>(
        isa: X86V3,
        field: Bands<N>,
        height: u32,
        places: &[Bands<N>; 4],
        rest: &[Piece],
        kinds: Kinds,
    ) -> u64 {
        let mut nodes = 0;
        for (r, places) in places[..shapes(P)].iter().enumerate() {
            let shape = Piece::ALL[P].shape(Orientation::ALL[r]);
            for (band, i) in places.0.iter().zip(0..) {
                for (word, x) in band.words().into_iter().zip([0, 4, 8]) {
                    let mut places = word;
                    while places != 0 {
                        let bit = places.trailing_zeros();
                        places &= places - 1;
                        let centre = ROWS * i + ROWS - 1 - bit % ROWS;
                        let bottom = centre.wrapping_add_signed(shape.bottom);
                        let cells = &CELLS[P][r][x + (bit / ROWS) as usize];
                        let (child, lines) = field.with_piece(cells, bottom).cleared();
                        // Not exactly its height: under the highest lines there may be empty rows.
                        let height = height.max(bottom + shape.height as u32) - lines;
                        nodes += if N > 1 && height <= LOW {
                            any_piece::<1>(isa, &Field([child.0[0]]), height, rest, kinds)
                        } else {
                            any_piece::<N>(isa, &child, height, rest, kinds)
                        };
                    }
                }
            }
        }
        nodes
    }

    /// On with more rows.
    #[cold]
    #[inline(never)]
    fn out_of_rows<const N: usize>(
        isa: X86V3,
        field: &Bands<N>,
        height: u32,
        queue: &[Piece],
        kinds: Kinds,
    ) -> u64 {
        isa.enter(
            #[inline(always)]
            || {
                if N == 1 && height <= open_stack(crate::movegen::search::I) {
                    let above = Field::<_, 1>::splat(isa, 0);
                    return any_piece::<2>(isa, &Field([field.0[0], above.0[0]]), height, queue, kinds);
                }
                // Thirty-two rows fit into forty.
                let board = Board::from_columns(field.to_columns()).unwrap_or_default();
                super::by_boards(isa, &board, queue, kinds)
            },
        )
    }
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
