//! Every mutable type of `match3`: a program of operations against its reference, on every level.

mod doors;
#[path = "../../crates/match3/tests/properties/mod.rs"]
mod properties;

pub(crate) use doors::doors;

use properties::{arrangements, batch, board, players, playouts, special};
use testkit::Input;

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(7) {
        0 => board::run(&input),
        1 => batch::run(&input),
        2 => {
            playouts::run(&input);
            playouts::positions(&input);
        }
        3 => special::run(&input),
        4 => players::run(&input),
        5 => arrangements::run(&input),
        _ => playouts::deals(&input),
    }
}
