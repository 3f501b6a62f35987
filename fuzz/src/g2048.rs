//! Every mutable type of `g2048`: a program of operations against its reference, on every level.

mod checksum;
mod doors;
#[path = "../../crates/g2048/tests/properties/mod.rs"]
mod properties;

pub(crate) use doors::doors;

use properties::{batch, boards, game, learner, playouts};
use testkit::Input;

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(64) {
        0..21 => boards::run(&input),
        21..42 => batch::run(&input),
        42..49 => playouts::run(&input),
        49..53 => game::run(&input),
        53..63 => playouts::perft(&input),
        _ => learner::run(&input),
    }
}
