//! [`digest()`]: a number that is equal in all builds that play alike.

use crate::bitboard::mask::RowMask;
use crate::bitboard::planes::Board16;
use crate::board::{Board, Cell};
use crate::playout::{Playouts, RandomGame};
use crate::rules::Rules;
use crate::swaps::swaps;
use bitcore::Rng;
use bitcore::bits::fold;

/// Folds a fixed workload into one number that is equal on every ISA level and platform.
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
    let mut rng = Rng::new(3);
    let mut digest = 0u64;
    for round in 0..4000 {
        let colors = 2 + round % 6;
        let holes = round % 3;
        let cell = |_| {
            if rng.below(10) < holes {
                Cell::EMPTY
            } else {
                Cell::from_byte(1 + rng.below(colors) as u8)
            }
        };
        let board = Board::from_cells(8, 8, (0..64).map(cell).collect()).expect("8 x 8");
        let found = swaps(&board);
        let word = |mask: &RowMask| mask.words().iter().rev().fold(0, |word, row| word << 8 | row);
        let right = word(&found.right);
        let down = word(&found.down);
        digest = fold(digest, right) ^ down;
    }
    let rules = Rules { moves: 200, ..Rules::default() };
    digest ^= Playouts::new(rules, 3).expect("six colors").play(9).score.sum as u64;
    for rng in Rng::streams(3).take(9) {
        let mut game = RandomGame::new(rules, rng).expect("six colors");
        game.run(200);
        let mut board: Board16 = Board16::try_from(&game.board()).expect("8 x 8");
        let mut colors = game.colors().clone();
        for _ in 0..100 {
            let result = board.random_move(&mut colors);
            digest = digest.rotate_left(9) ^ result.unwrap_or_default().score;
        }
    }
    digest
}
