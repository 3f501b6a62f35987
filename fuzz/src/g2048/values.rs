//! What the targets of a game take from their input.

use crate::kit::Input;
use g2048::{Board, Size};

pub(super) fn any_size(input: &Input) -> Size {
    match input.below(4) {
        0 => Size::CLASSIC,
        _ => Size::new(2 + input.below(7), 2 + input.below(7)).expect("a size"),
    }
}

/// Takes a board with few or many kinds of tiles.
pub(super) fn any_board(input: &Input, size: Size) -> Board {
    let kinds = *input.pick(&[2, 3, 4, 7, 17, 51]);
    let ranks: Vec<u8> = (0..size.cells()).map(|_| input.byte() % kinds).collect();
    Board::from_ranks(size, &ranks).expect("ranks of a board")
}
