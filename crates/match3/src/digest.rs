//! [`digest()`]: one number that is equal in all builds that play alike.

use crate::bitboard::planes::Board16;
use crate::playout::Playouts;
use crate::swaps::swaps8;
use bitcore::bits::fold;

/// Folds a fixed workload into one number, which is equal on every level and every platform.
///
/// ```
/// use bitcore::Level;
/// let digest = |level| {
///     Level::set_active(level);
///     match3::digest()
/// };
/// let digests: Vec<u64> = Level::all().map(digest).collect();
/// assert!(digests.iter().all(|&digest| digest == digests[0]));
/// ```
#[allow(clippy::missing_panics_doc, reason = "six colors on 8 x 8 always fit")]
pub fn digest() -> u64 {
    let mut rng = bitcore::Rng::new(3);
    let mut digest = 0u64;
    for round in 0..4000 {
        let (colors, holes) = (2 + round % 6, round % 3);
        let cells: [u8; 64] =
            core::array::from_fn(|_| if rng.below(10) < holes { 0 } else { 1 + rng.below(colors) as u8 });
        let (right, down) = swaps8(&cells);
        digest = fold(digest, right) ^ down;
    }
    let mut playouts = Playouts::new(9, 6, 3).expect("six colors");
    digest ^= playouts.run(200).score;
    for game in playouts.games() {
        let mut board: Board16 = Board16::new(&game.board()).expect("8 x 8");
        let mut colors = game.colors().clone();
        for _ in 0..100 {
            let result = board.random_move(&mut colors);
            digest = digest.rotate_left(9) ^ result.unwrap_or_default().score;
        }
    }
    digest
}
