//! Every type of `g2048` that changes, as a program of operations against its reference on every level.

mod batch;
mod boards;
mod checksum;
mod doors;
mod learner;
mod playouts;

pub(crate) use doors::doors;

use crate::kit::Input;
use g2048::{Board, Size};

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(64) {
        0..21 => boards::run(&input),
        21..42 => batch::run(&input),
        42..53 => playouts::run(&input),
        53..63 => playouts::perft(&input),
        _ => learner::run(&input),
    }
}

fn any_size(input: &Input) -> Size {
    match input.below(4) {
        0 => Size::CLASSIC,
        _ => Size::new(2 + input.below(7), 2 + input.below(7)).expect("a size"),
    }
}

/// Takes a board with few or many kinds of tiles.
fn any_board(input: &Input, size: Size) -> Board {
    let kinds = *input.pick(&[2, 3, 4, 7, 17, 51]);
    let ranks: Vec<u8> = (0..size.cells()).map(|_| input.byte() % kinds).collect();
    Board::from_ranks(size, &ranks).expect("ranks of a board")
}
