//! [`Layout`]: the tuples of a board size, and the indices of their weights.

use crate::board::{Board, Size};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use bitcore::SetBits;

/// The most weights of a size's tuples, unless they have the fewest cells.
const MOST_WEIGHTS: u64 = 1 << 25;

/// The most ranks that tables tell apart: 131072s and larger tiles have the same weights.
const MOST_RANKS: u64 = 18;

/// The numbers of cells that a tuple may have.
pub(super) const TUPLE_CELLS: core::ops::RangeInclusive<u32> = 4..=6;

/// Cells of a shape, as columns and rows.
type Shape = &'static [(u8, u8)];

/// Shapes of six, five and four cells: rectangles, lines, and rectangles without a corner.
const SHAPES: [&[Shape]; 3] = [
    // A rectangle may be the whole board: the squares generalize.
    &[&[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)], SQUARE, LINE],
    &[&[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)], &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)], LINE],
    &[SQUARE, LINE],
];

const SQUARE: Shape = &[(0, 0), (1, 0), (0, 1), (1, 1)];
const LINE: Shape = &[(0, 0), (1, 0), (2, 0), (3, 0)];

/// Tuples of cells on boards of one size, each with its images under the board's symmetries.
#[derive(Clone, PartialEq)]
pub(super) struct Layout {
    pub(super) size: Size,
    /// The ranks that the tables tell apart; larger ones count as the largest.
    pub(super) ranks: u64,
    /// The cells of each tuple, as sets.
    pub(super) tuples: Vec<u64>,
    tables: Vec<Table>,
    /// The cells of each tuple's images, in the order of the tuple's cells.
    cells: Vec<u8>,
    /// The indices of a board's weights.
    pub(super) lookups: usize,
    pub(super) weights: u64,
}

/// A tuple's first weight, and its number of cells.
#[derive(Clone, Copy, PartialEq)]
struct Table {
    start: u32,
    cells: u8,
}

impl Layout {
    /// Returns the tuples for boards of a size: as many cells as the number of weights allows.
    pub(super) fn of(size: Size) -> Self {
        // Play on n cells reaches rank n + 1.
        let ranks = (size.cells() as u64 + 2).min(MOST_RANKS);
        let layout = |shapes| Self::new(size, ranks, placed(size, shapes));
        let fits = |layout: &Self| !layout.tuples.is_empty() && layout.weights <= MOST_WEIGHTS;
        let [larger @ .., smallest] = SHAPES;
        larger.into_iter().map(layout).find(fits).unwrap_or_else(|| layout(smallest))
    }

    /// Returns the layout of given tuples, each with four to six cells of the board.
    pub(super) fn new(size: Size, ranks: u64, tuples: Vec<u64>) -> Self {
        let images = images(size);
        let mut tables = Vec::new();
        let mut cells = Vec::new();
        let mut weights = 0;
        for &tuple in &tuples {
            let count = tuple.count_ones();
            tables.push(Table { start: weights as u32, cells: count as u8 });
            weights += ranks.pow(count);
            for image in &images {
                cells.extend(SetBits(tuple).map(|cell| image.ranks()[cell as usize]));
            }
        }
        let lookups = tuples.len() * images.len();
        Self { size, ranks, tuples, tables, cells, lookups, weights }
    }

    /// Writes the indices of a board's weights, tuple by tuple.
    #[inline(always)]
    pub(super) fn find(&self, board: &Board, indices: &mut [u32]) {
        let mut ranks = [0; 64];
        for (to, &rank) in ranks.iter_mut().zip(board.ranks()) {
            *to = u32::from(rank).min(self.ranks as u32 - 1);
        }
        let base = self.ranks as u32;
        let images = self.lookups / self.tuples.len().max(1);
        let mut cells = &self.cells[..];
        for (table, indices) in self.tables.iter().zip(indices.chunks_mut(images)) {
            let (these, rest) = cells.split_at(usize::from(table.cells) * images);
            cells = rest;
            match table.cells {
                4 => find::<4>(&ranks, base, table.start, these, indices),
                5 => find::<5>(&ranks, base, table.start, these, indices),
                _ => find::<6>(&ranks, base, table.start, these, indices),
            }
        }
    }
}

#[inline(always)]
fn find<const N: usize>(
    ranks: &[u32; 64],
    base: u32,
    start: u32,
    cells: &[u8],
    indices: &mut [u32],
) {
    for (index, cells) in indices.iter_mut().zip(cells.as_chunks::<N>().0) {
        let mut sum = 0;
        for &cell in cells.iter().rev() {
            sum = sum * base + ranks[usize::from(cell) & 63];
        }
        *index = start + sum;
    }
}

/// Returns the images of a board that have its size: the cell from which each of their cells comes.
fn images(size: Size) -> Vec<Board> {
    let cells = Board::from_fn(size, |cell| cell as u8);
    cells.symmetries().into_iter().filter(|image| image.size() == size).collect()
}

/// Returns the places of some shapes on a board, one of those that are images of each other.
fn placed(size: Size, shapes: &[Shape]) -> Vec<u64> {
    let images = images(size);
    let mut seen = BTreeSet::new();
    let mut tuples = Vec::new();
    for shape in shapes {
        for is_turned in [false, true] {
            for corner in 0..size.cells() {
                let tuple = shape.iter().try_fold(0u64, |tuple, &(x, y)| {
                    let (x, y) = if is_turned { (y, x) } else { (x, y) };
                    let x = corner % size.width() + usize::from(x);
                    let y = corner / size.width() + usize::from(y);
                    let exists = x < size.width() && y < size.height();
                    exists.then(|| tuple | 1 << (y * size.width() + x))
                });
                let Some(tuple) = tuple else { continue };
                let image_of = |image: &Board| {
                    SetBits(tuple).fold(0, |set, cell| set | 1u64 << image.ranks()[cell as usize])
                };
                if images.iter().map(image_of).min().is_some_and(|least| seen.insert(least)) {
                    tuples.push(tuple);
                }
            }
        }
    }
    tuples
}
