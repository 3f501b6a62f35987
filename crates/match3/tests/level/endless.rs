//! Cascades that would refill themselves for ever return within the bound of their level.

use bitcore::Rng;
use match3::RandomColors;
use match3::level::{Level, LevelGame, LevelSpec, Limit};

fn play(side: usize, colors: u8, seed: u64) -> bool {
    let mut spec = LevelSpec::new(side, side);
    spec.colors = vec![1; colors.into()];
    spec.limit = Limit::Moves(5);
    let mut source = RandomColors::new(colors, Rng::new(seed)).expect("colors");
    let mut game = LevelGame::new(Level::new(spec).expect("a level"), &mut source).expect("a game");
    let mut is_limited = false;
    while !game.is_over() {
        let swap = game.legal_moves()[0];
        let result = game.play(swap, &mut source, &mut ()).expect("a legal swap");
        assert!(result.cascade.levels <= 100);
        is_limited |= result.is_limited;
    }
    is_limited
}

#[test]
fn few_colors_on_large_boards_return() {
    assert!((0..3).any(|seed| play(16, 3, seed)));
    assert!((0..3).any(|seed| play(64, 4, seed)));
}
