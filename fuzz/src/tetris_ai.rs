//! Every type of `tetris-ai` that changes, as a program of operations against plain code on every level.

mod beams;
mod bots;
mod contests;
mod controllers;
mod doors;
mod trees;

pub(crate) use doors::doors;

use crate::kit::Input;
use tetris_ai::contest::{Board, COLUMNS, ROWS};

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(20) {
        0 | 1 => contests::board(&input),
        2..=4 => contests::game(&input),
        5 | 6 => trees::hard_drops(&input),
        7 | 8 => beams::placements(&input),
        9 => beams::beam(&input),
        10 => beams::time_manager(&input),
        11 => trees::search(&input),
        12 | 13 => trees::solver(&input),
        14 => bots::versus(&input),
        15 => bots::search(&input),
        16 => bots::state(&input),
        17 => controllers::games(&input),
        _ => controllers::choices(&input),
    }
}

/// Takes a board of the contest: no full row, an empty row at the top.
fn board(input: &Input) -> Board {
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
fn low_board(input: &Input, height: usize) -> tetris::Board {
    let column = |_| match input.below(3) {
        0 => u64::from(input.u32()) & ((1 << height) - 1),
        _ => (1 << input.below(height + 1)) - 1,
    };
    tetris::Board::from_columns(std::array::from_fn(column)).expect("low columns")
}
