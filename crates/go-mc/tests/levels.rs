//! The properties: every ISA level plays the same moves as the references.

mod batch;
#[cfg(feature = "std")]
mod search;
#[cfg(feature = "std")]
#[path = "properties/searches.rs"]
mod searches;

#[cfg(feature = "std")]
use crate::properties::values;
use go_mc::Policy;
use go_mc::playout::{SequentialPlayouts, SimdPlayouts};

testkit::properties! {
    boards: crate::properties::boards::board, 300;
    games: crate::properties::boards::game, 300;
    perft: crate::properties::boards::perft, 100;
    points_1x1: crate::properties::chains::points::<1>, 20;
    points_2x2: crate::properties::chains::points::<2>, 50;
    points_5x5: crate::properties::chains::points::<5>, 100;
    points_9x9: crate::properties::chains::points::<9>, 200;
    points_13x13: crate::properties::chains::points::<13>, 50;
    points_19x19: crate::properties::chains::points::<19>, 50;
    chains_2x2: crate::properties::chains::chains::<2>, 100;
    chains_5x5: crate::properties::chains::chains::<5>, 200;
    chains_9x9: crate::properties::chains::chains::<9>, 100;
    chains_13x13: crate::properties::chains::chains::<13>, 20;
    chains_19x19: crate::properties::chains::chains::<19>, 20;
    sets_of_foogo: crate::properties::chains::foogo, 500;
    playouts_on_chains: crate::properties::playouts::games, 200;
    simd_playouts: crate::properties::playouts::simd, 150;
    sequential_playouts: crate::properties::playouts::sequential, 1_500;
    portions_of_playouts: crate::properties::playouts::portions, 60;
    playouts_from_games: crate::properties::playouts::from_games, 150;
    batches: crate::properties::batch::run, 150;
}

#[cfg(feature = "std")]
testkit::properties! {
    searches_of_any_settings: searches::search, 60;
}

#[test]
fn foogo_has_no_playouts_but_those_on_chains() {
    assert!(SimdPlayouts::<9>::new(Policy::FooGo, 1).is_none());
    assert!(SequentialPlayouts::<9>::new(Policy::FooGo, 1).is_none());
}

#[test]
fn digests_are_equal() {
    testkit::digest("go-mc", include_str!("data/digest.txt"), go_mc::digest);
}
