//! The 64-bit board: what it can't be. `properties::boards` has its slides.

use g2048::{Board, PackError, Packed, Size};

#[test]
fn what_cannot_be_packed() {
    let board = |text: &str| text.parse::<Board>().unwrap();
    assert_eq!(Packed::try_from(&board("2 4\n4 2")), Err(PackError::Size(Size::new(2, 2).unwrap())));
    let large = board(". . . . \n . . 65536 . \n . . . . \n . . . .");
    assert_eq!(Packed::try_from(&large), Err(PackError::Rank { cell: 6, rank: 16 }));
    assert!(PackError::Rank { cell: 6, rank: 16 }.to_string().contains("cell 6"));
}
