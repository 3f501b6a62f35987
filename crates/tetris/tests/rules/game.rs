//! Positions with known results, and texts. `properties::game` plays games against plain rules.

use bitcore::Rng;
use tetris::{
    Error, Game, GameError, Location, LockResult, Move, Orientation, Piece, Placement, Position,
    RandomGame, Rules, Spin, TopOut,
};

fn scene(board: &str, queue: &[Piece]) -> Game {
    let position = Position { board: board.parse().unwrap(), queue, ..Position::default() };
    Game::from_position(Rules::default(), position, &mut Rng::new(1)).unwrap()
}

fn play(game: &mut Game, lines: u32, spin: Spin) -> LockResult {
    let fits = |turn: &Move| {
        let mut board = game.board().place(turn.placement.at).unwrap();
        !turn.hold && turn.placement.spin == spin && board.clear_lines() == lines
    };
    let found = game.legal_moves().into_iter().find(fits);
    game.play(found.expect("such a move"), &mut Rng::new(2)).unwrap()
}

#[test]
fn attacks_of_the_guideline() {
    // A quad, a second one back-to-back, then a third.
    let mut game = scene(&"#########.\n".repeat(12), &[Piece::I; 5]);
    assert_eq!([4, 4].map(|lines| play(&mut game, lines, Spin::None).attack), [4, 4 + 1]);
    assert_eq!(game.back_to_back(), 2);
    assert_eq!(game.combo(), 2);
    let last = play(&mut game, 4, Spin::None);
    // The field is empty.
    assert_eq!(last.attack, 4 + 1 + 1 + 10);
    assert!(last.clear.perfect);
    assert_eq!(last.clear.combo, 3);

    // A T-spin double in its slot, and a triple with the fifth kick.
    let double = "##........\n#...######\n##.#######";
    let triple = "...##.....\n...#......\n####.#####\n####..####\n####.#####";
    for (board, lines, attack) in [(double, 2, 4), (triple, 3, 6)] {
        let result = play(&mut scene(board, &[Piece::T]), lines, Spin::Full);
        assert_eq!(result.attack, attack, "{board}");
        assert_eq!(result.clear.back_to_back, 1, "{board}");
    }

    // A plain single breaks the chain; a lock without a clear doesn't.
    let position = Position {
        board: "#########.".parse().unwrap(),
        queue: &[Piece::O, Piece::I],
        back_to_back: 3,
        combo: 5,
        ..Position::default()
    };
    let mut game = Game::from_position(Rules::default(), position, &mut Rng::new(1)).unwrap();
    for (lines, chain, combo) in [(0, 3, 0), (1, 0, 1)] {
        play(&mut game, lines, Spin::None);
        assert_eq!(game.back_to_back(), chain);
        assert_eq!(game.combo(), combo);
    }
}

#[test]
fn turns_ends_and_errors_are_written() {
    let at = Location { piece: Piece::T, orientation: Orientation::South, x: 4, y: 1 };
    let turn = |hold, spin| Move { hold, placement: Placement { at, spin } }.to_string();
    for (found, expected) in [
        (turn(false, Spin::None), "T south 4 1"),
        (turn(true, Spin::Full), "hold T south 4 1 full"),
        (TopOut::Block.to_string(), "block out"),
        (TopOut::Lock.to_string(), "lock out"),
        (TopOut::Garbage.to_string(), "garbage out"),
        (
            GameError::Unreachable { at, spin: Spin::Mini }.to_string(),
            "T south 4 1 (spin: mini) can't be reached",
        ),
        (GameError::Over(TopOut::Lock).to_string(), "the game is over: lock out"),
        (Error::QueueLength { max: 2, found: 3 }.to_string(), "expected at most 2 pieces, found 3"),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn games_are_plain_values() {
    fn is<T: Clone + Send + Sync + Eq + 'static>(_: &T) {}
    is(&Game::new(Rules::default(), &mut Rng::new(1)));
    is(&RandomGame::new(Rng::new(1)));
}
