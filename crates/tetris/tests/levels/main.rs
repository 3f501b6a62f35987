//! Every level, and every clever way, against definitions that go cell by cell and key press by key press.

mod batch;
mod boards;
mod features;
mod movegen;
mod playout;
mod random_boards;

#[test]
fn digests_are_equal() {
    testkit::digest("tetris", tetris::digest);
}
