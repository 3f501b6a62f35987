//! Observations: the screen of a real-time game as planes of flags.

use crate::batch::observation::write_rows;
use crate::board::WIDTH;
use crate::location::Location;
use crate::piece::{Orientation, Piece};
use crate::real_time::RealTimeGame;
use bitcore::Isa;

/// The number of planes of an observation.
pub const PLANES: usize = 4;
/// The number of rows of a plane: the visible ones, and those above them where pieces spawn and
/// rotate.
pub const ROWS: usize = 24;
/// The number of columns of a plane.
pub const COLUMNS: usize = WIDTH;
/// The number of bytes of an observation.
pub const CELLS: usize = PLANES * ROWS * COLUMNS;

const PLANE: usize = ROWS * COLUMNS;

/// The row of the last plane after the preview.
const ORIENTATION: usize = 17;

#[inline(always)]
pub(super) fn write<S: Isa>(isa: S, game: &RealTimeGame, obs: &mut [u8; CELLS]) {
    write_rows(isa, game.board(), ROWS, obs);
    let ([_, falling, ghost, rows], _) = obs.as_chunks_mut::<PLANE>() else { return };
    let at = game.falling_or_next();
    write_piece(at, falling);
    write_piece(at.and_then(|at| game.board().landing_with(isa, at)), ghost);
    rows.fill(0);
    let rows = rows.as_chunks_mut::<WIDTH>().0;
    if let Some(at) = at {
        rows[0][at.piece as usize] = 1;
        rows[ORIENTATION][at.orientation as usize] = 1;
    }
    if let Some(held) = game.held() {
        rows[1][held as usize] = 1;
    }
    rows[1][9] = game.can_hold().into();
    for (row, &piece) in rows[2..ORIENTATION].iter_mut().zip(game.next()) {
        row[piece as usize] = 1;
    }
    let timing = game.rules().timing;
    let game_so_far = game.game();
    let (part, row) = game.fallen();
    rows[18] = bar(game_so_far.combo().into());
    rows[19] = bar(game_so_far.back_to_back().into());
    rows[20] = bar(tenths(game.rested().into(), timing.lock_delay.into()));
    rows[21] = bar(tenths(game.resets().into(), timing.lock_resets.into()));
    rows[22] = bar(tenths(part, row));
    rows[23] = bar(game.level().div_ceil(2).into());
}

#[inline(always)]
fn write_piece(at: Option<Location>, plane: &mut [u8; PLANE]) {
    plane.fill(0);
    let Some(at) = at else { return };
    let center = (ROWS as i32 - 1 - i32::from(at.y)) * WIDTH as i32 + i32::from(at.x);
    for offset in OFFSETS[at.piece as usize][at.orientation as usize] {
        // Cells above the plane wrap around to large numbers.
        if let Some(cell) = plane.get_mut((center + i32::from(offset)) as usize) {
            *cell = 1;
        }
    }
}

/// Returns a row with the first `count` columns set.
#[inline(always)]
fn bar(count: u64) -> [u8; WIDTH] {
    BARS[count.min(WIDTH as u64) as usize]
}

#[inline(always)]
fn tenths(part: u64, whole: u64) -> u64 {
    // Most of the time nothing is used up, and a division takes longer than a branch.
    if part == 0 || whole == 0 {
        return 0;
    }
    match part.checked_mul(10) {
        Some(ten) => ten / whole,
        None => (10 * u128::from(part) / u128::from(whole)) as u64,
    }
}

static BARS: [[u8; WIDTH]; WIDTH + 1] = {
    let mut bars = [[0; WIDTH]; WIDTH + 1];
    let mut i = 0;
    while i < bars.len() * WIDTH {
        bars[i / WIDTH][i % WIDTH] = (i % WIDTH < i / WIDTH) as u8;
        i += 1;
    }
    bars
};

/// The four cells of a piece, counted from its center in a plane, by piece and orientation.
static OFFSETS: [[[i8; 4]; 4]; 7] = {
    let mut table = [[[0; 4]; 4]; 7];
    let mut i = 0;
    while i < 7 * 4 * 4 {
        let (x, y) = Piece::ALL[i / 16].cells(Orientation::ALL[i / 4 % 4])[i % 4];
        table[i / 16][i / 4 % 4][i % 4] = (x - y * WIDTH as i32) as i8;
        i += 1;
    }
    table
};
