//! Random play against the plain rules.

use bitcore::{Level, Rng};
use tetris::playout::{RandomGame, Tally};
use tetris::reference;

fn play_in_parts(level: Level, seed: u64, pieces: u64) -> (Tally, RandomGame) {
    let mut game = RandomGame::new(Rng::new(seed));
    let mut tally = Tally::default();
    while tally.pieces < pieces {
        tally += game.play_on(level, (pieces - tally.pieces).min(37));
    }
    (tally, game)
}

#[test]
fn random_games_are_those_of_the_plain_rules() {
    let _ = testkit::levels();
    let mut all = Tally::default();
    for seed in 0..testkit::cases(200) {
        let mut rng = Rng::new(seed);
        let (tally, board) = reference::playout::play(&mut rng, 100);
        for level in Level::all() {
            let (found, game) = play_in_parts(level, seed, 100);
            assert_eq!((found, *game.board()), (tally, board));
            assert_eq!(*game.rng(), rng);
        }
        all += tally;
    }
    if std::env::var_os(testkit::EMULATED).is_none() {
        assert!(all.games > 300 && all.lines > 10, "{all:?}");
    }
}
