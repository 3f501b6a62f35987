//! Every level against the references, which are written cell by cell, and the digest that all levels share.

mod agents;
mod batch;
mod batch_ways;
mod lists;
mod planes;

testkit::properties! {
    boards: crate::properties::board::run, 400;
    batches: crate::properties::batch::run, 200;
    playouts: crate::properties::playouts::run, 200;
    special_boards: crate::properties::special::run, 400;
    agents: crate::properties::agents::run, 100;
}

#[test]
fn digests_are_equal() {
    testkit::digest("match3", include_str!("data/digest.txt"), match3::digest);
}
