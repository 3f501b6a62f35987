//! What the targets of a game take from their input.

use testkit::Input;
use tetris_ai::contest::{Board, COLUMNS, ROWS};

/// Takes a board of the contest: no full row, an empty row at the top.
pub(crate) fn board(input: &Input) -> Board {
    let (height, kind) = (input.below(ROWS), input.byte());
    let row = || {
        let row = match kind % 3 {
            0 => input.u16(),
            1 => input.u16() | input.u16(),
            _ => !(1 << input.below(COLUMNS)),
        };
        let full = (1 << COLUMNS) - 1;
        let row = if row & full == full { row & !(1 << (height % COLUMNS)) } else { row };
        (0..COLUMNS).map(|x| if row >> x & 1 == 1 { '#' } else { '.' }).collect::<String>()
    };
    input.list(height, row).join("\n").parse().expect("rows that are not full")
}

/// Takes a board of the guideline's with columns of up to `height` rows, each without or with holes.
pub(crate) fn low_board(input: &Input, height: usize) -> tetris::Board {
    let column = |_| match input.below(3) {
        0 => u64::from(input.u32()) & ((1 << height) - 1),
        _ => (1 << input.below(height + 1)) - 1,
    };
    tetris::Board::from_columns(std::array::from_fn(column)).expect("low columns")
}
