//! Every level against the references, which are written cell by cell, and the digest that all levels share.

mod agents;
mod batch;
mod batch_ways;
mod lists;
mod planes;

#[test]
fn digests_are_equal() {
    testkit::digest("match3", include_str!("data/digest.txt"), match3::digest);
}
