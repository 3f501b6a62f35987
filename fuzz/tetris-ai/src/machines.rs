//! Every type of `tetris-ai` that changes, as a program of operations against plain code on every level.

mod beams;
mod bots;
mod contests;
mod controllers;
mod trees;

use fuzzkit::Input;
use tetris_ai::contest::{Board, COLUMNS, ROWS};

/// Runs the bytes as a program of one machine, chosen by the first byte.
pub fn machines(data: &[u8]) {
    let mut input = Input::new(data);
    match input.below(20) {
        0 | 1 => contests::board(&mut input),
        2..=4 => contests::game(&mut input),
        5 | 6 => trees::hard_drops(&mut input),
        7 | 8 => beams::placements(&mut input),
        9 => beams::beam(&mut input),
        10 => beams::time_manager(&mut input),
        11 => trees::search(&mut input),
        12 | 13 => trees::solver(&mut input),
        14 => bots::versus(&mut input),
        15 => bots::search(&mut input),
        16 => bots::state(&mut input),
        17 => controllers::games(&mut input),
        _ => controllers::choices(&mut input),
    }
}

/// Takes a board of the contest: no full row, an empty row at the top.
fn board(input: &mut Input) -> Board {
    let height = input.below(ROWS);
    let kind = input.byte();
    let row = |input: &mut Input| {
        let row = match kind % 3 {
            0 => input.u16(),
            1 => input.u16() | input.u16(),
            _ => !(1 << input.below(COLUMNS)),
        };
        let full = (1 << COLUMNS) - 1;
        if row & full == full { row & !(1 << (height % COLUMNS)) } else { row }
    };
    let text = |row: u16| (0..COLUMNS).map(|x| if row >> x & 1 == 1 { '#' } else { '.' }).collect::<String>();
    let rows: Vec<String> = (0..height).map(|_| text(row(input))).collect();
    rows.join("\n").parse().expect("rows that are not full")
}
