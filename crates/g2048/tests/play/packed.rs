//! Boards that don't fit in 64 bits; see `properties::boards` for the slides.

use g2048::{Board, Error, Game, Packed, Rng};

#[test]
fn what_cannot_be_packed() {
    let board = |text: &str| text.parse::<Board>().unwrap();
    assert_eq!(Packed::try_from(&board("2 4\n4 2")), Err(Error::Not4x4 { width: 2, height: 2 }));
    let large = board(". . . . \n . . 65536 . \n . . . . \n . . . .");
    assert_eq!(Packed::try_from(&large), Err(Error::Rank { cell: 6, rank: 16, most: 15 }));
    assert!(Error::Rank { cell: 6, rank: 16, most: 15 }.to_string().contains("cell 6"));
}

#[test]
fn a_packed_board_holds_tiles_up_to_32768() {
    let board: Board = "32768 . . . \n . . . . \n . . . . \n . . . 2".parse().unwrap();
    let packed = Packed::try_from(&board).unwrap();
    assert_eq!(Board::from(packed), board);
    assert_eq!(format!("{packed:?}"), format!("{board:?}"));
}

#[test]
fn a_game_that_is_over_is_played_out() {
    let over: Board = "2 4 2 4 \n 4 2 4 2 \n 2 4 2 4 \n 4 2 4 2".parse().unwrap();
    let mut game = Game::from(over);
    let mut rng = Rng::new(1);
    game.play_out(&mut rng);
    assert_eq!(game, Game::from(over));
    assert_eq!(rng, Rng::new(1));
}
