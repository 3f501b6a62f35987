//! Every type of `match3` that changes, as a program of operations against its reference on every level.

mod agents;
mod batch;
mod board;
mod doors;
mod playouts;
mod special;

pub(crate) use doors::doors;

use crate::kit::Input;
use bitcore::Rng;
use doors::cell;
use match3::{Axis, Board, Swap};

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(5) {
        0 => board::run(&input),
        1 => batch::run(&input),
        2 => playouts::run(&input),
        3 => special::run(&input),
        _ => agents::run(&input),
    }
}

/// Takes a board with sides up to `longest`: cell by cell, or random cells of a seed.
fn any_board(input: &Input, longest: usize, colors: u32) -> Board {
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

fn any_axis(input: &Input) -> Axis {
    if input.flag() { Axis::Horizontal } else { Axis::Vertical }
}

/// Takes one of some legal swaps, sometimes one that may lie outside of the board.
fn any_swap(input: &Input, board: &Board, legal: &[Swap]) -> Swap {
    if !legal.is_empty() && input.byte() >= 32 {
        return *input.pick(legal);
    }
    let axis = any_axis(input);
    Swap { x: input.below(board.width() + 1), y: input.below(board.height() + 1), axis }
}

/// Returns the same colors at every call: random ones, enough for every cascade to end.
fn draws(seed: u64, colors: u32) -> impl FnMut() -> u8 {
    let mut rng = Rng::new(seed);
    move || 1 + rng.below(colors) as u8
}
