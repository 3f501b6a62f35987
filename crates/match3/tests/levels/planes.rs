//! Bit planes: rejected input, and colors. `properties::board` covers lists, runs and cascades,
//! `properties::playouts` random play.

use crate::properties::plain::colors_at_once;
use bitcore::Rng;
use match3::bitboard::Board64;
use match3::{
    Board, Board8, Board16, CascadeResult, Colors, Error, Playouts, RandomColors, RandomGame, Rules,
};

#[test]
fn what_does_not_fit_is_refused() {
    let board = |text: &str| text.parse::<Board>().expect("a board");
    let error = Error::Color { x: 1, y: 1, found: 8, largest: 7 };
    assert_eq!(Board8::<3>::try_from(&board("12\n38")), Err(error));
    assert_eq!(
        error.to_string(),
        "column 1 of row 1, from 0: color 8, expected at most 7 in these bit planes"
    );
    assert!(Board8::<4>::try_from(&board("12\n38")).is_ok());
    let error = Error::Color { x: 0, y: 0, found: 16, largest: 15 };
    assert_eq!(Board16::<4>::try_from(&board("g2")), Err(error));
    // `Board64` takes every color.
    assert!(Board64::from(&board("z2")).swaps().is_empty());
    let error = Error::Size { width: 9, height: 1, longest: 8 };
    assert_eq!(Board8::<3>::try_from(&board("123456712")), Err(error));
    let long = Board::new(1, 17).expect("17 rows");
    assert_eq!(
        Board16::<3>::try_from(&long),
        Err(Error::Size { width: 1, height: 17, longest: 16 })
    );
    for count in [0, 16] {
        let error = Error::Colors { found: count, least: 1, largest: 15 };
        assert_eq!(RandomColors::new(count, Rng::new(1)), Err(error));
    }
    let mut eight = RandomColors::new(8, Rng::new(1)).expect("eight colors");
    let error = Error::Colors { found: 8, least: 3, largest: 7 };
    assert_eq!(Board8::<3>::deal(8, 8, &mut eight), Err(error));
    let error = Error::Colors { found: 2, least: 3, largest: 15 };
    let two = Rules { colors: 2, ..Rules::default() };
    assert_eq!(RandomGame::new(two, Rng::new(1)), Err(error));
    assert_eq!(Playouts::new(two, 1), Err(error));
    assert_eq!(Playouts::new(Rules { moves: 0, ..two }, 1), Err(Error::NoMoves));
    assert!(Playouts::new(Rules { width: 2, height: 2, ..Rules::default() }, 1).is_err());
}

#[test]
fn random_colors_are_drawn_as_documented() {
    for count in 1..=15 {
        let mut rng = Rng::new(u64::from(count));
        let mut colors = RandomColors::new(count, rng.clone()).expect("15 colors");
        for _ in 0..200 {
            for expected in colors_at_once(count, &mut rng).into_iter().filter(|&color| color > 0) {
                assert_eq!(colors.next(), expected, "{count} colors");
            }
        }
    }
}

#[test]
fn long_games_are_those_of_endless_ones() {
    // More moves than between two polls of `stop`.
    for (width, height, colors) in [(8, 8, 6), (9, 7, 5), (6, 8, 9)] {
        let rules = Rules { width, height, colors, moves: 2500 };
        let sums = |result: CascadeResult| (result.cleared, result.score);
        let games =
            Rng::streams(5).take(3).map(|rng| RandomGame::new(rules, rng).unwrap().run(2500));
        let (cleared, score) = games.map(sums).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        testkit::on_each_level(|| {
            let stats = Playouts::new(rules, 5).unwrap().play(3);
            let found = (stats.games, stats.moves, stats.cleared, stats.score.sum);
            assert_eq!(found, (3, 7500, cleared, i128::from(score)));
        });
    }
}
