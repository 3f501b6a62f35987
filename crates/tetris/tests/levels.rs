//! Every kernel on every level against definitions cell by cell and key press by key press.

mod batch;
mod boards;
mod features;
mod movegen;
mod playout;

#[test]
fn digests_are_equal() {
    testkit::digest("tetris", include_str!("data/digest.txt"), tetris::digest);
}
