//! Bit planes: what they refuse, and their colors. `properties::board` has lists, runs and cascades,
//! `properties::playouts` random play.

use crate::properties::plain::colors_at_once;
use bitcore::Rng;
use bitcore::batch::TooManyGames;
use match3::board64::Board64;
use match3::colors::{Colors, RandomColors};
use match3::planes::PlanesError;
use match3::playout::RandomGame;
use match3::{Board, Board8, Board16, Playouts};

#[test]
fn what_does_not_fit_is_refused() {
    let board = |text: &str| text.parse::<Board>().expect("a board");
    let error = PlanesError::Color { x: 1, y: 1, found: 8, largest: 7 };
    assert_eq!(Board8::<3>::new(&board("12\n38")), Err(error));
    assert_eq!(
        error.to_string(),
        "column 1 of row 1, from 0: color 8, expected at most 7 in these bit planes"
    );
    assert!(Board8::<4>::new(&board("12\n38")).is_ok());
    let error = PlanesError::Color { x: 0, y: 0, found: 16, largest: 15 };
    assert_eq!(Board16::<4>::new(&board("g2")), Err(error));
    // Rows hold every color.
    assert!(Board64::new(&board("z2")).swaps().is_empty());
    let error = PlanesError::Size { width: 9, height: 1, longest: 8 };
    assert_eq!(Board8::<3>::new(&board("123456712")), Err(error));
    let long = Board::new(1, 17).expect("17 rows");
    assert_eq!(Board16::<3>::new(&long), Err(PlanesError::Size { width: 1, height: 17, longest: 16 }));
    for count in [0, 16] {
        let error = PlanesError::Colors { found: count, least: 1, largest: 15 };
        assert_eq!(RandomColors::new(count, Rng::new(1)), Err(error));
    }
    let mut eight = RandomColors::new(8, Rng::new(1)).expect("eight colors");
    let error = PlanesError::Colors { found: 8, least: 3, largest: 7 };
    assert_eq!(Board8::<3>::deal(8, 8, &mut eight), Err(error));
    let error = PlanesError::Colors { found: 2, least: 3, largest: 15 };
    assert_eq!(RandomGame::new(2, Rng::new(1)), Err(error));
    assert_eq!(Playouts::new(5, 2, 1).map(|_| ()), Err(error));
    for games in [usize::MAX, usize::MAX / 16, isize::MAX as usize / 4] {
        for colors in [6, 15] {
            let error = Playouts::new(games, colors, 1).map(|_| ()).unwrap_err();
            assert_eq!(error, PlanesError::Games(TooManyGames { games }));
            assert_eq!(error.to_string(), format!("{games} games: more than memory can hold"));
        }
    }
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
