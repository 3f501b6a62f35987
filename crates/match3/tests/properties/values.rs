//! Values that the properties draw from their input.

use super::plain::cells;
use bitcore::Rng;
use match3::special::{Special, SpecialBoard};
use match3::{Axis, Board, Cell, Swap};
use testkit::Input;

pub(crate) const KINDS: [Special; 4] =
    [Special::Row, Special::Column, Special::Bomb, Special::Color];

pub(crate) fn color(number: u8) -> Cell {
    Cell::new(number).expect("a color")
}

pub(crate) fn cell(byte: u8) -> Cell {
    let piece = color(1 + (byte & 0x3f) % 35);
    match byte {
        0..=63 => piece,
        64..=79 => Cell::EMPTY,
        80..=95 => Cell::BLOCKED,
        96..=127 => piece.locked(),
        // Few colors.
        _ => color(1 + byte % 7),
    }
}

/// Takes a side up to `longest`, often 8, the size that fills a kernel's words.
fn any_side(input: &Input, longest: usize) -> usize {
    match input.byte() {
        216.. => longest.min(8),
        byte => 1 + usize::from(byte) % longest,
    }
}

/// Takes a board with sides up to `longest`, either cell by cell or with random cells from a seed.
pub(crate) fn any_board(input: &Input, longest: usize, colors: u32) -> Board {
    let width = any_side(input, longest);
    let height = any_side(input, longest);
    let choice = usize::from(input.byte());
    let kind = choice % 4;
    // Half of the random boards are full of unlocked pieces. In the others, up to half of the cells
    // are of other kinds: empty, blocked and locked, as in the text form.
    let one_in = [8, 8, 4, 2][choice / 4 % 4];
    let marks = [b".#!!", b"....", b"!!!!", b"..!!"][choice / 16 % 4];
    let mut rng = Rng::new(if kind == 0 { 0 } else { input.u16().into() });
    let random = |_| {
        if kind == 0 {
            return cell(input.byte());
        }
        let is_marked = kind > 1 && rng.below(one_in) == 0;
        let mark = marks[rng.below(4) as usize];
        let piece = color(1 + rng.below(colors) as u8);
        match mark {
            _ if !is_marked => piece,
            b'.' => Cell::EMPTY,
            b'#' => Cell::BLOCKED,
            _ => piece.locked(),
        }
    };
    let cells = (0..width * height).map(random).collect();
    Board::from_cells(width, height, cells).expect("sides that a board has")
}

pub(crate) fn with_specials(board: Board, percent: u32, seed: u64) -> SpecialBoard {
    let mut special = SpecialBoard::from(board);
    let mut rng = Rng::new(seed);
    for (x, y) in cells(&special.board().clone()) {
        let kind = KINDS[rng.below(4) as usize];
        if rng.below(100) < percent && !special.board()[(x, y)].is_hole() {
            special.set_special(x, y, Some(kind)).expect("a piece");
        }
    }
    special
}

pub(crate) fn any_axis(input: &Input) -> Axis {
    if input.flag() { Axis::Horizontal } else { Axis::Vertical }
}

/// Takes one of the given legal swaps, or sometimes a swap that may be outside the board.
pub(crate) fn any_swap(input: &Input, board: &Board, legal: &[Swap]) -> Swap {
    if !legal.is_empty() && input.byte() >= 32 {
        return *input.pick(legal);
    }
    let axis = any_axis(input);
    Swap { x: input.below(board.width() + 1), y: input.below(board.height() + 1), axis }
}

/// Returns the same colors on every call: random ones, enough for every cascade to end.
pub(crate) fn draws(seed: u64, colors: u32) -> impl FnMut() -> u8 {
    let mut rng = Rng::new(seed);
    move || 1 + rng.below(colors) as u8
}

/// Like [`draws`], with seven colors. For a quarter of the seeds, some numbers are not colors and
/// must be clamped.
pub(crate) fn wild_draws(seed: u64) -> impl FnMut() -> u8 {
    let mut rng = Rng::new(seed);
    let is_wild = seed % 4 == 3;
    move || match rng.below(50) {
        0 if is_wild => 0,
        1 if is_wild => 200,
        number => 1 + number as u8 % 7,
    }
}
