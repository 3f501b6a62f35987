//! Match-3 as a user would write it instead of a call of the crate: bytes, and one loop over bits.

use match3::bitboard::{ColumnMask, Mask};
use match3::{Axis, Board8, Colors, RandomColors, Swap, Swaps};

/// Lists the swaps of a board in the order of `Swaps::iter`, by one loop over the bits of each row.
pub(crate) fn list(swaps: &Swaps<ColumnMask<u64>>, list: &mut Vec<Swap>) {
    for y in 0..swaps.right.height() {
        let right = swaps.right.row(y);
        let down = swaps.down.row(y);
        let mut cells = right | down;
        while cells != 0 {
            let x = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            if right >> x & 1 == 1 {
                list.push(Swap { x, y, axis: Axis::Horizontal });
            }
            if down >> x & 1 == 1 {
                list.push(Swap { x, y, axis: Axis::Vertical });
            }
        }
    }
}

/// 8 x 8 cells, row by row.
#[derive(Clone)]
pub(crate) struct Cells(pub(crate) [u8; 64]);

impl Cells {
    fn in_run(&self, at: usize) -> bool {
        let equal = |n: usize, step: isize| {
            let cells = (1..=n).map(|i| self.0[at.wrapping_add_signed(step * i as isize)]);
            cells.take_while(|&cell| cell == self.0[at]).count()
        };
        let x = at % 8;
        let y = at / 8;
        equal(x, -1) + equal(7 - x, 1) >= 2 || equal(y, -8) + equal(7 - y, 8) >= 2
    }

    pub(crate) fn list(&mut self, list: &mut Vec<Swap>) {
        for at in 0..64 {
            let x = at % 8;
            let y = at / 8;
            for (other, is_inside, axis) in
                [(at + 1, x < 7, Axis::Horizontal), (at + 8, y < 7, Axis::Vertical)]
            {
                if is_inside && self.0[at] != self.0[other] {
                    self.0.swap(at, other);
                    if self.in_run(at) || self.in_run(other) {
                        list.push(Swap { x, y, axis });
                    }
                    self.0.swap(at, other);
                }
            }
        }
    }

    /// Plays a swap. Returns the score.
    pub(crate) fn play(&mut self, Swap { x, y, axis }: Swap, colors: &mut RandomColors) -> u64 {
        let at = 8 * y + x;
        self.0.swap(at, if axis == Axis::Horizontal { at + 1 } else { at + 8 });
        let mut score = 0;
        for level in 1.. {
            let runs: [bool; 64] = core::array::from_fn(|at| self.in_run(at));
            let cleared = runs.iter().filter(|&&run| run).count() as u64;
            if cleared == 0 {
                break;
            }
            score += 10 * cleared * level;
            for x in 0..8 {
                let mut to = 8;
                for y in (0..8).rev().filter(|y| !runs[8 * y + x]) {
                    to -= 1;
                    self.0[8 * to + x] = self.0[8 * y + x];
                }
                (0..to).rev().for_each(|y| self.0[8 * y + x] = colors.next());
            }
        }
        score
    }

    /// Deals a board like the crate, if this one is dead.
    pub(crate) fn deal(&mut self, colors: &mut RandomColors) {
        let board: Board8 = Board8::deal(8, 8, colors).expect("six colors");
        self.0 = core::array::from_fn(|at| board.get(at % 8, at / 8).byte());
    }
}
