//! Random play against its definition.

use bitcore::{Level, Rng};
use tetris::playout::{RandomGame, Stats};
use tetris::reference;

fn play_in_parts(level: Level, seed: u64, pieces: u64) -> (Stats, RandomGame) {
    let mut game = RandomGame::new(Rng::new(seed));
    let mut stats = Stats::default();
    while stats.pieces < pieces {
        stats += game.play_on(level, (pieces - stats.pieces).min(37));
    }
    (stats, game)
}

#[test]
fn random_games_are_those_of_the_plain_rules() {
    let _ = testkit::levels();
    let mut all = Stats::default();
    for seed in 0..testkit::cases(200) {
        let mut rng = Rng::new(seed);
        let (stats, board) = reference::playout::play(&mut rng, 100);
        for level in Level::all() {
            let (found, game) = play_in_parts(level, seed, 100);
            assert_eq!((found, *game.board()), (stats, board));
            assert_eq!(*game.rng(), rng);
        }
        all += stats;
    }
    if std::env::var_os(testkit::EMULATED).is_none() {
        assert!(all.games > 300 && all.lines > 10, "{all:?}");
    }
}
