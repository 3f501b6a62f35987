//! The number that tells whether two builds play alike.

use crate::{Board16, Playouts, swaps8_with};
use bitcore::{Level, dispatch};

/// Folds a fixed workload into one number: equal on every level and every platform.
///
/// ```
/// use bitcore::Level;
/// let digests: Vec<u64> = Level::all().map(match3::digest).collect();
/// assert!(digests.iter().all(|&digest| digest == digests[0]));
/// ```
#[allow(clippy::missing_panics_doc, reason = "six colours on 8 x 8 always fit")]
pub fn digest(level: Level) -> u64 {
    let mut rng = bitcore::Rng::new(3);
    let mut digest = 0u64;
    for round in 0..4000 {
        let (colours, holes) = (2 + round % 6, round % 3);
        let cells: [u8; 64] =
            core::array::from_fn(|_| if rng.below(10) < holes { 0 } else { 1 + rng.below(colours) as u8 });
        let (right, down) = dispatch!(level, isa => swaps8_with(isa, &cells));
        digest = (digest.rotate_left(5) ^ right).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ down;
    }
    let mut playouts: Playouts = Playouts::new(9, 6, 3).expect("six colours");
    digest ^= dispatch!(level, isa => playouts.run_with(isa, 200)).score;
    for game in playouts.games() {
        let mut board: Board16 = Board16::new(&(*game.board()).into()).expect("8 x 8");
        let mut colours = game.colours().clone();
        for _ in 0..100 {
            let outcome = dispatch!(level, isa => board.random_move_with(isa, &mut colours));
            digest = digest.rotate_left(9) ^ outcome.unwrap_or_default().score;
        }
    }
    digest
}
