//! Every place where a piece can come to rest by single key presses.

use super::placement::Placement;
use super::rows::{FULL_ROW, PaddedRows, PieceRows, highest_row, padded};
use crate::contest::{Board, COLUMNS, Piece, ROWS, Shape};
use std::sync::LazyLock;

/// What the search for placements needs to know of a shape.
///
/// A row of the map of one piece is a word: sixteen bits for each state, of which the lowest ten say in which columns
/// the center may be. `blocked[i][row]` says which of them a row of the board `i - up` rows below the center forbids.
pub(super) struct MoveTables {
    pub(super) shape: Shape,
    pub(super) piece_rows: [PieceRows; 4],
    blocked: Vec<[u64; 1 << COLUMNS]>,
    /// Where the piece fits in row 0 of an empty board.
    empty_top_row: u64,
    /// Per row of the center, 0..=2: the states that leave row 0 empty.
    clear_of_top: [u64; 3],
}

/// By shape.
pub(super) static MOVE_TABLES: LazyLock<[MoveTables; 7]> = LazyLock::new(|| Shape::ALL.map(MoveTables::new));

impl MoveTables {
    fn new(shape: Shape) -> Self {
        let states = shape.orientations();
        let piece_rows: [PieceRows; 4] =
            std::array::from_fn(|state| PieceRows::new(Piece::new(shape, state as u8)));
        let up = -row_span(shape).0;
        let mut blocked = vec![[0u64; 1 << COLUMNS]; (row_span(shape).1 + up + 1) as usize];
        for (i, table) in blocked.iter_mut().enumerate() {
            for (row, blocked) in table.iter_mut().enumerate() {
                // Ten columns between two walls three columns thick.
                let walled = (row as u32) << 3 | 0b111 | 0b111 << (COLUMNS + 3);
                for state in 0..4 {
                    let bits = if state < states {
                        let cells = Piece::new(shape, state).cells().into_iter();
                        let cells = cells.filter(|&(_, dy)| i as i8 - up == dy);
                        cells.fold(0, |bits, (dx, _)| bits | walled >> (3 + dx)) & u32::from(FULL_ROW)
                    } else {
                        u32::from(FULL_ROW)
                    };
                    *blocked |= u64::from(bits) << (16 * state);
                }
            }
        }
        let all = LANE_ONES * u64::from(FULL_ROW);
        let empty_top_row = all & !blocked.iter().fold(0, |any, table| any | table[0]);
        let clear_of_top = std::array::from_fn(|y| {
            let fits = (0..4).filter(|&state| y > piece_rows[state as usize].up);
            fits.fold(0, |states, state| states | u64::from(FULL_ROW) << (16 * state))
        });
        Self { shape, piece_rows, blocked, empty_top_row, clear_of_top }
    }
}

/// The lowest bit of each of four states.
const LANE_ONES: u64 = 0x0001_0001_0001_0001;

/// The rows from the center up (negative) and down that some state of a shape covers.
const fn row_span(shape: Shape) -> (i8, i8) {
    match shape {
        Shape::I => (-2, 1),
        Shape::L | Shape::J => (-2, 2),
        Shape::O => (-1, 0),
        Shape::T | Shape::S | Shape::Z => (-1, 1),
    }
}

/// Calls `visit` with the state, column and row of every place where a piece rests after some legal presses and leaves row
/// 0 empty: by rows from the top, in each by state and column.
///
/// A piece moves sideways and turns in place within a row, and falls to the next. So one pass over the rows finds all:
/// what is reached of a row is what falls into it, and what steps and turns make of that.
#[inline(always)]
pub(super) fn for_each_placement(
    moves: &MoveTables,
    state: u8,
    rows: &PaddedRows,
    visit: impl FnMut(usize, u32, usize),
) {
    let top = highest_row(rows);
    match moves.shape {
        Shape::I => scan_rows::<4, 2, 2>(moves, state, rows, top, visit),
        Shape::L | Shape::J => scan_rows::<5, 2, 4>(moves, state, rows, top, visit),
        Shape::T => scan_rows::<3, 1, 4>(moves, state, rows, top, visit),
        Shape::O => scan_rows::<2, 1, 1>(moves, state, rows, top, visit),
        Shape::S | Shape::Z => scan_rows::<3, 1, 2>(moves, state, rows, top, visit),
    }
}

/// [`for_each_placement`] for a shape that covers `SPAN` rows, `UP` of them above the center, in `STATES` states; the highest
/// row of the stack is `top`.
#[inline(always)]
fn scan_rows<const SPAN: usize, const UP: usize, const STATES: usize>(
    moves: &MoveTables,
    state: u8,
    rows: &PaddedRows,
    top: usize,
    mut visit: impl FnMut(usize, u32, usize),
) {
    let Some(blocked) = moves.blocked.first_chunk::<SPAN>() else { return };
    let fits = |y: usize| {
        let mut any = 0;
        for (i, table) in blocked.iter().enumerate() {
            any |= table[usize::from(rows[(y + 2 - UP + i) & 31] & FULL_ROW)];
        }
        !any & (LANE_ONES * u64::from(FULL_ROW))
    };
    let mut free = fits(0);
    let spawn = (1 << (16 * (usize::from(state) % STATES) + 4)) & free;
    // Nothing in the way: from the spawn everywhere, down to the stack.
    let unobstructed = free == moves.empty_top_row && spawn != 0;
    let mut reached = if unobstructed { free } else { flood::<STATES>(spawn, free) };
    let start = if unobstructed { top.saturating_sub(SPAN - UP) } else { 0 };
    for y in start..ROWS {
        let below = if y + 1 < ROWS { fits(y + 1) } else { 0 };
        let mut resting = reached & !below & if y < 3 { moves.clear_of_top[y] } else { !0 };
        while resting != 0 {
            let bit = resting.trailing_zeros();
            resting &= resting - 1;
            visit(bit as usize / 16, bit % 16, y);
        }
        free = below;
        reached &= free;
        if reached == 0 {
            return;
        }
        if reached != free {
            reached = flood::<STATES>(reached, free);
        }
    }
}

/// Everything that steps to the sides and turns row_span within a row.
#[inline(always)]
fn flood<const STATES: usize>(mut reached: u64, free: u64) -> u64 {
    loop {
        let turned = match STATES {
            1 => 0,
            2 => reached << 16 | reached >> 16,
            _ => reached.rotate_left(16),
        };
        let more = (reached | reached << 1 | reached >> 1 | turned) & free;
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

/// Every place where a piece can lock on something (the stack, an overhang's shelf, the floor) by single legal presses,
/// tucks and spins included, and leave row 0 empty: by rows from the top, in each by state and column. None if it can't
/// spawn.
///
/// ```
/// use tetris_ai::{beam::placements, contest::{Board, Piece, Shape}};
/// assert_eq!(placements(&Board::new(), Piece::new(Shape::T, 0)).len(), 34);
/// // Upright everywhere; along the floor, under the roof too; on the roof.
/// let board: Board = "......####\n..........".parse()?;
/// assert_eq!(placements(&board, Piece::new(Shape::I, 1)).len(), 10 + 7 + 4);
/// # Ok::<(), tetris_ai::ParseBoardError>(())
/// ```
pub fn placements(board: &Board, piece: Piece) -> Vec<Placement> {
    let mut placements = Vec::new();
    let moves = &MOVE_TABLES[piece.shape() as usize];
    for_each_placement(moves, piece.state(), &padded(board.rows()), |state, x, y| {
        placements.push(Placement { state: state as u8, x: x as u8, y: y as u8 });
    });
    placements
}
