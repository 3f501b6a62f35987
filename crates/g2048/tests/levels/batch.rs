//! Rejected calls and starting boards of batches; see `properties::batch` for their play.

use bitcore::Rng;
use g2048::batch::BatchError;
use g2048::{Batch, Board, Size};

#[test]
fn what_a_batch_refuses() {
    let size = |width, height| Size::new(width, height).expect("a size");
    let batch = |width| Batch::new(2, size(width, 3), 1).expect("few games");
    for size in [size(2, 2), Size::CLASSIC, size(8, 8)] {
        testkit::check_refusals([batch(3), batch(4)], |n| Batch::new(n, size, 1), |error| error);
    }
}

#[test]
fn games_begin_on_given_boards() {
    let size = Size::CLASSIC;
    let board = |ranks: [u8; 16]| Board::from_ranks(size, &ranks).expect("ranks");
    let starts = [board([1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 7]), board([9; 16])];
    let dead = board([1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1]);
    let batch = || Batch::new(200, size, 3).expect("few games");
    let small = Board::empty(Size::new(3, 3).expect("a size"));
    for (start, reason) in [(dead, "no move is legal"), (small, "a board of another size")] {
        let refused = batch().with_starts(vec![starts[0], start]).map(|_| ());
        assert_eq!(refused, Err(BatchError::Start { index: 1, reason }));
        assert_eq!(refused.expect_err("refused").to_string(), format!("start 1: {reason}"));
    }
    let batch = batch().with_starts(starts.to_vec()).expect("starts with legal moves");
    let count = (0..200).filter(|&game| batch.game(game) == Some(starts[0])).count();
    assert!((70..130).contains(&count), "{count} of 200 games begin on the first board");
    assert!((0..200).all(|game| batch.game(game).is_some_and(|board| starts.contains(&board))));
    // The start is the first draw of the stream.
    let streams = Rng::streams(3).take(200).enumerate();
    for (game, mut rng) in streams {
        assert_eq!(batch.game(game), Some(starts[rng.below(2) as usize]), "game {game}");
    }
}
