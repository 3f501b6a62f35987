//! Values that the properties take from their input.

use g2048::{Board, Size};
use testkit::Input;

pub(crate) fn any_size(input: &Input) -> Size {
    match input.below(4) {
        0 => Size::CLASSIC,
        _ => Size::new(2 + input.below(7), 2 + input.below(7)).expect("a size"),
    }
}

/// Takes a board with few or many distinct tiles.
pub(crate) fn any_board(input: &Input, size: Size) -> Board {
    let choice = input.byte();
    let kinds = [2, 3, 4, 7, 17, 51][usize::from(choice) % 6];
    // Some boards are half empty.
    let least = if choice < 192 { 0 } else { 128 };
    let rank = |byte| if byte < least { 0 } else { byte % kinds };
    let ranks: Vec<u8> = (0..size.cells()).map(|_| rank(input.byte())).collect();
    Board::from_ranks(size, &ranks).expect("ranks of a board")
}
