//! Every mutable type of `tetris`: a program of operations against its reference, on every level.

mod doors;
#[path = "../../crates/tetris/tests/properties/pages.rs"]
mod pages;
#[path = "../../crates/tetris/tests/properties/mod.rs"]
mod properties;
mod recording;

pub(crate) use doors::doors;
pub(crate) use recording::recording;

use properties::{batch, boards, game, keys, placements, versus};
use testkit::Input;

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(16) {
        0 => boards::board(&input),
        1 => {
            boards::simd_board(&input);
            boards::simd_board_lines(&input);
        }
        2 => boards::garbage_queue(&input),
        3 => placements::placements(&input),
        4 => placements::locations(&input),
        5 => placements::keys(&input),
        6 => placements::perft(&input),
        7 => game::bag(&input),
        8 => game::random_game(&input),
        9 => game::game(&input),
        10 => batch::run(&input),
        11 => keys::run(&input),
        12 => game::attack(&input),
        13 => boards::messiness(&input),
        14 => versus::versus(&input),
        _ => game::playouts(&input),
    }
}

pub(crate) fn real_time(data: &[u8]) {
    properties::real_time::real_time(&Input::new(data));
}
