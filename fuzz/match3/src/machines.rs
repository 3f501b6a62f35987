//! Every type of `match3` that changes, as a program of operations against its reference on every level.

mod agents;
mod batch;
mod board;
mod playouts;
mod special;

use crate::doors::cell;
use bitcore::Rng;
use fuzzkit::Input;
use match3::{Axis, Board, Swap};

/// Runs the bytes as a program of one machine, chosen by the first byte.
pub fn machines(data: &[u8]) {
    let mut input = Input::new(data);
    match input.below(5) {
        0 => board::run(&mut input),
        1 => batch::run(&mut input),
        2 => playouts::run(&mut input),
        3 => special::run(&mut input),
        _ => agents::run(&mut input),
    }
}

/// Takes a board with sides up to `longest`: cell by cell, or random cells of a seed.
fn any_board(input: &mut Input<'_>, longest: usize, colors: u32) -> Board {
    let (width, height) = (1 + input.below(longest), 1 + input.below(longest));
    let n = width * height;
    let cells = match input.below(4) {
        0 => (0..n).map(|_| input.byte()).map(cell).collect(),
        kind => {
            let mut rng = Rng::new(input.u16().into());
            let mut draw = |_| {
                // A share of the boards is full of unlocked pieces.
                let special = kind > 1 && rng.below(8) == 0;
                let byte = if special { 64 + rng.below(64) } else { rng.below(colors) };
                cell(byte as u8)
            };
            (0..n).map(&mut draw).collect()
        }
    };
    Board::from_cells(width, height, cells).expect("sides that a board has")
}

/// Takes a swap, which may lie outside of a board.
fn any_swap(input: &mut Input<'_>, board: &Board) -> Swap {
    let axis = if input.flag() { Axis::Horizontal } else { Axis::Vertical };
    Swap { x: input.below(board.width() + 1), y: input.below(board.height() + 1), axis }
}

/// Returns the same colors at every call: random ones, enough for every cascade to end.
fn draws(seed: u64, colors: u32) -> impl FnMut() -> u8 {
    let mut rng = Rng::new(seed);
    move || 1 + rng.below(colors) as u8
}
