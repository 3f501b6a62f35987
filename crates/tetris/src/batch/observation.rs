//! Observations: a game as bytes.

use super::settings::{BatchSettings, Layout};
use crate::board::{Board, WIDTH};
use crate::game::{Game, MAX_NEXT};
use crate::location::Location;
use crate::piece::Piece;
use bitcore::{Bytes, Isa, Lanes};

/// The bytes besides rows and preview: current piece, held piece, combo, back-to-back.
const OTHERS: usize = 4;

/// The planes besides the preview's: board, current piece, its ghost, held piece, combo,
/// back-to-back.
const OTHER_PLANES: usize = 6;

/// Returns the number of elements. There are no planes if a piece is higher than the visible rows.
pub(super) fn cells(settings: &BatchSettings, layout: Layout) -> Option<usize> {
    let board = settings.rows * WIDTH;
    let others = settings.rules.next.min(MAX_NEXT) + usize::from(settings.garbage.is_some());
    match layout {
        Layout::Bytes => Some(board + OTHERS + others),
        Layout::Planes => Some(board * (OTHER_PLANES + others)).filter(|_| settings.rows >= 2),
    }
}

/// Writes an observation in a layout that exists.
#[inline(always)]
pub(super) fn write<S: Isa>(
    isa: S,
    settings: &BatchSettings,
    layout: Layout,
    game: &Game,
    obs: &mut [u8],
) {
    match layout {
        Layout::Bytes => write_bytes(isa, settings, game, obs),
        Layout::Planes => write_planes(isa, settings, game, obs),
    }
}

/// Writes the planes, each of the visible rows from the top.
#[inline(always)]
fn write_planes<S: Isa>(isa: S, settings: &BatchSettings, game: &Game, obs: &mut [u8]) {
    let rows = settings.rows;
    obs.fill(0);
    write_rows(isa, game.board(), rows, &mut obs[..rows * WIDTH]);
    let mut planes = obs.chunks_exact_mut(rows * WIDTH).skip(1);
    let mut draw = |cells: Option<[(i32, i32); 4]>, top: i32| {
        let Some(plane) = planes.next() else { return };
        for (x, y) in cells.into_iter().flatten() {
            // The ghost may be above the visible rows.
            if let Some(cell) =
                usize::try_from((top - y) * WIDTH as i32 + x).ok().and_then(|at| plane.get_mut(at))
            {
                *cell = 1;
            }
        }
    };
    let shape = |piece: Piece| Location::spawn(piece).cells();
    let highest = i32::from(Location::SPAWN_Y) + 1;
    draw(Some(shape(game.piece())), highest);
    let ghost = game.spawn_location(game.piece()).and_then(|at| game.board().landing(at));
    draw(ghost.map(Location::cells), rows as i32 - 1);
    draw(game.held().map(shape), highest);
    for &piece in game.next() {
        draw(Some(shape(piece)), highest);
    }
    let counts = [game.combo(), game.back_to_back(), game.garbage().lines()];
    // Without the option, no plane is left for the garbage.
    for (plane, count) in planes.zip(counts) {
        plane.fill(count.min(u8::MAX.into()) as u8);
    }
}

#[inline(always)]
fn write_bytes<S: Isa>(isa: S, settings: &BatchSettings, game: &Game, obs: &mut [u8]) {
    let rows = settings.rows;
    write_rows(isa, game.board(), rows, obs);
    let others = &mut obs[rows * WIDTH..];
    let byte = |piece: Piece| piece as u8 + 1;
    let (pieces, counts) = others.split_at_mut(2 + game.next().len());
    pieces[0] = byte(game.piece());
    pieces[1] = game.held().map_or(0, byte);
    for (shown, &piece) in pieces[2..].iter_mut().zip(game.next()) {
        *shown = byte(piece);
    }
    let garbage = if settings.garbage.is_some() { game.garbage().lines() } else { 0 };
    // Without the option, the slice ends before the garbage, and `zip` skips it.
    for (shown, count) in counts.iter_mut().zip([game.combo(), game.back_to_back(), garbage]) {
        *shown = count.min(u8::MAX.into()) as u8;
    }
}

/// Writes the lowest rows of a board, from the top down. May overwrite some bytes past them.
///
/// A register contains eight rows of all columns, one byte per column. A row is one bit position:
///
/// ```text
/// byte   0          1          ..  9           16         17         ..
///        column 0   column 1       column 9    column 0   column 1       rows 8 i to 8 i + 7 each
/// bit    y + 1      y + 1          y + 1       y          y              two rows at a time
/// ```
#[inline(always)]
pub(crate) fn write_rows<S: Isa>(isa: S, board: &Board, rows: usize, obs: &mut [u8]) {
    let mut rest = obs;
    for block in (0..rows.div_ceil(8)).rev() {
        let first = 8 * block;
        let eight = eight_rows(isa, board, block);
        let count = (rows - first).min(8);
        for (i, bits) in PAIRS.iter().enumerate().rev() {
            let flags = (eight & isa.u8x32(bits)).min(isa.splat_u8(1)).to_array();
            let (upper, lower) = flags.split_at(16);
            if 2 * i + 1 < count {
                rest = write_row(upper, rest);
            }
            if 2 * i < count {
                rest = write_row(lower, rest);
            }
        }
    }
}

/// Returns eight rows of all columns, one byte per column, in both halves of a register.
#[inline(always)]
fn eight_rows<S: Isa>(isa: S, board: &Board, block: usize) -> S::U8x32 {
    if S::HAS_SIMD {
        let block = isa.splat_u8(block as u8);
        let mut eight = isa.splat_u8(0);
        for (two, from) in board.columns().as_chunks().0.iter().zip(&PICK) {
            let [left, right] = *two;
            let two = isa.bitcast_u64_u8(isa.u64x4(&[left, right, left, right]));
            eight = eight | two.shuffle(isa.u8x32(from) | block);
        }
        return eight;
    }
    // Assembled in words, because a load of bytes stored one by one waits for the stores.
    let mut words = [0; 2];
    for (word, columns) in words.iter_mut().zip(board.columns().chunks(8)) {
        for (column, i) in columns.iter().zip(0..) {
            *word |= (column >> (8 * block) & 255) << (8 * i);
        }
    }
    let [low, high] = words;
    isa.bitcast_u64_u8(isa.u64x4(&[low, high, low, high]))
}

/// The lowest bytes of two columns, at their places among ten, for [`Bytes::shuffle`].
static PICK: [[u8; 32]; WIDTH / 2] = {
    let mut table = [[1 << 7; 32]; WIDTH / 2];
    let mut x = 0;
    while x < WIDTH {
        let from = (x % 2 * 8) as u8;
        (table[x / 2][x], table[x / 2][16 + x]) = (from, from);
        x += 1;
    }
    table
};

/// The six bytes after the row are overwritten if they exist: one 16-byte store instead of two
/// shorter ones.
#[inline(always)]
fn write_row<'a>(row: &[u8], rest: &'a mut [u8]) -> &'a mut [u8] {
    if let Some(place) = rest.first_chunk_mut::<16>() {
        place.copy_from_slice(row);
    } else {
        rest[..WIDTH].copy_from_slice(&row[..WIDTH]);
    }
    &mut rest[WIDTH..]
}

/// Bit masks for two rows, the upper row in the lower half.
static PAIRS: [[u8; 32]; 4] = {
    let mut table = [[0; 32]; 4];
    let mut i = 0;
    while i < 4 * 32 {
        table[i / 32][i % 32] = 1 << (i / 32 * 2 + if i % 32 < 16 { 1 } else { 0 });
        i += 1;
    }
    table
};
