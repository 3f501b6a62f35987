//! Every mutable type of `go-mc`: a program of operations against plain code, on every level.

mod doors;
#[path = "../../crates/go-mc/tests/properties/mod.rs"]
mod properties;
#[path = "../../crates/go-mc/tests/properties/records.rs"]
mod records;
#[path = "../../crates/go-mc/tests/properties/searches.rs"]
mod searches;
#[path = "../../crates/go-mc/tests/properties/sessions.rs"]
mod sessions;

pub(crate) use doors::doors;

use properties::{batch, boards, chains, playouts, values};
use testkit::Input;

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(36) {
        0..=7 => boards::board(&input),
        8..=15 => boards::game(&input),
        16 => boards::perft(&input),
        17..=19 => chains::points::<9>(&input),
        20..=24 => chains::chains::<5>(&input),
        25 => chains::chains::<9>(&input),
        26 => chains::chains::<19>(&input),
        27 => playouts::simd(&input),
        28 => playouts::sequential(&input),
        29 => playouts::portions(&input),
        30 | 31 => searches::search(&input),
        32 => chains::foogo(&input),
        33 => playouts::games(&input),
        34 => playouts::from_games(&input),
        _ => batch::run(&input),
    }
}
