//! Controllers of simplified Tetris: a game piece by piece, its end, the mean length of games.

use bitcore::Rng;
use tetris::{Board, Piece};
use tetris_ai::control::{Controller, ControllerWeights, GameLength, SimplifiedGame};
use tetris_ai::reference;

#[test]
fn games_equal_the_reference() {
    for weights in [ControllerWeights::DELLACHERIE, ControllerWeights::DT20] {
        let controller = Controller::new(weights);
        let mut game = SimplifiedGame::new(Rng::new(5));
        for _ in 0..testkit::cases(100) {
            let expected = reference::control::choose(&controller, &game.board(), game.piece(), None);
            assert_eq!(game.choice(&controller), expected);
            let mut after = game.board().place(expected.expect("a drop").at).expect("it fits");
            let lines = game.lines() + u64::from(after.clear_lines());
            game.play(&controller, 1);
            assert_eq!((game.board(), game.lines()), (after, lines));
        }
    }
}

#[test]
fn the_end_of_a_game() {
    // Columns of height 17, column 7 of height 16, no row full: a vertical I ends below row 20 only in column
    // 7, a flat I in seven places.
    let column = (1u64 << 17) - 1;
    let columns: [u64; 10] = std::array::from_fn(|x| column & !(0b10_0000_0001 << (x % 8)));
    let high = Board::from_columns(columns).unwrap();
    let controller = Controller::new(ControllerWeights::DT20);
    assert_eq!(reference::control::drops(&high, Piece::I).len(), 7 + 1);
    assert!(controller.choose(&high, Piece::I, None).is_some());
    let full = Board::from_columns(columns.map(|column| column | 7 << 17 & !(column >> 4))).unwrap();
    for piece in Piece::ALL {
        let drops = reference::control::drops(&full, piece).len();
        assert_eq!(controller.choose(&full, piece, None).is_some(), drops > 0, "{piece}");
    }
}

#[test]
fn game_lengths() {
    assert_eq!(GameLength { lines: 500, ended: 0 }.mean(), None);
    let (low, high) = GameLength { lines: 500, ended: 0 }.interval();
    assert!((low - 500.0 / 3.688_879).abs() < 1e-3 && high.is_none());
    // Tables of chi-squared: 0.0506 and 7.378 with 2 degrees of freedom, 11.143 with 4; 9.591 with 20, 36.781
    // with 22.
    let close = |found: f64, table: f64| (found / table - 1.0).abs() < 0.01;
    let (low, high) = GameLength { lines: 100, ended: 1 }.interval();
    assert!(close(low, 200.0 / 11.143) && close(high.unwrap(), 200.0 / 0.050_64), "{low} {high:?}");
    let (low, high) = GameLength { lines: 1000, ended: 10 }.interval();
    assert!(close(low, 2000.0 / 36.781) && close(high.unwrap(), 2000.0 / 9.591), "{low} {high:?}");
}

#[test]
fn names_of_weights() {
    assert_eq!("dellacherie".parse(), Ok(ControllerWeights::DELLACHERIE));
    let error = "bcts".parse::<ControllerWeights>().unwrap_err();
    assert_eq!(error.to_string(), "expected dellacherie or dt20, found \"bcts\"");
    assert_eq!(
        (ControllerWeights::DT20.to_string(), ControllerWeights::default().to_string()),
        ("dt20".into(), "custom".into())
    );
}
