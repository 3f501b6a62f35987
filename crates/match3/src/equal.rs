//! Masks of equal cells, one word a row: what runs and swaps are computed from, without a pass per colour.

use crate::board::{Board, Cell};
use alloc::vec::Vec;

/// Rows of bits, bit x = column x. A row outside the board is empty.
pub(crate) struct Rows(Vec<u64>);

impl Rows {
    pub(crate) fn new(height: usize, row: impl FnMut(usize) -> u64) -> Self {
        Self((0..height).map(row).collect())
    }

    /// Row `y + dy`.
    pub(crate) fn at(&self, y: usize, dy: isize) -> u64 {
        y.checked_add_signed(dy).and_then(|y| self.0.get(y)).copied().unwrap_or(0)
    }
}

/// One row as bit planes of its colours, and the mask of cells that have one.
struct Planes {
    planes: [u64; 6],
    coloured: u64,
}

impl Planes {
    fn new(row: &[Cell]) -> Self {
        let mut planes = [0; 6];
        let mut coloured = 0;
        for (x, cell) in row.iter().enumerate() {
            let colour = u64::from(cell.byte() & Cell::COLOUR_BITS);
            for (bit, plane) in planes.iter_mut().enumerate() {
                *plane |= (colour >> bit & 1) << x;
            }
            coloured |= u64::from(colour != 0) << x;
        }
        Self { planes, coloured }
    }

    /// Bit x: column x of `self` equals column x + `dx` of `other`. `dx` is -1..=2.
    fn equal(&self, other: &Self, dx: i32) -> u64 {
        let moved = |word: u64| if dx < 0 { word << -dx } else { word >> dx };
        let different = self.planes.iter().zip(&other.planes).fold(0, |all, (&a, &b)| all | (a ^ moved(b)));
        self.coloured & moved(other.coloured) & !different
    }
}

/// All the equalities that swaps and runs need: bit x of row y of `dxdy` compares (x, y) with (x + dx, y + dy).
pub(crate) struct Equal {
    /// With (x + 1, y).
    pub(crate) right: Rows,
    /// With (x + 2, y).
    pub(crate) right2: Rows,
    /// With (x, y + 1).
    pub(crate) down: Rows,
    /// With (x, y + 2).
    pub(crate) down2: Rows,
    /// With (x + 1, y + 1).
    pub(crate) down_right: Rows,
    /// With (x - 1, y + 1).
    pub(crate) down_left: Rows,
    /// Cells that may be swapped.
    pub(crate) swappable: Rows,
}

impl Equal {
    pub(crate) fn new(board: &Board) -> Self {
        let planes: Vec<Planes> = board.rows().map(Planes::new).collect();
        let height = planes.len();
        let rows =
            |dx, dy| Rows::new(height, |y| planes.get(y + dy).map_or(0, |other| planes[y].equal(other, dx)));
        let swappable: Vec<u64> = board
            .rows()
            .map(|row| row.iter().enumerate().fold(0, |m, (x, cell)| m | u64::from(cell.is_swappable()) << x))
            .collect();
        Self {
            right: rows(1, 0),
            right2: rows(2, 0),
            down: rows(0, 1),
            down2: rows(0, 2),
            down_right: rows(1, 1),
            down_left: rows(-1, 1),
            swappable: Rows(swappable),
        }
    }
}
