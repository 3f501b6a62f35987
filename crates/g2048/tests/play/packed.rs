//! Boards that don't fit in 64 bits; see `properties::boards` for the slides.

use g2048::{Board, Error, Packed};

#[test]
fn what_cannot_be_packed() {
    let board = |text: &str| text.parse::<Board>().unwrap();
    assert_eq!(Packed::try_from(&board("2 4\n4 2")), Err(Error::Not4x4 { width: 2, height: 2 }));
    let large = board(". . . . \n . . 65536 . \n . . . . \n . . . .");
    assert_eq!(Packed::try_from(&large), Err(Error::Rank { cell: 6, rank: 16, most: 15 }));
    assert!(Error::Rank { cell: 6, rank: 16, most: 15 }.to_string().contains("cell 6"));
}
