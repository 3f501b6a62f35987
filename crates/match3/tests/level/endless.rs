//! Cascades that would refill themselves for ever return within the bound of their level.

use bitcore::Rng;
use match3::level::{Level, LevelGame, LevelSpec, Limit};
use match3::special::{SpecialBoard, SpecialEvent};
use match3::{CascadeResult, Colors, RandomColors, is_stable};

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

/// The first move of these games that doesn't come to rest ends within the bound of old boards,
/// with and without a journal.
#[test]
fn special_boards_return() {
    for (side, colors) in [(16, 3), (64, 4)] {
        let mut rng = Rng::new(0);
        let mut board = SpecialBoard::deal(side, side, colors, &mut rng).expect("a board");
        let mut source = RandomColors::new(colors, rng).expect("colors");
        let before = loop {
            let before = (board.clone(), source.clone());
            let swap = board.swaps()[0];
            let result = board.try_swap(swap, || source.next(), &mut ()).expect("a legal swap");
            if result.is_limited() {
                assert_eq!(result.levels, CascadeResult::MAX_LEVELS);
                break before;
            }
        };
        assert!(!is_stable(board.board()));
        if side == 16 {
            let (mut other, mut source) = before;
            let mut events: Vec<SpecialEvent> = Vec::new();
            let swap = other.swaps()[0];
            other.try_swap(swap, || source.next(), &mut events).expect("a legal swap");
            assert_eq!(other, board);
        }
    }
}
