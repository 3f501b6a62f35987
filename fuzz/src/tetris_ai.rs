//! Every mutable type of `tetris-ai`: a program of operations against plain code, on every level.

mod doors;
#[path = "../../crates/tetris-ai/tests/properties/mod.rs"]
mod properties;

pub(crate) use doors::doors;

use properties::{beams, bots, contests, controllers, trees};
use testkit::Input;

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(22) {
        0 | 1 => contests::board(&input),
        2..=4 => contests::game(&input),
        5 | 6 => trees::children(&input),
        7 | 8 => beams::placements(&input),
        9 => beams::beam(&input),
        10 => beams::time_manager(&input),
        11 => trees::search(&input),
        12 | 13 => trees::solver(&input),
        14 => bots::versus(&input),
        15 => bots::search(&input),
        16 => bots::state(&input),
        17 => controllers::games(&input),
        18 => controllers::choices(&input),
        19 => bots::advance(&input),
        20 => beams::values(&input),
        _ => bots::player(&input),
    }
}
