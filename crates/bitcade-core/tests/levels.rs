//! Values that all games share, against their definitions. Each game tests its batches.

use crate::properties;
use bitcade_core::batch::{BatchError, Shape, TooManyGames, check_legal};
use bitcade_core::{Moments, ThreadPool};
use bitcore::Rng;
use bitcore::bits::fold;

testkit::properties! {
    moments_are_exact_sums: properties::moments::run, 2_000;
    shapes_refuse_what_does_not_fit: properties::shapes::run, 2_000;
}

/// Folds sums and shares of fixed random words into one number. The games' digests fold their
/// batches.
fn digest() -> u64 {
    let mut rng = Rng::new(2026);
    let mut moments = Moments::default();
    let mut digest = 0;
    for _ in 0..1000 {
        let word = rng.next_u64();
        moments.add(word >> 32);
        let share =
            ThreadPool::single().share(word as usize & 0xffff, 1 + (word as usize >> 16 & 63));
        for part in [moments.sum as u64, moments.squares as u64, share as u64] {
            digest = fold(digest, part);
        }
    }
    digest
}

#[test]
fn digests_are_equal() {
    testkit::digest("bitcade-core", include_str!("data/digest.txt"), digest);
}

#[test]
fn the_first_illegal_action_is_named() {
    let legal = |game: usize, action: u32| action < 4 && game < 3;
    assert_eq!(check_legal(&[0, 3, 2], legal), Ok(()));
    assert_eq!(check_legal(&[0, 4, 9], legal), Err(BatchError::Illegal { game: 1, action: 4 }));
    assert_eq!(check_legal(&[0, 1, 2, 3], legal), Err(BatchError::Illegal { game: 3, action: 3 }));
}

/// Variance needs at least two numbers.
#[test]
fn moments_of_few_numbers() {
    let [one, same, two] = [&[3][..], &[3, 3], &[1, 3]].map(properties::moments::of);
    assert_eq!((two.mean(), two.variance(), two.variance_of_mean()), (2.0, 2.0, 1.0));
    assert_eq!((one.variance(), same.variance()), (0.0, 0.0));
    #[cfg(feature = "std")]
    {
        assert_eq!((one.standard_deviation(), one.standard_error()), (0.0, 0.0));
        assert_eq!((two.standard_deviation(), two.standard_error()), (2.0f64.sqrt(), 1.0));
    }
}

/// The slices would fit into memory, the states don't.
#[test]
fn states_that_no_memory_holds_are_refused() {
    let shape = Shape { games: usize::MAX >> 5, cells: 1, actions: 1 };
    assert_eq!(shape.reserve_games::<[u64; 64]>(1), Err(TooManyGames { games: shape.games }));
    assert_eq!(Shape { games: 3, ..shape }.reserve_games::<()>(2), Ok(vec![]));
}
