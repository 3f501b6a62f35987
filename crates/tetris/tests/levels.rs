//! Every kernel on every level, against definitions cell by cell and key press by key press.

mod batch;
mod features;
mod movegen;
mod reach;

testkit::properties! {
    boards: crate::properties::boards::board, 20_000;
    simd_boards: crate::properties::boards::simd_board, 20_000;
    simd_board_lines: crate::properties::boards::simd_board_lines, 4_000;
    garbage_queues: crate::properties::boards::garbage_queue, 1_000;
    messiness: crate::properties::boards::messiness, 2_000;
    placements: crate::properties::placements::placements, 8_000;
    locations: crate::properties::placements::locations, 300;
    keys: crate::properties::placements::keys, 1_000;
    perft: crate::properties::placements::perft, 500;
    attacks: crate::properties::game::attack, 20_000;
    bags: crate::properties::game::bag, 300;
    random_games: crate::properties::game::random_game, 1_000;
    playouts: crate::properties::game::playouts, 200;
    games: crate::properties::game::game, 2_000;
    real_time_games: crate::properties::real_time::real_time, 400;
    versus_games: crate::properties::versus::versus, 200;
    batches: crate::properties::batch::run, 600;
    keys_batches: crate::properties::keys::run, 600;
}

#[test]
fn digests_are_equal() {
    testkit::digest("tetris", include_str!("data/digest.txt"), tetris::digest);
}
