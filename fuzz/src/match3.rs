//! Every type of `match3` that changes, as a program of operations against its reference on every level.

mod doors;
#[path = "../../crates/match3/tests/properties/mod.rs"]
mod properties;

pub(crate) use doors::doors;

use properties::{agents, batch, board, playouts, special};
use testkit::Input;

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(5) {
        0 => board::run(&input),
        1 => batch::run(&input),
        2 => playouts::run(&input),
        3 => special::run(&input),
        _ => agents::run(&input),
    }
}
