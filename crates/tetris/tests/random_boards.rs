//! Random boards for the tests of the move generator.

use bitcore::Rng;
use tetris::Board;
use tetris::board::{HEIGHT, WIDTH};

/// Boards of several kinds that exercise different parts of the generator, of all heights up to the ceiling.
pub(crate) fn board(rng: &mut Rng) -> Board {
    let height = rng.below(HEIGHT as u32 + 1);
    let mut columns = match rng.below(6) {
        // Rubble of any density.
        0 => {
            let density = rng.below(3);
            rows(rng, height, |rng| match density {
                0 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
                1 => rng.next_u64() & rng.next_u64(),
                _ => rng.next_u64(),
            })
        }
        // Garbage: full rows with a hole or two each, rubble over them.
        1 => {
            let top = rng.below(6).min(height);
            let mut columns = rows(rng, height, |rng| rng.next_u64() & rng.next_u64());
            let garbage = (1u64 << (height - top)) - 1;
            for column in &mut columns {
                *column |= garbage;
            }
            for y in 0..height - top {
                for _ in 0..=rng.below(2) {
                    columns[rng.below(10) as usize] &= !(1 << y);
                }
            }
            columns
        }
        // A surface of steps with tunnels under it.
        2 => {
            let low = rng.below(height + 1);
            let mut columns = [0; WIDTH];
            for column in &mut columns {
                *column = (1 << (low + rng.below(height - low + 1))) - 1;
            }
            for _ in 0..rng.below(12) {
                let (x, y, length) = (rng.below(10), rng.below(height + 1), 1 + rng.below(6));
                (x..(x + length).min(10)).for_each(|x| columns[x as usize] &= !(3 << y));
            }
            columns
        }
        // Sparse cells: hooks for every kick.
        3 => rows(rng, height, |rng| rng.next_u64() & rng.next_u64() & rng.next_u64() & rng.next_u64()),
        // A few rows repeated: pieces climb by their kicks, up to the ceiling.
        4 => {
            let period = 2 + rng.below(6);
            let pattern = rows(rng, period, |rng| rng.next_u64() & rng.next_u64());
            let repeated = |rows: u64| (0..height).step_by(period as usize).fold(0, |all, y| all | rows << y);
            pattern.map(repeated)
        }
        // Winding caves two wide.
        _ => {
            let mut columns = [(1 << height) - 1; WIDTH];
            let (mut x, mut y) = (4 + rng.below(2), height);
            for _ in 0..60 {
                (x..(x + 3).min(10)).for_each(|x| columns[x as usize] &= !(7 << y >> 1));
                match rng.below(4) {
                    0 => x = x.saturating_sub(1),
                    1 => x = (x + 1).min(8),
                    _ => y = y.saturating_sub(1),
                }
            }
            columns
        }
    };
    // Mostly with room at the spawn.
    if height > 18 && rng.below(8) > 0 {
        let (left, right) = (rng.below(4) as usize, 6 + rng.below(5) as usize);
        let (bottom, rows) = (18 - rng.below(12).min(rng.below(14)), 2 + rng.below(24));
        columns[left..right].iter_mut().for_each(|column| *column &= !(((1 << rows) - 1) << bottom));
        columns[3..6].iter_mut().for_each(|column| *column &= !(7 << 19));
    }
    Board::from_columns(columns.map(|column| column & ((1 << HEIGHT) - 1))).unwrap()
}

fn rows(rng: &mut Rng, height: u32, mut bits: impl FnMut(&mut Rng) -> u64) -> [u64; WIDTH] {
    std::array::from_fn(|_| bits(rng) & ((1 << height) - 1))
}
