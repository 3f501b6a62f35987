//! Controllers of simplified Tetris: the end of a game, the mean length of games, names of weights.

use tetris::{Board, Piece};
use tetris_ai::control::{Controller, ControllerWeights, GameLength, reference};

#[test]
fn the_end_of_a_game() {
    // Columns of height 17, except column 7 of height 16; no row is full. A vertical I ends below
    // row 20 only in column 7, a flat I in seven places.
    let column = (1u64 << 17) - 1;
    let columns: [u64; 10] = std::array::from_fn(|x| column & !(0b10_0000_0001 << (x % 8)));
    let high = Board::try_from(columns).unwrap();
    let controller = Controller::new(ControllerWeights::DT20);
    assert_eq!(reference::drops(&high, Piece::I).len(), 7 + 1);
    assert!(controller.choose(&high, Piece::I, None).is_some());
    // Three rows are left, in two columns at each side: too narrow for some pieces.
    let sides =
        std::array::from_fn(
            |x| if (2..8).contains(&x) { columns[x] | 7 << 17 } else { columns[x] },
        );
    let full = Board::try_from(sides).unwrap();
    let mut without = 0;
    for piece in Piece::ALL {
        let drops = reference::drops(&full, piece).len();
        assert_eq!(controller.choose(&full, piece, None).is_some(), drops > 0, "{piece}");
        without += usize::from(drops == 0);
        // A drop after which the next piece has none ranks last.
        let two_piece = Controller { two_piece: true, ..controller };
        for next in Piece::ALL.map(Some) {
            let expected = reference::choose(&two_piece, &high, piece, next);
            assert_eq!(two_piece.choose(&high, piece, next), expected, "{piece} {next:?}");
        }
    }
    assert!((1..7).contains(&without), "{without}");
}

#[test]
fn game_lengths() {
    assert_eq!(GameLength { lines: 500, ended: 0 }.mean(), None);
    let (low, high) = GameLength { lines: 500, ended: 0 }.interval();
    assert!((low - 500.0 / 3.688_879).abs() < 1e-3 && high.is_none());
    // From chi-squared tables: 0.0506 and 7.378 with 2 degrees of freedom, 11.143 with 4; 9.591
    // with 20, 36.781 with 22.
    let close = |found: f64, table: f64| (found / table - 1.0).abs() < 0.01;
    for (lines, ended, few, many) in [(100, 1, 0.050_64, 11.143), (1000, 10, 9.591, 36.781)] {
        let (low, high) = GameLength { lines, ended }.interval();
        assert!(close(low, 2.0 * lines as f64 / many), "{low}");
        assert!(high.is_some_and(|high| close(high, 2.0 * lines as f64 / few)), "{high:?}");
    }
}

#[test]
fn names_of_weights() {
    assert_eq!("dellacherie".parse(), Ok(ControllerWeights::DELLACHERIE));
    let error = "bcts".parse::<ControllerWeights>().unwrap_err();
    assert_eq!(error.to_string(), "expected dellacherie or dt20, found \"bcts\"");
    assert_eq!(ControllerWeights::DT20.to_string(), "dt20");
    assert_eq!(ControllerWeights::default().to_string(), "custom");
}
