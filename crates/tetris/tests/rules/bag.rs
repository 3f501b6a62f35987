//! The 7-bag randomizer.

use bitcore::Rng;
use tetris::{Bag, Piece};

/// Each group of seven pieces, from the first on, has all seven.
#[test]
fn pieces_come_in_bags() {
    let mut rng = Rng::new(4);
    let mut bag = Bag::FULL;
    let mut firsts = [0; 7];
    for _ in 0..7_000 {
        let mut drawn = Vec::new();
        while drawn.len() < 7 {
            let left = bag;
            let piece = bag.draw(&mut rng);
            assert!(left.contains(piece) && left.pieces().any(|other| other == piece));
            assert_eq!(left.len() as usize, 7 - drawn.len());
            drawn.push(piece);
        }
        firsts[drawn[0] as usize] += 1;
        drawn.sort_unstable();
        assert_eq!(drawn, Piece::ALL);
    }
    // 1000 each; a hundred is more than three standard deviations.
    assert!(firsts.iter().all(|first| (880..1120).contains(first)), "{firsts:?}");
}

#[test]
fn a_piece_drawn_elsewhere_is_taken_once() {
    let mut bag = Bag::default();
    for (taken, piece) in Piece::ALL.into_iter().enumerate() {
        assert_eq!((bag.len() as usize, bag.is_empty()), (7 - taken, false));
        assert!(bag.take(piece));
        // The last one fills the next bag.
        assert_eq!(bag.contains(piece), taken == 6);
    }
    assert_eq!(bag, Bag::FULL);
    assert!(bag.take(Piece::S) && !bag.take(Piece::S));
    assert_eq!(bag.pieces().count(), 6);
}
