//! Every kernel on every level against definitions cell by cell and key press by key press.

mod batch;
mod boards;
mod features;
mod movegen;
mod playout;

testkit::properties! {
    board: crate::properties::boards::board, 600;
    simd_board: crate::properties::boards::simd_board, 600;
    garbage_queue: crate::properties::boards::garbage_queue, 600;
    placements: crate::properties::placements::placements, 300;
    locations: crate::properties::placements::locations, 300;
    keys: crate::properties::placements::keys, 300;
    perft: crate::properties::placements::perft, 100;
    bags: crate::properties::game::bag, 300;
    random_games: crate::properties::game::random_game, 200;
    games: crate::properties::game::game, 300;
    real_time_games: crate::properties::real_time::real_time, 200;
    batches: crate::properties::batch::run, 200;
}

#[test]
fn digests_are_equal() {
    testkit::digest("tetris", include_str!("data/digest.txt"), tetris::digest);
}
