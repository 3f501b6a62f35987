//! Controllers of plain Tetris against their cell-by-cell twins, on every level.

use bitcore::{Level, Rng, dispatch};
use quickcheck::QuickCheck;
use tetris::{Board, Piece};
use tetris_ai::control::{Controller, Lifetime, PlainGame, ROWS, Weights};
use tetris_ai::reference;

/// A board of 20 rows without a full one: low or high, with holes and wells.
fn board(rng: &mut Rng) -> Board {
    let (low, spread, dense) = (rng.below(18), 1 + rng.below(10), 1 + rng.below(10));
    let mut columns: [u64; 10] = std::array::from_fn(|_| {
        let height = (low + rng.below(spread)).min(ROWS as u32);
        (0..height).fold(0, |column, y| column | u64::from(rng.below(10) < dense) << y)
    });
    columns[rng.below(10) as usize] &= !columns.iter().fold(!0, |rows, column| rows & column);
    Board::from_columns(columns).expect("twenty rows")
}

fn piece(rng: &mut Rng) -> Piece {
    Piece::ALL[rng.below(7) as usize]
}

/// Each weight alone, then some of all.
fn weights(rng: &mut Rng) -> Weights {
    let alone = rng.below(18) as usize;
    let w: [i32; 9] =
        std::array::from_fn(|i| if alone < 9 && alone != i { 0 } else { rng.below(2001) as i32 - 1000 });
    Weights {
        landing_height: w[0],
        eroded_cells: w[1],
        row_transitions: w[2],
        column_transitions: w[3],
        holes: w[4],
        cumulative_wells: w[5],
        hole_depth: w[6],
        rows_with_holes: w[7],
        pattern_diversity: w[8],
    }
}

#[test]
fn choices_equal_the_reference() {
    fn property(seed: u64) {
        let mut rng = Rng::new(seed);
        let (board, piece, next) = (board(&mut rng), piece(&mut rng), piece(&mut rng));
        let two_piece = rng.below(8) == 0;
        let controller = Controller { weights: weights(&mut rng), two_piece };
        let expected = reference::control::choose(&controller, &board, piece, Some(next));
        for level in Level::all() {
            let found = dispatch!(level, isa => controller.choose_with(isa, &board, piece, Some(next)));
            assert_eq!(found, expected, "{level} {controller:?} {piece} {next}\n{board}");
        }
    }
    QuickCheck::new().tests(testkit::cases(2_000)).quickcheck(property as fn(u64));
}

#[test]
fn games_equal_the_reference() {
    for weights in [Weights::DELLACHERIE, Weights::DT20] {
        let controller = Controller::new(weights);
        let mut game = PlainGame::new(Rng::new(5));
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

/// The numbers of this program, for whoever changes it: the games must not change.
#[test]
fn games_of_fixed_seeds() {
    // Two weights of Dellacherie's are not enough.
    let short = Weights { cumulative_wells: -100, landing_height: -100, ..Weights::default() };
    for level in testkit::levels() {
        let mut lines = 0;
        for i in 0..20 {
            let mut game = PlainGame::new(Rng::stream(7, i));
            while !game.over() {
                game.play_on(&Controller::new(short), 1000, level);
            }
            lines += game.lines();
        }
        assert_eq!(lines, 343, "{level}");
        for (weights, two_piece, pieces, lines, valued) in [
            (Weights::DT20, false, 20_000, 7_997, 463_246),
            (Weights::DELLACHERIE, false, 20_000, 7_996, 463_246),
            (Weights::DT20, true, 1_000, 398, 535_840),
        ] {
            let mut game = PlainGame::new(Rng::new(1));
            assert_eq!(game.play_on(&Controller { weights, two_piece }, pieces, level), pieces);
            assert_eq!((game.lines(), game.valued()), (lines, valued), "{level} {weights} {two_piece}");
        }
    }
}

#[test]
fn the_end_of_a_game() {
    // Columns 17 high, column 7 one less, no row full: there an I can stand, elsewhere it would end in row 20; flat, it
    // stays below in seven places.
    let column = (1u64 << 17) - 1;
    let columns: [u64; 10] = std::array::from_fn(|x| column & !(0b10_0000_0001 << (x % 8)));
    let high = Board::from_columns(columns).unwrap();
    let controller = Controller::new(Weights::DT20);
    assert_eq!(reference::control::drops(&high, Piece::I).len(), 7 + 1);
    assert!(controller.choose(&high, Piece::I, None).is_some());
    let full = Board::from_columns(columns.map(|column| column | 7 << 17 & !(column >> 4))).unwrap();
    for piece in Piece::ALL {
        let drops = reference::control::drops(&full, piece).len();
        assert_eq!(controller.choose(&full, piece, None).is_some(), drops > 0, "{piece}");
    }
}

#[test]
fn lifetimes() {
    assert_eq!(Lifetime { lines: 500, ended: 0 }.mean(), None);
    let (low, high) = Lifetime { lines: 500, ended: 0 }.interval();
    assert!((low - 500.0 / 3.688_879).abs() < 1e-3 && high.is_none());
    // Tables of chi-squared: 0.0506 and 7.378 with 2 degrees of freedom, 11.143 with 4; 9.591 with 20, 36.781 with 22.
    let close = |found: f64, table: f64| (found / table - 1.0).abs() < 0.01;
    let (low, high) = Lifetime { lines: 100, ended: 1 }.interval();
    assert!(close(low, 200.0 / 11.143) && close(high.unwrap(), 200.0 / 0.050_64), "{low} {high:?}");
    let (low, high) = Lifetime { lines: 1000, ended: 10 }.interval();
    assert!(close(low, 2000.0 / 36.781) && close(high.unwrap(), 2000.0 / 9.591), "{low} {high:?}");
}

#[test]
fn names_of_weights() {
    assert_eq!("dellacherie".parse(), Ok(Weights::DELLACHERIE));
    let error = "bcts".parse::<Weights>().unwrap_err();
    assert_eq!(error.to_string(), "expected dellacherie or dt20, found \"bcts\"");
    assert_eq!((Weights::DT20.to_string(), Weights::default().to_string()), ("dt20".into(), "custom".into()));
}
