//! What the targets of a game take from their input.

use bitcore::Rng;
use match3::{Axis, Board, Cell, Swap};
use testkit::Input;

pub(crate) fn cell(byte: u8) -> Cell {
    let piece = Cell::new(1 + (byte & 0x3f) % 35).expect("a color");
    match byte {
        0..=63 => piece,
        64..=79 => Cell::EMPTY,
        80..=95 => Cell::BLOCKED,
        96..=127 => piece.locked(),
        // Few colors.
        _ => Cell::new(1 + byte % 7).expect("a color"),
    }
}

/// Takes a board with sides up to `longest`: cell by cell, or random cells of a seed.
pub(crate) fn any_board(input: &Input, longest: usize, colors: u32) -> Board {
    let (width, height) = (1 + input.below(longest), 1 + input.below(longest));
    let kind = input.below(4);
    let mut rng = Rng::new(if kind == 0 { 0 } else { input.u16().into() });
    let byte = |_| match kind {
        0 => input.byte(),
        // A share of the boards is full of unlocked pieces.
        2 | 3 if rng.below(8) == 0 => 64 + rng.below(64) as u8,
        _ => rng.below(colors) as u8,
    };
    let cells = (0..width * height).map(byte).map(cell).collect();
    Board::from_cells(width, height, cells).expect("sides that a board has")
}

pub(crate) fn any_axis(input: &Input) -> Axis {
    if input.flag() { Axis::Horizontal } else { Axis::Vertical }
}

/// Takes one of some legal swaps, sometimes one that may lie outside of the board.
pub(crate) fn any_swap(input: &Input, board: &Board, legal: &[Swap]) -> Swap {
    if !legal.is_empty() && input.byte() >= 32 {
        return *input.pick(legal);
    }
    let axis = any_axis(input);
    Swap { x: input.below(board.width() + 1), y: input.below(board.height() + 1), axis }
}

/// Returns the same colors at every call: random ones, enough for every cascade to end.
pub(crate) fn draws(seed: u64, colors: u32) -> impl FnMut() -> u8 {
    let mut rng = Rng::new(seed);
    move || 1 + rng.below(colors) as u8
}
