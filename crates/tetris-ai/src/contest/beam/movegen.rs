//! Move generation: every location where a piece can come to rest by single key presses.
//!
//! A piece moves sideways and rotates in place within a row, and moves down to the next row, never
//! up. So one pass over the rows from the top finds all locations:
//!
//! ```text
//! reached = spawn, flooded within row 0
//! for each row y of the center, from the top
//!     below   = locations in row y + 1 where the piece fits
//!     report  reached & !below                     the piece rests there
//!     reached = flood(reached & below)             move down, then sideways and rotate to a fixed point
//! ```
//!
//! One `u64` contains all rotation states for a row of centers. A shift by 1 moves all states by
//! one column; a rotation by 16 bits turns state s into state s + 1:
//!
//! ```text
//! bit  63 ...... 48 47 ...... 32 31 ...... 16 15 ....... 0
//!      |  state 3  |  state 2  |  state 1  |  state 0   |
//!
//! in each lane: bits 0..=9 are the columns of the center, bits 10..=15 are zero
//! ```
//!
//! Lookup tables say where the piece fits: one table per row that the piece can cover maps the ten
//! bits of that row to a word of the center locations that it blocks.

use super::rows::{PaddedRows, PieceRows, highest_row, padded};
use crate::columns::{COLUMNS, ROWS};
use crate::contest::board::{Board, FULL_ROW};
use crate::contest::falling_piece::FallingPiece;
use crate::contest::piece::OrientedPiece;
use std::sync::LazyLock;
use tetris::Piece;

/// The lookup tables of a piece. `blocked[i][row]` is the word of center locations blocked by the
/// cells `row` in the board row that is `i - up` rows below the center.
pub(super) struct MoveTables {
    pub(super) kind: Piece,
    pub(super) piece_rows: [PieceRows; 4],
    blocked: Vec<[u64; 1 << COLUMNS]>,
    /// The center locations in row 0 where the piece fits on an empty board.
    empty_top_row: u64,
    /// For a center in rows 0, 1 and 2, the states that leave row 0 empty.
    clear_of_top: [u64; 3],
}

pub(super) static MOVE_TABLES: LazyLock<[MoveTables; 7]> =
    LazyLock::new(|| Piece::ALL.map(MoveTables::new));

impl MoveTables {
    fn new(kind: Piece) -> Self {
        let piece = |state| OrientedPiece::new(kind, state);
        let states = piece(0).orientations();
        let piece_rows = [0, 1, 2, 3].map(|state| PieceRows::new(piece(state)));
        let up = piece_rows.iter().fold(0, |most, rows| most.max(rows.up));
        let down = piece_rows.iter().fold(0, |most, rows| most.max(rows.height - 1 - rows.up));
        let lane = |state: u8, bits: u32| u64::from(bits & u32::from(FULL_ROW)) << (16 * state);
        let unused = (states..4).fold(0, |lanes, state| lanes | lane(state, !0));
        let mut blocked = vec![[unused; 1 << COLUMNS]; up + 1 + down];
        for state in 0..states {
            for (dx, dy) in piece(state).cells() {
                for (row, blocked) in (0..).zip(&mut blocked[(up as i8 + dy) as usize]) {
                    // Ten columns between two walls, each three columns thick.
                    let walled: u32 = row << 3 | 0b111 | 0b111 << (COLUMNS + 3);
                    *blocked |= lane(state, walled >> (3 + dx));
                }
            }
        }
        let all = LANE_ONES * u64::from(FULL_ROW);
        let empty_top_row = all & !blocked.iter().fold(0, |any, table| any | table[0]);
        let clear_of_top = std::array::from_fn(|y| {
            let fits = (0..4).filter(|&state| y > piece_rows[usize::from(state)].up);
            fits.fold(0, |states, state| states | lane(state, !0))
        });
        Self { kind, piece_rows, blocked, empty_top_row, clear_of_top }
    }
}

const LANE_ONES: u64 = 0x0001_0001_0001_0001;

/// Calls `visit` with the state, column and row of every reachable resting location that leaves row
/// 0 empty, by row from the top, then by state, then by column.
#[inline(always)]
pub(super) fn for_each_placement(
    moves: &MoveTables,
    state: u8,
    rows: &PaddedRows,
    visit: impl FnMut(usize, u32, usize),
) {
    let top = highest_row(rows);
    match moves.kind {
        Piece::I => scan_rows::<4, 2, 2>(moves, state, rows, top, visit),
        Piece::L | Piece::J => scan_rows::<5, 2, 4>(moves, state, rows, top, visit),
        Piece::T => scan_rows::<3, 1, 4>(moves, state, rows, top, visit),
        Piece::O => scan_rows::<2, 1, 1>(moves, state, rows, top, visit),
        Piece::S | Piece::Z => scan_rows::<3, 1, 2>(moves, state, rows, top, visit),
    }
}

/// Runs [`for_each_placement`] for a piece with `STATES` states that cover `SPAN` rows, `UP` of
/// them above the center. `top` is the highest row of the stack.
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
    // Nothing is in the way above the stack: every location is reached, so the pass starts just
    // above it.
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

/// Returns all locations within a row that sideways moves and rotations reach.
#[inline(always)]
fn flood<const STATES: usize>(mut reached: u64, free: u64) -> u64 {
    loop {
        let rotated = match STATES {
            1 => 0,
            2 => reached << 16 | reached >> 16,
            _ => reached.rotate_left(16),
        };
        let more = (reached | reached << 1 | reached >> 1 | rotated) & free;
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

/// Returns the placements of a piece reachable by single legal key presses, tucks and spins
/// included.
///
/// A piece can lock wherever it rests on a filled cell or the floor and leaves row 0 empty.
/// Placements are ordered by row from the top, then by state, then by column. The list is empty if
/// the piece cannot spawn.
///
/// ```
/// use tetris::Piece;
/// use tetris_ai::contest::{Board, OrientedPiece, beam::placements};
/// assert_eq!(placements(&Board::new(), OrientedPiece::new(Piece::T, 0)).len(), 34);
/// // Upright everywhere; flat on the floor, also under the roof; flat on the roof.
/// let board: Board = "......####\n..........".parse()?;
/// assert_eq!(placements(&board, OrientedPiece::new(Piece::I, 1)).len(), 10 + 7 + 4);
/// # Ok::<(), tetris_ai::contest::ParseBoardError>(())
/// ```
pub fn placements(board: &Board, piece: OrientedPiece) -> Vec<FallingPiece> {
    let mut placements = Vec::new();
    let moves = &MOVE_TABLES[piece.kind() as usize];
    for_each_placement(moves, piece.state(), &padded(board.rows()), |state, x, y| {
        placements.push(FallingPiece {
            piece: OrientedPiece::new(piece.kind(), state as u8),
            x: x as i8,
            y: y as i8,
        });
    });
    placements
}
