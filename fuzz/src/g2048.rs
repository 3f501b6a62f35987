//! Every type of `g2048` that changes, as a program of operations against its reference on every level.

mod batch;
mod boards;
mod checksum;
mod doors;
mod learner;
mod playouts;
mod values;

pub(crate) use doors::doors;

use crate::kit::Input;

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(64) {
        0..21 => boards::run(&input),
        21..42 => batch::run(&input),
        42..53 => playouts::run(&input),
        53..63 => playouts::perft(&input),
        _ => learner::run(&input),
    }
}
