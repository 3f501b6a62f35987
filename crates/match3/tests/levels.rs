//! Every ISA level against the references, which are written cell by cell, and the digest that all
//! levels share.

mod batch;
mod planes;
mod players;

use crate::properties;

testkit::properties! {
    boards: properties::board::run, 3_000;
    batches: properties::batch::run, 1_000;
    level_batches: crate::level::batch::run, 300;
    playouts: properties::playouts::run, 500;
    playouts_from_positions: properties::playouts::positions, 1_500;
    deals: properties::playouts::deals, 800;
    special_boards: properties::special::run, 4_000;
    players: properties::players::run, 600;
}

#[test]
fn digests_are_equal() {
    testkit::digest("match3", include_str!("data/digest.txt"), match3::digest);
}
