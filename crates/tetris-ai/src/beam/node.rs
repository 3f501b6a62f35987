//! [`Node`]: a board of the beam.

use super::lock::Lock;
use super::moves::Moves;
use super::rows::{FULL, Form};
use crate::contest::{Board, COLUMNS, ROWS, multiplier};

/// A board of the beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) rows: [u16; ROWS],
    pub(super) score: u32,
    pub(super) cells: u32,
    /// See [`hash`].
    pub(super) hash: u64,
}

impl Node {
    pub(super) fn new(board: &Board, score: u32) -> Self {
        let rows = *board.rows();
        Self { rows, score, cells: board.cells(), hash: hash(&rows) }
    }

    pub(super) fn board(&self) -> Board {
        Board::from_rows(self.rows)
    }

    /// The board after a lock, whose hash is known.
    pub(super) fn child(&self, moves: &Moves, lock: Lock, scores: bool, hash: u64) -> Self {
        let form = &moves.forms[usize::from(lock.state)];
        let (rows, lines) = placed(&self.rows, form, lock.x.into(), lock.y.into());
        let gain = if scores { multiplier(lines) * (self.cells + 4) } else { 0 };
        Self { rows, score: self.score + gain, cells: self.cells + 4 - COLUMNS as u32 * lines, hash }
    }

    /// The hash of its rows, from the beginning.
    pub(super) fn rehashed(mut self) -> Self {
        self.hash = hash(&self.rows);
        self
    }
}

/// Some rows with a piece whose center is at (x, y), the full ones removed; and how many these were.
#[inline(always)]
pub(super) fn placed(rows: &[u16; ROWS], form: &Form, x: u32, y: usize) -> ([u16; ROWS], u32) {
    let mut rows = *rows;
    let mut lines = 0;
    let highest = y - form.up;
    for i in 0..form.height {
        let y = highest + i;
        rows[y] |= form.row(i, x);
        if rows[y] == FULL {
            lines += 1;
            rows.copy_within(0..y, 1);
            rows[0] = 0;
        }
    }
    (rows, lines)
}

/// A random odd number for each row.
pub(super) const FACTORS: [u64; ROWS] = {
    let mut factors = [0; ROWS];
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut y = 0;
    while y < ROWS {
        // SplitMix64.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        factors[y] = (z ^ z >> 31) | 1;
        y += 1;
    }
    factors
};

/// A hash that is linear in the rows: a piece that fills no row adds its own.
#[inline(always)]
pub(super) fn hash(rows: &[u16; ROWS]) -> u64 {
    let mut hash = 0u64;
    for y in 0..ROWS {
        hash = hash.wrapping_add(u64::from(rows[y]).wrapping_mul(FACTORS[y]));
    }
    hash
}

/// In how many parts a layer is divided, by [`part_of`].
pub(super) const PARTS: usize = 16;

/// The part of the layer in which a board lies. The product's upper bits depend on all of the hash.
#[inline(always)]
pub(super) const fn part_of(hash: u64) -> usize {
    (hash.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 60) as usize
}

/// Where a node lies in its layer: the part in the upper four bits, then the place in the part.
#[inline(always)]
pub(super) const fn place(part: usize, index: usize) -> u32 {
    (part as u32) << 28 | index as u32
}

/// The part and the place in the part.
#[inline(always)]
pub(super) const fn part_and_index(place: u32) -> (usize, usize) {
    ((place >> 28) as usize, (place & ((1 << 28) - 1)) as usize)
}
